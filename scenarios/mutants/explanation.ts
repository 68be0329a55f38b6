/** All about a requirement: what checks it, and right and wrong exchanges, as the reference CSE shows them on demand. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import type { DrawnDeviation } from '../../sim/deviations/drawn/drawn-deviation.ts';
import { describeDeviation } from '../../sim/deviations/drawn/drawn-deviation.ts';
import type { WireWorld } from '../../sim/deviations/drawn/operators.ts';
import { dutiesOf } from '../applications/duty.ts';
import { check, listScenarios } from '../checking/check.ts';
import { didYouMean, UsageError } from '../engine/basics/diagnostics.ts';
import { lazy } from '../engine/basics/memoize.ts';
import type { Requirement } from '../engine/files/catalogue.ts';
import { loadScenarios } from '../engine/files/load.ts';
import { dialects } from '../engine/grammar/dialects.ts';
import { permittedBy } from '../engine/grammar/vocabulary.ts';
import { describeExpectation } from '../engine/judging/expectation.ts';
import type { RunResult } from '../engine/results/result.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { startListening } from '../engine/targets/embedded/pairs.ts';
import { orPackage } from '../engine/targets/wires/route.ts';
import { featureOf, featuresOf } from '../ics/features.ts';
import { examplesOf } from '../oracle/example-judge.ts';
import { type LoadedRule, ownRulesIn, rulesOf } from '../oracle/rules.ts';
import { knownDeviations } from './scoring/deviation-work.ts';
import { dialectOf } from './scoring/scope.ts';

export interface Explanation {
  readonly requirement: Requirement;
  /** Of an application. */
  readonly isDuty: boolean;
  /** Ids of scenarios that check it. */
  readonly scenarios: readonly string[];
  /** In words. */
  readonly rules: ReadonlyArray<{ readonly when: string; readonly demand: string }>;
  /** Optional features on which it depends. */
  readonly features: readonly string[];
  /** Of files of a team. */
  readonly examples: ReturnType<typeof examplesOf>;
}

/** `ownRules`: files of a team. Throws a UsageError for an unknown id. */
export function explanationOf(id: string, ownRules: readonly string[]): Explanation {
  const { catalogue } = loadScenarios([], { ownRules });
  const duties = new Map(dialects.flatMap(dutiesOf).map((duty) => [duty.id, duty]));
  const requirement = catalogue.requirements.get(id) ?? duties.get(id);
  const known = [...catalogue.requirements.keys(), ...duties.keys()];
  if (requirement === undefined) throw new UsageError(`there is no requirement "${id}"${didYouMean(id, known)}`);
  const [isDuty, dialect] = [duties.has(id), dialectOf(requirement)];
  const isChecked = requirement.untestable === undefined && !isDuty;
  const rules = [...rulesOf(dialect), ...ownRules.flatMap((path) => ownRulesIn(path, catalogue))];
  const own = ownRules.map((path) => examplesOf(path, id));
  return {
    ...{ requirement, isDuty },
    scenarios: isChecked ? listScenarios({ dialect, ids: [id], ownRules }).map((one) => one.id) : [],
    rules: rules.filter((rule) => rule.requirement === id).map(ruleText),
    features: featuresOf(id).map((one) => `${featureOf(one).name} (${one})`),
    examples: { valid: own.flatMap(({ valid }) => valid), invalid: own.flatMap(({ invalid }) => invalid) },
  };
}

function ruleText({ when, demands }: LoadedRule): Explanation['rules'][number] {
  const demanded = 'predicate' in demands ? [demands.called] : permittedBy(demands.check).map(describeExpectation);
  return { when: whenText(when), demand: demanded.join(', or ') };
}

/** Such as `operation create or retrieve, type container, success, requested rn matching .+`. */
function whenText({ requested = {}, without = [], ...others }: LoadedRule['when']): string {
  const words = (name: string, value: unknown) => (value === true ? name : `${name} ${[value].flat().join(' or ')}`);
  const conditions = [
    ...Object.entries(others).map(([name, value]) => words(name, value)),
    ...Object.entries(requested).map(([name, pattern]) => `requested ${name} matching ${pattern}`),
    ...without.map((name) => `without ${name}`),
  ];
  return conditions.length === 0 ? 'any request' : conditions.join(', ');
}

/** A deviation that breaks a requirement. */
export interface BreakingDeviation {
  readonly says: string;
  /** Absent for one that users cannot choose. */
  readonly id?: string;
  readonly drawn?: DrawnDeviation;
}

const WrongRow = z.strictObject({
  when: z.record(z.string(), z.string()).optional(),
  does: z.record(z.string(), z.unknown()),
});
const rows = lazy(() => {
  const text = readFileSync(new URL('wrong-by.yaml', import.meta.url), 'utf8');
  return new Map(Object.entries(z.record(z.string(), WrongRow).parse(parse(text))));
});

/** Deviations from a requirement, the most visible first; none if none is known. */
export async function deviationsBreaking(requirement: string): Promise<readonly BreakingDeviation[]> {
  const own = (await knownDeviations({})).filter(({ violates }) => violates === requirement);
  const late = ({ sequencesOnly }: (typeof own)[number]) => Number(sequencesOnly === true);
  const named = own.toSorted((a, b) => late(a) - late(b)).map(({ id, says }) => ({ id, says }));
  const row = rows().get(requirement);
  if (row === undefined) return named;
  const drawn = { when: row.when ?? { type: 'm2m:cnt' }, does: row.does };
  return [...named, { says: `The reference CSE does it wrong: ${describeDeviation(drawn)}.`, drawn }];
}

/** The wire that a requirement is about, if other than HTTP. */
function wireOf(requirement: string): WireWorld | undefined {
  return (['mqtt', 'ws', 'coap'] as const).find((one) => requirement.startsWith(`std.${one}.`));
}

/** Packages, by wire. */
const wirePackages: Readonly<Record<WireWorld, string>> = { mqtt: 'mqtt aedes', ws: 'ws', coap: 'coap-packet' };

/**
 * A run of the checks of a requirement at the reference CSE, as it is or with the deviation. Rejects with a UsageError if
 * the package of a wire is missing.
 */
export async function demonstrate(requirement: Requirement, wrong?: BreakingDeviation): Promise<RunResult> {
  const dialect = dialectOf(requirement);
  const ids = [requirement.id];
  const wire = wireOf(requirement.id);
  const drawn = wrong?.drawn === undefined ? [] : [wrong.drawn];
  if (wire === undefined) {
    const deviations = wrong?.id === undefined ? drawn : [wrong.id, ...drawn];
    return lastOf(check({ target: { kind: 'embedded', deviations, hasty: true }, dialect, ids, again: false }));
  }
  const starting = startListening(dialect, drawn.length > 0 ? { deviations: drawn } : {}, wire);
  const { target, close } = await starting.catch(orPackage(`an example over ${wire}`, wirePackages[wire]));
  // The answers to later requests show what became of one.
  const wide = ['standard/bindings', 'standard/delete'];
  try {
    return await lastOf(check({ target, dialect, ids: wrong === undefined ? ids : wide, again: false, timeout: 5000 }));
  } finally {
    await close();
  }
}
