/** A request on its way through a CSE, and its answer, as rows name their parts. */

import type { Cse } from '../../core/cse.ts';
import type { Resource } from '../../core/resource.ts';
import type { HttpRequest, HttpResponse } from '../../dialects/http-message.ts';
import { resourceAt, resourceAtPath } from '../vocabulary/blocks.ts';
import { textOf } from '../vocabulary/bytes.ts';
import { asked, codeOf, describedIn, foundIn, jsonIn } from '../vocabulary/messages.ts';
import { replyFromNow } from './replies.ts';
import { aroundResources, attributesOf, pathOf } from './resource-parts.ts';
import { type Attributes, isObject, type Scope } from './scope.ts';

export interface Arrival {
  readonly request: HttpRequest;
  readonly core: Cse;
  readonly serve: (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;
  /** What the path leads to; for a virtual resource, what it belongs to. */
  readonly target: Resource | undefined;
  readonly scope: Scope;
}

export interface Exchange extends Arrival {
  readonly answer: HttpResponse;
}

/** What is looked at is looked up when somebody first asks for it. */
export function arrivalOf(request: HttpRequest, core: Cse, serve: Arrival['serve']): Arrival {
  const about = asked(request);
  const [path, fragment] = about.path.split(/%23|#/);
  const target = resourceAtPath(path ?? '', core);
  const described = describedIn(request.body);
  const { configuration, services } = core;
  const from = () => request.headers['x-m2m-origin'] ?? '';
  const resources = {
    target: () => target,
    parent: () => target?.parent,
    above: () => aboveOf(about.path, core),
    counterpart: () => counterpartOf(about.path, core),
  };
  const scope = aroundResources(resources, core, {
    method: () => request.method,
    path: () => about.path,
    form: () => formOf(about.path, core),
    segments: () => segmentsOf(about.path),
    fragment: () => fragment,
    slash: () => about.slashAtEnd || undefined,
    virtual: () => /\/(latest|la|oldest|ol|fopt|pcu)$|\/fopt\//.exec(about.path)?.[0],
    discovery: () => about.discovery,
    query: () => Object.fromEntries(about.query),
    /** Each name with the list of all its values. */
    parameters: () => Object.fromEntries([...about.query.keys()].map((name) => [name, about.query.getAll(name)])),
    criteria: () => criteriaIn(about.query),
    header: () => request.headers,
    from,
    body: () => jsonIn(request.body),
    text: () => textOf(request.body),
    /** In bytes. */
    size: () => request.body.length,
    root: () => described?.root,
    given: () => described?.attributes,
    kind: () => kindOf(described?.root, core),
    certificate: () => certificateOf(request),
    connection: () => connectionOf(request),
    rest: () => /\/fopt(?:\/(.*))?$/.exec(about.path)?.[1],
    elsewhere: () => pathElsewhere(about.path, core),
    namesake: () => attributesOf(namesakeOf(described?.attributes, target), core),
    cse: () => ({
      ...attributesOf(core.tree.base, core),
      id: configuration.cseId,
      base: configuration.base,
      sp: configuration.spId,
      admin: configuration.accessControl.admin,
    }),
    /** What the originator has registered as. */
    registered: () => attributesOf(core.tree.byAlias(from()), core),
    'registered.path': () => pathOf(core.tree.byAlias(from())),
    now: () => services.ports.clock.now(),
    replied: replyFromNow(core),
    roots: () => (address: unknown) => resourceAt(String(address), core)?.type.root,
  });
  return { request, core, serve, target, scope };
}

export function exchangeOf(arrival: Arrival, answer: HttpResponse): Exchange {
  const described = () => describedIn(answer.body);
  const parts = {
    status: () => answer.status,
    code: () => codeOf(answer),
    done: () => answer.status >= 200 && answer.status < 300,
    answered: () => answer.headers,
    content: () => jsonIn(answer.body),
    shown: () => described()?.attributes,
    'shown.root': () => described()?.root,
    found: () => foundIn(answer.body),
    responses: () => responsesIn(jsonIn(answer.body)),
  };
  return { ...arrival, answer, scope: arrival.scope.with(parts) };
}

/** What rows can name in a request and what it leads to. */
const requestParts = [
  ...[
    'method',
    'path',
    'form',
    'segments',
    'fragment',
    'slash',
    'virtual',
    'rest',
    'discovery',
    'query',
    'parameters',
    'criteria',
    'header',
    'from',
  ],
  ...[
    'body',
    'text',
    'size',
    'root',
    'given',
    'kind',
    'certificate',
    'connection',
    'target',
    'parent',
    'above',
    'elsewhere',
    'counterpart',
    'namesake',
    'cse',
    'registered',
    'now',
  ],
];

/** The parts of a scope that there are only once a request is answered. */
export const answerParts: ReadonlySet<string> = new Set([
  'status',
  'code',
  'done',
  'answered',
  'content',
  'shown',
  'found',
  'responses',
  'replied',
]);

export const partNames: readonly string[] = [
  ...requestParts,
  ...answerParts,
  'remembered',
  'nth',
  'let',
  'gone',
  'one',
  'first',
  'last',
  'entry',
  'roots',
];

const aboveOf = (path: string, core: Cse) => resourceAtPath(path.replace(/\/[^/]*$/, ''), core);

/** The resource that has the name already which a create gives. */
function namesakeOf(given: Attributes | undefined, target: Resource | undefined): Resource | undefined {
  return typeof given?.rn === 'string' ? target?.children?.get(given.rn) : undefined;
}

/** The kind of what is described. */
function kindOf(root: string | undefined, { configuration }: Cse): Attributes | undefined {
  const kind = configuration.kinds.find((one) => one.root === root);
  return kind && { ty: kind.ty, definition: kind.definition, names: kind.entries.map(({ name }) => name) };
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
const noCriteria: ReadonlySet<string> = new Set(['fu', 'drt', 'rcn', 'fo', 'lim', 'ofst', 'lvl']);

/** Names of the criteria in a query, each once, in the order of the alphabet. */
function criteriaIn(query: URLSearchParams): readonly string[] {
  return [...new Set(query.keys())].filter((name) => !noCriteria.has(name)).sort();
}

/** The answers of several members, where a value holds such. */
function responsesIn(content: unknown): unknown {
  const aggregate = isObject(content) ? content['m2m:agr'] : undefined;
  return isObject(aggregate) ? aggregate['m2m:rsp'] : undefined;
}
