import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ScenarioFilesError } from '../engine/basics/diagnostics.ts';
import { kept } from '../engine/basics/kept.ts';
import { validate } from '../engine/files/issues.ts';
import type { Plan } from '../engine/files/plan.ts';
import { filledIn } from '../engine/files/rows.ts';
import { readSource } from '../engine/files/source-file.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import type { Check } from '../engine/grammar/grammar-check.ts';
import { namesIn } from '../engine/grammar/names.ts';
import type { Place } from '../engine/results/result.ts';
import { type Judgement, judgements } from './judgements.ts';
import { typeNamed } from './resource-types.ts';
import { type Rule, RuleFile, type When } from './rule.ts';

/** A rule for one requirement. */
export interface LoadedRule {
  readonly requirement: string;
  readonly when: When;
  readonly demands: { readonly check: Check } | { readonly by: Judgement };
  readonly after: readonly string[];
  readonly unless: readonly string[];
  /** The facts that it refers to. */
  readonly needs: readonly string[];
  readonly place: Place;
}

const rulesRoom = fileURLToPath(new URL('../rules', import.meta.url));
const loaded = new Map<string, readonly LoadedRule[]>();

/** The rules of a dialect, in the order of their file; read once. Throws ScenarioFilesError. */
export function rulesOf(dialect: Dialect): readonly LoadedRule[] {
  return rulesIn(dialect);
}

/** With what the reference CSE does where the specification leaves it open: demanded only where that is asked for. */
export function rulesWithGaps(dialect: Dialect): readonly LoadedRule[] {
  return dialect === 'documented' ? [...rulesOf(dialect), ...rulesIn('gaps')] : rulesOf(dialect);
}

function rulesIn(file: string): readonly LoadedRule[] {
  return kept(loaded, file, () => readRules(join(rulesRoom, `${file}.yaml`)));
}

/** Those for what a plan judges, without what its target is said not to have. */
export function rulesFor(
  dialect: Dialect,
  { catalogue, requirements, asTheyAre, scenarios, others }: Plan,
): readonly LoadedRule[] {
  const checks = [...scenarios, ...others].flatMap(({ steps }) => steps.flatMap((step) => step.checks));
  const excused = new Set(
    checks.flatMap(({ inapplicable, requirement }) => (inapplicable === undefined ? [] : requirement)),
  );
  const judged = asTheyAre ? catalogue.requirements : requirements;
  return rulesOf(dialect).filter(({ requirement }) => judged.has(requirement) && !excused.has(requirement));
}

export function readRules(path: string): LoadedRule[] {
  const { source, problems } = readSource(path);
  if (source === undefined) throw new ScenarioFilesError(problems);
  const { value, problems: mistakes } = validate(RuleFile, source);
  if (value === undefined) throw new ScenarioFilesError(mistakes);
  return value.rules.flatMap((rule, index) => {
    const place = source.place(['rules', index, 'rule']);
    const each = forEach(rule);
    const isUnknown = each.some(({ then }) => 'by' in then && !judgements.has(then.by));
    if (isUnknown)
      throw new ScenarioFilesError([source.problem(['rules', index, 'then'], 'there is no such judgement')]);
    return each.flatMap((one) => forEachType(one, value.types).map((found) => ({ ...found, place })));
  });
}

function forEach({ each, ...rule }: Rule): Rule[] {
  if (each === undefined) return [rule];
  return each.map((word) => JSON.parse(JSON.stringify(rule).replaceAll('${each}', word)) as Rule);
}

/** `${type}` stands for the types of the rule, or for each of all. */
function forEachType(rule: Rule, typeNames: readonly string[]): Array<Omit<LoadedRule, 'place'>> {
  if (!JSON.stringify(rule).includes('${type')) return [loadedRule(rule)];
  const types = rule.when.type === undefined ? typeNames : [rule.when.type].flat();
  return types.map((name) => {
    const { number, root } = typeNamed.get(name) ?? {};
    const known = new Map(Object.entries({ type: name, 'type.number': number, 'type.root': root }));
    return loadedRule(filledIn({ ...rule, when: { ...rule.when, type: name } }, known) as Rule);
  });
}

function loadedRule({ rule, when, then, after = [], unless = [] }: Rule): Omit<LoadedRule, 'place'> {
  const by = 'by' in then ? judgements.get(then.by) : undefined;
  const demands = by === undefined ? { check: then as Check } : { by };
  const needs = namesIn(JSON.stringify(then));
  return { requirement: rule, when, demands, after, unless, needs };
}
