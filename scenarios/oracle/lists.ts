/** What the standard demands of lists: of discovery results, and of children (TS-0004 7.3.3.14; TS-0001 8.1.2). */
import type { Check } from '../engine/grammar/grammar-check.ts';
import type { Matcher } from '../engine/grammar/grammar-matcher.ts';
import { viewOf } from '../engine/judging/answer.ts';
import { isObject } from '../engine/judging/body.ts';
import { type Held, isThere, withAllBelow } from './held.ts';
import type { Judgement } from './judgements.ts';
import type { Seen } from './observation.ts';
import { isPermitted } from './permitted.ts';

/** One resource has one address in a list. */
const foundOnce: Judgement = ({ exchange }) => {
  const { found } = viewOf(exchange);
  const twice = found === undefined ? [] : repeatedIn(found);
  return twice.length === 0 ? undefined : { found: { length: new Set(found).size } };
};

const childrenOnce: Judgement = ({ exchange }) => {
  const { attributes, root = '' } = viewOf(exchange);
  const lists = listsIn(attributes).filter(([, list]) => repeatedIn(list.map(identifierOf)).length > 0);
  if (root === 'm2m:rrl' || lists.length === 0) return undefined;
  const once = lists.map(([name, list]) => [name, { length: new Set(list.map(identifierOf)).size }] as const);
  return { attributes: Object.fromEntries(once) } satisfies Check;
};

function repeatedIn(list: readonly unknown[]): unknown[] {
  const texts = list.filter((one) => typeof one === 'string');
  return texts.filter((one, at) => texts.indexOf(one) !== at);
}

/** Children that an answer nests, by root, or refers to. */
function listsIn(attributes: Readonly<Record<string, unknown>> = {}): [string, unknown[]][] {
  return Object.entries(attributes).flatMap(([name, value]) =>
    Array.isArray(value) && (name === 'ch' || name.includes(':')) ? [[name, value]] : [],
  );
}

function identifierOf(child: unknown): unknown {
  return isObject(child) ? (child.ri ?? child.val) : child;
}

/** All that the originator created below the target, where nothing is asked but to discover. */
const allFound: Judgement = (seen) => {
  const { asked, held, exchange } = seen;
  const isPlain = [...asked.query].every(([name, value]) => name === 'fu' && value === '1');
  if (held === undefined || !isPlain || !mayDiscover(seen)) return undefined;
  const below = withAllBelow(held).filter((one) => one !== held && isThere(one, exchange.at) && isOwn(one, held));
  if (below.length === 0) return undefined;
  return { found: { 'all of': below.map((one) => ({ contains: addressOf(one) })) } };
};

function mayDiscover(seen: Seen): boolean {
  return isPermitted({ ...seen, asked: { ...seen.asked, query: new URLSearchParams() } });
}

/** Policies of its own may hide what stands below; polling channels are for their application entity. */
function isOwn(one: Held, target: Held): boolean {
  const isFree =
    !one.given.has('acpi') && !one.updated.has('acpi') && one.createdBy.originator === target.createdBy.originator;
  return isFree && (one.parent === target || one.parent === undefined || isOwn(one.parent, target));
}

function addressOf({ names, shown, confirmed }: Held): Matcher {
  const path = names.join('/');
  const ri = confirmed.has('ri') ? shown.get('ri') : undefined;
  const endings = typeof ri === 'string' ? [path, ri] : [path];
  return { 'one of': endings.flatMap((ending) => [ending, { 'ends with': `/${ending}` }]) };
}

export const ofLists: Readonly<Record<string, Judgement>> = {
  'each is found once': foundOnce,
  'each child is listed once': childrenOnce,
  'all that is below is found': allFound,
};
