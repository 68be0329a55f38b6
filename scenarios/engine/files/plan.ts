import { existsSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { didYouMean, UsageError } from '../basics/diagnostics.ts';
import { type Dialect, dialects } from '../grammar/dialects.ts';
import type { RunResult } from '../results/result.ts';
import type { Claim } from '../results/run-context.ts';
import type { Catalogue } from './catalogue.ts';
import { isOwn } from './folders.ts';
import { isOfDialect, type LevelSettings } from './levels.ts';
import type { Loaded, LoadedCheck, LoadedScenario } from './load.ts';

export interface Selection {
  /** Scenario ids, requirement ids, prefixes of either, paths of scenario files. Everything when empty. */
  readonly ids?: readonly string[];
  /** Only scenarios with one of these tags. */
  readonly tags?: readonly string[];
  readonly excludeTags?: readonly string[];
  /** The dialect of the target; only its scenarios are run. Default `documented`. */
  readonly dialect?: Dialect;
  /** `standard`: requirements of the standard count in the documented dialect, too, instead of only advising. */
  readonly level?: 'documented' | 'standard';
  /** The target's release of the standard; 3 when absent. */
  readonly release?: string | undefined;
  /** True when the scenario files themselves are a choice: requirements that they do not check are not reported. */
  readonly ownFiles?: boolean;
  /** Files of a team's own requirements and rules, which are checked as well. */
  readonly ownRules?: readonly string[];
}

export interface Plan extends LevelSettings {
  readonly catalogue: Catalogue;
  /** With the selected checks only. */
  readonly scenarios: readonly LoadedScenario[];
  /** Scenarios of the dialect that are not run; rules still depend on them for release and conformance statement. */
  readonly others: readonly LoadedScenario[];
  /** The requirements that get a verdict. */
  readonly requirements: ReadonlySet<string>;
  /** Whether whole scenarios were chosen, so that everything that rules see in them gets a verdict, too. */
  readonly unfiltered: boolean;
  /** The requirements that scenarios of this dialect check, chosen or not. */
  readonly checked: ReadonlySet<string>;
  /** Rule files beside those of the dialect. */
  readonly ownRules: readonly string[];
  /** Whether anything was left out by choice. */
  readonly selective: boolean;
  /** The part of a sharded plan that this is. */
  readonly shard?: NonNullable<RunResult['shard']> & {
    /** The requirements that the other parts check. */
    readonly elsewhere: ReadonlySet<string>;
  };
  /** Scenarios that must not be skipped. */
  readonly locked?: ReadonlySet<string>;
  /** The target's claims, where it has a conformance statement. */
  readonly claims?: readonly Claim[];
}

/** Chooses scenarios and requirements; throws UsageError for an id that matches nothing. */
export function plan({ scenarios: all, catalogue }: Loaded, selection: Selection = {}): Plan {
  const { ids = [], dialect = 'documented', level = 'documented', ownRules = [] } = selection;
  const scenarios = all.filter((scenario) => scenario.dialects.has(dialect));
  const choices = ids.map((id) => chosenIn(dialect, id, choose(id, all, catalogue), all));
  const byScenario = new Set(choices.flatMap((choice) => choice.scenarios));
  const byRequirement = new Set(choices.flatMap((choice) => choice.requirements));
  const isWhole = ({ id }: LoadedScenario) => ids.length === 0 || byScenario.has(id);
  const chosen = scenarios.flatMap((one) => (isWhole(one) ? one : onlyChecks(one, byRequirement)));
  const tagged = chosen.filter((scenario) => hasTags(scenario, selection));
  const selective = ids.length > 0 || [selection.tags, selection.excludeTags].some((tags) => (tags ?? []).length > 0);
  const everything = !selective && !selection.ownFiles;
  const own = [...catalogue.requirements.values()].filter((one) => isOfDialect(one, dialect)).map(({ id }) => id);
  const checked = new Set(scenarios.flatMap(requirementsOf));
  const run = new Set(tagged.map(({ id }) => id));
  const left = scenarios.filter(({ id }) => !run.has(id));
  const adapted = (some: readonly LoadedScenario[]) =>
    dialect === 'onem2m' ? some.map((one) => forRelease(one, catalogue, selection.release)) : some;
  return {
    ...{ dialect, level, catalogue, checked, ownRules, scenarios: adapted(tagged), others: adapted(left) },
    requirements: new Set([...(everything ? own : byRequirement), ...tagged.flatMap(requirementsOf)]),
    unfiltered: ids.length === 0 || byScenario.size > 0,
    selective: !everything,
  };
}

/** Requirement ids that a scenario checks. */
export function requirementsOf(scenario: LoadedScenario): string[] {
  return [...new Set(scenario.steps.flatMap((step) => step.checks.map((check) => check.requirement)))];
}

/** Whether a scenario checks one of these requirements. */
export function checksOneOf({ steps }: LoadedScenario, requirements: ReadonlySet<string>): boolean {
  return steps.some(({ checks }) => checks.some(({ requirement }) => requirements.has(requirement)));
}

interface Choice {
  readonly scenarios: readonly string[];
  readonly requirements: readonly string[];
}

/** The part of a choice that belongs to this dialect. Throws UsageError where all of it belongs to the other one. */
function chosenIn(dialect: Dialect, id: string, choice: Choice, all: readonly LoadedScenario[]): Choice {
  const [scenarios, requirements] = [new Set(choice.scenarios), new Set(choice.requirements)];
  const behind = all.filter((one) => scenarios.has(one.id) || checksOneOf(one, requirements));
  const here = behind.filter((one) => one.dialects.has(dialect)).map((one) => one.id);
  if (behind.length > 0 && here.length === 0) {
    const other = dialects.filter((one) => one !== dialect).join();
    const hint = existsSync(id) && !isOwn(resolve(id)) ? `; "dialects: [${dialect}]" in the file checks it here` : '';
    throw new UsageError(`"${id}" applies with --dialect ${other} only${hint}`);
  }
  return { ...choice, scenarios: choice.scenarios.filter((one) => here.includes(one)) };
}

function choose(id: string, scenarios: readonly LoadedScenario[], catalogue: Catalogue): Choice {
  const known = [...catalogue.requirements.keys()];
  const requirements = known.filter((one) => one === id || one.startsWith(id.endsWith('.') ? id : `${id}.`));
  const path = existsSync(id) ? resolve(id) : undefined;
  const isIn = ({ file }: LoadedScenario) => path !== undefined && (file === path || file.startsWith(path + sep));
  const chosen = scenarios.filter((one) => isBelow(one.id, id) || isIn(one)).map((one) => one.id);
  if (chosen.length + requirements.length > 0) return { scenarios: chosen, requirements };
  const files = scenarios.map((one) => one.id.slice(0, one.id.lastIndexOf('/')));
  const words = [...scenarios.map((one) => one.id), ...files, ...known];
  if (path !== undefined) throw new UsageError(`"${id}" holds no scenario; files of scenarios end in .yaml`);
  throw new UsageError(`no scenario and no requirement is called "${id}"${didYouMean(id, words)}`);
}

function isBelow(scenario: string, id: string): boolean {
  const prefix = id.replace(/\/+$/, '');
  return prefix !== '' && (scenario === prefix || scenario.startsWith(`${prefix}/`));
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
  const isTagged = tags.length === 0 || tags.some((tag) => scenario.tags.includes(tag));
  return isTagged && !excludeTags.some((tag) => scenario.tags.includes(tag));
}

/** The release of a target that says none. */
const usualRelease = '3';

/**
 * A scenario for a target of a release (`1`, `2`, `2a`, `3` …): requirements of later releases do not apply, and outcomes
 * that were permitted before that release only are removed.
 */
function forRelease(scenario: LoadedScenario, { requirements }: Catalogue, release = usualRelease): LoadedScenario {
  const steps = scenario.steps.map((step) => ({
    ...step,
    checks: step.checks.map((check) => checkForRelease(check, requirements.get(check.requirement)?.since, release)),
  }));
  const reasons = steps.flatMap((step) => step.checks.map(({ inapplicable }) => inapplicable));
  const idle = reasons.length > 0 && reasons.every((reason) => reason !== undefined);
  if (!idle || scenario.inapplicable !== undefined) return { ...scenario, steps };
  return { ...scenario, steps, inapplicable: [...new Set(reasons)].join('; ') };
}

function checkForRelease(loaded: LoadedCheck, since: string | undefined, release: string): LoadedCheck {
  const { check } = loaded;
  if (since !== undefined && isBefore(release, since) && loaded.inapplicable === undefined) {
    const inapplicable = `the standard states it since release ${since}, and the target is of release ${release}`;
    return { ...loaded, inapplicable };
  }
  const permitted = check['one of']?.filter(({ before }) => before === undefined || isBefore(release, before));
  return permitted === undefined ? loaded : { ...loaded, check: { ...check, 'one of': permitted } };
}

function isBefore(release: string, other: string): boolean {
  return Number.parseInt(release, 10) < Number.parseInt(other, 10);
}
