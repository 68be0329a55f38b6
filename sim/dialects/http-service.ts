/** The HTTP binding of primitives (TS-0009): a pure mapping, both ways, around `Cse.request`. */
import type { Cse } from '../core/operations/cse.ts';
import type { Operation, ResponsePrimitive } from '../core/primitive.ts';
import { CseError, statuses } from '../core/status.ts';
import { AnswerWriter, allowHeader, type OnError } from './http-answer.ts';
import { type HttpRequest, type HttpResponse, type HttpService, methodOf } from './http-message.ts';
import { RequestReader } from './http-request.ts';
import { mediaTypes } from './media-type.ts';
import { readTarget } from './target.ts';

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
