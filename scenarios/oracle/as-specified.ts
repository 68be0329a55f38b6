import { isLimited, isSame } from './observation/known-resource.ts';
import { isReserved, type ParsedRequest } from './observation/parsed-request.ts';
import type { TypeName } from './observation/resource-types.ts';
import type { SeenExchange } from './observation/seen-exchange.ts';

/** Headers in the interface specification, and those of every HTTP client. */
const usual = new Set(['host', 'connection', 'content-length', 'content-type', 'x-m2m-origin', 'user-agent', 'accept']);
const contentType = 'application/vnd.onem2m-res+json';

interface ShownAttributes {
  readonly required: readonly string[];
  readonly allowed: readonly string[];
}

/** By type, the attributes in examples of creations (interface specification, "Resources and their fields"). */
const attributes: Partial<Record<TypeName, ShownAttributes>> = {
  ae: { required: ['rn', 'api', 'rr'], allowed: ['rn', 'api', 'rr', 'lbl'] },
  container: { required: ['rn'], allowed: ['rn', 'lbl'] },
  'content-instance': { required: ['con', 'cnf'], allowed: ['con', 'cnf', 'rn', 'lbl'] },
};

const parents: Partial<Record<TypeName, string>> = { ae: 'base', container: 'ae', 'content-instance': 'container' };

/** Names and labels that are certainly permitted. */
const simple = (text: string) => /^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(text) && !isReserved(text);
/** Characters of content that every CSE accepts. */
const longest = 4096;

/** Whether the sender created the resource. Rights of others are not specified (Authorization rules). */
export function isAsSpecified(seen: SeenExchange): boolean {
  const { resource, sender, isAuthenticated } = seen;
  return (resource === undefined ? isAuthenticated : isSame(resource.createdBy, sender)) && isAsDocumented(seen);
}

/** Whether a request is exactly one of the interface specification: "Endpoints", rows 1 to 12. */
export function isAsDocumented(seen: SeenExchange): boolean {
  const { request, isOrdinary, exchange } = seen;
  const { headers } = request;
  if (exchange.over !== undefined) return false;
  const isUsual = [...headers.keys()].every((name) => usual.has(name)) && isAccepted(headers);
  return isOrdinary && isUsual && isDocumented(request, seen);
}

function isAccepted(headers: ParsedRequest['headers']): boolean {
  const accept = headers.get('accept') ?? '*/*';
  return ['*/*', 'application/json', contentType].includes(accept) && !headers.has('transfer-encoding');
}

function isDocumented(request: ParsedRequest, seen: SeenExchange): boolean {
  const { operation, form, query, trailingSlash, headers, virtual } = request;
  if (form !== 'CSE-relative' && form !== 'SP-relative') return false;
  if (trailingSlash && operation !== 'create') return false;
  const isOfType = headers.get('content-type') === contentType;
  if (operation === 'create') return query.size === 0 && virtual === undefined && isOfType && isCreation(request, seen);
  if (operation === 'discover') return isDiscovery(request, seen);
  const isBodyless = request.attributes === undefined && !headers.has('content-type');
  return query.size === 0 && isBodyless && (operation === 'retrieve' || operation === 'delete');
}

function isCreation(request: ParsedRequest, { resource, atBase, sender }: SeenExchange): boolean {
  const { type, attributes: requested = {} } = request;
  // The specification does not show a second registration.
  if (type === undefined || (type === 'ae' && sender.originator !== undefined)) return false;
  const { required, allowed } = attributes[type] ?? { required: [], allowed: [] };
  const above: string | undefined = atBase ? 'base' : resource?.type;
  if (parents[type] !== above || (resource !== undefined && isLimited(resource))) return false;
  if (!required.every((name) => Object.hasOwn(requested, name))) return false;
  return Object.entries(requested).every(([name, value]) => allowed.includes(name) && isSimple(name, value));
}

function isSimple(name: string, value: unknown): boolean {
  if (name === 'lbl') return Array.isArray(value) && value.length > 0 && value.every((one) => simple(String(one)));
  if (name === 'rr') return value === 'TRUE' || typeof value === 'boolean';
  if (typeof value !== 'string') return false;
  if (name === 'con') return value.length > 0 && value.length <= longest;
  if (name === 'cnf') return /^(text\/plain:0|application\/json:1)$/.test(value);
  return name === 'api' ? /^[\w.-]{1,64}$/.test(value) : simple(value);
}

/** Rows 11 and 12 of "Endpoints", at the CSE base. */
function isDiscovery({ query, virtual }: ParsedRequest, { atBase }: SeenExchange): boolean {
  const names = [...query.keys()];
  const isKnown = names.every((name) => name === 'fu' || name === 'lbl' || name === 'cra');
  return atBase && virtual === undefined && isKnown && query.get('fu') === '1' && query.getAll('lbl').length === 1;
}
