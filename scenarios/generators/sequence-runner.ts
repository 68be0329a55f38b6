import { labelOf } from '../engine/running/scenario-names.ts';
import { type LoadedRule, rulesOf } from '../oracle/rules.ts';
import type { Arena } from './arena.ts';
import type { Judging, Settings } from './campaign.ts';
import type { AnyOperation } from './language.ts';
import { type SequenceOutcome, SequenceRun } from './sequence-run.ts';
import type { Statistics } from './statistics.ts';

type RunnerOptions = Pick<Settings<never> & Judging, 'run' | 'judges' | 'known' | 'signal'>;

/** Runs sequences in an arena, each with names of its own. */
export class SequenceRunner {
  readonly #arena: Arena;
  readonly #options: RunnerOptions;
  readonly #rules: readonly LoadedRule[];
  #number = 0;

  constructor(arena: Arena, options: RunnerOptions) {
    this.#arena = arena;
    this.#options = options;
    this.#rules = rulesOf(arena.language.dialect).filter(
      ({ requirement }) => options.judges(requirement) || options.known(requirement),
    );
  }

  /** For names that nothing else of the run has. */
  nextNumber(): number {
    this.#number += 1;
    return this.#number;
  }

  /** Rejects with TargetLost when the target cannot be reached. */
  async run(operations: readonly AnyOperation[], statistics?: Statistics): Promise<SequenceOutcome> {
    const { run, judges, known, signal } = this.#options;
    const arena = this.#arena;
    const label = labelOf(run, this.nextNumber());
    const installation = await arena.installation();
    const options = { installation, label, arena, judges, known, rules: this.#rules, statistics, signal };
    return new SequenceRun(options, arena.language.play(installation, label)).run(operations);
  }
}
