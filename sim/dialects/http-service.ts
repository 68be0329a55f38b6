/** The HTTP binding of primitives (TS-0009): a pure mapping, both ways, around `Cse.request`. */
import type { Cse } from '../core/cse.ts';
import type { Operation, RequestPrimitive, ResponsePrimitive } from '../core/primitive.ts';
import { JsonText } from '../core/representation.ts';
import { BAD_REQUEST, CseError, INTERNAL_SERVER_ERROR, NOT_FOUND, OK, OPERATION_NOT_ALLOWED } from '../core/status.ts';
import { readContent } from './content.ts';
import type { HttpRequest, HttpResponse, HttpService } from './http-message.ts';
import { chooseContentType, readContentType, usualContentType } from './media-type.ts';
import { readQuery } from './query.ts';

const operationOf: Readonly<Record<string, Operation>> = {
  GET: 'retrieve',
  HEAD: 'retrieve',
  POST: 'create',
  PUT: 'update',
  DELETE: 'delete',
};

const methodsOf: Readonly<Record<string, string>> = {
  retrieve: 'GET, HEAD',
  create: 'POST',
  update: 'PUT',
  delete: 'DELETE',
};

/** What an installation puts before the CSE. */
export interface HttpServiceOptions {
  /** Hears of defects of ours, which are answered by 500. */
  readonly onError?: (error: unknown) => void;
  /** Throws the CseError by which a request is refused before anything of it is looked at. */
  readonly admit?: (request: HttpRequest) => void;
  /** The answer of another CSE, to which `to` leads; undefined for what this CSE answers itself. Rejects with a CseError. */
  readonly retarget?: (request: HttpRequest, to: string) => Promise<HttpResponse> | undefined;
}

/** One CSE as an HTTP service. */
export function createHttpService(cse: Cse, options: HttpServiceOptions = {}): HttpService {
  const { onError = () => {}, admit, retarget } = options;
  const refused = (request: HttpRequest, error: unknown, contentType?: string) =>
    write(refusal(error, onError), request.headers, contentType);
  function handle(request: HttpRequest): HttpResponse | Promise<HttpResponse> {
    let contentType: string | undefined;
    try {
      admit?.(request);
      const target = readTarget(request);
      const elsewhere = retarget?.(request, target.to);
      if (elsewhere !== undefined) return elsewhere.catch((error: unknown) => refused(request, error));
      if (request.method === 'OPTIONS') return describeMethods(cse, target.to, request);
      const operation = operationOf[request.method];
      if (operation === undefined) throw methodNotAllowed(cse, target.to, request.method);
      contentType = chooseContentType(request.headers.accept);
      const answer = cse.request(readRequest(request, operation, target));
      if (!(answer instanceof Promise)) return write(answer, request.headers, contentType);
      return answer.then(
        (late) => write(late, request.headers, contentType),
        (error: unknown) => refused(request, error, contentType),
      );
    } catch (error) {
      return refused(request, error, contentType);
    }
  }
  return { handle, refuse: (error) => write(refusal(error, onError), {}) };
}

interface Target {
  /** `to` of the primitive. */
  readonly to: string;
  readonly query: string;
}

function readRequest(request: HttpRequest, operation: Operation, { to, query }: Target): RequestPrimitive {
  const { headers } = request;
  const carriesContent = operation === 'create' || operation === 'update';
  const resourceType = carriesContent
    ? readContentType(headers['content-type'], headers['content-encoding'])
    : undefined;
  if (to === '' && operation !== 'create')
    throw new CseError(NOT_FOUND, 'There is no resource at /; the tree starts at its CSE base.');
  const primitive: Writable<RequestPrimitive> =
    query === '' ? { operation, to } : { operation, to, ...readQuery(query) };
  if (headers['x-m2m-origin'] !== undefined) primitive.from = headers['x-m2m-origin'];
  if (headers['x-m2m-ri'] !== undefined) primitive.requestIdentifier = headers['x-m2m-ri'];
  if (headers['x-m2m-rvi'] !== undefined) primitive.releaseVersionIndicator = headers['x-m2m-rvi'];
  if (resourceType !== undefined) primitive.resourceType = resourceType;
  if (carriesContent) primitive.content = readContent(request.body, operation);
  return primitive;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** `/x` is CSE-relative, `/~/cse/x` SP-relative, `/_/sp/cse/x` absolute (TS-0009, clause 6.2.2.1). One trailing slash is ignored. */
function readTarget({ target }: HttpRequest): Target {
  const mark = target.indexOf('?');
  const encoded = mark < 0 ? target : target.slice(0, mark);
  const path = encoded.endsWith('/') ? encoded.slice(0, -1) : encoded;
  const query = mark < 0 ? '' : target.slice(mark + 1);
  if (path.startsWith('/~/')) return { to: `/${decodePath(path.slice(3))}`, query };
  if (path.startsWith('/_/')) return { to: `//${decodePath(path.slice(3))}`, query };
  return { to: decodePath(path.slice(1)), query };
}

function decodePath(path: string): string {
  if (path.startsWith('/'))
    throw new CseError(NOT_FOUND, 'There is no resource at a path that starts with two slashes.');
  if (!path.includes('%')) return path;
  return path.split('/').map(decodeSegment).join('/');
}

function decodeSegment(segment: string): string {
  const decoded = percentDecode(segment);
  if (decoded.includes('/')) throw new CseError(NOT_FOUND, 'No resource has a name with a slash in it.');
  return decoded;
}

function percentDecode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new CseError(BAD_REQUEST, `The path has broken percent-encoding: ${JSON.stringify(segment)}.`);
  }
}

function allowHeader(operations: readonly string[]): string {
  return [...operations.map((operation) => methodsOf[operation] ?? operation), 'OPTIONS'].join(', ');
}

function methodNotAllowed(cse: Cse, to: string, method: string): CseError {
  return new CseError(OPERATION_NOT_ALLOWED, `${method} is not a method of this interface.`, {
    allow: cse.allowedOperations(to),
  });
}

/** OPTIONS is HTTP's own: the methods of the resource, or of the whole service for `*`. */
function describeMethods(cse: Cse, to: string, request: HttpRequest): HttpResponse {
  const everything = request.target === '*' || to === '';
  const operations = everything ? ['retrieve', 'create', 'update', 'delete'] : cse.allowedOperations(to);
  const headers = { ...responseHeaders({ status: OK }, request.headers), Allow: allowHeader(operations) };
  return { status: 204, headers, body: '' };
}

function refusal(error: unknown, onError: (error: unknown) => void): ResponsePrimitive {
  if (!(error instanceof CseError)) {
    onError(error);
    return refusal(new CseError(INTERNAL_SERVER_ERROR, 'The CSE failed to handle the request.'), onError);
  }
  return {
    status: error.status,
    http: error.http,
    content: { 'm2m:dbg': error.message },
    ...(error.allow !== undefined && { allow: error.allow }),
  };
}

/** Every answer has its response status code; request identifier and release version are echoed when they were sent. */
function responseHeaders(response: ResponsePrimitive, request: HttpRequest['headers']): Record<string, string> {
  const headers: Record<string, string> = { 'X-M2M-RSC': String(response.status.code) };
  if (request['x-m2m-ri'] !== undefined) headers['X-M2M-RI'] = request['x-m2m-ri'];
  if (request['x-m2m-rvi'] !== undefined) headers['X-M2M-RVI'] = request['x-m2m-rvi'];
  return headers;
}

function write(
  response: ResponsePrimitive,
  request: HttpRequest['headers'],
  contentType = usualContentType,
): HttpResponse {
  const headers = responseHeaders(response, request);
  const status = response.http ?? response.status.http;
  if (response.allow !== undefined) headers.Allow = allowHeader(response.allow);
  if (response.contentLocation !== undefined) headers['Content-Location'] = locationOf(response.contentLocation);
  if (response.content === undefined) return { status, headers, body: '' };
  headers['Content-Type'] = contentType;
  const { content } = response;
  return { status, headers, body: content instanceof JsonText ? content.text : JSON.stringify(content) };
}

/** The path form of an address: the inverse of `readTarget`. */
function locationOf(address: string): string {
  if (address.startsWith('//')) return `/_/${address.slice(2)}`;
  return address.startsWith('/') ? `/~/${address.slice(1)}` : `/${address}`;
}
