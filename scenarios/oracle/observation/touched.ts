/** What an exchange may have changed of which too little is known. */
import { viewOf } from '../../engine/judging/answer.ts';
import { doubt, doubtInstances, updateOf } from './changes.ts';
import { type Held, leaveOpen, withAllBelow } from './held.ts';
import { reachedBy } from './members.ts';
import type { Observation } from './observation.ts';
import type { Seen } from './seen.ts';

type Known = Pick<Observation, 'places' | 'names' | 'dialect'>;

/** All that it may have changed, or may have made something below. */
export function touchedBy(seen: Seen, { places, names }: Known): readonly Held[] {
  const { asked, held, atBase } = seen;
  const members = asked.group && reachedBy(seen, places, names);
  if (asked.names.includes('fopt') && members === undefined) return places.all;
  const isIdentifier = asked.form === 'identifier' && held === undefined && !atBase;
  const below = isIdentifier ? places.named(asked.names.slice(1)) : undefined;
  const above = held === undefined && !atBase ? places.named(asked.names.slice(0, -1)) : undefined;
  const possible = isIdentifier ? [below, ...mayBeCalled(asked.names[0], places)] : [held];
  const reached = (members ?? possible).filter((one) => one !== undefined);
  const isOpen = ({ isComplete, type }: Held) => type === 'group' || (isIdentifier && !isComplete);
  const besides = [above, ...reached.map(({ parent }) => parent)].filter((one) => one !== undefined);
  return [...besides, ...reached.flatMap(withAllBelow), ...places.all.filter(isOpen)];
}

/** Nothing is known of what is addressed: it may be one of those that are held, count at what holds it, or hold again what stood there. */
export function doubtAddressed(seen: Seen, known: Known): void {
  const { form, names } = seen.asked;
  const { places } = known;
  if (form !== 'identifier') {
    doubtNamed(names, seen, known);
    return;
  }
  // The CSE base has one as well.
  const possible = [[], ...mayBeCalled(names[0], places).map((one) => one.names)];
  for (const above of possible) doubtNamed([...above, ...names.slice(1)], seen, known);
  // Of those whose children are not all known, it may be one.
  for (const one of places.all) if (!one.isComplete) leaveOpen(one);
}

/** Only its creation may have shown the identifier, or nothing yet, so that nobody is certain whose it is. */
function mayBeCalled(identifier: string | undefined, { all }: Known['places']): readonly Held[] {
  const namesOf = ({ shown, type, createdBy }: Held) => [
    shown.get('ri'),
    shown.get('aei'),
    type === 'ae' && createdBy.originator,
  ];
  return all.filter((one) => !one.shown.has('ri') || namesOf(one).includes(identifier));
}

function doubtNamed(names: readonly string[], seen: Seen, known: Known): void {
  const [held, above] = [names, names.slice(0, -1)].map((one) => known.places.named(one));
  if (above !== undefined) leaveOpen(above);
  if (held !== undefined) doubtAt(held, seen, known);
  else doubtBelow(names, seen, known);
}

/** What was asked for may have been done there, in whatever way. */
export function doubtAt(held: Held, seen: Seen, known: Known): void {
  const { operation, virtual } = seen.asked;
  if (operation === 'update') updateOf(held, seen, { dialect: known.dialect, isTold: false });
  else if ((operation === 'create' && nameIn(seen) !== undefined) || virtual !== undefined) doubtInstances(held);
  else doubt(held);
  doubtBelow(held.names, seen, known);
}

/** Something may have been made below it, or removed where that is virtual. */
export function doubtBelow(names: readonly string[], seen: Seen, { places }: Known): void {
  const { operation, virtual } = seen.asked;
  const name = nameIn(seen);
  const held = places.named(names);
  if ((operation === 'update' || operation === 'delete') && virtual === undefined) return;
  if (held !== undefined) leaveOpen(held);
  if (held !== undefined || names.length === 0) places.forgetGoneBelow(held);
  if (name !== undefined) places.forget([...names, name]);
}

/** Of what is created, as it is asked for or else shown. */
function nameIn({ asked, exchange }: Seen): string | undefined {
  const name = asked.given?.rn ?? viewOf(exchange).attributes?.rn;
  return typeof name === 'string' ? name : undefined;
}
