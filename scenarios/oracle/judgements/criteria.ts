/** Discovery by criteria (TS-0001 8.1.2; TS-0004 7.3.3.14, 7.3.3.17): certain matches are found, certain mismatches are not. */
import type { Check, Matcher } from '../../engine/grammar/grammar-check.ts';
import { viewOf } from '../../engine/judging/answer.ts';
import { parseTimestamp } from '../../engine/judging/timestamp.ts';
import { sizeOf } from '../observation/facts.ts';
import { isNothing, isThere, type KnownResource, withAllBelow } from '../observation/known-resource.ts';
import type { Observation } from '../observation/observation.ts';
import { typeFacts } from '../observation/resource-types.ts';
import type { SeenExchange } from '../observation/seen-exchange.ts';
import type { Judgement } from './judgements.ts';
import { addressOf, allOf, isOwn, mayDiscover } from './lists.ts';

type Values = readonly string[];

/** Whether a resource meets a criterion with one of its values; undefined if unknown. */
const meets: ReadonlyMap<string, (one: KnownResource, values: Values) => boolean | undefined> = new Map([
  ['lbl', (one, labels) => labelsOf(one)?.some((label) => labels.includes(label))],
  ['ty', ({ type }, types) => types.includes(String(typeFacts[type].number))],
  // At the very moment, it is found by TS-0004 7.3.3.17.1, and not by TS-0001 8.1.2.
  ['cra', (one, [bound]) => created(one, bound, ({ earliest, latest }, limit) => [earliest > limit, latest < limit])],
  ['crb', (one, [bound]) => created(one, bound, ({ earliest, latest }, limit) => [latest < limit, earliest >= limit])],
  ['sza', (one, [bound]) => sized(one, (size) => size >= Number(bound))],
  ['szb', (one, [bound]) => sized(one, (size) => size < Number(bound))],
]);

function labelsOf({ requested, updated, wrong }: KnownResource): readonly string[] | undefined {
  const isRequested = requested.has('lbl') && !updated.has('lbl');
  const labels = isRequested ? requested.get('lbl') : (updated.get('lbl') ?? []);
  if (isNothing(labels)) return [];
  return Array.isArray(labels) && !wrong.has('lbl') ? labels.map(String) : undefined;
}

/** The span of its creation. */
type Span = Readonly<Record<'earliest' | 'latest', bigint>>;

/** A CSE may know a time more precisely than it returns it. `isMet`: whether the bound is certainly met, and certainly not. */
function created(
  { returned, wrong }: KnownResource,
  bound: string | undefined,
  isMet: (span: Span, limit: bigint) => readonly [boolean, boolean],
): boolean | undefined {
  const ct = wrong.has('ct') ? '' : String(returned.get('ct'));
  const [earliest, limit] = [parseTimestamp(ct), parseTimestamp(String(bound))];
  if (earliest === undefined || limit === undefined) return undefined;
  const digits = /,(\d{1,6})$/.exec(ct)?.[1]?.length ?? 0;
  const [is, isNot] = isMet({ earliest, latest: earliest + 10n ** BigInt(6 - digits) - 1n }, limit);
  return is || (isNot ? false : undefined);
}

/** The standard does not say whether resources without a size match. */
function sized(one: KnownResource, isMet: (size: number) => boolean): boolean | undefined {
  const size = one.type === 'content-instance' ? sizeOf(one) : undefined;
  return size === undefined ? undefined : isMet(size);
}

interface DiscoveryQuery {
  readonly criteria: ReadonlyArray<readonly [name: string, values: Values]>;
  readonly isAny: boolean;
  readonly lvl?: number | undefined;
  readonly lim?: number | undefined;
  readonly ofst?: number | undefined;
  readonly areIdentifiers: boolean;
}

const others: ReadonlySet<string> = new Set(['fu', 'fo', 'lvl', 'lim', 'ofst', 'drt']);
const numeric = ['ty', 'sza', 'szb'];
const limiting = ['lvl', 'lim', 'ofst'];
const single: ReadonlySet<string> = new Set(['cra', 'crb', 'sza', 'szb']);

/** Undefined for other parameters, or an ambiguous query. */
function queryIn(query: URLSearchParams): DiscoveryQuery | undefined {
  const names = [...new Set(query.keys())];
  const isKnown = names.every((name) => others.has(name) || meets.has(name));
  const isOnce = names.every((name) => (!others.has(name) && !single.has(name)) || query.getAll(name).length === 1);
  // Plus signs separate values; a label may contain a space.
  const isPlain = [...query.values()].every((value) => value !== '' && !/[\s*]/.test(value));
  const isUsual = /^[12]?$/.test(query.get('fo') ?? '') && /^[12]?$/.test(query.get('drt') ?? '');
  const areNumbers = numeric.every((name) => query.getAll(name).every((value) => /^\d+$/.test(value)));
  const areLimits = limiting.every((name) => query.getAll(name).every((value) => /^[1-9]\d?$/.test(value)));
  if (!isKnown || !isOnce || !isPlain || !isUsual || !areNumbers || !areLimits || query.get('fu') !== '1')
    return undefined;
  const numberIn = (name: string) => (query.has(name) ? Number(query.get(name)) : undefined);
  const bounds = { lvl: numberIn('lvl'), lim: numberIn('lim'), ofst: numberIn('ofst') };
  const criteria = names.filter((name) => meets.has(name)).map((name) => [name, query.getAll(name)] as const);
  return { criteria, isAny: query.get('fo') === '2', areIdentifiers: query.get('drt') === '2', ...bounds };
}

/** Aspects of a query, as requirements name them in their last word. */
const aspects = ['lbl', 'ty', 'cra', 'crb', 'sza', 'szb', 'lbl.several', 'ty.several', 'and', 'or'] as const;
const bounding = ['lvl', 'lim', 'ofst', 'identifiers'] as const;

function aspectOf({ criteria, isAny, areIdentifiers, ...bounds }: DiscoveryQuery): string | undefined {
  const bound = (['lim', 'ofst'] as const).find((name) => bounds[name] !== undefined);
  if (bound !== undefined || areIdentifiers) return bound ?? 'identifiers';
  if (bounds.lvl !== undefined) return 'lvl';
  const [one, second, third] = criteria.map(([name, values]) => (values.length > 1 ? `${name}.several` : name));
  if (second === undefined) return one;
  if (isAny) return 'or';
  const isSize = third === undefined && one === 'ty' && second.startsWith('sz');
  return isSize ? second : 'and';
}

/** Whether it meets all criteria, or any of them; undefined if unknown. */
function picks(one: KnownResource, { criteria, isAny, lvl }: DiscoveryQuery, depth: number): boolean | undefined {
  if (lvl !== undefined && one.names.length - depth > lvl) return false;
  const met = criteria.map(([name, values]) => meets.get(name)?.(one, values));
  if (met.length === 0) return true;
  if (met.includes(isAny)) return isAny;
  return met.includes(undefined) ? undefined : !isAny;
}

interface Picked {
  readonly query: DiscoveryQuery;
  readonly found: readonly KnownResource[];
  readonly leftOut: readonly KnownResource[];
  /** Whether all descendants are certain. */
  readonly isAll: boolean;
}

function pickedBy(seen: SeenExchange): Picked | undefined {
  const { resource, exchange } = seen;
  const query = queryIn(seen.request.query);
  if (resource === undefined || query === undefined || !isThere(resource, exchange.at) || !mayDiscover(seen))
    return undefined;
  const [, ...below] = withAllBelow(resource);
  const there = below.filter((one) => isThere(one, exchange.at) && isOwn(one, resource));
  const results = there.map((one) => ({ one, picked: picks(one, query, resource.names.length) }));
  const of = (picked: boolean) => results.filter((one) => one.picked === picked).map(({ one }) => one);
  const isCertain = results.every(({ one, picked }) => picked !== undefined && one.isComplete);
  const isAll = isCertain && below.every((one) => one.state === 'gone' || there.includes(one));
  return { query, found: of(true), leftOut: of(false), isAll };
}

const found =
  (aspect: string): Judgement =>
  (seen, _, observation) => {
    const picked = pickedBy(seen);
    if (picked === undefined || aspectOf(picked.query) !== aspect) return undefined;
    const isCut = picked.query.lim === undefined && viewOf(seen.exchange).headers.has('x-m2m-cts');
    const demanded = isCut ? { ...picked, found: [], isAll: false } : picked;
    return allOf(demandsOf(demanded, observation), seen, (found): Check => ({ found }));
  };

function demandsOf({ query, found, leftOut, isAll }: Picked, { names }: Observation): Matcher[] {
  const { lim, ofst, areIdentifiers } = query;
  const isPart = lim !== undefined || ofst !== undefined;
  const each = isPart ? [] : found.flatMap((one) => (areIdentifiers ? identifierOf(one) : [addressOf(one)]));
  const lengths = lim === undefined ? [] : Array.from({ length: lim + 1 }, (_, length) => ({ length }));
  // `ofst` counts from 1 (TS-0004 7.3.3.17.15), or is the number to skip (TS-0001 8.1.2).
  const rest =
    ofst === undefined || !isAll ? [] : [ofst - 1, ofst].map((out) => ({ length: Math.max(0, found.length - out) }));
  return [
    ...each.map((one) => ({ contains: one })),
    ...leftOut.map(({ names: path }) => ({ not: { contains: { 'ends with': [names.base, ...path].join('/') } } })),
    ...[lengths, lim === undefined ? rest : []].filter(({ length }) => length > 0).map((some) => ({ 'one of': some })),
  ];
}

function identifierOf({ returned, confirmed }: KnownResource): Matcher[] {
  const ri = confirmed.has('ri') ? returned.get('ri') : undefined;
  return typeof ri === 'string' ? [{ 'one of': [ri, { 'ends with': `/${ri}` }] }] : [];
}

/** A truncated list says so (TS-0001 8.1.3, Content Status). */
const partial: Judgement = (seen) => {
  const { query: { lim } = {}, found = [] } = pickedBy(seen) ?? {};
  const { length } = viewOf(seen.exchange).found ?? [];
  const isCut = lim !== undefined && found.length > lim && length <= lim && length > 0;
  return isCut ? { header: { 'X-M2M-CTS': { is: 'present' } } } : undefined;
};

/** The other judgements check what may be listed. */
const none: Judgement = (seen) => {
  const { found = [], leftOut = [], isAll } = pickedBy(seen) ?? {};
  return isAll && found.length === 0 && leftOut.length > 0 ? { rsc: 2000 } : undefined;
};

export const ofCriteria: Readonly<Record<string, Judgement>> = {
  ...Object.fromEntries([...aspects, ...bounding].map((aspect) => [`found: ${aspect}`, found(aspect)])),
  'a truncated list is marked as partial': partial,
  'nothing is found': none,
};
