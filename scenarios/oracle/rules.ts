import { didYouMean, ScenarioFilesError } from '../engine/basics/diagnostics.ts';
import { getOrAdd } from '../engine/basics/memoize.ts';
import type { Catalogue } from '../engine/files/catalogue.ts';
import type { Plan } from '../engine/files/plan.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import type { Check } from '../engine/grammar/grammar-check.ts';
import { namesIn } from '../engine/grammar/names.ts';
import { type Judgement, judgements } from './judgements/judgements.ts';
import { factFamilies, isFactName } from './observation/facts.ts';
import { OwnRuleFile } from './rule.ts';
import { readStatedRules, type StatedRule, statedRules } from './rule-files.ts';

export interface LoadedRule extends Omit<StatedRule, 'then' | 'problems'> {
  readonly demands: { readonly check: Check } | { readonly predicate: Judgement; readonly called: string };
  readonly needs: readonly string[];
}

const loaded = new Map<string, readonly LoadedRule[]>();

/** The rules of a dialect, in file order; read once. Throws ScenarioFilesError. */
export function rulesOf(dialect: Dialect): readonly LoadedRule[] {
  return rulesIn(dialect);
}

/** With rules for implementation-defined behaviour of the reference CSE. */
export function allRulesOf(dialect: Dialect): readonly LoadedRule[] {
  return dialect === 'documented' ? [...rulesOf(dialect), ...rulesIn('gaps')] : rulesOf(dialect);
}

function rulesIn(file: Dialect | 'gaps'): readonly LoadedRule[] {
  return getOrAdd(loaded, file, () => statedRules(file).map(loadedRule));
}

/** Rules for the requirements of a plan, without those of which no check applies to its target. */
export function rulesFor(
  dialect: Dialect,
  { catalogue, requirements, unfiltered, scenarios, others, ownRules }: Plan,
): readonly LoadedRule[] {
  const checks = [...scenarios, ...others].flatMap(({ steps }) => steps.flatMap((step) => step.checks));
  const excused = new Set(checks.map(({ requirement }) => requirement));
  for (const { inapplicable, requirement } of checks) if (inapplicable === undefined) excused.delete(requirement);
  const checked = unfiltered ? catalogue.requirements : requirements;
  const all = [...rulesOf(dialect), ...ownRules.flatMap((path) => ownRulesIn(path, catalogue))];
  return all.filter(({ requirement }) => checked.has(requirement) && !excused.has(requirement));
}

export const readRules = (path: string): LoadedRule[] => readStatedRules(path).map(loadedRule);

/** Rules of a team, whatever their requirements. Throws ScenarioFilesError. */
export const readOwnRules = (path: string): LoadedRule[] => readStatedRules(path, OwnRuleFile).map(loadedRule);

/** Rules of a team, for known requirements. Throws ScenarioFilesError. */
export function ownRulesIn(path: string, { requirements }: Catalogue): readonly LoadedRule[] {
  const stated = readStatedRules(path, OwnRuleFile);
  const strange = stated.filter(({ requirement }) => !requirements.has(requirement));
  const problems = strange.map(({ requirement, problems }) => {
    const message = `there is no requirement "${requirement}"${didYouMean(requirement, [...requirements.keys()])}`;
    return { ...problems.rule, message };
  });
  if (problems.length > 0) throw new ScenarioFilesError(problems);
  return stated.map(loadedRule);
}

function loadedRule({ then, problems, ...rule }: StatedRule): LoadedRule {
  const needs = namesIn(JSON.stringify(then));
  const unknown = needs.find((name) => !isFactName(name));
  if (unknown !== undefined) {
    const message = `there is no value "${unknown}"; values begin with ${factFamilies.join(', ')}`;
    throw new ScenarioFilesError([{ ...problems.demand, message }]);
  }
  if (!('predicate' in then)) return { ...rule, demands: { check: then }, needs };
  const { predicate: called } = then;
  const predicate = judgements.get(called);
  if (predicate === undefined) {
    const message = `there is no predicate "${called}"${didYouMean(called, [...judgements.keys()])}`;
    throw new ScenarioFilesError([{ ...problems.demand, message }]);
  }
  return { ...rule, demands: { predicate, called }, needs };
}
