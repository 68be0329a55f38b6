/** What the standard demands of the attributes of any representation, by the tables of its types. */

import type { Check, Matcher } from '../../engine/grammar/grammar-check.ts';
import { viewOf } from '../../engine/judging/answer.ts';
import { match } from '../../engine/judging/matchers.ts';
import type { ParsedRequest } from '../observation/asked.ts';
import { attributeTables, givenAlone, isKept, isLimit } from '../observation/attribute-tables.ts';
import { wholeIn } from '../observation/effects.ts';
import type { Subject } from '../observation/facts.ts';
import {
  counters,
  type Held,
  isLimited,
  isNothing,
  mayLose,
  namedBy,
  type Requester,
  type Shown,
} from '../observation/held.ts';
import { type TypeName, typeFacts, typeOfRoot } from '../observation/resource-types.ts';
import type { Seen } from '../observation/seen.ts';
import { asGiven, notCountedMuch, steadily } from './as-given.ts';
import type { Judgement } from './judgements.ts';

type Wanted = ReadonlyArray<readonly [name: string, matcher: Matcher]>;
type Wants = (seen: Seen, subject: Subject, shown: Shown) => Wanted;

/** A judgement on the attributes of an answer that shows a resource whole: it speaks of those alone that are not as they have to be. */
function onWhole(wants: Wants): Judgement {
  return (seen, subject) => {
    const shown = wholeIn(seen);
    if (shown === undefined) return undefined;
    const isNew = (name: string) => subject.held?.wrong.has(name) !== true;
    return missingIn(
      shown,
      wants(seen, subject, shown).filter(([name]) => isNew(name)),
    );
  };
}

function missingIn(shown: Shown, wanted: Wanted): Check | undefined {
  const wrong = wanted.filter(([name, matcher]) => match(matcher, shown[name]) === 'failed');
  return wrong.length === 0 ? undefined : { attributes: Object.fromEntries(wrong) };
}

const kept = onWhole(({ asked, sender }, { held, given }) => {
  if (asked.operation === 'create') return wantedOf(asked.type ?? '', byItself(given, sender));
  if (held === undefined) return [];
  const before = byItself(held.given, held.createdBy);
  for (const name of Object.keys(givenBy(asked))) before.delete(name);
  return wantedOf(held.type, before, held);
});

/** What a create gave, without what it gave in another's name: of a remote CSE the identifier is From (TS-0004 7.4.4.2.1). */
function byItself(given: ReadonlyMap<string, unknown>, { originator }: Requester): Map<string, unknown> {
  return new Map([...given].filter(([name, value]) => name !== 'csi' || value === originator));
}

/** What an update gives counts as soon as it is accepted, before it is taken note of. */
const changed = onWhole(({ asked }, { held }) => {
  if (held === undefined) return [];
  const own = givenBy(asked);
  const all = new Map([...held.updated, ...Object.entries(own)]);
  return wantedOf(held.type, all, held, true).map(([name, matcher]) => [
    name,
    name === 'exc' && typeof own.exc === 'number' ? notCountedMuch(own.exc) : matcher,
  ]);
});

function givenBy({ operation, given = {} }: ParsedRequest): Shown {
  return operation === 'update' ? given : {};
}

function wantedOf(type: string, given: ReadonlyMap<string, unknown>, held?: Held, isUpdate = false): Wanted {
  return [...given].flatMap(([name, value]): Wanted => {
    if (isLimit(name) && typeof value === 'number') return [[name, { is: 'integer' }]];
    const isCertain =
      value !== undefined &&
      isKept(type, name, isUpdate) &&
      isFollowed(name, value) &&
      (name !== 'mid' || keepsMembers(held, given));
    if (!isCertain) return [];
    if (value === null) return isRequired(type, name) ? [] : [[name, { is: 'absent' }]];
    return isNothing(value) || JSON.stringify(value).includes('${') ? [] : [[name, asGiven(name, value)]];
  });
}

function isRequired(type: string, name: string): boolean {
  return type === 'flex-container' || attributeTables.get(type)?.always.includes(name) === true;
}

/** Content that is a number may come back as its text; labels that are no list are to be refused. */
function isFollowed(name: string, value: unknown): boolean {
  if (name === 'con') return typeof value === 'string';
  return name !== 'lbl' || value === null || Array.isArray(value);
}

/** Which members a group keeps is decided by its type and its strategy, and each once (TS-0004 7.4.13.2.1). */
function keepsMembers(held: Held | undefined, given: ReadonlyMap<string, unknown>): boolean {
  const type = given.has('mt') || held === undefined ? given.get('mt') : held.given.get('mt');
  const members = given.get('mid');
  const isDistinct = Array.isArray(members) && new Set(members.map(lastPart)).size === members.length;
  return (type ?? 0) === 0 && isDistinct;
}

function lastPart(member: unknown): string | undefined {
  return String(member).split('/').at(-1);
}

/** Neither its creation nor an update gave it, and no other has a part in it; some services show that it is empty. */
const ungiven = onWhole(({ asked }, { held, given }, shown) => {
  if (held === undefined && asked.operation !== 'create') return [];
  const type = held?.type ?? asked.type ?? '';
  const named = new Set([...given.keys(), ...Object.keys(givenBy(asked))]);
  const isOpen = (name: string) => named.has(name) || !givenAlone.has(name) || !isKept(type, name);
  return Object.keys(shown).flatMap((name) => (isOpen(name) ? [] : [[name, nothing] as const]));
});

const nothing: Matcher = { 'one of': [{ is: 'absent' }, { equals: null }, { equals: '' }, { equals: [] }] };

/** Whatever is shown, whoever created it. */
const present = onWhole(({ exchange }, _subject, shown) => {
  const { root } = viewOf(exchange);
  // What a flexible container was like before has its root too (TS-0001 9.6.68).
  if (shown.ty === 58) return [];
  const type = root === 'm2m:cb' ? 'base' : typeOfRoot(root)?.name;
  if (type === undefined) return [];
  return (attributeTables.get(type)?.always ?? []).map((name) => [
    name,
    name === 'ty' ? typeCalled(type) : { is: 'present' },
  ]);
});

/** What is announced of a flexible container has a root of that kind, too. */
function typeCalled(type: TypeName | 'base'): Matcher {
  const number = type === 'base' ? 5 : typeFacts[type].number;
  return { 'one of': type === 'flex-container' ? [number, 10_000 + number] : [number] };
}

/** What an answer showed stays so until an update names it (TS-0004 7.3.3.7). */
const stays = onWhole((seen, { held }) => {
  if (held === undefined) return [];
  const isUpdate = seen.asked.operation === 'update';
  const named = isUpdate ? namedBy(seen.asked.given) : [];
  const known = new Map([...held.whole].flatMap(([name, value]) => steadyIn(held, name, value)));
  // Of a read that is a matter of the creation (TS-0004 7.3.3.3).
  if (isUpdate && typeof held.whole.get('et') === 'string') known.set('et', steadily('et', held.whole.get('et')));
  for (const name of isUpdate ? [] : stillIn(held)) known.set(name, steadily(name, held.recent?.shown[name]));
  return [...known].filter(([name]) => !named.includes(name));
});

/** A counter that was there once is there, however far it counts meanwhile. */
function steadyIn(held: Held, name: string, value: unknown): Wanted {
  if (counters.includes(name)) return [[name, { is: 'present' }]];
  return isSteady(held, name) ? [[name, steadily(name, value)]] : [];
}

/** What an update alone changes (TS-0001 9.6.1.3.1, 9.6.35), where nothing was changed since the last read, and nothing stands below. */
function stillIn({ type, recent, children }: Held): readonly string[] {
  if (recent === undefined || restless.has(type) || children.length > 0) return [];
  return ['lt', 'cs'].filter((name) => recent.shown[name] !== undefined);
}

/** What happens elsewhere, or does not happen, changes these. */
const restless: ReadonlySet<string> = new Set([
  'ae',
  'node',
  'polling-channel',
  'remote-cse',
  'subscription',
  'time-series',
]);

/** The CSE base has the name by which it is addressed, and keeps what it was shown with: no request updates it (TS-0004 7.4.3.2.3). */
const baseStays: Judgement = (seen, _, observation) => {
  const shown = seen.atBase ? wholeIn(seen) : undefined;
  if (shown === undefined) return undefined;
  const known = [...observation.base].map(([name, value]) => [name, steadily(name, value)] as const);
  return missingIn(shown, [['rn', observation.names.base], ['ty', 5], ...known]);
};

/** Of a time that tells more than milliseconds, what is modified later is modified at another one. */
const modified = onWhole(({ asked }, { held }) => {
  const before = asked.operation === 'update' ? held?.shown.get('lt') : held?.modifiedAfter;
  const isPrecise = typeof before === 'string' && /,\d{3}(?!000)\d{3}$/.test(before);
  return isPrecise ? [['lt', { not: before }]] : [];
});

const chosenOnce = new Set(['ri', 'pi', 'rn', 'ty', 'ct', 'aei', 'cs', 'cr', 'csi', 'cnd', 'mgd', 'cnf']);

/** They follow other attributes, where nobody gives them (TS-0004 7.4.38.2), or what happens. */
const derived = new Set(['peid', 'mdt', 'mid', 'exc', 'dcnt']);

function isSteady({ type }: Held, name: string): boolean {
  // An instance is never changed, and has the state tag that it was stored with (TS-0001 9.6.7).
  if (name === 'st') return type === 'content-instance';
  return chosenOnce.has(name) || isLimit(name) || (isKept(type, name) && !derived.has(name));
}

const counted = onWhole((_seen, _subject, { cnm, mid }) => {
  return cnm === undefined || !Array.isArray(mid) ? [] : [['cnm', mid.length]];
});

/** Nobody can tell which of the two is wrong. */
const createdAtOnce = onWhole((_seen, _subject, { ct, lt }) =>
  typeof ct === 'string' ? [['lt', ct], ...(typeof lt === 'string' ? [['ct', lt] as const] : [])] : [],
);

const tagOf = (held: Held, at: number): Held['tag'] => (mayLose(held, at) ? undefined : held.tag);

/**
 * The state tag of an instance is that of its container, which "should" grow before (TS-0001 9.6.7), or 0, as of anything that is new
 * (TS-0001 9.6.1.3.2).
 */
const taggedAlike = onWhole(({ held, exchange }) => {
  const tag = held?.type === 'container' && !isLimited(held) ? tagOf(held, exchange.at) : undefined;
  return tag === undefined ? [] : [['st', { 'one of': [{ is: 'absent' }, 0, { between: [tag.least, tag.most + 1] }] }]];
});

/** A state tag grows by one with each change, where nothing else can have made it grow: a limit makes instances go. */
const tagged = onWhole(({ asked, exchange }, { held }) => {
  const tag = held && tagOf(held, exchange.at);
  const isLimiting = Object.keys(asked.given ?? {}).some(isLimit);
  if (tag === undefined || isLimiting) return [];
  const own = asked.operation === 'update' ? 1 : 0;
  return [['st', { between: [tag.least + own, tag.most + own] }]];
});

export const ofAttributes: Readonly<Record<string, Judgement>> = {
  'what was given is shown': kept,
  'what nobody gave is absent': ungiven,
  'what is always there is shown': present,
  'what was shown stays': stays,
  'what an update gave is shown': changed,
  'the CSE base stays': baseStays,
  'an update is a modification': modified,
  'the members are counted': counted,
  'it was modified when it was created': createdAtOnce,
  'the state tag counts changes': tagged,
  'the state tag is that of the container': taggedAlike,
};
