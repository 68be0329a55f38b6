/** What rules demand that no matcher can say: about lists of what is held. */

import type { Check } from '../engine/grammar/grammar-check.ts';
import type { Matcher } from '../engine/grammar/grammar-matcher.ts';
import { observationOf, viewOf } from '../engine/judging/answer.ts';
import { outcomeOf } from '../engine/judging/expectation.ts';
import { parseTimestamp } from '../engine/judging/timestamp.ts';
import type { Subject } from './facts.ts';
import { type Held, isGone, isThere } from './held.ts';
import { ofAttributes } from './kept.ts';
import { ofLists } from './lists.ts';
import type { Observation, Seen } from './observation.ts';
import { typeNamed } from './resource-types.ts';
import { ofRequests } from './taken.ts';

/** Undefined where nothing can be demanded. */
export type Judgement = (seen: Seen, subject: Subject, observation: Observation) => Check | undefined;

/** Whatever is certainly there and fits, or certainly does not; all that is to be found below the CSE base. */
const byLabel: Judgement = (seen, _, observation) => found(seen, fitting(seen, observation).there);
const othersByLabel: Judgement = (seen, _, observation) => leftOut(seen, fitting(seen, observation).others);
/** That a label finds it at all is a requirement of its own. */
const later: Judgement = (seen, _, observation) =>
  found(
    seen,
    fitting(seen, observation).later.filter(({ isFound }) => isFound),
  );
const something: Judgement = (seen, _, observation) => {
  const { there, later: created } = fitting(seen, observation);
  return there.length + created.length > 0 ? { status: 200 } : undefined;
};
const nothing: Judgement = (seen, subject, observation) =>
  something(seen, subject, observation) === undefined ? { status: 200 } : undefined;

const earlier: Judgement = (seen, _, observation) => leftOut(seen, fitting(seen, observation).earlier);
const removed: Judgement = (seen, _, observation) => leftOut(seen, observation.all.filter(isGone));

interface Fitting {
  readonly there: readonly Held[];
  readonly others: readonly Held[];
  readonly later: readonly Held[];
  readonly earlier: readonly Held[];
}

function fitting({ asked: { query }, exchange }: Seen, observation: Observation): Fitting {
  const label = query.get('lbl') ?? '';
  const known = observation.all.filter((one) => isThere(one, exchange.at));
  const carrying = known.filter((one) => labelsOf(one)?.includes(label) === true);
  const others = known.filter((one) => labelsOf(one)?.includes(label) === false);
  const limit = parseTimestamp(query.get('cra') ?? '');
  if (limit === undefined) return { there: query.has('cra') ? [] : carrying, others, later: [], earlier: [] };
  const created = (one: Held) => parseTimestamp(String(one.shown.get('ct')));
  const isLater = (one: Held) => (created(one) ?? limit) > limit;
  const isEarlier = (one: Held) => (created(one) ?? limit + 1n) <= limit;
  return { there: [], others, later: carrying.filter(isLater), earlier: carrying.filter(isEarlier) };
}

/** Undefined where nobody can tell. */
function labelsOf({ given }: Held): readonly unknown[] | undefined {
  const labels = given.get('lbl');
  if (given.has('lbl') && labels === undefined) return undefined;
  return Array.isArray(labels) ? labels : [];
}

function found(seen: Seen, expected: readonly Held[]): Check | undefined {
  const each = expected.map((one) => ({ contains: addressOf(one) }));
  return allOf(each, seen, (found) => ({ found }));
}

function leftOut(seen: Seen, unexpected: readonly Held[]): Check | undefined {
  const each = fewOf(unexpected, ({ names, shown }) => {
    const text = seen.exchange.answer?.body ?? '';
    return [names.at(-1), shown.get('ri')].some((one) => typeof one === 'string' && text.includes(one));
  }).map((one) => ({ not: { contains: addressOf(one) } }));
  return allOf(each, seen, (found) => ({ found }));
}

/** So many of the demands that are broken are told. */
const mostTold = 3;

/** Where some are broken, those alone: a list of fifty says nothing to anybody. */
function allOf(demands: readonly Matcher[], { exchange }: Seen, of: (matcher: Matcher) => Check): Check | undefined {
  if (demands.length === 0) return undefined;
  const demanded = (some: readonly Matcher[]) => of({ 'when present': { 'all of': [...some] } });
  const isBroken = (some: readonly Matcher[]) =>
    outcomeOf(demanded(some), observationOf(exchange), new Map()) === 'failed';
  if (!isBroken(demands)) return demanded(demands);
  return demanded(demands.filter((one) => isBroken([one])).slice(0, mostTold));
}

/** Of many only those that matter; one of the others where none does, since all of them were looked at. */
function fewOf(all: readonly Held[], matters: (one: Held) => boolean): readonly Held[] {
  if (all.length <= fewEnough) return all;
  const some = all.filter(matters);
  return some.length > 0 ? some : all.slice(0, 1);
}

const fewEnough = 100;

/** How addresses are written is not shown: any path that ends in its names, or its identifier. */
function addressOf({ names, shown, confirmed }: Held): Matcher {
  const path = names.join('/');
  const ri = confirmed.has('ri') ? shown.get('ri') : undefined;
  const endings = typeof ri === 'string' ? [path, ri] : [path];
  return { 'one of': endings.flatMap((ending) => [ending, { 'ends with': `/${ending}` }]) };
}

/** A body without a type is another matter. */
const noOtherType: Judgement = (_, { held }) => {
  const others = [...typeNamed.values()].filter(({ name }) => name !== held?.type).map(({ root }) => root);
  return { root: { not: { 'one of': ['m2m:cb', ...others] } } };
};

/** What becomes of texts other than TRUE is not shown. */
const sameBoolean: Judgement = (_, { given }) => {
  const rr = given.get('rr');
  return typeof rr === 'boolean' ? { attributes: { rr } } : undefined;
};

/** In which form it is named is not shown: by its last part, or by what the service called its application entity. */
const creator: Judgement = ({ asked, sender }, { held }, { all }) => {
  const { originator } = asked.operation === 'create' ? sender : (held?.createdBy ?? sender);
  const last = originator?.split('/').at(-1) ?? '';
  if (last === '') return undefined;
  const own = all.filter(({ type, createdBy }) => type === 'ae' && createdBy.originator === originator);
  const called = own
    .flatMap(({ shown }) => [shown.get('ri'), shown.get('aei')])
    .filter((one) => typeof one === 'string');
  return {
    attributes: { cr: { 'when present': { 'one of': [{ 'ends with': last }, ...called, { not: { is: 'text' } }] } } },
  };
};

const childrenPresent: Judgement = (seen, subject) =>
  childrenOf(seen, subject).length > 0 ? { attributes: { ch: { contains: { is: 'object' } } } } : undefined;
const childrenNamed: Judgement = (seen, subject) =>
  listing(
    seen,
    childrenOf(seen, subject).map(({ names }) => ({ nm: names.at(-1) ?? '' })),
    isAll(subject),
  );
const childrenIdentified: Judgement = (seen, subject) => {
  const known = childrenOf(seen, subject).flatMap(({ shown, confirmed }) => {
    const ri = shown.get('ri');
    return confirmed.has('ri') && typeof ri === 'string' ? [{ val: ri }] : [];
  });
  return listing(seen, known, false);
};
const childrenTyped: Judgement = (seen, subject) =>
  listing(
    seen,
    childrenOf(seen, subject).map(({ names, type }) => ({
      nm: names.at(-1) ?? '',
      typ: typeNamed.get(type)?.number ?? 0,
    })),
    false,
  );
const removedListed: Judgement = (_, { held }) => {
  const gone = (held?.children ?? []).filter(({ state }) => state === 'gone').map(({ names }) => names.at(-1) ?? '');
  const back = new Set((held?.children ?? []).filter(({ state }) => state !== 'gone').map(({ names }) => names.at(-1)));
  const names = gone.filter((name) => !back.has(name));
  if (names.length === 0) return undefined;
  return { attributes: { ch: { 'when present': { not: { contains: { fields: { nm: { 'one of': names } } } } } } } };
};

function childrenOf({ exchange }: Seen, { held }: Subject): Held[] {
  return (held?.children ?? []).filter((one) => isThere(one, exchange.at));
}

function isAll({ held }: Subject): boolean {
  return held?.isComplete === true;
}

function listing(seen: Seen, fields: ReadonlyArray<Readonly<Record<string, string | number>>>, isAll: boolean) {
  const each = fields.map((one) => ({ contains: { fields: { ...one } } }));
  const all = isAll && each.length > 0 ? [{ length: fields.length }, ...each] : each;
  return allOf(all, seen, (ch) => ({ attributes: { ch } }));
}

/** What a resource may do without, of whatever type. */
const optional = new Set(['lbl', 'apn', 'or']);

const removedAttributes: Judgement = (_, { held }) => {
  const removed = [...(held?.updated ?? [])]
    .filter(([name, value]) => value === null && optional.has(name))
    .map(([name]) => name);
  return removed.length === 0
    ? undefined
    : { attributes: Object.fromEntries(removed.map((name) => [name, { is: 'absent' }])) };
};

/** It is to be another than others have. Whether that of what is gone may be used again is not shown. */
const distinct =
  (name: string): Judgement =>
  ({ exchange }, { held }, { all }) => {
    const value = viewOf(exchange).attributes?.[name];
    const isOther = (one: Held) => one !== held && isThere(one, exchange.at);
    const same = all.find((one) => one.shown.get(name) === value && isOther(one));
    const other = same ?? all.findLast((one) => typeof one.shown.get(name) === 'string' && isOther(one));
    const known = other?.shown.get(name);
    if (typeof known !== 'string') return undefined;
    return { attributes: { [name]: { 'when present': { not: { equals: known } } } } };
  };

/** What nobody has given is no older content, but no content that was kept. */
const newest: Judgement = (_, { held, given }) => {
  const content = given.get('con');
  const others = (held?.parent?.children ?? []).map((one) => one.given.get('con'));
  const older = others.filter((one): one is string => typeof one === 'string' && one !== content);
  if (content === undefined || older.length === 0) return undefined;
  return { attributes: { con: { 'when present': { not: { 'one of': older } } } } };
};

/** An application entity that registers again has its identifier again. */
const removedForGood: Judgement = (seen, _, observation) => {
  const gone = observation.all.filter((one) => isGone(one));
  const holders = new Map<unknown, number>();
  for (const { shown } of observation.all) holders.set(shown.get('ri'), (holders.get(shown.get('ri')) ?? 0) + 1);
  const isBack = ({ shown }: Held) => shown.has('ri') && (holders.get(shown.get('ri')) ?? 0) > 1;
  return leftOut(
    seen,
    gone.filter((one) => !isBack(one)),
  );
};

export const judgements: ReadonlyMap<string, Judgement> = new Map(
  Object.entries({
    'what carries the label is found': byLabel,
    'what does not carry the label is left out': othersByLabel,
    'what was created later is found': later,
    'what was created earlier is left out': earlier,
    'what was removed is left out': removed,
    'what was removed for good is left out': removedForGood,
    'something is to be found': something,
    'nothing is to be found': nothing,
    'it is no other type': noOtherType,
    'it is the boolean that was given': sameBoolean,
    'it names the originator': creator,
    'children are listed': childrenPresent,
    'children are listed by name': childrenNamed,
    'children are listed by identifier': childrenIdentified,
    'children are listed by type': childrenTyped,
    'what was removed is not listed': removedListed,
    'no other has this identifier': distinct('ri'),
    'what an update removed is absent': removedAttributes,
    'no older content is shown': newest,
    'no other has this AE identifier': distinct('aei'),
    ...ofAttributes,
    ...ofRequests,
    ...ofLists,
  }),
);
