/** What is run against a fault. */
import { createHash } from 'node:crypto';
import type { Requirement } from '../engine/files/catalogue.ts';
import { didYouMean, UsageError } from '../engine/files/diagnostics.ts';
import { type Loaded, type LoadedScenario, stemOf } from '../engine/files/load.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import { checksOneOf } from '../engine/running/plan.ts';
import type { FaultFacts } from '../engine/targets/embedded/simulated-faults.ts';
import type { Mutant } from './see.ts';
import type { Breadth } from './tables.ts';

/** The dialect in which a requirement is at home. */
export function dialectOf({ level }: Pick<Requirement, 'level'>): Dialect {
  return level === 'standard' ? 'onem2m' : 'documented';
}

/**
 * Chooses for each fault: of a narrow breadth the files with checks of what it violates, and so many others of the dialect. Those are
 * dealt by the ids of fault and file: each fault gets other ones, always the same, and all faults together get every file.
 */
export class Scope {
  readonly #byDialect: Readonly<Record<Dialect, readonly LoadedScenario[]>>;
  readonly #breadth: Breadth;

  constructor({ scenarios }: Loaded, breadth: Breadth) {
    const speaking = (dialect: Dialect) => scenarios.filter((one) => one.dialects.has(dialect));
    this.#byDialect = { documented: speaking('documented'), onem2m: speaking('onem2m') };
    this.#breadth = breadth;
  }

  /** Scenarios of the dialect. */
  possible(dialect: Dialect): number {
    return this.#byDialect[dialect].length;
  }

  mutantOf(fault: FaultFacts, requirement: Requirement): Mutant {
    const about = { fault, level: requirement.level, dialect: dialectOf(requirement) };
    const all = this.#byDialect[about.dialect];
    const files = filesOf(all);
    if (this.#breadth.kind === 'wide') return { ...about, files };
    const violated = new Set([fault.violates]);
    const own = filesOf(all.filter((one) => checksOneOf(one, violated)));
    const rest = files.filter((file) => !own.includes(file));
    return { ...about, files: [...own, ...dealt(rest, fault, this.#breadth.others ?? 0)] };
  }
}

function filesOf(scenarios: readonly LoadedScenario[]): string[] {
  return [...new Set(scenarios.map(({ file }) => file))];
}

function dealt(files: readonly string[], { id }: FaultFacts, count: number): string[] {
  // By its name in the project: the same on every machine.
  const rank = (file: string) =>
    createHash('sha256')
      .update(`${id} ${stemOf(file)}`)
      .digest('hex');
  const ranked = files.map((file) => ({ file, rank: rank(file) }));
  ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1));
  return ranked.slice(0, count).map(({ file }) => file);
}

export interface FaultChoice {
  /** Requirements, or what their ids begin with. */
  readonly requirements?: readonly string[];
  /** Faults, or what their ids begin with. */
  readonly ids?: readonly string[];
  /** At most so many of them, those of `first` before the others; the same ones on every machine. */
  readonly sample?: { readonly size: number; readonly first?: ReadonlySet<string> };
}

/** The faults that are chosen, in their order; when nothing is, all but those that are left to generators. Throws UsageError for an id that means none. */
export function chooseFaults(all: readonly FaultFacts[], choice: FaultChoice): FaultFacts[] {
  const { requirements = [], ids = [], sample } = choice;
  const byRequirement = chosenBy('requirement', requirements, all, ({ violates }) => violates);
  const byId = chosenBy('fault', ids, all, ({ id }) => id);
  const chosen = all.filter((fault) =>
    namesNothing(choice) ? fault.sequencesOnly !== true : byRequirement.has(fault) || byId.has(fault),
  );
  return sample === undefined ? chosen : sampled(chosen, sample);
}

/** What a choice that names nothing leaves out. */
export function leftToGenerators(all: readonly FaultFacts[], choice: FaultChoice): FaultFacts[] {
  return namesNothing(choice) ? all.filter(({ sequencesOnly }) => sequencesOnly) : [];
}

function namesNothing({ requirements = [], ids = [] }: FaultChoice): boolean {
  return requirements.length + ids.length === 0;
}

function chosenBy(
  what: string,
  words: readonly string[],
  all: readonly FaultFacts[],
  idOf: (fault: FaultFacts) => string,
): ReadonlySet<FaultFacts> {
  return new Set(
    words.flatMap((word) => {
      const found = all.filter((fault) => isBelow(idOf(fault), word));
      if (found.length > 0) return found;
      const subject = what === 'fault' ? 'is called' : 'breaks a requirement called';
      throw new UsageError(`no fault ${subject} "${word}"${didYouMean(word, all.map(idOf))}`);
    }),
  );
}

function isBelow(id: string, word: string): boolean {
  return id === word || id.startsWith(word.endsWith('.') ? word : `${word}.`);
}

/** By a fingerprint of the id: neighbours in the list are no neighbours in the sample. */
function sampled(faults: readonly FaultFacts[], sample: NonNullable<FaultChoice['sample']>): FaultFacts[] {
  const { size, first = new Set() } = sample;
  const fingerprint = ({ id }: FaultFacts) => createHash('sha256').update(id).digest('hex');
  const rank = (fault: FaultFacts) => `${first.has(fault.id) ? 0 : 1}${fingerprint(fault)}`;
  const ranked = faults.map((fault) => ({ fault, rank: rank(fault) })).sort((a, b) => (a.rank < b.rank ? -1 : 1));
  const kept = new Set(ranked.slice(0, size).map(({ fault }) => fault));
  return faults.filter((fault) => kept.has(fault));
}
