/** What is run against a fault. */
import { createHash } from 'node:crypto';
import type { Requirement } from '../engine/files/catalogue.ts';
import { type Loaded, type LoadedScenario, stemOf } from '../engine/files/load.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import { requirementsOf } from '../engine/running/plan.ts';
import type { FaultFacts } from '../engine/targets/embedded/simulated-faults.ts';
import type { Mutant } from './mutant.ts';

/**
 * `narrow`: the files with checks of what the fault violates, and so many others of the dialect. Those are dealt by the ids of
 * fault and file: each fault gets other ones, always the same, and all faults together get every file. `wide`: all of the dialect.
 */
export type Breadth =
  | { readonly kind: 'narrow' /** Files; none when absent. */; readonly others?: number }
  | { readonly kind: 'wide' };

/** The dialect in which a requirement is at home. */
export function dialectOf({ level }: Pick<Requirement, 'level'>): Dialect {
  return level === 'standard' ? 'onem2m' : 'documented';
}

/** Chooses for each fault. */
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
    const dialect = dialectOf(requirement);
    const all = this.#byDialect[dialect];
    const files = filesOf(all);
    if (this.#breadth.kind === 'wide') return { fault, dialect, files };
    const own = filesOf(all.filter((one) => requirementsOf(one).includes(fault.violates)));
    const others = files.filter((file) => !own.includes(file));
    return { fault, dialect, files: [...own, ...dealt(others, fault, this.#breadth.others ?? 0)] };
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
