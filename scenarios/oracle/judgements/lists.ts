/** Demands on discovery results and lists of children (TS-0004 7.3.3.14; TS-0001 8.1.2). */

import { isObject } from '../../engine/basics/body.ts';
import type { Check, Matcher } from '../../engine/grammar/grammar-check.ts';
import { observationOf, viewOf } from '../../engine/judging/answer.ts';
import { outcomeOf } from '../../engine/judging/expectation.ts';
import { parseTimestamp } from '../../engine/judging/timestamp.ts';
import type { Subject } from '../observation/facts.ts';
import {
  isGone,
  isThere,
  type KnownResource,
  namedByEnding,
  nameOf,
  withAllBelow,
} from '../observation/known-resource.ts';
import type { Observation } from '../observation/observation.ts';
import { isPermitted } from '../observation/permitted.ts';
import { typeFacts } from '../observation/resource-types.ts';
import type { SeenExchange } from '../observation/seen-exchange.ts';
import type { Judgement } from './judgements.ts';

/** For resources that certainly exist and match, or do not; discovery is at the CSE base. */
const fittingly =
  (of: (all: Fitting) => readonly KnownResource[], say: typeof found): Judgement =>
  (seen, _, observation) =>
    say(seen, of(fitting(seen, observation)));
const something: Judgement = (seen, _, observation) => {
  const { there, later: created } = fitting(seen, observation);
  return there.length + created.length > 0 ? { status: 200 } : undefined;
};
const nothing: Judgement = (seen, subject, observation) =>
  something(seen, subject, observation) === undefined ? { status: 200 } : undefined;

const removed: Judgement = (seen, _, observation) => leftOut(seen, observation.all.filter(isGone));

interface Fitting {
  readonly there: readonly KnownResource[];
  readonly others: readonly KnownResource[];
  readonly later: readonly KnownResource[];
  readonly earlier: readonly KnownResource[];
}

function fitting({ request: { query }, exchange }: SeenExchange, observation: Observation): Fitting {
  const label = query.get('lbl');
  const known = observation.all.filter((one) => isThere(one, exchange.at));
  const carrying = known.filter((one) => labelsOf(one)?.includes(label) === true);
  const others = known.filter((one) => labelsOf(one)?.includes(label) === false);
  const limit = parseTimestamp(String(query.get('cra')));
  if (limit === undefined) return { there: query.has('cra') ? [] : carrying, others, later: [], earlier: [] };
  const created = (one: KnownResource) => parseTimestamp(String(one.returned.get('ct')));
  const isLater = (one: KnownResource) => (created(one) ?? limit) > limit;
  const isEarlier = (one: KnownResource) => (created(one) ?? limit + 1n) <= limit;
  return { there: [], others, later: carrying.filter(isLater), earlier: carrying.filter(isEarlier) };
}

/** Undefined if unknown. */
function labelsOf({ requested }: KnownResource): readonly unknown[] | undefined {
  const labels = requested.get('lbl');
  if (requested.has('lbl') && labels === undefined) return undefined;
  return Array.isArray(labels) ? labels : [];
}

function found(seen: SeenExchange, expected: readonly KnownResource[]): Check | undefined {
  const each = expected.map((one) => ({ contains: addressOf(one) }));
  return allOf(each, seen, (found) => ({ found }));
}

function leftOut(seen: SeenExchange, unexpected: readonly KnownResource[]): Check | undefined {
  const text = seen.exchange.answer?.body ?? '';
  const isNamed = ({ names, returned }: KnownResource) =>
    [names.at(-1), returned.get('ri')].some((one) => typeof one === 'string' && text.includes(one));
  const each = fewOf(unexpected, isNamed).map((one) => ({ not: { contains: addressOf(one) } }));
  return allOf(each, seen, (found) => ({ found }));
}

/** Violated demands to report. */
const mostReported = 3;

/** Of violated demands only these: nobody reads a list of fifty. */
export function allOf(
  demands: readonly Matcher[],
  { exchange }: SeenExchange,
  of: (matcher: Matcher) => Check,
): Check | undefined {
  if (demands.length === 0) return undefined;
  const demanded = (some: readonly Matcher[]) => of({ 'when present': { 'all of': [...some] } });
  const isBroken = (some: readonly Matcher[]) =>
    outcomeOf(demanded(some), observationOf(exchange), new Map()) === 'failed';
  if (!isBroken(demands)) return demanded(demands);
  return demanded(demands.filter((one) => isBroken([one])).slice(0, mostReported));
}

/** Of many only those that matter, or one of them to show that they were checked. */
function fewOf(all: readonly KnownResource[], matters: (one: KnownResource) => boolean): readonly KnownResource[] {
  if (all.length <= fewEnough) return all;
  const some = all.filter(matters);
  return some.length > 0 ? some : all.slice(0, 1);
}

const fewEnough = 100;

/** The form of addresses is not specified: any path that ends in its names, or its identifier. */
export function addressOf({ names, returned, confirmed }: KnownResource): Matcher {
  const path = names.join('/');
  const ri = confirmed.has('ri') ? returned.get('ri') : undefined;
  const endings = typeof ri === 'string' ? [path, ri] : [path];
  return namedByEnding(endings);
}

const childrenPresent: Judgement = (seen, subject) =>
  childrenOf(seen, subject).length > 0 ? { attributes: { ch: { contains: { is: 'object' } } } } : undefined;
const childrenNamed = listing((one) => ({ nm: nameOf(one) }), { noOthers: true });
const childrenIdentified = listing(({ returned, confirmed }) => {
  const ri = returned.get('ri');
  return confirmed.has('ri') && typeof ri === 'string' ? { val: ri } : undefined;
});
const childrenTyped = listing((one) => ({ nm: nameOf(one), typ: typeFacts[one.type].number }));
/** The latest or oldest instance is not a deleted one. */
const removedReturned: Judgement = ({ resource }) => {
  const names = goneBelow(resource);
  return names.length === 0 ? undefined : { attributes: { rn: { 'when present': { not: { 'one of': names } } } } };
};
const removedListed: Judgement = (_, { resource }) => {
  const names = goneBelow(resource);
  if (names.length === 0) return undefined;
  return { attributes: { ch: { 'when present': { not: { contains: { fields: { nm: { 'one of': names } } } } } } } };
};

/** Names of deleted children that were not reused. */
function goneBelow(resource: KnownResource | undefined): string[] {
  const back = new Set((resource?.children ?? []).filter(({ state }) => state !== 'gone').map(nameOf));
  const gone = (resource?.children ?? []).filter(({ state }) => state === 'gone').map(nameOf);
  return gone.filter((name) => !back.has(name));
}

function childrenOf({ exchange }: SeenExchange, { resource }: Subject): KnownResource[] {
  return (resource?.children ?? []).filter((one) => isThere(one, exchange.at));
}

function isSettled({ children }: KnownResource): boolean {
  return children.every(({ state }) => state !== 'unsettled');
}

/** Each child is listed with these fields, if they are known. */
function listing(
  fieldsOf: (child: KnownResource) => Record<string, Matcher> | undefined,
  { noOthers = false } = {},
): Judgement {
  return (seen, subject) => {
    const known = childrenOf(seen, subject).map(fieldsOf);
    const each = known.flatMap((fields) => (fields === undefined ? [] : [{ contains: { fields } }]));
    const isAll = noOthers && subject.resource?.isComplete === true && each.length > 0 && isSettled(subject.resource);
    const all = isAll ? [{ length: each.length }, ...each] : each;
    return allOf(all, seen, (ch) => ({ attributes: { ch } }));
  };
}

/** An application entity that registers again may get its identifier back. */
const removedForGood: Judgement = (seen, _, observation) => {
  const isBack = (ri: unknown) => typeof ri === 'string' && observation.index.identifiedAll('ri', ri).length > 1;
  const gone = observation.all.filter((one) => isGone(one) && !isBack(one.returned.get('ri')));
  return leftOut(seen, gone);
};

/** Each resource is listed once. */
const foundOnce: Judgement = ({ exchange }) => {
  const { found } = viewOf(exchange);
  const twice = found === undefined ? [] : repeatedIn(found);
  return twice.length === 0 ? undefined : { found: { length: new Set(found).size } };
};

const childrenOnce: Judgement = ({ exchange }) => {
  const { attributes } = viewOf(exchange);
  const lists = listsIn(attributes).filter(([, list]) => repeatedIn(list.map(identifierOf)).length > 0);
  if (lists.length === 0) return undefined;
  const once = lists.map(([name, list]) => [name, { length: new Set(list.map(identifierOf)).size }] as const);
  return { attributes: Object.fromEntries(once) } satisfies Check;
};

function repeatedIn(list: readonly unknown[]): unknown[] {
  const texts = list.filter((one) => typeof one === 'string');
  return texts.filter((one, at) => texts.indexOf(one) !== at);
}

/** Lists of nested children, by root, or of references. */
function listsIn(attributes: Readonly<Record<string, unknown>> = {}): [string, unknown[]][] {
  return Object.entries(attributes).flatMap(([name, value]) =>
    Array.isArray(value) && (name === 'ch' || name.includes(':')) ? [[name, value]] : [],
  );
}

function identifierOf(child: unknown): unknown {
  return isObject(child) ? (child.ri ?? child.val) : child;
}

/** A discovery without criteria finds everything that the originator created below the target. */
const allFound: Judgement = (seen) => {
  const { request, resource, exchange } = seen;
  const isPlain = [...request.query].every(([name, value]) => name === 'fu' && value === '1');
  if (resource === undefined || !isPlain || !mayDiscover(seen)) return undefined;
  const [, ...all] = withAllBelow(resource);
  const below = all.filter((one) => isThere(one, exchange.at) && isOwn(one, resource));
  if (below.length === 0) return undefined;
  return { found: { 'all of': below.map((one) => ({ contains: addressOf(one) })) } };
};

export function mayDiscover(seen: SeenExchange): boolean {
  return isPermitted({ ...seen, request: { ...seen.request, query: new URLSearchParams() } });
}

/** Resources with their own policies may be hidden; polling channels belong to their application entity. */
export function isOwn(one: KnownResource, target: KnownResource): boolean {
  const isFree =
    !one.requested.has('acpi') && !one.updated.has('acpi') && one.createdBy.originator === target.createdBy.originator;
  return isFree && (one.parent === target || one.parent === undefined || isOwn(one.parent, target));
}

export const ofLists: Readonly<Record<string, Judgement>> = {
  'resources with the label are found': fittingly(({ there }) => there, found),
  'resources without the label are not found': fittingly(({ others }) => others, leftOut),
  // A separate requirement demands that its label finds it at all.
  'resources created later are found': fittingly(({ later }) => later.filter(({ isFound }) => isFound), found),
  'resources created earlier are not found': fittingly(({ earlier }) => earlier, leftOut),
  'deleted resources are not found': removed,
  'permanently deleted resources are not found': removedForGood,
  'something must be found': something,
  'nothing may be found': nothing,
  'children are listed': childrenPresent,
  'children are listed by name': childrenNamed,
  'children are listed by identifier': childrenIdentified,
  'children are listed by type': childrenTyped,
  'deleted children are not listed': removedListed,
  'deleted children are not returned': removedReturned,
  'each resource is found once': foundOnce,
  'each child is listed once': childrenOnce,
  'all descendants are found': allFound,
};
