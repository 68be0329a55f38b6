/** OpenMTC: what its HTTP server makes of requests, and what its answers say besides their content. */
import type { HttpRequest } from '../../dialects/http-message.ts';
import { changingAnswers, changingRequests, handling } from '../../faults/vocabulary/blocks.ts';
import { codeOf, labelled, refused, withoutHeaders } from '../../faults/vocabulary/changed-answers.ts';
import { asking, pathOf, queryOf, withHeaders } from '../../faults/vocabulary/changed-requests.ts';
import { isObject, jsonIn } from '../../faults/vocabulary/representations.ts';
import type { Quirk } from '../product.ts';

const notes = (section: string) => `openmtc.md ${section}`;

const takenTypes = /^\s*(application\/(json|vnd\.onem2m-(res|ntfy|attrs)\+json)|text\/plain)\s*(;|$)/i;

/** The body of a create or an update, without what the type in its label says of its kind. */
function asJson(request: HttpRequest): HttpRequest {
  const label = request.headers['content-type'];
  if (label === undefined || !takenTypes.test(label)) return request;
  return withHeaders(request, { 'content-type': 'application/json' });
}

function withoutQuery(request: HttpRequest, ...names: readonly string[]): HttpRequest {
  const query = queryOf(request);
  if (!names.some((name) => query.has(name))) return request;
  for (const name of names) query.delete(name);
  return asking(request, pathOf(request), query);
}

const writes = ({ method }: HttpRequest) => method === 'POST' || method === 'PUT';

export const wire: readonly Quirk[] = [
  {
    id: 'headers.none-needed',
    says: 'No request needs X-M2M-RI, X-M2M-RVI or X-M2M-Origin, and X-M2M-RVI may say anything.',
    notes: notes('0: x-m2m-ri, x-m2m-rvi; X-M2M-Origin is never required'),
    // That an unknown release is refused is said since release 3; it speaks 2a.
    violates: { onem2m: ['std.headers.ri.missing', 'std.headers.origin.missing'] },
    settings: { dialect: 'documented' },
  },
  {
    id: 'create.kind-of-the-body',
    says: 'The kind comes from the root of the body; ty is not looked at, and need not be there.',
    notes: notes('0: ty= is ignored, even contradicting'),
    violates: {
      onem2m: [
        'std.create.wrong-root',
        'std.headers.content-type.without-ty',
        'std.headers.content-type.without-ty.nothing-created',
      ],
    },
    wrap: changingRequests((request) => (writes(request) ? withoutKind(request) : undefined)),
  },
  {
    id: 'media-type.text-plain',
    says: 'A body that is labelled text/plain is taken for JSON.',
    notes: notes('0: Request Content-Type'),
    violates: { onem2m: ['std.headers.content-type.foreign'] },
    wrap: changingRequests((request) =>
      /^\s*text\/plain/i.test(request.headers['content-type'] ?? '') ? asJson(request) : undefined,
    ),
  },
  {
    id: 'media-type.other.4000',
    says: 'A body of another type is refused with 400 and 4000.',
    notes: notes('0: Others (xml, octet-stream) -> 400/4000'),
    violates: {},
    because: 'The standard permits that code too.',
    wrap: handling((request, service) => {
      const label = request.headers['content-type'];
      const isStrange = writes(request) && label !== undefined && !takenTypes.test(label);
      return isStrange ? refused(400, 4000, request) : service.handle(request);
    }),
  },
  {
    id: 'body.none.5001',
    says: 'A POST or PUT without a body, or without a label for it, is refused with 501 and 5001.',
    notes: notes('0: Body with no Content-Type, or empty body'),
    violates: { onem2m: ['std.content.empty'] },
    wrap: handling((request, service) =>
      writes(request) && (request.body.length === 0 || request.headers['content-type'] === undefined)
        ? refused(501, 5001, request)
        : service.handle(request),
    ),
  },
  {
    id: 'body.base64.refused',
    says: 'The base64 text of a JSON document as the body is refused with 400 and 4000.',
    notes: notes('4: Raw base64 body forms; 11'),
    violates: { documented: ['content-instance.base64-body.creates'] },
    wrap: handling((request, service) =>
      writes(request) && !isObject(jsonIn(request.body)) && request.body.length > 0
        ? refused(400, 4000, request)
        : service.handle(request),
    ),
  },
  {
    id: 'body.further-roots.ignored',
    says: 'What stands in the body after its first root is not looked at.',
    notes: notes('0: Extra roots after the first are ignored'),
    violates: { onem2m: ['std.content.two-roots'] },
    wrap: changingRequests((request) => {
      const body = writes(request) ? jsonIn(request.body) : undefined;
      const [first, ...others] = isObject(body) ? Object.entries(body) : [];
      if (first === undefined || others.length === 0) return undefined;
      return { ...request, body: Buffer.from(JSON.stringify(Object.fromEntries([first]))) };
    }),
  },
  {
    id: 'non-blocking.ignored',
    says: 'rt, X-M2M-RTU and X-M2M-RET are not looked at: every request is served at once.',
    notes: notes('0: X-M2M-RET/RTU/rt=1,2 (non-blocking) ignored'),
    violates: {
      onem2m: [
        'std.headers.ret.passed',
        'std.headers.ret.malformed',
        'std.request.synchronous',
        'std.request.asynchronous',
      ],
    },
    wrap: changingRequests((request) => {
      const plain = { 'x-m2m-ret': undefined, 'x-m2m-rtu': undefined };
      const blocking = /^[12]$/.test(queryOf(request).get('rt') ?? '') ? withoutQuery(request, 'rt') : request;
      return withHeaders(blocking, plain);
    }),
  },
  {
    id: 'result-expiration.not-echoed',
    says: 'X-M2M-RST does not come back.',
    notes: notes('0: rset/ec NOT echoed'),
    violates: { onem2m: ['std.headers.rst'] },
    wrap: changingAnswers((answer) => withoutHeaders(answer, 'X-M2M-RST')),
  },
  {
    id: 'method.unknown.fails',
    says: 'HEAD and PATCH end in 500 and a page of text.',
    notes: notes('0: Methods'),
    violates: { onem2m: ['std.http.unknown-method'] },
    wrap: handling((request, service) => {
      if (request.method !== 'HEAD' && request.method !== 'PATCH') return service.handle(request);
      const headers = { 'Content-Type': 'text/plain', Connection: 'close' };
      return { status: 500, headers, body: 'Internal Server Error' };
    }),
  },
  {
    id: 'accept.ignored',
    says: 'Answers are JSON, whatever is accepted.',
    notes: notes('0: Unsupported Accept -> JSON anyway, no 406'),
    violates: {},
    because: 'An answer in a type of oneM2M is one of the permitted ones.',
    wrap: changingRequests((request) =>
      /json/.test(request.headers.accept ?? '') ? undefined : withHeaders(request, { accept: undefined }),
    ),
  },
  {
    id: 'answer.label',
    says: 'Answers are labelled application/json; charset=utf-8.',
    notes: notes('0: Content-Type of bodies'),
    violates: {},
    because: 'Both dialects know that type.',
    wrap: changingAnswers((answer, _about) => {
      const label = answer.headers['Content-Type'];
      if (label === undefined) return undefined;
      return labelled(answer, { 'Content-Type': 'application/json; charset=utf-8' });
    }),
  },
  {
    id: 'answer.always-identified',
    says: 'An answer has an X-M2M-RI and an X-M2M-RVI where the request had none: random letters, and 2a.',
    notes: notes('0: absent -> random 16 alnum chars; absent -> 2a'),
    violates: {},
    because: 'A request without them is not one of either dialect.',
    wrap: changingAnswers((answer, _about, core) => ({
      ...answer,
      headers: { 'X-M2M-RI': core.services.ports.randomText(16), 'X-M2M-RVI': '2a', ...answer.headers },
    })),
  },
  {
    id: 'refusal.identifier.random',
    says: 'The refusal of a request that cannot be read has a request identifier of its own, not that of the request.',
    notes: notes('0: Errors found while parsing the HTTP request'),
    violates: { onem2m: ['std.headers.ri.refusal'] },
    wrap: changingAnswers((answer, _about, core) => {
      if (codeOf(answer) !== 4000) return undefined;
      return labelled(answer, { 'X-M2M-RI': core.services.ports.randomText(16) });
    }),
  },
  {
    id: 'refusal.empty',
    says: 'A refusal has no body.',
    notes: notes('0: Errors: empty body'),
    violates: {},
    because: 'Neither dialect says what stands in the body of a refusal.',
    wrap: changingAnswers((answer) => {
      if (answer.status < 400 || answer.headers['X-M2M-RSC'] === undefined) return undefined;
      return { ...labelled(answer, { 'Content-Type': 'text/plain; charset=utf-8' }), body: '' };
    }),
  },
];

function withoutKind(request: HttpRequest): HttpRequest | undefined {
  const label = request.headers['content-type'];
  if (label === undefined || !/;\s*ty=/.test(label)) return undefined;
  return withHeaders(request, { 'content-type': label.replace(/;\s*ty=[^;]*/, '') });
}
