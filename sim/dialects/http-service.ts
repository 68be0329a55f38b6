/** The HTTP binding of primitives (TS-0009): a pure mapping, both ways, around `Cse.request`. */
import type { Cse } from '../core/operations/cse.ts';
import type { Operation } from '../core/primitive.ts';
import { CseError, statuses } from '../core/status.ts';
import { AnswerWriter, allowHeader, refusal } from './http-answer.ts';
import { type HttpRequest, type HttpResponse, type HttpService, methodOf } from './http-message.ts';
import { RequestReader } from './http-request.ts';
import { MediaTypes } from './media-type.ts';
import { readTarget } from './target.ts';

const operationOf: ReadonlyMap<string, Operation> = new Map([
  ...(['create', 'retrieve', 'update', 'delete'] as const).map(
    (operation) => [methodOf[operation], operation] as const,
  ),
  ['HEAD', 'retrieve'],
]);

/** What an installation puts before the CSE. */
export interface HttpServiceOptions {
  /** Hears of defects of ours, which are answered by 500. */
  readonly onError?: (error: unknown) => void;
  /** Throws the CseError by which a request is refused before anything of it is looked at. */
  readonly admit?: (request: HttpRequest) => void;
  /** The answer of another CSE, to which `to` leads; undefined for what this CSE answers itself. Rejects with a CseError. */
  readonly retarget?: (request: HttpRequest, to: string) => Promise<HttpResponse> | undefined;
}

/** One CSE as an HTTP service, with the conventions of its dialect. */
export function createHttpService(cse: Cse, options: HttpServiceOptions = {}): HttpService {
  const { onError = () => {}, admit, retarget } = options;
  const { name: dialect } = cse.configuration.dialect;
  const now = () => cse.services.ports.clock.now();
  const media = new MediaTypes(dialect);
  const reader = new RequestReader(media, cse.configuration, now);
  const writer = new AnswerWriter(dialect, media.usual, now);
  const refused = (request: HttpRequest, error: unknown, contentType?: string) =>
    writer.write(refusal(error, onError), request.headers, contentType);
  function handle(request: HttpRequest): HttpResponse | Promise<HttpResponse> {
    let contentType: string | undefined;
    try {
      admit?.(request);
      const target = readTarget(request, dialect);
      const elsewhere = retarget?.(request, target.to);
      if (elsewhere !== undefined) return elsewhere.catch((error: unknown) => refused(request, error));
      if (request.method === 'OPTIONS') return describeMethods(cse, target.to, request, writer);
      const operation = operationOf.get(request.method);
      if (operation === undefined) {
        const allow = cse.allowedOperations(target.to);
        throw new CseError('OPERATION_NOT_ALLOWED', `${request.method} is not a method of this interface.`, { allow });
      }
      const { accept, 'content-type': sentType } = request.headers;
      contentType = media.choose(accept, sentType);
      const answer = cse.request(reader.read(request, operation, target));
      if (!(answer instanceof Promise)) return writer.write(answer, request.headers, contentType);
      return answer.then(
        (late) => writer.write(late, request.headers, contentType),
        (error: unknown) => refused(request, error, contentType),
      );
    } catch (error) {
      return refused(request, error, contentType);
    }
  }
  return { handle, refuse: (error) => writer.write(refusal(error, onError), {}) };
}

/** OPTIONS is HTTP's own: the methods of the resource, or of the whole service for `*`. */
function describeMethods(cse: Cse, to: string, request: HttpRequest, writer: AnswerWriter): HttpResponse {
  const everything = request.target === '*' || to === '';
  const operations = everything ? ['retrieve', 'create', 'update', 'delete'] : cse.allowedOperations(to);
  const headers = { ...writer.headers({ status: statuses.OK }, request.headers), Allow: allowHeader(operations) };
  return { status: 204, headers, body: '' };
}
