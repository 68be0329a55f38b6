/** The same request, sent to the other CSE of the pair. */
import fc from 'fast-check';
import type { LoadedCheck } from '../../engine/files/load.ts';
import type { Check, Matcher } from '../../engine/grammar/grammar-check.ts';
import type { Installation, MemberName } from '../../engine/targets/installation.ts';
import type { LabelledCse } from '../created/created.ts';
import type { HopRoute } from '../moves/arbitraries.ts';
import type { Attempt, AttemptStep, Part } from '../moves/move.ts';

type Through = NonNullable<HopRoute['through']>;

/** Through the other. */
export type WayThrough = HopRoute & { readonly through: Through };

/** Name of the reads of what one CSE holds of the other. */
export const lookAtRegistration = 'look at the registration';

export function otherMember(member: MemberName): MemberName {
  return member === 'gateway' ? 'backend' : 'gateway';
}

/** Shrinks to the gateway, directly. */
export const route: fc.Arbitrary<HopRoute> = fc.record({
  at: fc.constantFrom('gateway' as const, 'backend' as const),
  through: fc.oneof(
    { weight: 2, arbitrary: fc.constant(null) },
    { weight: 3, arbitrary: fc.constantFrom('SP-relative' as const, 'absolute' as const) },
  ),
});

export const directRoute: HopRoute = { at: 'gateway', through: null };

/** A path of a CSE, in the form that names the CSE. */
export function pathThrough(path: string, form: Through, { base, cseId, spId }: LabelledCse): string {
  const within = path.replace(/^\/(~|_\/[^/]+)\/[^/]+/, '') || '/';
  const before = form === 'absolute' ? `/_/${spId}/${cseId}` : `/~/${cseId}`;
  return before + (within === '/' ? `/${base}` : within);
}

/** The same through the other CSE; undefined for literal requests. */
export function forwarded(attempt: Attempt, { at, through }: WayThrough, names: LabelledCse): Attempt | undefined {
  const { step: direct, about } = attempt;
  const key = (['in', 'retrieve', 'update', 'delete', 'discover'] as const).find((one) => one in direct);
  if (key === undefined) return undefined;
  const path = String((direct as Readonly<Record<string, unknown>>)[key]);
  const step = { ...direct, [key]: pathThrough(path, through, names) } as AttemptStep;
  const operation = `${about.operation} through the other CSE`;
  return { ...attempt, step, about: { ...about, operation, form: through }, on: otherMember(at), host: at };
}

export const members: readonly MemberName[] = ['gateway', 'backend'];

/** All requests to their own CSE. */
export function* sentTo<T>(member: MemberName, part: Part<T>): Part<T> {
  let next = part.next();
  while (!next.done) next = part.next(yield directly(next.value, member));
  return next.value;
}

export function directly(attempt: Attempt, member: MemberName): Attempt {
  return { ...attempt, on: member, host: member };
}

/** Of each CSE of a pair, as the other one holds it; nothing of any other request. */
export function registeredAt(
  { about, on = 'gateway' }: Attempt,
  { has, ...installation }: Installation,
): Array<Pick<LoadedCheck, 'requirement' | 'check'>> {
  const { [otherMember(on)]: other } = installation;
  if (about.operation !== lookAtRegistration || other === undefined) return [];
  const listed = (name: string, each: Matcher): Check => ({
    attributes: { [name]: { 'when present': { every: each } } },
  });
  const shown = { status: 200, root: 'm2m:csr', attributes: { csi: `/${other.description.cseId}` } };
  return [
    { requirement: `registration.exchange.at-${on}`, check: shown },
    ...(on === 'backend' ? [{ requirement: 'registration.labels', check: listed('lbl', { is: 'text' }) }] : []),
    ...(has.has('plain HTTP')
      ? []
      : [{ requirement: 'registration.https-scheme', check: listed('poa', { 'starts with': 'https://' }) }]),
  ];
}
