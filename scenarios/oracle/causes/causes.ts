/** Groups the failures of a run by cause: by what has to be fixed. */
import { z } from 'zod';
import { getOrAdd } from '../../engine/basics/memoize.ts';
import { listOf, named, optional } from '../../engine/basics/shapes.ts';
import { CheckReference } from '../../engine/results/requirement-result.ts';
import type { RunResult } from '../../engine/results/result.ts';
import { statedRules } from '../rule-files.ts';
import { type BrokenRequirement, brokenRequirements } from './broken-requirement.ts';
import { familyOf, presupposes, refusalIn } from './signs.ts';

/**
 * The leading requirement is the one on which the others depend, or after which they fail; else a refused operation, one that should
 * succeed, one with structured addresses, the one in most scenarios, or the first. The others are in the order of the catalogue.
 */
export const Cause = named(['Cause', 'Failures with one cause.'], {
  requirement: z.string().describe('The leading one: the others follow from it, or most scenarios show it.'),
  verdict: z.enum(['violated', 'intermittent', 'advisory']).describe('Of all its requirements.'),
  known: optional(z.literal(true), 'The baseline knows every failure of it.'),
  others: listOf(z.string()).describe('The other requirements that it violates.'),
  failures: z.int().min(1).describe('Number of failed checks.'),
  scenarios: z.int().min(1).describe('Number of scenarios that show it.'),
  shown: CheckReference.describe('The failure that the fewest steps lead to.'),
});
export type Cause = z.infer<typeof Cause>;

type Facts = Pick<RunResult, 'requirements' | 'scenarios' | 'dialect' | 'run' | 'target'>;
type CauseGroups = Groups<BrokenRequirement>;

/** New failures before those the baseline knows, and violations before advice. */
const classes = (['violated', 'intermittent', 'advisory'] as const).flatMap((verdict) => [
  { verdict, isKnown: false },
  { verdict, isKnown: true },
]);

/** Each violated requirement belongs to exactly one cause; within a verdict, the cause in most scenarios comes first. */
export function causesOf(result: Facts): Cause[] {
  return classes.flatMap(({ verdict, isKnown }) => {
    const own = result.requirements.filter((one) => one.verdict === verdict && (one.known === true) === isKnown);
    if (own.length === 0) return [];
    const found = grouped(brokenRequirements(own, result), result);
    const causes = found.map((cause) => ({ ...cause, verdict, ...(isKnown && { known: true as const }) }));
    return causes.sort((a, b) => b.scenarios - a.scenarios);
  });
}

function grouped(all: readonly BrokenRequirement[], result: Facts): Array<Omit<Cause, 'verdict' | 'known'>> {
  const groups = new Groups(all);
  const before = explainedBy(result.dialect);
  const authenticationIds = authenticationRules(result.dialect);
  joinCertificates(all, authenticationIds, groups);
  joinDependent(all, before, groups);
  joinSimilar(all, groups);
  joinTogether(all, groups);
  joinSameExchange(all, groups);
  joinFamilies(all, result, groups);
  joinRefused(all, result, groups);
  return groups.lists().map((group) => causeOf(group, before, authenticationIds));
}

/** Authentication precedes everything else (TS-0003 6.1.2.2.1; interface specification, HTTPS, rule 2). */
function authenticationRules(dialect: RunResult['dialect']): ReadonlySet<string> {
  const own = statedRules(dialect).filter(({ when }) => when.certificate !== undefined);
  return new Set(own.map(({ requirement }) => requirement));
}

/** Requirements that fail mostly at exchanges whose certificate was handled wrongly. */
function joinCertificates(all: readonly BrokenRequirement[], ids: ReadonlySet<string>, groups: CauseGroups): void {
  for (const authentication of all.filter(({ id }) => ids.has(id)))
    for (const one of all)
      if (2 * shared(one.exchanges, authentication.exchanges) > one.exchanges.size) groups.join(authentication, one);
}

/** By requirement, the requirements whose failure makes it moot. */
function explainedBy(dialect: RunResult['dialect']): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { requirement, after, unless } of statedRules(dialect)) {
    const known = getOrAdd(found, requirement, () => new Set());
    for (const one of [...after, ...unless]) if (one !== requirement) known.add(one);
  }
  return found;
}

type Explained = ReturnType<typeof explainedBy>;

function joinDependent(all: readonly BrokenRequirement[], before: Explained, groups: CauseGroups): void {
  const byId = new Map(all.map((one) => [one.id, one]));
  for (const one of all) {
    for (const id of before.get(one.id) ?? []) {
      const other = byId.get(id);
      if (other !== undefined && isMootBy(one, other)) groups.join(one, other);
    }
  }
}

/** Requirements with the same sign: the same value is wrong in the same way, or a similar one is accepted. */
function joinSimilar(all: readonly BrokenRequirement[], groups: CauseGroups): void {
  for (const those of listsBy(all, ({ signs }) => signs).values()) groups.join(...those);
}

/** Requirements that fail in more scenarios than this coincide by chance. */
const mostTogether = 5;

/** Requirements that fail at the same exchanges, or in the same scenarios. */
function joinTogether(all: readonly BrokenRequirement[], groups: CauseGroups): void {
  for (const [at, one] of all.entries()) {
    for (const other of all.slice(at + 1)) {
      const scenarios = shared(one.scenarios.keys(), other.scenarios);
      if (scenarios === 0 || Math.max(one.scenarios.size, other.scenarios.size) > mostTogether) continue;
      const exchanges = shared(one.exchanges, other.exchanges);
      const isAlways = scenarios === one.scenarios.size && scenarios === other.scenarios.size;
      const isMostly = 2 * exchanges >= Math.max(one.exchanges.size, other.exchanges.size);
      if (isAlways || isMostly) groups.join(one, other);
    }
  }
}

function shared(some: Iterable<string>, others: Pick<ReadonlySet<string>, 'has'>): number {
  let count = 0;
  for (const one of some) if (others.has(one)) count += 1;
  return count;
}

/** If one exchange violates more requirements than this, they have one cause. */
const mostApart = 5;

function joinSameExchange(all: readonly BrokenRequirement[], groups: CauseGroups): void {
  const byExchange = listsBy(all, ({ exchanges }) => exchanges);
  for (const [at, those] of byExchange) if (those.length <= mostApart) byExchange.delete(at);
  for (const those of byExchange.values()) {
    const own = those.filter(({ exchanges }) => 2 * shared(exchanges, byExchange) >= exchanges.size);
    groups.join(...own);
  }
}

/** If every tested requirement of a family fails, the feature is missing. */
function joinFamilies(all: readonly BrokenRequirement[], { requirements }: Facts, groups: CauseGroups): void {
  const broken = ['violated', 'not testable', 'not asked', 'not applicable'];
  const doubtful = requirements.filter(({ verdict }) => !broken.includes(verdict));
  const satisfied = new Set(doubtful.map(({ id }) => familyOf(id)));
  const families = listsBy(all, ({ id }) => [familyOf(id)]);
  for (const [family, those] of families) if (those.length > 2 && !satisfied.has(family)) groups.join(...those);
}

/** Requests refused with the same code everywhere, so that the scenarios that need them are blocked. */
function joinRefused(all: readonly BrokenRequirement[], { scenarios }: Facts, groups: CauseGroups): void {
  const ended = scenarios.filter(({ state }) => state === 'blocked');
  const those = listsBy(ended, ({ steps }) => {
    const refusal = refusalIn(steps.find(({ problem }) => problem !== undefined) ?? {});
    return refusal === undefined ? [] : [refusal];
  });
  for (const [refusal, { length }] of those)
    if (length > mostApart) groups.join(...all.filter((one) => one.refusal === refusal));
}

function causeOf(
  group: readonly BrokenRequirement[],
  before: Explained,
  authenticationIds: ReadonlySet<string>,
): Omit<Cause, 'verdict' | 'known'> {
  const ids = new Set(group.map(({ id }) => id));
  const [{ id: requirement, example }] = leading(group, before, authenticationIds) as [BrokenRequirement];
  return {
    requirement,
    others: [...ids].filter((id) => id !== requirement),
    failures: group.reduce((sum, { failures }) => sum + failures, 0),
    scenarios: new Set(group.flatMap(({ scenarios }) => [...scenarios.keys()])).size,
    shown: example,
  };
}

/** Filters a group by one rank after the other, keeping those with the lowest value. */
function leading(
  group: readonly BrokenRequirement[],
  before: Explained,
  authenticationIds: ReadonlySet<string>,
): readonly BrokenRequirement[] {
  const isMoot = (one: BrokenRequirement) =>
    group.some((other) => presupposes(one.id, other.id) || (before.get(one.id)?.has(other.id) && isMootBy(one, other)));
  const ranks: ReadonlyArray<(one: BrokenRequirement) => number | boolean> = [
    ({ id }) => !authenticationIds.has(id),
    isMoot,
    ({ byRule }) => byRule,
    (one) => isFollowing(one, group),
    ({ isOperation }) => !isOperation,
    ({ mayRefuse }) => mayRefuse,
    ({ isPlain }) => !isPlain,
    ({ scenarios }) => -scenarios.size,
    ({ first }) => first,
  ];
  return ranks.reduce((left, rank) => {
    const least = Math.min(...left.map((one) => Number(rank(one))));
    return left.filter((one) => Number(rank(one)) === least);
  }, group);
}

/** Whether in each of its scenarios another requirement of the group failed earlier. */
function isFollowing({ scenarios }: BrokenRequirement, group: readonly BrokenRequirement[]): boolean {
  return [...scenarios].every(([id, step]) => group.some((other) => (other.scenarios.get(id) ?? step) < step));
}

/** Whether in most of its scenarios the other one failed at the same step or earlier. */
function isMootBy({ scenarios }: BrokenRequirement, other: BrokenRequirement): boolean {
  const moot = [...scenarios].filter(([id, step]) => (other.scenarios.get(id) ?? step + 1) <= step);
  return 2 * moot.length > scenarios.size;
}

/** Disjoint lists of items, which grow together. */
export class Groups<Item> {
  readonly #groupOf: Map<Item, Item[]>;

  constructor(items: readonly Item[]) {
    this.#groupOf = new Map(items.map((item) => [item, [item]]));
  }

  /** Merges the lists of these items. */
  join(...items: readonly Item[]): void {
    const groups = new Set(items.map((item) => getOrAdd(this.#groupOf, item, () => [item])));
    const whole = [...groups].flat();
    for (const item of whole) this.#groupOf.set(item, whole);
  }

  /** The lists and their items, in the order of the constructor's items. */
  lists(): Item[][] {
    const lists = new Map<Item[], Item[]>();
    for (const [item, group] of this.#groupOf) getOrAdd(lists, group, () => []).push(item);
    return [...lists.values()];
  }
}

/** The items by key; each has any number of keys. */
function listsBy<Item>(items: readonly Item[], keysOf: (item: Item) => Iterable<string>): Map<string, Item[]> {
  const lists = new Map<string, Item[]>();
  for (const item of items) for (const key of keysOf(item)) getOrAdd(lists, key, () => []).push(item);
  return lists;
}
