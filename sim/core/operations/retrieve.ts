/** Retrieve and discovery; read from top to bottom. */
import type { ResolvedAddress } from '../address.ts';
import type { DialectCodec } from '../configuration.ts';
import { type FilterCriteria, meetsCriteria } from '../filter-criteria.ts';
import { originatorElsewhere } from '../originator.ts';
import type { Answer, RequestPrimitive, ResponsePrimitive } from '../primitive.ts';
import type { Resource } from '../resource.ts';
import { CseError, statuses } from '../status.ts';
import type { PriorChecks } from './create.ts';
import type { CseServices } from './cse-services.ts';
import { type Discovered, discover } from './discover.ts';
import { answerWith, prefixInContent, type Shape, shapeOf } from './result.ts';

export function retrieve(
  request: RequestPrimitive,
  { resource, prefix }: ResolvedAddress,
  shape: Shape,
  services: CseServices,
  trust: PriorChecks,
): Answer {
  const { configuration, notifier } = services;
  const below = showsBelow.has(shape) ? selectBelow(request, resource, shape, services, trust) : undefined;
  if (below === undefined) checkCondition(request, resource, configuration.dialect);
  if (resource.subscriptions !== undefined) {
    notifier.retrieved(resource, request);
    // TS-0001, table 9.6.8-3: its instances were requested with it, and there are none.
    if (withChildren.has(shape) && resource.instances?.size === 0) notifier.foundEmpty(resource, request);
  }
  resource.type.retrieving?.(resource, services);
  if (shape === 'original') return retrieveOriginal(request, resource, services);
  const answer = answerWith(statuses.OK, { resource, shape, prefix, below, request, dialect: configuration.dialect });
  resource.type.retrieved?.(resource, services);
  return below?.more ? { ...answer, ...continuationOf(below, request) } : answer;
}

/** TS-0001, clause 8.1.3, Content Status and Content Offset. */
function continuationOf({ more, matches }: Discovered, { filterCriteria }: RequestPrimitive) {
  return more ? { partial: { nextOffset: (filterCriteria?.offset ?? 1) + matches.length } } : {};
}

/** The default result content (`rcn`) of a discovery. */
const defaultDiscoveryResult = 11;

export function discoverBelow(
  request: RequestPrimitive,
  { resource, prefix }: ResolvedAddress,
  { access, configuration, tree }: CseServices,
  trust: PriorChecks,
): ResponsePrimitive {
  const { dialect } = configuration;
  const shape = shapeOf('discover', request.resultContent ?? defaultDiscoveryResult, dialect.name);
  const visible = trust.checked ? access.test(request, 'discover') : undefined;
  const found = discover(resource, request.filterCriteria as FilterCriteria, tree, visible);
  const rest = continuationOf(found, request);
  if (shape === 'references' && dialect.name === 'onem2m') {
    return { ...answerWith(statuses.OK, { resource, shape, prefix, below: found, request, dialect }), ...rest };
  }
  const identifiers = request.desiredIdentifierResultType === 2;
  const before = prefixInContent(prefix, request, dialect);
  const addresses = found.matches.map((one) => before + (identifiers ? one.id : one.path));
  return { status: statuses.OK, content: { 'm2m:uril': addresses }, ...rest };
}

/** Shapes that include what is below the resource. */
export const showsBelow: ReadonlySet<Shape> = new Set<Shape>([
  ...(['attributes and children', 'attributes and references', 'references', 'children'] as const),
]);

/** Shapes that include the children themselves. */
const withChildren: ReadonlySet<Shape> = new Set<Shape>(['attributes and children', 'children']);

/** What a retrieve with filter criteria or limited rights includes from below; undefined: the default. */
function selectBelow(
  request: RequestPrimitive,
  resource: Resource,
  shape: Shape,
  { access, configuration, tree }: CseServices,
  trust: PriorChecks,
): Discovered | undefined {
  const { filterCriteria } = request;
  const selects = filterCriteria !== undefined && configuration.dialect.criteriaSelectChildren;
  const visible = trust.checked ? access.test(request, 'retrieve') : undefined;
  // In the standard, references are to everything below.
  const ofChildren = !withChildren.has(shape) && configuration.dialect.name === 'documented';
  const isDefault = withChildren.has(shape) || ofChildren;
  if (!selects && visible === undefined && isDefault) return undefined;
  return discover(resource, selects ? filterCriteria : ofChildren ? { level: 1 } : {}, tree, visible);
}

/**
 * Filter criteria without fu=1 are a condition on the resource itself (TS-0001, clause 8.1.2). Where criteria may also select
 * children, the resource type is a condition with fu=2 only.
 */
export function checkCondition({ filterCriteria }: RequestPrimitive, resource: Resource, dialect: DialectCodec): void {
  if (filterCriteria === undefined) return;
  const { resourceTypes: _types, ...others } = filterCriteria;
  const lenient = dialect.criteriaSelectChildren && filterCriteria.filterUsage === undefined;
  if (meetsCriteria(resource, lenient ? others : filterCriteria)) return;
  throw new CseError(
    'NOT_FOUND',
    'The resource does not meet the filter criteria; add fu=1 to discover what is below it.',
  );
}

/** The original of an announced resource (`rcn` 7, TS-0001 clause 8.1.2), fetched from its CSE. */
function retrieveOriginal(
  request: RequestPrimitive,
  resource: Resource,
  { outgoing, configuration }: CseServices,
): Promise<ResponsePrimitive> {
  const { lnk } = resource.values;
  if (typeof lnk !== 'string') throw new CseError('BAD_REQUEST', 'rcn 7 is for announced resources.');
  const { resultContent: _original, filterCriteria: _criteria, ...others } = request;
  const from = request.from && originatorElsewhere(request.from, configuration, lnk);
  return outgoing.send(lnk, { ...others, ...(from && { from }) });
}
