/** What becomes of a resource that is held, by what was asked and answered. */
import { isDeepStrictEqual } from 'node:util';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import { isSuccess, viewOf } from '../../engine/judging/answer.ts';
import { limits, references } from './attribute-tables.ts';
import { wholeIn } from './effects.ts';
import {
  givesLimit,
  type Held,
  instancesOf,
  isGiven,
  isLimited,
  isNothing,
  lasting,
  leaveOpen,
  namedBy,
  type Shown,
  takeOver,
  withAllBelow,
} from './held.ts';
import type { TypeName } from './resource-types.ts';
import type { Seen } from './seen.ts';

/** What a creation has made, and where. */
export interface Made {
  readonly name: string;
  readonly type: TypeName;
  readonly parent?: Held;
}

/** What is known of a resource as soon as it was created. */
export function heldFrom({ asked, exchange, sender, isTwin }: Seen, made: Made, dialect: Dialect): Held {
  const { name, type, parent } = made;
  const { given = {} } = asked;
  const held: Held = {
    names: [...(parent?.names ?? []), name],
    type,
    ...(parent && { parent }),
    given: new Map(Object.entries(given).filter(([name, value]) => isGiven(name, value))),
    updated: new Map(),
    shown: new Map(),
    whole: new Map(),
    wrong: new Set(),
    confirmed: new Set(),
    ...{ createdBy: sender, createdIn: asked.form },
    ...{ release: asked.headers.get('x-m2m-rvi'), accept: asked.headers.get('accept') },
    ...{ begunAt: exchange.at, createdAt: exchange.at + exchange.took },
    isTwin,
    children: [],
    state: 'there',
    isComplete: true,
    members: membersIn(given),
  };
  const { attributes = {} } = viewOf(exchange);
  takeOver(held, attributes, [...lasting, 'et', 'lt', ...limits]);
  if (dialect === 'documented') takeLabels(held, held.given.get('lbl'), attributes);
  return held;
}

const labelsAfter = (held: Held, { lbl }: Shown = {}) => (isNothing(lbl) ? undefined : lbl) ?? held.given.get('lbl');

/** How labels are set is not shown: they count once the answer shows them. */
function takeLabels({ given }: Held, labels: unknown, { lbl }: Shown = {}): void {
  if (labels !== undefined || given.has('lbl')) given.set('lbl', isDeepStrictEqual(lbl, labels) ? labels : undefined);
}

/** Takes note of an update, and says whether it counts: whether what it gave is what there is from then on. `isTold`: its answer speaks of this. */
export function updateOf(
  held: Held,
  seen: Seen,
  { dialect, isTold }: { readonly dialect: Dialect; readonly isTold: boolean },
): boolean {
  const { asked, exchange } = seen;
  const { given, virtual } = asked;
  doubtWhatGoes(held, given, dialect);
  const labels = labelsAfter(held, given);
  const isKnown = isTold && virtual === undefined && isSuccess(exchange) && given !== undefined;
  const counts = isKnown && dialect === 'onem2m' && exchange.answer?.status === 200 && isUsual(held, seen);
  const changed = noteGiven(held, given, { isKnown, counts });
  if (changed.includes('mid')) held.members = counts ? membersIn(given) : undefined;
  if (dialect === 'documented') takeLabels(held, labels, viewOf(exchange).attributes);
  // What stands below does not outlive it (TS-0004 7.3.3.3).
  for (const one of given !== undefined && !('et' in given) ? [held] : withAllBelow(held)) one.shown.delete('et');
  held.modifiedAfter = counts ? held.shown.get('lt') : undefined;
  renewWhole(held, seen, { changed: [...changed, ...namedBy(given)], counts });
  countChange(held.parent, { isCertain: false });
  return counts;
}

/** What is not changed is as it was, and the rest as the answer shows it. */
function renewWhole(
  held: Held,
  seen: Seen,
  { changed, counts }: { readonly changed: readonly string[]; readonly counts: boolean },
): void {
  if (!counts) {
    forgetWhole(held);
    return;
  }
  countChange(held, { isCertain: true });
  for (const name of changed) held.whole.delete(name);
  for (const [name, value] of Object.entries(wholeIn(seen) ?? {})) held.whole.set(name, value);
}

/** A limit may cost what is there, and so may what makes it readable again (TS-0001 9.6.6, disableRetrieval). */
function doubtWhatGoes(held: Held, given: Shown | undefined, dialect: Dialect): void {
  const isSafe = dialect === 'onem2m' && given !== undefined;
  if (!isSafe || givesLimit(given) || Object.hasOwn(given, 'disr')) doubtInstances(held);
}

/** What was given, and what of it is known from then on; the names of all that may be another now. */
function noteGiven(
  held: Held,
  given: Shown = {},
  { isKnown, counts }: { readonly isKnown: boolean; readonly counts: boolean },
): readonly string[] {
  const names = Object.keys(given);
  for (const name of isKnown ? names : held.updated.keys()) held.updated.delete(name);
  if (counts) for (const [name, value] of Object.entries(given)) held.updated.set(name, value);
  const changed = isKnown ? names : [...names, ...held.given.keys()];
  for (const name of changed) held.given.set(name, undefined);
  return changed;
}

function isUsual({ type }: Held, { asked }: Seen): boolean {
  const { query } = asked;
  return asked.type === type && (query.size === 0 || (query.size === 1 && query.has('rcn')));
}

/** Takes what an answer shows whole for what there is. */
export function showWhole(held: Held, seen: Seen): void {
  const shown = wholeIn(seen);
  if (shown === undefined) return;
  for (const [name, value] of Object.entries(shown)) held.whole.set(name, value);
  held.tag = typeof shown.st === 'number' ? { least: shown.st, most: shown.st } : undefined;
}

/** Whether a resource goes on to refer to what is no more, as a member or a policy, is left open. Absent: to whatever it refers. */
export function forgetReferences(all: readonly Held[], gone?: Held): void {
  const called = gone && new Set(withAllBelow(gone).flatMap(({ names, shown }) => [names.at(-1), shown.get('ri')]));
  const isGone = (value: unknown) => called === undefined || partsOf(value).some((part) => called.has(part));
  for (const { given, updated, whole } of all) {
    forReferring(given, isGone, (name) => given.set(name, undefined));
    for (const known of [updated, whole]) forReferring(known, isGone, (name) => known.delete(name));
  }
}

function forReferring(
  known: ReadonlyMap<string, unknown>,
  isGone: (value: unknown) => boolean,
  forget: (name: string) => void,
): void {
  for (const [name, value] of known) if (references.has(name) && isGone(value)) forget(name);
}

/** Names and identifiers in an address, or a list of addresses. */
function partsOf(value: unknown): readonly string[] {
  return value === undefined ? [] : JSON.stringify(value).split(/["/]/);
}

/** Nobody can tell what an update, or whatever else, has changed. */
function forgetWhole(held: Held): void {
  held.whole.clear();
  held.tag = undefined;
}

/** A change of the resource itself, or of what stands below it, which need not count. */
export function countChange(held: Held | undefined, { isCertain }: { readonly isCertain: boolean }): void {
  if (held?.tag === undefined) return;
  const { least, most } = held.tag;
  held.tag = isLimited(held) ? undefined : { least: least + (isCertain ? 1 : 0), most: most + 1 };
}

/** Instances may go by themselves, which a read of each tells. */
export function doubtInstances(container: Held): void {
  for (const one of instancesOf(container)) unsettle(one);
}

/** It may have gone by itself, with all below it. */
export function unsettle(held: Held): void {
  for (const one of withAllBelow(held)) {
    if (one.state === 'there') one.state = 'unsettled';
    forgetWhole(one);
  }
  if (held.parent !== undefined) held.parent.tag = undefined;
}

/** What a read tells of something that may have gone by itself. */
export function settle(held: Held, isShown: boolean): void {
  if (held.state === 'unsettled') held.state = isShown ? 'there' : 'gone';
  held.isSeen = isShown;
}

/** It may be there, with all that was below it, or not. */
export function doubt(held: Held): void {
  for (const one of withAllBelow(held)) {
    if (one.state !== 'gone') one.state = 'doubtful';
    one.isComplete = false;
    forgetWhole(one);
  }
  if (held.parent !== undefined) leaveOpen(held.parent);
}

/** All that can be members from now on: of those that were given, a CSE may leave out some (TS-0004 7.4.13.2.1). */
function membersIn({ mid }: Shown = {}): readonly string[] | undefined {
  return Array.isArray(mid) && mid.every((one) => typeof one === 'string') ? mid : undefined;
}
