/** Requests to a CSE and their answers, with the names of their parts in rows. */

import { lazy } from '../../core/memoize.ts';
import { flexContainerType } from '../../core/numbers.ts';
import type { Cse } from '../../core/operations/cse.ts';
import type { Resource } from '../../core/resource.ts';
import type { ResourceType } from '../../core/resource-type.ts';
import { jsonIn } from '../../dialects/body.ts';
import type { HttpRequest, HttpResponse } from '../../dialects/http-message.ts';
import { handling, type Wrap } from '../vocabulary/deviation.ts';
import {
  codeOf,
  type DescribedResource,
  foundIn,
  isSuccess,
  type RequestView,
  resourceIn,
  textOf,
  viewOf,
} from '../vocabulary/messages.ts';
import { attributesOf, pathOf, resourceAt, resourceAtPath, resourceScope } from './resource-parts.ts';
import { inner, Scope } from './scope.ts';

export interface Arrival extends RequestSource {
  readonly serve: (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;
  readonly scope: Scope;
}

export interface ServedExchange extends Arrival, AnswerSource {}

/** The source of request parts. */
interface RequestSource {
  readonly request: HttpRequest;
  readonly core: Cse;
  readonly about: RequestView;
  /** The resource at the path; for a virtual resource, its parent. */
  readonly target: Resource | undefined;
  readonly described: () => DescribedResource | undefined;
}

/** An answer, and its representation. */
interface AnswerSource {
  readonly answer: HttpResponse;
  readonly representation: () => DescribedResource | undefined;
}

/** Starts a fragment, which HTTP does not have. */
const hash = /%23|#/;

const originatorOf = ({ request }: RequestSource): string => request.headers['x-m2m-origin'] ?? '';

/** Parts of a request, beside the resources it leads to. */
const requestParts: Readonly<Record<string, (source: RequestSource) => unknown>> = {
  method: ({ request }) => request.method,
  path: ({ about }) => about.path,
  form: ({ about, core }) => formOf(about.path, core),
  segments: ({ about }) => segmentsOf(about.path),
  fragment: ({ about }) => about.path.split(hash)[1],
  'trailing-slash': ({ about }) => about.slashAtEnd || undefined,
  virtual: ({ about }) => /\/(latest|la|oldest|ol|fopt|pcu)$|\/fopt\//.exec(about.path)?.[0],
  discovery: ({ about }) => about.discovery,
  query: ({ about }) => Object.fromEntries(about.query),
  /** Each name with the list of all its values. */
  'query-values': ({ about: { query } }) =>
    Object.fromEntries([...query.keys()].map((name) => [name, query.getAll(name)])),
  /** Names of the criteria, each once, in alphabetical order. */
  criteria: ({ about }) => [...new Set(about.query.keys())].filter((name) => !notCriteria.has(name)).sort(),
  header: ({ request }) => request.headers,
  originator: originatorOf,
  body: ({ request }) => jsonIn(request.body),
  'body-text': ({ request }) => textOf(request.body),
  /** In bytes. */
  size: ({ request }) => request.body.length,
  root: ({ described }) => described()?.root,
  requested: ({ described }) => described()?.attributes,
  type: ({ described, core }) => {
    const type = typeByRootKey(described()?.root, core);
    return type && { ty: type.ty, definition: type.definition, names: type.entries.map(({ name }) => name) };
  },
  /** Attributes of the definition of a flexible container, and the integers among them. */
  'type.own': ({ described, core }) => ownNames(typeByRootKey(described()?.root, core), core),
  'type.integers': ({ described, core }) => {
    const type = typeByRootKey(described()?.root, core);
    return ownNames(type, core).filter((name) => type?.attributes[name]?.type === 'any integer');
  },
  certificate: ({ request }) => certificateOf(request),
  connection: ({ request }) => connectionOf(request),
  wire: ({ request }) => request.wire ?? 'http',
  'member-path': ({ about }) => /\/fopt(?:\/(.*))?$/.exec(about.path)?.[1],
  'remote-path': ({ about, core }) => remotePathOf(about.path, core),
  /** The resource that already has the name requested in a create. */
  namesake: ({ described, target, core }) =>
    attributesOf(target?.children?.get(String(described()?.attributes.rn)), core),
  cse: ({ core }) => {
    const { cseId, base, spId, accessControl } = core.configuration;
    return { ...attributesOf(core.tree.base, core), id: cseId, base, sp: spId, admin: accessControl.admin };
  },
  /** The registration of the originator. */
  registration: (source) => attributesOf(source.core.tree.byAlias(originatorOf(source)), source.core),
  'registration.path': (source) => pathOf(source.core.tree.byAlias(originatorOf(source))),
  now: ({ core }) => core.services.ports.clock.now(),
  roots:
    ({ core }) =>
    (address: unknown) =>
      resourceAt(String(address), core)?.type.root,
};

/** Parts are evaluated at first use. */
export function arrivalOf(request: HttpRequest, core: Cse, serve: Arrival['serve']): Arrival {
  const about = viewOf(request);
  const [path = ''] = about.path.split(hash);
  const target = resourceAtPath(path, core);
  const resources = {
    target: () => target,
    parent: () => target?.parent,
    'path-parent': () => pathParentOf(about.path, core),
    counterpart: () => counterpartOf(about.path, core),
  };
  const source = { request, core, about, target, described: lazy(() => resourceIn(request.body)) };
  const resourceParts = resourceScope(resources, core, { 'reply-rsc': replyFromNow(core) });
  return { ...source, serve, scope: withParts(requestParts, source, resourceParts) };
}

/** Passes each request to `handle`. */
export function arriving(
  arrive: typeof arrivalOf,
  handle: (arrival: Arrival) => HttpResponse | Promise<HttpResponse>,
): Wrap {
  return handling((request, service, core) => handle(arrive(request, core, (one) => service.handle(one))));
}

/** The scope extended by the parts of a table, each evaluated from its source at first use. */
function withParts<From>(table: Readonly<Record<string, (from: From) => unknown>>, from: From, scope: Scope): Scope {
  return new Scope({}, (name) => (Object.hasOwn(table, name) ? { value: table[name]?.(from) } : scope.find(name)));
}

const ofAnswers: Readonly<Record<string, (source: AnswerSource) => unknown>> = {
  status: ({ answer }) => answer.status,
  rsc: ({ answer }) => codeOf(answer),
  success: ({ answer }) => isSuccess(answer),
  'response-header': ({ answer }) => answer.headers,
  'response-body': ({ answer }) => jsonIn(answer.body),
  returned: ({ representation }) => representation()?.attributes,
  'returned.root': ({ representation }) => representation()?.root,
  found: ({ answer }) => foundIn(answer.body),
  /** The responses of group members. */
  responses: ({ answer }) => inner(inner(jsonIn(answer.body), 'm2m:agr'), 'm2m:rsp'),
};

export function exchangeOf(arrival: Arrival, answer: HttpResponse): ServedExchange {
  return { ...arrival, ...answered(answer, arrival.scope) };
}

/** The scope extended by the parts of an answer, to a received or sent request. */
export function answered(answer: HttpResponse, scope: Scope): AnswerSource & Pick<ServedExchange, 'scope'> {
  const source = { answer, representation: lazy(() => resourceIn(answer.body)) };
  return { ...source, scope: withParts(ofAnswers, source, scope) };
}

/** Parts that exist only once a request is answered. */
export const answerParts: ReadonlySet<string> = new Set([...Object.keys(ofAnswers), 'reply-rsc']);

export const partNames: readonly string[] = [
  ...Object.keys(requestParts),
  ...answerParts,
  ...['target', 'parent', 'path-parent', 'counterpart', 'remembered', 'nth', 'let', 'removed'],
  ...['one', 'first', 'last', 'entry'],
].filter((name) => !name.includes('.'));

const pathParentOf = (path: string, core: Cse) => resourceAtPath(path.replace(/\/[^/]*$/, ''), core);

const typeByRootKey = (root: string | undefined, { configuration }: Cse) =>
  configuration.types.find((one) => one.root === root);

/** Without those of every flexible container: those of containers and a few more. */
function ownNames(type: ResourceType | undefined, core: Cse): readonly string[] {
  if (type?.ty !== flexContainerType) return [];
  const container = typeByRootKey('m2m:cnt', core)?.attributes ?? {};
  const ofAll = new Set([...Object.keys(container), 'cnd', 'cs', 'fcied', 'nl', 'dgt']);
  return Object.keys(type.attributes).filter((name) => !ofAll.has(name));
}

function formOf(path: string, { configuration }: Cse): string {
  if (path.startsWith('/_/')) return 'absolute';
  if (path.startsWith('/~/')) return 'SP-relative';
  return path === `/${configuration.base}` || path.startsWith(`/${configuration.base}/`) ? 'names' : 'identifier';
}

/** The names behind CSE-ID and service provider. */
function segmentsOf(path: string): readonly string[] {
  const segments = path.slice(1).split('/');
  if (segments[0] === '~') return segments.slice(2);
  return segments[0] === '_' ? segments.slice(3) : segments;
}

/** The path within another CSE; undefined for this one. */
function remotePathOf(path: string, { configuration }: Cse): string | undefined {
  const [, cseId, within] = /^\/(?:~|_\/[^/]+)\/([^/]+)(\/.*)$/.exec(path) ?? [];
  return cseId === configuration.cseId ? undefined : within;
}

/** The local resource at the path of a request for another CSE. */
function counterpartOf(path: string, core: Cse): Resource | undefined {
  const within = remotePathOf(path, core);
  return within === undefined ? undefined : resourceAtPath(within, core);
}

const connections = new WeakMap<object, number>();
let connectionsSoFar = 0;

/** A number for each connection over TLS. */
function connectionOf({ peer }: HttpRequest): number | undefined {
  if (peer === undefined) return undefined;
  const number = connections.get(peer) ?? ++connectionsSoFar;
  connections.set(peer, number);
  return number;
}

function certificateOf({ peer }: HttpRequest): unknown {
  if (peer === undefined) return undefined;
  if (peer.uris === undefined) return 'none';
  return peer.uris.some((uri) => uri.split('/').length === '//sp/cse/ae'.split('/').length) ? 'application' : 'CSE';
}

/** Query parameters that are no criteria. */
const notCriteria: ReadonlySet<string> = new Set(['fu', 'drt', 'rcn', 'fo', 'lim', 'ofst', 'lvl']);

// Replies to requests that a CSE has sent.

const replies = new WeakMap<Cse, { readonly count: number; readonly code: number }>();

export function noteReply(code: number, core: Cse): void {
  replies.set(core, { count: (replies.get(core)?.count ?? 0) + 1, code });
}

/** The code of the latest reply from now on; undefined until one comes. */
export function replyFromNow(core: Cse): () => number | undefined {
  const before = replies.get(core)?.count;
  return () => {
    const last = replies.get(core);
    return last?.count === before ? undefined : last?.code;
  };
}
