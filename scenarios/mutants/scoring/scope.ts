/** What is run against a deviation. */
import { createHash } from 'node:crypto';
import type { DrawnDeviation } from '../../../sim/deviations/drawn/drawn-deviation.ts';
import { attributesIn } from '../../../sim/deviations/drawn/operators.ts';
import type { DeviationFacts } from '../../../sim/deviations/index.ts';
import { didYouMean, UsageError } from '../../engine/basics/diagnostics.ts';
import { type Catalogue, loadRequirements, type Requirement } from '../../engine/files/catalogue.ts';
import { type Loaded, type LoadedScenario, loadScenarios, stemOf } from '../../engine/files/load.ts';
import { checksOneOf } from '../../engine/files/plan.ts';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import { factsOf, resourceTypes } from '../../engine/grammar/vocabulary.ts';
import type { DeviationTask } from './detect.ts';
import type { Breadth } from './tables.ts';

/** The dialect of a requirement. */
export function dialectOf({ level }: Pick<Requirement, 'level'>): Dialect {
  return level === 'standard' ? 'onem2m' : 'documented';
}

/**
 * For each deviation, if narrow, the files with checks of what it violates, and so many others of the dialect. Those are dealt by the
 * ids of deviation and file: each deviation gets other ones, always the same, and all together get every file. Throws a UsageError
 * for a deviation without a requirement.
 */
export function deviationTasksOf(
  deviations: readonly DeviationFacts[],
  { scenarios, catalogue }: Loaded,
  breadth: Breadth,
): DeviationTask[] {
  return deviations.map((deviation) => {
    const { level } = requirementOf(deviation, catalogue);
    const dialect = dialectOf({ level });
    const all = scenarios.filter(({ dialects }) => dialects.has(dialect));
    const about = { deviation, level, dialect, possible: all.length };
    const files = filesOf(all);
    if (breadth.kind === 'wide') return { ...about, files };
    const violated = new Set([deviation.violates]);
    const own = filesOf(all.filter((one) => checksOneOf(one, violated)));
    // By its path in the project: the same on every machine.
    const rest = ranked(files, (file) => `${deviation.id} ${stemOf(file)}`).filter((file) => !own.includes(file));
    return { ...about, files: [...own, ...rest.slice(0, breadth.others ?? 0)] };
  });
}

/** Throws a UsageError for a deviation without a requirement. */
export function requirementOf(
  { id, violates }: DeviationFacts,
  { requirements }: Catalogue = loadRequirements(),
): Requirement {
  const requirement = requirements.get(violates);
  if (requirement !== undefined) return requirement;
  const guess = didYouMean(violates, requirements.keys());
  throw new UsageError(`the deviation ${id} violates "${violates}", which is no requirement${guess}`);
}

function filesOf(scenarios: readonly LoadedScenario[]): string[] {
  return [...new Set(scenarios.map(({ file }) => file))];
}

/** By a hash: neighbours in the list are separated. */
function ranked<One>(all: readonly One[], textOf: (one: One) => string): One[] {
  const rank = (one: One) => createHash('sha256').update(textOf(one)).digest('hex');
  const ranks = all.map((one) => ({ one, rank: rank(one) })).sort((a, b) => (a.rank < b.rank ? -1 : 1));
  return ranks.map(({ one }) => one);
}

/** Most scenarios about a deviation. */
const mostAbout = 24;

/** Ids of scenarios with the resource types and attributes of these, if possible their operations, or with notifications; else with discovery. */
export function scenariosAbout(deviations: readonly DrawnDeviation[], dialect: Dialect): string[] {
  const roots = deviations.flatMap(({ when: { type } }) => type ?? []);
  const types = resourceTypes.filter((kind) => roots.includes(factsOf(kind).root ?? ''));
  const operations = deviations.flatMap(({ when: { operation } }) => operation ?? []);
  const about = roots.includes('notification') ? ['notified'] : roots.length === 0 ? ['discover'] : types;
  const words = [...new Set([...roots, ...about, ...deviations.flatMap(attributesIn)])];
  const spoken = loadScenarios().scenarios.flatMap(({ id, dialects, given, steps }) => {
    const text = dialects.has(dialect) ? JSON.stringify([...given, ...steps].map(({ step }) => step)) : '';
    const times = words.map((word) => text.split(`"${word}"`).length - 1);
    const said = times.filter((one) => one > 0).length + operations.filter((one) => text.includes(`"${one}":`)).length;
    const sum = times.reduce((all, one) => all + one, 0);
    return sum > 0 ? [{ id, rank: said * 100 + sum }] : [];
  });
  const chosen = spoken.sort((a, b) => b.rank - a.rank).slice(0, mostAbout);
  return chosen.map(({ id }) => id);
}

export interface DeviationSelection {
  /** Requirements, or prefixes of their ids. */
  readonly requirements?: readonly string[];
  /** Deviations, or prefixes of their ids. */
  readonly ids?: readonly string[];
  /** At most so many of them, those of `first` before the others; the same ones on every machine. */
  readonly sample?: { readonly size: number; readonly first?: ReadonlySet<string> };
}

/** The chosen deviations, in their order; by default all but those left to generators. Throws UsageError for an unknown id. */
export function chooseDeviations(all: readonly DeviationFacts[], choice: DeviationSelection): DeviationFacts[] {
  const { requirements = [], ids = [], sample } = choice;
  const byRequirement = chosenBy('requirement', requirements, all, ({ violates }) => violates);
  const byId = chosenBy('deviation', ids, all, ({ id }) => id);
  const chosen = all.filter((deviation) =>
    namesNothing(choice) ? deviation.sequencesOnly !== true : byRequirement.has(deviation) || byId.has(deviation),
  );
  return sample === undefined ? chosen : sampled(chosen, sample);
}

/** What a choice without names leaves out. */
export function leftToGenerators(all: readonly DeviationFacts[], choice: DeviationSelection): DeviationFacts[] {
  return namesNothing(choice) ? all.filter(({ sequencesOnly }) => sequencesOnly) : [];
}

function namesNothing({ requirements = [], ids = [] }: DeviationSelection): boolean {
  return requirements.length + ids.length === 0;
}

function chosenBy(
  what: string,
  words: readonly string[],
  all: readonly DeviationFacts[],
  idOf: (deviation: DeviationFacts) => string,
): ReadonlySet<DeviationFacts> {
  return new Set(
    words.flatMap((word) => {
      const found = all.filter((deviation) => isBelow(idOf(deviation), word));
      if (found.length > 0) return found;
      const subject = what === 'deviation' ? 'is called' : 'breaks a requirement called';
      throw new UsageError(`no deviation ${subject} "${word}"${didYouMean(word, all.map(idOf))}`);
    }),
  );
}

function isBelow(id: string, word: string): boolean {
  return id === word || id.startsWith(word.endsWith('.') ? word : `${word}.`);
}

function sampled(
  deviations: readonly DeviationFacts[],
  { size, first = new Set() }: NonNullable<DeviationSelection['sample']>,
): DeviationFacts[] {
  const [before, others] = [true, false].map((isFirst) => deviations.filter(({ id }) => first.has(id) === isFirst));
  const all = [before, others].flatMap((some = []) => ranked(some, ({ id }) => id));
  const kept = new Set(all.slice(0, size));
  return deviations.filter((deviation) => kept.has(deviation));
}
