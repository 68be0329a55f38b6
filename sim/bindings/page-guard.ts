/**
 * What pages in a browser may do at our server. A browser says where a page comes from (Origin, Fetch standard; Sec-Fetch-Site,
 * Fetch Metadata), and lets a page of another origin read an answer only where the server permits it (CORS). A name that an attacker points
 * at this machine (DNS rebinding) is seen by Host alone.
 */
import { isIP } from 'node:net';
import { CseError } from '../core/status.ts';
import type { HttpRequest, HttpResponse, HttpService } from '../dialects/http-message.ts';

export interface PageRules {
  /** Origins whose pages may use the server, such as `http://localhost:5173`; `*`: those of all. */
  readonly cors: readonly string[];
  /** Names of the server beside `localhost` and addresses; undefined: every name. */
  readonly hosts: readonly string[] | undefined;
}

type Headers = HttpRequest['headers'];

/** Seconds for which a browser remembers what it may send. */
const maxAge = '600';
const methods = 'GET, HEAD, POST, PUT, DELETE';
const permittedHeader = /^(?:accept|content-type|traceparent|tracestate|x-m2m-[a-z]+)$/i;

/** Throws a TypeError for an invalid origin. */
export function guardedFromPages(service: HttpService, { cors, hosts }: PageRules): HttpService {
  checkOrigins(cors);
  const permitted = (origin: string | undefined) =>
    origin !== undefined && (cors.includes(origin) || cors.includes('*')) ? origin : undefined;
  const isOwnHost = ownHosts(hosts);
  const objectionTo = ({ method, headers }: HttpRequest): CseError | undefined => {
    const { host, origin, 'sec-fetch-site': site } = headers;
    if (!isOwnHost(host)) return unknownHost(host ?? '');
    if (origin === undefined && site === undefined) return undefined;
    if (permitted(origin) !== undefined || isOwnPage(headers) || isNavigation(method, headers)) return undefined;
    return foreignPage(origin);
  };
  return {
    refuse: (error) => service.refuse(error),
    handle(request) {
      const { headers } = request;
      const objection = objectionTo(request);
      if (objection !== undefined) return service.refuse(objection);
      const origin = permitted(headers.origin);
      if (origin === undefined) return service.handle(request);
      if (isPreflight(request)) return preflightAnswer(headers, origin);
      const answer = service.handle(request);
      return answer instanceof Promise ? answer.then((late) => readableBy(origin, late)) : readableBy(origin, answer);
    },
  };
}

function ownHosts(hosts: PageRules['hosts']): (host: string | undefined) => boolean {
  const own = hosts && new Set(['localhost', ...hosts.map((host) => host.toLowerCase())]);
  /** The last one that was ours; nearly every request names the same. */
  let known: string | undefined;
  return (host) => {
    if (host === undefined || host === known || own === undefined) return true;
    const name = host
      .replace(/:\d*$/, '')
      .replace(/^\[|\]$/g, '')
      .replace(/\.$/, '')
      .toLowerCase();
    const isOwn = name === '' || isIP(name) > 0 || name.endsWith('.localhost') || own.has(name);
    if (isOwn) known = host;
    return isOwn;
  };
}

/** Older browsers, and pages that came over plain HTTP from elsewhere, have no Sec-Fetch-Site. */
function isOwnPage({ host, origin, 'sec-fetch-site': site }: Headers): boolean {
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return origin === `http://${host}` || origin === `https://${host}`;
}

/** A link that a user follows: its page sees nothing of the answer. */
function isNavigation(method: string, headers: Headers): boolean {
  const reads = method === 'GET' || method === 'HEAD';
  return reads && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

const foreignPage = (origin = 'another origin'): CseError =>
  new CseError(
    'ORIGINATOR_HAS_NO_PRIVILEGE',
    `Pages of ${origin} may not use this server; the option cors permits it.`,
  );

const unknownHost = (host: string): CseError =>
  new CseError(
    'BAD_REQUEST',
    `This server is not known as ${host}: it is reached as localhost, by an address, or by a name of its points of access.`,
    { http: 421 },
  );

/** Whether it is the preflight of a page of another origin. */
export const isPreflight = ({ method, headers }: Pick<HttpRequest, 'method' | 'headers'>): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

function preflightAnswer(headers: Headers, origin: string): HttpResponse {
  const requested = (headers['access-control-request-headers'] ?? '').split(',').map((name) => name.trim());
  return {
    status: 204,
    headers: {
      ...permission(origin),
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': requested.filter((name) => permittedHeader.test(name)).join(', '),
      'Access-Control-Max-Age': maxAge,
      ...(headers['access-control-request-private-network'] === 'true' && {
        'Access-Control-Allow-Private-Network': 'true',
      }),
    },
    body: '',
  };
}

/** With all headers that are our own. */
function readableBy(origin: string, answer: HttpResponse): HttpResponse {
  const names = Object.keys(answer.headers).filter((name) => !/^content-type$/i.test(name));
  const headers = { ...answer.headers, ...permission(origin), 'Access-Control-Expose-Headers': names.join(', ') };
  return { ...answer, headers };
}

/** With credentials, which are client certificates here. */
const permission = (origin: string) => ({
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Allow-Credentials': 'true',
  Vary: 'Origin',
});

const isOrigin = (text: string): boolean =>
  text === '*' || text === 'null' || (URL.canParse(text) && new URL(text).origin === text);

/** Throws a TypeError for an invalid origin. */
export function checkOrigins(texts: readonly string[]): void {
  const wrong = texts.find((text) => !isOrigin(text));
  if (wrong === undefined) return;
  throw new TypeError(`${JSON.stringify(wrong)} is no origin: it is written as http://localhost:5173, or *`);
}
