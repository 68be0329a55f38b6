import { getOrAdd } from '../../engine/basics/memoize.ts';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import { viewOf } from '../../engine/judging/answer.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import type { AttributeMap } from './parsed-request.ts';
import { typeOfRoot } from './resource-types.ts';
import type { SeenExchange } from './seen-exchange.ts';

/** Whether the answer says that exactly the addressed resource was deleted. */
export function isDeletion({ request, exchange }: SeenExchange, dialect: Dialect): boolean {
  const { status, rsc } = viewOf(exchange);
  if (dialect === 'documented') return status === 200 || status === 204;
  const isWhole = request.query.size === 0 || (request.query.size === 1 && request.query.has('rcn'));
  return status === 200 && rsc === 2002 && isWhole;
}

/** A refusal changes nothing, but after a deletion with 404 it is doubtful whether the resource exists. */
export function mayChange({ request, answer }: Exchange): boolean {
  const { status = 0 } = answer ?? {};
  const isRead = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS';
  const isRefused = status >= 400 && status < 500 && !(request.method === 'DELETE' && status === 404);
  return request.exactBytes === true || (!isRead && !isRefused);
}

const cache = new WeakMap<SeenExchange, { readonly full: AttributeMap | undefined }>();

/** All attributes of the created, retrieved or updated resource; undefined if the answer need not have them (TS-0001 8.1.2). */
export function fullIn(seen: SeenExchange): AttributeMap | undefined {
  return getOrAdd(cache, seen, () => ({ full: readFull(seen) })).full;
}

function readFull(seen: SeenExchange): AttributeMap | undefined {
  const { operation, query } = seen.request;
  const { root, attributes } = viewOf(seen.exchange);
  const content = query.get('rcn') ?? '1';
  const isWhole = operation === 'retrieve' ? ['1', '4', '5'].includes(content) : content === '1';
  const isPart = [...query.keys()].some((name) => name !== 'rcn');
  if (root === undefined || attributes === undefined || !isWhole || isPart) return undefined;
  const isOwn =
    attributes.ri !== undefined || ['ty', 'pi', 'ct'].filter((name) => attributes[name] !== undefined).length > 1;
  return isOwn || showsAll(seen, root) ? withoutChildren(attributes) : undefined;
}

/** A create or update may be answered with less; a plain retrieve returns all attributes, even if its identifier is missing. */
function showsAll({ request, exchange }: SeenExchange, root: string): boolean {
  const isPlain = request.operation === 'retrieve' && request.query.size === 0 && !isOfPart(exchange);
  return isPlain && (root === 'm2m:cb' || typeOfRoot(root) !== undefined);
}

/** Whether a part of a resource is addressed, behind a #. */
export function isOfPart({ request }: Exchange): boolean {
  return /#|%23/.test(request.path);
}

/** Whether a dash stands for the CSE base, which has its own requirement. */
export function isByDash({ request }: Exchange): boolean {
  return request.path.split('/').includes('-');
}

/** Children are nested under the names of their types, or referred to in `ch` (TS-0004 7.5.2). */
function withoutChildren(attributes: AttributeMap): AttributeMap {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => name !== 'ch' && !name.includes(':')));
}
