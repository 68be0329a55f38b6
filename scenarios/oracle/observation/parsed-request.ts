import type { Dialect } from '../../engine/grammar/dialects.ts';
import { viewOfRequest } from '../../engine/judging/answer.ts';
import { type CseNames, meaningsOf, resolveAddress } from '../../engine/messages/address.ts';
import type { Exchange, SentRequest } from '../../engine/results/exchange.ts';
import { type TypeName, typeOfRoot } from './resource-types.ts';

export type ObservedOperation = 'create' | 'retrieve' | 'update' | 'delete' | 'discover' | 'other';
export type AddressForm = 'CSE-relative' | 'SP-relative' | 'absolute' | 'identifier' | 'root';

export type AttributeMap = Readonly<Record<string, unknown>>;

/** A request that every server reads in the same way. */
export interface ParsedRequest {
  readonly operation: ObservedOperation;
  readonly form: AddressForm;
  /** From below the CSE base; in the form `identifier`, the identifier and any names after it. */
  readonly names: readonly string[];
  /** The virtual resource at the end of the address, not among the names. */
  readonly virtual?: 'latest' | 'oldest';
  /** Names or identifier of the group for a fan-out (TS-0001 9.6.14). */
  readonly group?: readonly string[];
  /** Whether the path ends in a superfluous slash. */
  readonly trailingSlash: boolean;
  /** The resource type of the content. */
  readonly type?: TypeName;
  /** The only key of the content, which distinguishes specializations. */
  readonly root?: string | undefined;
  readonly attributes?: AttributeMap;
  readonly query: URLSearchParams;
  readonly headers: ReadonlyMap<string, string>;
}

const texts = new Set(['rn', 'api', 'con', 'cnf']);

/** Attributes with the right data type; the effect of others is not specified. */
export const requestedIn = (attributes: AttributeMap = {}): Map<string, unknown> =>
  new Map(Object.entries(attributes).filter(([name, value]) => isRequested(name, value)));

function isRequested(name: string, value: unknown): boolean {
  if (texts.has(name)) return typeof value === 'string';
  return value !== null && !(Array.isArray(value) && value.length === 0);
}

/** By the method (TS-0009 6.2.1). */
export const operations: ReadonlyMap<string, ObservedOperation> = new Map([
  ['POST', 'create'],
  ['GET', 'retrieve'],
  ['PUT', 'update'],
  ['DELETE', 'delete'],
]);
const virtuals = new Map([
  ['la', 'latest'],
  ['latest', 'latest'],
  ['ol', 'oldest'],
  ['oldest', 'oldest'],
] as const);

/**
 * Undefined if servers may read it differently, `elsewhere` if it is for another CSE (TS-0001 7.2; TS-0009
 * 6.2.3; interface specification, "Endpoints", note 1).
 */
export function parseRequest(
  { request }: Exchange,
  home: CseNames,
  dialect: Dialect,
): ParsedRequest | 'elsewhere' | undefined {
  if (request.exactBytes === true) return undefined;
  const [path = '', query = ''] = request.path.split(/\?(.*)/s);
  const readings = meaningsOf(path, home);
  if (readings?.length !== 1 || path.includes('//')) return undefined;
  const { cseId, segments } = resolveAddress(path, home);
  if (cseId !== home.cseId) return 'elsewhere';
  const last = virtuals.get(segments.at(-1) as 'la');
  const named = last === undefined ? segments : segments.slice(0, -1);
  const isStructured = named[0] === home.base;
  const search = new URLSearchParams(query);
  const { headers } = viewOfRequest(request);
  const type = dialect === 'onem2m' ? typeIn(headers) : undefined;
  const operation = operationOf(request.method, search);
  const isOther = named.some((name) => fanOutNames.has(name)) || (type === 'none' && operation === 'create');
  const names = isStructured ? named.slice(1) : named;
  return {
    operation: dialect === 'onem2m' && isOther ? 'other' : operation,
    form: formOf(path, named, isStructured),
    names,
    ...(last !== undefined && { virtual: last }),
    ...(dialect === 'onem2m' && groupIn(names)),
    trailingSlash: path.length > 1 && path.endsWith('/'),
    ...contentOf(request, dialect, type),
    query: search,
    headers,
  };
}

/** Whether a request certainly concerns this CSE alone. */
export function staysAt({ request }: Exchange, home: CseNames): boolean {
  const [path = ''] = request.path.split('?');
  const readings = request.exactBytes === true ? undefined : meaningsOf(path, home);
  const names = path.split('/');
  return readings?.length === 1 && readings[0]?.cseId === home.cseId && !names.some((name) => fanOutNames.has(name));
}

/** Virtual resources with effects elsewhere (TS-0001 9.6.14, 9.6.21). */
const fanOutNames = new Set(['fopt', 'pcu']);

/** Whether a name is reserved for a virtual resource (TS-0004 6.3.3). */
export function isReserved(name: unknown): boolean {
  return virtuals.has(name as 'la') || fanOutNames.has(String(name));
}

/** Without nested groups. */
function groupIn(names: readonly string[]): Pick<ParsedRequest, 'group'> {
  const isOne = names.filter((name) => fanOutNames.has(name)).length === 1;
  return isOne && names.includes('fopt') ? { group: names.slice(0, names.indexOf('fopt')) } : {};
}

/** The type number of a creation (TS-0009 6.4.3); without it, a POST is a notification. */
function typeIn(headers: ReadonlyMap<string, string>): string {
  return /;\s*ty=(\d+)\s*(?:;|$)/i.exec(headers.get('content-type') ?? '')?.[1] ?? 'none';
}

function operationOf(method: string, query: URLSearchParams): ObservedOperation {
  const operation = operations.get(method) ?? 'other';
  return operation === 'retrieve' && query.has('fu') ? 'discover' : operation;
}

function formOf(path: string, named: readonly string[], isStructured: boolean): AddressForm {
  if (named.length === 0) return 'root';
  if (!isStructured) return 'identifier';
  if (path.startsWith('/~/')) return 'SP-relative';
  return path.startsWith('/_/') ? 'absolute' : 'CSE-relative';
}

/** Whether a key occurs twice, so that its value is ambiguous. A text that looks like the key counts, too, which only silences rules. */
function isTwiceIn(text: string, name: string): boolean {
  return text.split(`${JSON.stringify(name)}:`).length > 2;
}

function contentOf(
  request: SentRequest,
  dialect: Dialect,
  says: string | undefined,
): Pick<ParsedRequest, 'type' | 'root' | 'attributes'> {
  const text = String(request.body);
  const { root, attributes } = viewOfRequest(request);
  const type = typeOfRoot(root, dialect);
  if (type === undefined || attributes === undefined || Object.keys(attributes).some((name) => isTwiceIn(text, name)))
    return {};
  if (says !== undefined && says !== 'none' && says !== String(type.number)) return {};
  return { type: type.name, root, attributes };
}
