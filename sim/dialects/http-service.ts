/** The HTTP binding of primitives (TS-0009): a pure mapping, both ways, around `Cse.request`. */

import type { Clock } from '../core/configuration.ts';
import type { Cse } from '../core/operations/cse.ts';
import { refusalBy } from '../core/operations/result.ts';
import type { Operation, ResponsePrimitive } from '../core/primitive.ts';
import type { DialectName } from '../core/resource-type.ts';
import { CseError, statuses } from '../core/status.ts';
import { writeCbor } from './cbor.ts';
import { type HttpRequest, type HttpResponse, type HttpService, methodOf, WrittenAnswer } from './http-message.ts';
import { RequestReader } from './http-request.ts';
import { isCbor, mediaTypes } from './media-type.ts';
import { pathOf, readTarget } from './target.ts';
import { writeBasicTimestamp } from './timestamp.ts';

const operationOf: ReadonlyMap<string, Operation> = new Map([
  ...(['create', 'retrieve', 'update', 'delete'] as const).map(
    (operation) => [methodOf[operation], operation] as const,
  ),
  ['HEAD', 'retrieve'],
]);

/** Hooks of an installation before the CSE. */
export interface HttpServiceOptions {
  readonly onError?: OnError;
  /** Throws a CseError to refuse a request before it is read. */
  readonly admit?: (request: HttpRequest) => void;
  /** The answer of the other CSE that `to` leads to; undefined for this one. Rejects with a CseError. */
  readonly retarget?: (request: HttpRequest, to: string) => Promise<HttpResponse> | undefined;
}

/** One CSE as an HTTP service, with the conventions of its dialect. */
export function createHttpService(cse: Cse, { onError, admit, retarget }: HttpServiceOptions = {}): HttpService {
  const { configuration, services } = cse;
  const { name: dialect } = configuration.dialect;
  const reader = new RequestReader(configuration, services.ports.clock);
  const writer = new AnswerWriter(dialect, services.ports.clock, onError);
  return {
    handle(request) {
      const { method, headers } = request;
      let type: string | undefined;
      try {
        admit?.(request);
        const target = readTarget(request, dialect);
        const elsewhere = retarget?.(request, target.to);
        if (elsewhere !== undefined) return elsewhere.catch((error: unknown) => writer.refuse(error, headers));
        if (method === 'OPTIONS') return describeMethods(cse, target.to, request, writer);
        const operation = operationOf.get(method);
        if (operation === undefined) {
          const allow = cse.allowedOperations(target.to);
          throw new CseError('OPERATION_NOT_ALLOWED', `${method} is not a method of this interface.`, { allow });
        }
        type = mediaTypes[dialect].choose(headers.accept, headers['content-type']);
        const answer = cse.request(reader.read(request, operation, target));
        return answer instanceof Promise ? written(answer, headers, type, writer) : writer.write(answer, headers, type);
      } catch (error) {
        return writer.refuse(error, headers, type);
      }
    },
    refuse(error) {
      return writer.refuse(error, {});
    },
  };
}

async function written(
  answer: Promise<ResponsePrimitive>,
  headers: HttpRequest['headers'],
  type: string,
  writer: AnswerWriter,
): Promise<HttpResponse> {
  try {
    return writer.write(await answer, headers, type);
  } catch (error) {
    return writer.refuse(error, headers, type);
  }
}

/** OPTIONS is HTTP's own: the methods of the resource, or of the whole service for `*`. */
function describeMethods(cse: Cse, to: string, request: HttpRequest, writer: AnswerWriter): HttpResponse {
  const everything = request.target === '*' || to === '';
  const operations = everything ? ['retrieve', 'create', 'update', 'delete'] : cse.allowedOperations(to);
  const headers = { ...writer.headers({ status: statuses.OK }, request.headers), Allow: allowHeader(operations) };
  return { status: 204, headers, body: '' };
}

// From response primitives to HTTP answers (TS-0009, clauses 6.3 to 6.5).

type Headers = HttpRequest['headers'];

const methodsOf: ReadonlyMap<string, string> = new Map(Object.entries({ ...methodOf, retrieve: 'GET, HEAD' }));

function allowHeader(operations: readonly string[]): string {
  const methods = operations.map((operation) => methodsOf.get(operation) ?? operation);
  return [...new Set([...methods, 'OPTIONS'])].join(', ');
}

/** Receives internal errors, which are answered by 500. */
type OnError = (error: unknown) => void;

class AnswerWriter {
  readonly #dialect: DialectName;
  readonly #clock: Clock;
  readonly #onError: OnError | undefined;

  constructor(dialect: DialectName, clock: Clock, onError: OnError | undefined) {
    this.#dialect = dialect;
    this.#clock = clock;
    this.#onError = onError;
  }

  /** `request` are the request's headers, some of which are echoed. */
  write(response: ResponsePrimitive, request: Headers, type?: string): HttpResponse {
    if (response.silent) return { status: 204, headers: {}, body: '' };
    const headers = this.headers(response, request);
    const status = response.http ?? response.status.http;
    const { content, contentLocation } = response;
    // In the standard, of created resources only (TS-0009, clause 6.4.4).
    const isLocated = this.#dialect === 'documented' || (response.status === statuses.CREATED && content !== undefined);
    if (contentLocation !== undefined && isLocated) {
      headers['Content-Location'] = this.#locationIn(content) ?? pathOf(contentLocation);
    }
    const contentType = type ?? mediaTypes[this.#dialect].preferred;
    // Deployed clients of the standard expect the type of an empty answer, too.
    if (content !== undefined || this.#dialect === 'onem2m') headers['Content-Type'] = contentType;
    if (content === undefined) return new WrittenAnswer(status, headers, '');
    return new WrittenAnswer(status, headers, isCbor(contentType) ? writeCbor(content) : JSON.stringify(content));
  }

  /** The answer for a refusal; any other error is an internal one. */
  refuse(error: unknown, request: Headers, type?: string): HttpResponse {
    if (error instanceof CseError) return this.write(refusalBy(error), request, type);
    this.#onError?.(error);
    return this.refuse(new CseError('INTERNAL_SERVER_ERROR', 'The CSE failed to handle the request.'), request, type);
  }

  /** An address in the content is the location, unchanged (TS-0009, clause 6.4.4). */
  #locationIn(content: unknown): string | undefined {
    if (this.#dialect === 'documented') return undefined;
    // `rcn` 2 and 3.
    const { 'm2m:uri': uri, 'm2m:rce': created } = (content ?? {}) as {
      'm2m:uri'?: string;
      'm2m:rce'?: { uri: string };
    };
    return uri ?? created?.uri;
  }

  /** Every answer has its response status code, and echoes headers that identify the request. */
  headers({ status, allow, partial }: ResponsePrimitive, request: Headers): Record<string, string> {
    const headers: Record<string, string> = { 'X-M2M-RSC': String(status.code) };
    if (request['x-m2m-ri'] !== undefined) headers['X-M2M-RI'] = request['x-m2m-ri'];
    if (request['x-m2m-rvi'] !== undefined) headers['X-M2M-RVI'] = request['x-m2m-rvi'];
    if (request['x-m2m-vsi'] !== undefined) headers['X-M2M-VSI'] = request['x-m2m-vsi'];
    if (request['x-m2m-rst'] !== undefined) headers['X-M2M-RST'] = request['x-m2m-rst'];
    if (this.#dialect === 'onem2m') headers['X-M2M-OT'] = writeBasicTimestamp(this.#clock.now());
    if (allow !== undefined) headers.Allow = allowHeader(allow);
    if (partial !== undefined) {
      headers['X-M2M-CTS'] = partialContent;
      headers['X-M2M-CTO'] = String(partial.nextOffset);
    }
    return headers;
  }
}

/** `contentStatus` of TS-0004, clause 6.3.4.2.47. */
const partialContent = '1';
