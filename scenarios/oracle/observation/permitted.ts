import { isObject } from '../../engine/basics/body.ts';
import { isByDash } from './effects.ts';
import { isLimited, isSame, type KnownResource } from './known-resource.ts';
import type { SeenExchange } from './seen-exchange.ts';

/** Headers that every CSE understands (TS-0009 6.4). */
const usual = new Set([
  ...['host', 'connection', 'content-length', 'content-type', 'user-agent', 'accept'],
  ...['x-m2m-origin', 'x-m2m-ri', 'x-m2m-rvi'],
]);

/**
 * Whether a request is certainly permitted, and written as every CSE accepts it: by an application entity, for itself or a descendant
 * that it created, with no policy or subscription to decide (TS-0001 9.6.1.3.2, 10.2.10.10).
 */
export function isPermitted(seen: SeenExchange): boolean {
  const { request, resource, sender, isOrdinary, isAuthenticated } = seen;
  if (resource === undefined || !isOrdinary || !isAuthenticated || request.trailingSlash || request.query.size > 0)
    return false;
  if (!isUsuallySaid(seen)) return false;
  const release = request.headers.get('x-m2m-rvi');
  // A limit may refuse it.
  if (request.operation === 'create' && isLimited(resource)) return false;
  const line = lineOf(resource);
  const [top] = line;
  if (top?.type !== 'ae' || top.returned.get('aei') !== sender.originator) return false;
  return line.every((one) => isSame(one.createdBy, sender) && one.release === release && isFree(one));
}

/** Whether every CSE reads headers and address in the same way. */
export function isUsuallySaid({ request, exchange, resource }: SeenExchange): boolean {
  const isUsual = [...request.headers.keys()].every((name) => usual.has(name));
  return isUsual && !isByDash(exchange) && isSaid(request, resource);
}

function isSaid({ headers, operation }: SeenExchange['request'], resource: KnownResource | undefined): boolean {
  const accept = headers.get('accept');
  // CBOR counts if the creation used it.
  const isInCbor = accept === 'application/cbor' && resource?.accept === accept;
  const [usualType, isRead] = isInCbor
    ? ['application/cbor', /^application\/cbor$/]
    : ['application/json', /^application\/(vnd\.onem2m-res\+)?json$/];
  // Only a creation has a type (TS-0009 6.4.3).
  const [type, ...typed] = (headers.get('content-type') ?? usualType).split(/(?=;)/);
  const isTyped = typed.every((one) => operation === 'create' && /^;\s*ty=\d+$/.test(one));
  // Without Accept, the answer has any serialization of the registration (TS-0009 6.4.3, contentSerialization).
  const types = [accept, type];
  return (
    headers.has('x-m2m-ri') && headers.has('x-m2m-rvi') && isTyped && types.every((one) => isRead.test(String(one)))
  );
}

/** Its ancestors from below the CSE base, and itself. */
function lineOf(resource: KnownResource): KnownResource[] {
  return resource.parent === undefined ? [resource] : [...lineOf(resource.parent), resource];
}

const restricting = ['acpi', 'disr', 'cstn'];

function isFree(one: KnownResource): boolean {
  const isRestricted = restricting.some((name) => one.requested.has(name) || one.updated.has(name));
  return !isRestricted && !mayBeBlocked(one) && one.isComplete && isOpenToCreator(one);
}

/** Whether a subscription may block requests. */
export function mayBeBlocked({ children }: KnownResource): boolean {
  return children.some((child) => child.type === 'subscription' && mayInterfere(child));
}

/** Some events precede or replace the operation (TS-0004 6.3.4.2.19); types 1 to 4 are notified afterwards. */
function mayInterfere({ requested, updated }: KnownResource): boolean {
  if (updated.has('enc')) return true;
  const { net, ...others } = (requested.get('enc') ?? {}) as Readonly<Record<string, unknown>>;
  const areAfterwards = Array.isArray(net) && net.every((event) => [1, 2, 3, 4].includes(event));
  return requested.has('enc') && (!areAfterwards || Object.keys(others).length > 0);
}

/** Rights to a policy come from its own pvs, not from its creator (TS-0001 9.6.2). */
function isOpenToCreator({ type, requested, updated, createdBy }: KnownResource): boolean {
  const pvs = updated.get('pvs') ?? requested.get('pvs');
  const rules = isObject(pvs) && Array.isArray(pvs.acr) ? pvs.acr.filter(isObject) : [];
  const isAnything = ({ acor, acop, ...limits }: Record<string, unknown>) =>
    acop === 63 && Object.keys(limits).length === 0 && Array.isArray(acor) && acor.includes(createdBy.originator);
  return type !== 'policy' || rules.some(isAnything);
}
