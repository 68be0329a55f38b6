/** What an exchange may have changed of which too little is known. */
import { viewOf } from '../../engine/judging/answer.ts';
import { doubt, doubtInstances, updateOf } from './changes.ts';
import { type KnownResource, leaveOpen, withAllBelow } from './known-resource.ts';
import { membersReached } from './members.ts';
import type { Observation } from './observation.ts';
import type { SeenExchange } from './seen-exchange.ts';

type KnownState = Pick<Observation, 'index' | 'names' | 'dialect'>;

/** All that it may have changed, or may have made something below. */
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

/** Nothing is known of what is addressed: it may be one of those that are held, count at what holds it, or hold again what stood there. */
export function doubtAddressed(seen: SeenExchange, known: KnownState): void {
  const { form, names } = seen.request;
  const { index } = known;
  if (form !== 'identifier') {
    doubtNamed(names, seen, known);
    return;
  }
  // The CSE base has one as well.
  const possible = [[], ...mayBeCalled(names[0], index).map((one) => one.names)];
  for (const above of possible) doubtNamed([...above, ...names.slice(1)], seen, known);
  // Of those whose children are not all known, it may be one.
  for (const one of index.all) if (!one.isComplete) leaveOpen(one);
}

/** Only its creation may have shown the identifier, or nothing yet, so that nobody is certain whose it is. */
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

/** What was asked for may have been done there, in whatever way. */
export function doubtAt(resource: KnownResource, seen: SeenExchange, known: KnownState): void {
  const { operation, virtual } = seen.request;
  if (operation === 'update') updateOf(resource, seen, { dialect: known.dialect, isConfirmed: false });
  else if ((operation === 'create' && nameIn(seen) !== undefined) || virtual !== undefined) doubtInstances(resource);
  else doubt(resource);
  doubtBelow(resource.names, seen, known);
}

/** Something may have been made below it, or removed where that is virtual. */
export function doubtBelow(names: readonly string[], seen: SeenExchange, { index }: KnownState): void {
  const { operation, virtual } = seen.request;
  const name = nameIn(seen);
  const resource = index.named(names);
  if ((operation === 'update' || operation === 'delete') && virtual === undefined) return;
  if (resource !== undefined) leaveOpen(resource);
  if (resource !== undefined || names.length === 0) index.forgetGoneBelow(resource);
  if (name !== undefined) index.forget([...names, name]);
}

/** Of what is created, as it is asked for or else shown. */
function nameIn({ request, exchange }: SeenExchange): string | undefined {
  const name = request.attributes?.rn ?? viewOf(exchange).attributes?.rn;
  return typeof name === 'string' ? name : undefined;
}
