import { existsSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import type { Catalogue } from './catalogue.ts';
import { UsageError } from './diagnostics.ts';
import type { Loaded, LoadedScenario } from './load.ts';
import { didYouMean } from './suggest.ts';

export interface Selection {
  /** Scenario ids, requirement ids, prefixes of either, paths of scenario files. All of them, when there are none. */
  readonly ids?: readonly string[];
  /** Only scenarios with one of these tags. */
  readonly tags?: readonly string[];
  readonly excludeTags?: readonly string[];
  /** True when the scenario files themselves are a choice: requirements that they do not check are not asked for. */
  readonly ownFiles?: boolean;
}

export interface Plan {
  readonly catalogue: Catalogue;
  /** With only the checks that were asked for. */
  readonly scenarios: readonly LoadedScenario[];
  /** The requirements that get a verdict. */
  readonly requirements: ReadonlySet<string>;
  /** Whether anything was left out by choice. */
  readonly selective: boolean;
}

/** Chooses scenarios and requirements; throws UsageError for an id that matches nothing. */
export function plan({ scenarios, catalogue }: Loaded, selection: Selection = {}): Plan {
  const ids = selection.ids ?? [];
  const choices = ids.map((id) => choose(id, scenarios, catalogue));
  const byScenario = new Set(choices.flatMap((choice) => choice.scenarios));
  const byRequirement = new Set(choices.flatMap((choice) => choice.requirements));
  const chosen =
    ids.length === 0
      ? scenarios
      : scenarios.flatMap((one) => (byScenario.has(one.id) ? one : onlyChecks(one, byRequirement)));
  const tagged = chosen.filter((scenario) => hasTags(scenario, selection));
  const selective = ids.length > 0 || [selection.tags, selection.excludeTags].some((tags) => (tags ?? []).length > 0);
  const everything = !selective && !selection.ownFiles;
  const requirements = everything
    ? [...catalogue.requirements.keys()]
    : [...byRequirement, ...tagged.flatMap(requirementsOf)];
  return { catalogue, scenarios: tagged, requirements: new Set(requirements), selective: !everything };
}

/** Requirement ids that a scenario checks. */
export function requirementsOf(scenario: LoadedScenario): string[] {
  return [...new Set(scenario.steps.flatMap((step) => step.checks.map((check) => check.requirement)))];
}

function choose(
  id: string,
  scenarios: readonly LoadedScenario[],
  catalogue: Catalogue,
): { scenarios: string[]; requirements: string[] } {
  const known = [...catalogue.requirements.keys()];
  const requirements = known.filter((one) => one === id || one.startsWith(id.endsWith('.') ? id : `${id}.`));
  const chosen = scenarios.filter((one) => isBelow(one.id, id) || isInFile(one, id)).map((one) => one.id);
  if (chosen.length + requirements.length > 0) return { scenarios: chosen, requirements };
  const files = scenarios.map((one) => one.id.slice(0, one.id.lastIndexOf('/')));
  const words = [...scenarios.map((one) => one.id), ...files, ...known];
  throw new UsageError(`no scenario and no requirement is called "${id}"${didYouMean(id, words)}`);
}

function isBelow(scenario: string, id: string): boolean {
  const prefix = id.replace(/\/+$/, '');
  return prefix !== '' && (scenario === prefix || scenario.startsWith(`${prefix}/`));
}

function isInFile(scenario: LoadedScenario, path: string): boolean {
  if (!existsSync(path)) return false;
  const full = resolve(path);
  return scenario.file === full || scenario.file.startsWith(full + sep);
}

/** The scenario with the checks of the given requirements, if it has any. */
function onlyChecks(scenario: LoadedScenario, requirements: ReadonlySet<string>): LoadedScenario[] {
  const steps = scenario.steps.map((step) => ({
    ...step,
    checks: step.checks.filter((check) => requirements.has(check.requirement)),
  }));
  return steps.some((step) => step.checks.length > 0) ? [{ ...scenario, steps }] : [];
}

function hasTags(scenario: LoadedScenario, { tags = [], excludeTags = [] }: Selection): boolean {
  const wanted = tags.length === 0 || tags.some((tag) => scenario.tags.includes(tag));
  return wanted && !excludeTags.some((tag) => scenario.tags.includes(tag));
}
