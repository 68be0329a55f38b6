/** A request on its way through a CSE, and its answer, as rows name their parts. */

import { lazy } from '../../core/get-or-insert.ts';
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

/** What parts of a request are made of. */
interface RequestSource {
  readonly request: HttpRequest;
  readonly core: Cse;
  readonly about: RequestView;
  /** What the path leads to; for a virtual resource, what it belongs to. */
  readonly target: Resource | undefined;
  readonly described: () => DescribedResource | undefined;
}

/** An answer, and what it shows. */
interface AnswerSource {
  readonly answer: HttpResponse;
  readonly representation: () => DescribedResource | undefined;
}

/** Before a fragment, which HTTP has not. */
const hash = /%23|#/;

const fromOf = ({ request }: RequestSource): string => request.headers['x-m2m-origin'] ?? '';

/** What rows can name in a request, beside the resources that it leads to. */
const requestParts: Readonly<Record<string, (source: RequestSource) => unknown>> = {
  method: ({ request }) => request.method,
  path: ({ about }) => about.path,
  form: ({ about, core }) => formOf(about.path, core),
  segments: ({ about }) => segmentsOf(about.path),
  fragment: ({ about }) => about.path.split(hash)[1],
  slash: ({ about }) => about.slashAtEnd || undefined,
  virtual: ({ about }) => /\/(latest|la|oldest|ol|fopt|pcu)$|\/fopt\//.exec(about.path)?.[0],
  discovery: ({ about }) => about.discovery,
  query: ({ about }) => Object.fromEntries(about.query),
  /** Each name with the list of all its values. */
  parameters: ({ about: { query } }) => Object.fromEntries([...query.keys()].map((name) => [name, query.getAll(name)])),
  /** Names of the criteria, each once, in the order of the alphabet. */
  criteria: ({ about }) => [...new Set(about.query.keys())].filter((name) => !notCriteria.has(name)).sort(),
  header: ({ request }) => request.headers,
  from: fromOf,
  body: ({ request }) => jsonIn(request.body),
  text: ({ request }) => textOf(request.body),
  /** In bytes. */
  size: ({ request }) => request.body.length,
  root: ({ described }) => described()?.root,
  given: ({ described }) => described()?.attributes,
  kind: ({ described, core }) => {
    const type = typeByRootKey(described()?.root, core);
    return type && { ty: type.ty, definition: type.definition, names: type.entries.map(({ name }) => name) };
  },
  /** What the definition of a flexible container brings, and which of that are whole numbers. */
  'kind.own': ({ described, core }) => ownNames(typeByRootKey(described()?.root, core), core),
  'kind.wholes': ({ described, core }) => {
    const type = typeByRootKey(described()?.root, core);
    return ownNames(type, core).filter((name) => type?.attributes[name]?.type === 'any integer');
  },
  certificate: ({ request }) => certificateOf(request),
  connection: ({ request }) => connectionOf(request),
  wire: ({ request }) => request.wire ?? 'http',
  rest: ({ about }) => /\/fopt(?:\/(.*))?$/.exec(about.path)?.[1],
  elsewhere: ({ about, core }) => pathElsewhere(about.path, core),
  /** The resource that has the name already which a create gives. */
  namesake: ({ described, target, core }) =>
    attributesOf(target?.children?.get(String(described()?.attributes.rn)), core),
  cse: ({ core }) => {
    const { cseId, base, spId, accessControl } = core.configuration;
    return { ...attributesOf(core.tree.base, core), id: cseId, base, sp: spId, admin: accessControl.admin };
  },
  /** What the originator has registered as. */
  registered: (source) => attributesOf(source.core.tree.byAlias(fromOf(source)), source.core),
  'registered.path': (source) => pathOf(source.core.tree.byAlias(fromOf(source))),
  now: ({ core }) => core.services.ports.clock.now(),
  roots:
    ({ core }) =>
    (address: unknown) =>
      resourceAt(String(address), core)?.type.root,
};

/** What is looked at is looked up when somebody first asks for it. */
export function arrivalOf(request: HttpRequest, core: Cse, serve: Arrival['serve']): Arrival {
  const about = viewOf(request);
  const [path = ''] = about.path.split(hash);
  const target = resourceAtPath(path, core);
  const resources = {
    target: () => target,
    parent: () => target?.parent,
    above: () => aboveOf(about.path, core),
    counterpart: () => counterpartOf(about.path, core),
  };
  const source = { request, core, about, target, described: lazy(() => resourceIn(request.body)) };
  const resourceParts = resourceScope(resources, core, { replied: replyFromNow(core) });
  return { ...source, serve, scope: withParts(requestParts, source, resourceParts) };
}

/** Everything about one request goes through `handle`. */
export function arriving(
  arrive: typeof arrivalOf,
  handle: (arrival: Arrival) => HttpResponse | Promise<HttpResponse>,
): Wrap {
  return handling((request, service, core) => handle(arrive(request, core, (one) => service.handle(one))));
}

/** What is in the scope, and the parts of a table, each made of where it comes from when somebody first asks for it. */
function withParts<From>(table: Readonly<Record<string, (from: From) => unknown>>, from: From, scope: Scope): Scope {
  return new Scope({}, (name) => (Object.hasOwn(table, name) ? { value: table[name]?.(from) } : scope.find(name)));
}

const ofAnswers: Readonly<Record<string, (source: AnswerSource) => unknown>> = {
  status: ({ answer }) => answer.status,
  code: ({ answer }) => codeOf(answer),
  done: ({ answer }) => isSuccess(answer),
  answered: ({ answer }) => answer.headers,
  content: ({ answer }) => jsonIn(answer.body),
  shown: ({ representation: shown }) => shown()?.attributes,
  'shown.root': ({ representation }) => representation()?.root,
  found: ({ answer }) => foundIn(answer.body),
  /** The answers of several members. */
  responses: ({ answer }) => inner(inner(jsonIn(answer.body), 'm2m:agr'), 'm2m:rsp'),
};

export function exchangeOf(arrival: Arrival, answer: HttpResponse): ServedExchange {
  return { ...arrival, ...answered(answer, arrival.scope) };
}

/** With the parts of an answer, be it to a request that came or to one that was sent. */
export function answered(answer: HttpResponse, scope: Scope): AnswerSource & Pick<ServedExchange, 'scope'> {
  const source = { answer, representation: lazy(() => resourceIn(answer.body)) };
  return { ...source, scope: withParts(ofAnswers, source, scope) };
}

/** The parts of a scope that there are only once a request is answered. */
export const answerParts: ReadonlySet<string> = new Set([...Object.keys(ofAnswers), 'replied']);

export const partNames: readonly string[] = [
  ...Object.keys(requestParts),
  ...answerParts,
  ...['target', 'parent', 'above', 'counterpart', 'remembered', 'nth', 'let', 'gone', 'one', 'first', 'last', 'entry'],
].filter((name) => !name.includes('.'));

const aboveOf = (path: string, core: Cse) => resourceAtPath(path.replace(/\/[^/]*$/, ''), core);

const typeByRootKey = (root: string | undefined, { configuration }: Cse) =>
  configuration.types.find((one) => one.root === root);

/** Without those of every flexible container, which are those of containers and a few more. */
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

/** The path within another CSE that a request is for; undefined where it is for this one. */
function pathElsewhere(path: string, { configuration }: Cse): string | undefined {
  const [, cseId, within] = /^\/(?:~|_\/[^/]+)\/([^/]+)(\/.*)$/.exec(path) ?? [];
  return cseId === configuration.cseId ? undefined : within;
}

/** What has the same path here as what a request for another CSE is about. */
function counterpartOf(path: string, core: Cse): Resource | undefined {
  const within = pathElsewhere(path, core);
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

/** What a query has beside its criteria. */
const notCriteria: ReadonlySet<string> = new Set(['fu', 'drt', 'rcn', 'fo', 'lim', 'ofst', 'lvl']);

// What was heard to what a CSE has sent.

const replies = new WeakMap<Cse, { readonly count: number; readonly code: number }>();

export function noteReply(code: number, core: Cse): void {
  replies.set(core, { count: (replies.get(core)?.count ?? 0) + 1, code });
}

/** The code of what is heard last from now on; undefined while nothing is. */
export function replyFromNow(core: Cse): () => number | undefined {
  const before = replies.get(core)?.count;
  return () => {
    const last = replies.get(core);
    return last?.count === before ? undefined : last?.code;
  };
}
