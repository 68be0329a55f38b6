/** What every binding does, as data: contract.test.ts runs it over each of them. */
import assert from 'node:assert/strict';
import { shippedHolders } from '../../../certs/shipped.ts';
import type { HttpLimits } from '../limits.ts';

export interface ContractRequest {
  readonly method: string;
  /** Path and query as they are put into the request. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

export interface ContractAnswer {
  readonly status: number;
  /** Names in lower case, without those that belong to the connection: Date, Connection, Keep-Alive. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** `msw`: the application's own `fetch`, intercepted. `https`: the client has no certificate. `mutual TLS`: it has that of ORIGINATOR, and the server requires one. */
export type BindingName = 'http' | 'https' | 'mutual TLS' | 'fetch' | 'msw';

/** In the certificate of the client: over mutual TLS nobody else can send (`gaps`, row 32). */
export const ORIGINATOR = shippedHolders['test-ae'];

interface ContractCase {
  readonly name: string;
  readonly request: ContractRequest;
  readonly limits?: Partial<HttpLimits>;
  readonly check: (answer: ContractAnswer) => void;
  /** Bindings in which the case cannot occur, with the reason. */
  readonly notApplicable?: Partial<Record<BindingName, string>>;
}

const get = (target: string, headers: Record<string, string> = {}): ContractRequest => ({
  method: 'GET',
  target,
  headers,
});
const post = (target: string, body: string | Uint8Array<ArrayBuffer>): ContractRequest => ({
  method: 'POST',
  target,
  body,
});

/** The echo shows at least these members. */
const echoes =
  (expected: object) =>
  (answer: ContractAnswer): void => {
    assert.equal(answer.status, 200);
    const echo = JSON.parse(answer.body) as Record<string, unknown>;
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(echo[name], value);
  };

const echoesHeader =
  (name: string, value: string) =>
  (answer: ContractAnswer): void =>
    assert.equal(JSON.parse(answer.body).headers[name], value);

/** A refusal of the binding in the service's shape; its sentence contains the text. */
const refuses =
  (status: number, code: number, text: string) =>
  (answer: ContractAnswer): void => {
    assert.equal(answer.status, status);
    assert.equal(answer.headers['x-m2m-rsc'], String(code));
    const reason: string = JSON.parse(answer.body)['m2m:dbg'];
    assert.ok(reason.includes(text), reason);
  };

const hasLengthOfBody = (answer: ContractAnswer): void =>
  assert.equal(answer.headers['content-length'], String(Buffer.byteLength(answer.body)));

const URL_PARSER = 'Request holds a URL, and its parser changes this target before the binding sees it';
const FORBIDDEN = 'Request refuses this method';
const FRAGMENT = 'the fragment of a URL is not part of a Request and stays with the caller';
const ANY_METHOD = 'there is no parser with a list of methods; the service refuses the method itself';

/** Over the echo service of testing/echo-service.ts. */
export const CONTRACT: readonly ContractCase[] = [
  { name: 'a GET reaches the service', request: get('/onem2m'), check: echoes({ method: 'GET', target: '/onem2m' }) },
  { name: 'a GET has an empty body', request: get('/'), check: echoes({ body: '' }) },
  {
    name: 'path and query stay as they were written',
    request: get('/~/mn-cse-1/onem2m/a%2Fb%c3%a9?lbl=x+y&cra=2024-01-01+00%3A00%3A00%2B00%3A00&fu=1'),
    check: echoes({ target: '/~/mn-cse-1/onem2m/a%2Fb%c3%a9?lbl=x+y&cra=2024-01-01+00%3A00%3A00%2B00%3A00&fu=1' }),
  },
  { name: 'an empty query stays', request: get('/onem2m?'), check: echoes({ target: '/onem2m?' }) },
  { name: 'empty path segments stay', request: get('//a//b/'), check: echoes({ target: '//a//b/' }) },
  {
    name: 'dot segments stay',
    request: get('/a/../b/./c'),
    check: echoes({ target: '/a/../b/./c' }),
    notApplicable: { fetch: URL_PARSER, msw: URL_PARSER },
  },
  {
    name: 'quotes and backslashes stay',
    request: get('/a"b\\c'),
    check: echoes({ target: '/a"b\\c' }),
    notApplicable: { fetch: URL_PARSER, msw: URL_PARSER },
  },
  {
    name: 'a body reaches the service',
    request: post('/onem2m', '{"m2m:ae":{}}'),
    check: echoes({ body: '{"m2m:ae":{}}' }),
  },
  { name: 'a body keeps its UTF-8', request: post('/', 'Zürich ☃ 𝄞'), check: echoes({ body: 'Zürich ☃ 𝄞' }) },
  {
    name: 'a body keeps bytes that are not UTF-8',
    request: post('/', Uint8Array.of(0x22, 0xff, 0x22)),
    check: echoes({ body: '"\ufffd"' }),
  },
  { name: 'an empty body is an empty body', request: post('/', ''), check: echoes({ body: '' }) },
  {
    name: 'a body as large as the limit is taken',
    request: post('/', 'a'.repeat(1000)),
    limits: { bodyBytes: 1000 },
    check: echoes({ body: 'a'.repeat(1000) }),
  },
  {
    name: 'a larger body is refused with the limit',
    request: post('/', 'a'.repeat(1001)),
    limits: { bodyBytes: 1000 },
    check: refuses(413, 4000, 'limit of 1000 bytes'),
  },
  {
    name: 'a target as long as the limit is taken',
    request: get(`/${'a'.repeat(99)}`),
    limits: { targetBytes: 100 },
    check: echoes({ target: `/${'a'.repeat(99)}` }),
  },
  {
    name: 'a longer target is refused with the limit',
    request: get(`/${'a'.repeat(100)}`),
    limits: { targetBytes: 100 },
    check: refuses(414, 4000, 'limit of 100 bytes'),
  },
  {
    name: 'more headers than the limit are refused with the limit',
    request: get('/', Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`X-Header-${index}`, 'a']))),
    limits: { headerCount: 20 },
    check: refuses(431, 4000, 'limit of 20 headers'),
  },
  {
    name: 'headers over the byte limit are refused with the limit',
    request: get('/', { 'X-Long': 'a'.repeat(600) }),
    limits: { headerBytes: 500 },
    check: refuses(431, 4000, 'limit of 500 bytes'),
  },
  {
    name: 'header names arrive in lower case',
    request: get('/', { 'X-M2M-Origin': ORIGINATOR }),
    check: echoesHeader('x-m2m-origin', ORIGINATOR),
  },
  {
    name: 'a header named like a property of every object is a header',
    request: get('/', { Constructor: 'a' }),
    check: echoesHeader('constructor', 'a'),
  },
  {
    name: 'the Host header reaches the service',
    request: get('/', { Host: 'gateway.example:8000' }),
    check: echoesHeader('host', 'gateway.example:8000'),
  },
  { name: 'an answer has the length of its body', request: get('/'), check: hasLengthOfBody },
  {
    name: 'a large answer arrives whole',
    request: get('/large'),
    check: (answer) => {
      assert.equal(answer.headers['content-length'], '600000');
      assert.equal(answer.body, 'é'.repeat(300_000));
    },
  },
  {
    name: 'the answer to HEAD has the headers of GET and no body',
    request: { method: 'HEAD', target: '/large' },
    check: (answer) =>
      assert.deepEqual(answer, {
        status: 200,
        headers: { 'content-type': 'text/plain', 'content-length': '600000' },
        body: '',
      }),
  },
  {
    name: 'an answer without content has no length',
    request: get('/no-content'),
    check: (answer) => assert.deepEqual(answer, { status: 204, headers: {}, body: '' }),
  },
  {
    name: 'OPTIONS reaches the service',
    request: { method: 'OPTIONS', target: '/onem2m' },
    check: echoes({ method: 'OPTIONS' }),
  },
  {
    name: 'OPTIONS * reaches the service',
    request: { method: 'OPTIONS', target: '*' },
    check: echoes({ method: 'OPTIONS', target: '*' }),
    notApplicable: { fetch: URL_PARSER, msw: URL_PARSER },
  },
  ...['PUT', 'DELETE', 'PATCH', 'PROPFIND'].map((method) => ({
    name: `${method} reaches the service`,
    request: { method, target: '/onem2m' },
    check: echoes({ method }),
  })),
  {
    name: 'TRACE reaches the service',
    request: { method: 'TRACE', target: '/onem2m' },
    check: echoes({ method: 'TRACE' }),
    notApplicable: { fetch: FORBIDDEN, msw: FORBIDDEN },
  },
  {
    name: 'CONNECT is refused',
    request: { method: 'CONNECT', target: 'example.org:80' },
    check: refuses(405, 4005, 'GET, HEAD, POST'),
    notApplicable: { fetch: FORBIDDEN, msw: FORBIDDEN },
  },
  {
    name: 'a fragment in the target is refused',
    request: get('/a#b'),
    check: refuses(400, 4000, 'request target'),
    notApplicable: { fetch: FRAGMENT, msw: FRAGMENT },
  },
  {
    name: 'a method that no parser knows is refused',
    request: { method: 'BREW', target: '/' },
    check: refuses(405, 4005, 'GET, HEAD, POST'),
    notApplicable: { fetch: ANY_METHOD, msw: ANY_METHOD },
  },
  { name: 'a rejection of the service becomes a 500', request: get('/rejects'), check: refuses(500, 5000, 'service') },
  { name: 'an exception of the service becomes a 500', request: get('/throws'), check: refuses(500, 5000, 'service') },
  {
    name: 'an answer with a broken header becomes a 500',
    request: get('/split-header'),
    check: refuses(500, 5000, 'service'),
  },
];

/** Over a CSE: one after the other, in this order. Every binding gives the same answers to the same sequence. */
export const CSE_SEQUENCE: readonly ContractRequest[] = [
  create('/onem2m', { 'm2m:ae': { rn: 'app', api: 'api', rr: 'TRUE' } }),
  create('/onem2m/app', { 'm2m:cnt': { rn: 'data' } }),
  create('/onem2m/app/data/', { 'm2m:cin': { con: 'é', cnf: 'text/plain:0' } }),
  create('/~/mn-cse-1/onem2m/app/data', { 'm2m:cin': { con: 'e30=', cnf: 'application/json:1' } }),
  create('/onem2m', { 'm2m:ae': { rn: 'app', api: 'api', rr: 'TRUE' } }),
  get('/onem2m/app'),
  get('/onem2m/app/data/latest'),
  { method: 'HEAD', target: '/onem2m/app/data/latest' },
  get('/~/mn-cse-1/onem2m?lbl=none&fu=1'),
  get('/onem2m/absent'),
  get('/onem2m', { Accept: 'text/html' }),
  get('/onem2m', { 'X-M2M-RI': 'request-1' }),
  { method: 'OPTIONS', target: '/onem2m/app' },
  { method: 'PATCH', target: '/onem2m/app', body: '{}' },
  create('/onem2m/app', { 'm2m:cnt': {}, 'm2m:cin': {} }),
  { ...create('/onem2m/app', {}), body: '{' },
  { method: 'POST', target: '/onem2m/app', headers: { 'Content-Type': 'text/xml' }, body: '<a/>' },
  { method: 'POST', target: '/onem2m/app', body: 'a'.repeat(2 * 1024 * 1024) },
  { method: 'DELETE', target: '/onem2m/app' },
  get('/onem2m/app'),
];

/** The same request from an originator that it names; one that names another stays with that. */
export function sentBy(originator: string, request: ContractRequest): ContractRequest {
  return { ...request, headers: { 'X-M2M-Origin': originator, ...request.headers } };
}

function create(target: string, content: object): ContractRequest {
  const headers = { 'Content-Type': 'application/vnd.onem2m-res+json' };
  return { method: 'POST', target, headers, body: JSON.stringify(content) };
}
