/** Hashes of what a run checks, to compare runs. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isObject } from '../engine/basics/body.ts';
import { defined } from '../engine/basics/defined.ts';
import { getOrAdd } from '../engine/basics/memoize.ts';
import { frozen } from '../engine/basics/shapes.ts';
import { version } from '../engine/basics/version.ts';
import { byCodePoint } from '../engine/files/folders.ts';
import type { LoadedScenario } from '../engine/files/load.ts';
import type { Plan } from '../engine/files/plan.ts';
import { OwnRuleFile } from '../oracle/rule.ts';
import { readStatedRules, statedRules } from '../oracle/rule-files.ts';

const Hashes = z.record(z.string(), z.string()).readonly();

export const Fingerprints = frozen({
  cselab: z.string().describe('Version.'),
  scenarios: Hashes.describe('By id: what is sent, and what is checked of it.'),
  requirements: Hashes.describe('By id: the demand, and the rules that check it at every exchange.'),
});
export type Fingerprints = z.infer<typeof Fingerprints>;

/** Of the selected scenarios and requirements, regardless of what the target lacks or claims. */
export function fingerprintsOf(whole: Plan, chosen: Plan): Fingerprints {
  const ids = new Set(chosen.scenarios.map(({ id }) => id));
  const scenarios = whole.scenarios.filter(({ id }) => ids.has(id)).map((one) => [one.id, partsOf(one)] as const);
  return {
    cselab: version(),
    scenarios: hashed(scenarios),
    requirements: hashed(statedIn(whole, chosen.requirements)),
  };
}

function statedIn({ dialect, ownRules, catalogue }: Plan, ids: ReadonlySet<string>) {
  const all = [...statedRules(dialect), ...ownRules.flatMap((path) => readStatedRules(path, OwnRuleFile))];
  const rules = new Map<string, object[]>();
  for (const { requirement, when, then, after, unless } of all)
    getOrAdd(rules, requirement, () => []).push({ when, then, after, unless });
  return [...ids].map((id) => [id, [catalogue.requirements.get(id), rules.get(id)]] as const);
}

/** Without positions, which differ on each machine. */
function partsOf({ actors, inboxes, needs, dialects, given, steps }: LoadedScenario): object {
  return { actors, inboxes, needs: [...needs], dialects: [...dialects], given, steps };
}

function hashed(all: ReadonlyArray<readonly [id: string, value: unknown]>): Readonly<Record<string, string>> {
  const sorted = [...all].sort(([one], [other]) => byCodePoint(one, other));
  return Object.fromEntries(sorted.map(([id, value]) => [id, shortHashOf(value)]));
}

/** An attribute may be called `place`, too. */
const isPlace = (value: unknown) => isObject(value) && ['file', 'line', 'column'].every((name) => name in value);
const withoutPlaces = (key: string, value: unknown) => (key === 'place' && isPlace(value) ? undefined : value);

/** 64 bits of the SHA-256 of a JSON value. */
export function shortHashOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value, withoutPlaces) ?? '')
    .digest('hex')
    .slice(0, 16);
}

/** Differences of two inventories, by name. */
export interface InventoryDifferences {
  readonly gone: readonly string[];
  readonly added: readonly string[];
  readonly changed: readonly string[];
}

export function differencesOf(
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): InventoryDifferences {
  const [former, own] = [new Map(Object.entries(before)), new Map(Object.entries(now))];
  return {
    gone: [...former.keys()].filter((id) => !own.has(id)),
    added: [...own.keys()].filter((id) => !former.has(id)),
    changed: [...own.keys()].filter((id) => former.has(id) && former.get(id) !== own.get(id)),
  };
}

const Hash = z.string().regex(/^[0-9a-f]{16}$/, '16 hexadecimal digits, as `cselab plan lock` writes them');
const hashes = (says: string) => z.record(z.string(), Hash).describe(says);
const words = (says: string) => z.record(z.string(), z.string()).describe(says);

export const Lock = z.strictObject({
  cselab: z.string().describe('Version that locked the plan; it may differ if the checks are the same.'),
  configuration: words('Other options that decide what is sent, and how strict the checks are.'),
  claims: words('Features that the target claims or denies.'),
  baseline: hashes('Known deviations that are excused.'),
  scenarios: hashes('What is sent, and what is checked of it.'),
  requirements: hashes('The demand, and the rules that check it at every exchange.'),
});
export type Lock = z.infer<typeof Lock>;

/** The parts of a lock with names, in order. */
const lockParts = ['configuration', 'claims', 'baseline', 'scenarios', 'requirements'] as const;
export type LockPart = (typeof lockParts)[number];

/** A difference from the lock. */
export interface LockChange {
  readonly part: LockPart;
  readonly kind: keyof InventoryDifferences;
  readonly id: string;
  readonly was?: string;
  readonly is?: string;
}

export function changesOf(before: Lock, now: Lock): LockChange[] {
  return lockParts.flatMap((part) => {
    const found = differencesOf(before[part], now[part]);
    const [was, is] = [new Map(Object.entries(before[part])), new Map(Object.entries(now[part]))];
    return (['gone', 'added', 'changed'] as const).flatMap((kind) =>
      found[kind].map((id) => ({ part, kind, id, ...defined({ was: was.get(id), is: is.get(id) }) })),
    );
  });
}
