/** Resources that an exchange with uncertain effects may have changed. */
import { viewOf } from '../../engine/judging/answer.ts';
import { doubt, doubtInstances, updateOf } from './changes.ts';
import { type KnownResource, leaveOpen, withAllBelow } from './known-resource.ts';
import { membersReached } from './members.ts';
import type { Observation } from './observation.ts';
import type { SeenExchange } from './seen-exchange.ts';

type KnownState = Pick<Observation, 'index' | 'names' | 'dialect'>;

/** All resources that it may have changed, or below which it may have created one. */
export function touchedBy(seen: SeenExchange, { index, names }: KnownState): readonly KnownResource[] {
  const { request, resource, atBase } = seen;
  const members = request.group && membersReached(seen, index, names);
  if (request.names.includes('fopt') && members === undefined) return index.all;
  const isIdentifier = request.form === 'identifier' && resource === undefined && !atBase;
  const below = isIdentifier ? index.named(request.names.slice(1)) : undefined;
  const above = resource === undefined && !atBase ? index.named(request.names.slice(0, -1)) : undefined;
  const possible = isIdentifier ? [below, ...mayBeCalled(request.names[0], index)] : [resource];
  const reached = (members ?? possible).filter((one) => one !== undefined);
  const isOpen = ({ isComplete, type }: KnownResource) => type === 'group' || (isIdentifier && !isComplete);
  const besides = [above, ...reached.map(({ parent }) => parent)].filter((one) => one !== undefined);
  return [...besides, ...reached.flatMap(withAllBelow), ...index.all.filter(isOpen)];
}

/** The addressed resource is unknown: it may be a known one, a new child of one, or a former one. */
export function doubtAddressed(seen: SeenExchange, known: KnownState): void {
  const { form, names } = seen.request;
  const { index } = known;
  if (form !== 'identifier') {
    doubtNamed(names, seen, known);
    return;
  }
  // The CSE base has an identifier, too.
  const possible = [[], ...mayBeCalled(names[0], index).map((one) => one.names)];
  for (const above of possible) doubtNamed([...above, ...names.slice(1)], seen, known);
  // It may be an unknown child of any of these.
  for (const one of index.all) if (!one.isComplete) leaveOpen(one);
}

/** Resources that may have this identifier, as none was returned, or only in its creation. */
function mayBeCalled(identifier: string | undefined, { all }: KnownState['index']): readonly KnownResource[] {
  const namesOf = ({ returned, type, createdBy }: KnownResource) => [
    returned.get('ri'),
    returned.get('aei'),
    type === 'ae' && createdBy.originator,
  ];
  return all.filter((one) => !one.returned.has('ri') || namesOf(one).includes(identifier));
}

function doubtNamed(names: readonly string[], seen: SeenExchange, known: KnownState): void {
  const [resource, above] = [names, names.slice(0, -1)].map((one) => known.index.named(one));
  if (above !== undefined) leaveOpen(above);
  if (resource !== undefined) doubtAt(resource, seen, known);
  else doubtBelow(names, seen, known);
}

/** The operation may have been carried out here. */
export function doubtAt(resource: KnownResource, seen: SeenExchange, known: KnownState): void {
  const { operation, virtual } = seen.request;
  if (operation === 'update') updateOf(resource, seen, known.dialect, false);
  else if ((operation === 'create' && nameIn(seen) !== undefined) || virtual !== undefined) doubtInstances(resource);
  else doubt(resource);
  doubtBelow(resource.names, seen, known);
}

/** A child may have been created, or deleted by a virtual resource. */
export function doubtBelow(names: readonly string[], seen: SeenExchange, { index }: KnownState): void {
  const { operation, virtual } = seen.request;
  const name = nameIn(seen);
  const resource = index.named(names);
  if ((operation === 'update' || operation === 'delete') && virtual === undefined) return;
  if (resource !== undefined) leaveOpen(resource);
  if (resource !== undefined || names.length === 0) index.forgetGoneBelow(resource);
  if (name !== undefined) index.forget([...names, name]);
}

/** Name of the created resource, as requested or else returned. */
function nameIn({ request, exchange }: SeenExchange): string | undefined {
  const name = request.attributes?.rn ?? viewOf(exchange).attributes?.rn;
  return typeof name === 'string' ? name : undefined;
}
