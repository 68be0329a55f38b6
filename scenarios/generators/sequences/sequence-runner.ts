import { labelOf } from '../../engine/running/scenario/scenario-names.ts';
import { rulesWithGaps } from '../../oracle/rules.ts';
import type { Arena } from '../search/arena.ts';
import type { Judging, Settings } from '../search/campaign.ts';
import type { Statistics } from '../search/statistics.ts';
import { type AnyOperation, languageOf } from './language.ts';
import { type SequenceOutcome, SequenceRun } from './sequence-run.ts';

export type RunSequence = (operations: readonly AnyOperation[], statistics?: Statistics) => Promise<SequenceOutcome>;

/** Runs sequences in an arena, each with names of its own; rejects with TargetLost when the target cannot be reached. */
export function sequenceRunner(
  arena: Arena,
  {
    run,
    nextNumber,
    ...judging
  }: Pick<Settings<never> & Judging, 'run' | 'nextNumber' | 'judges' | 'known' | 'signal'>,
): RunSequence {
  const { judges, known, signal } = judging;
  const { dialect, play } = languageOf(arena);
  const rules = rulesWithGaps(dialect).filter(({ requirement }) => judges(requirement) || known(requirement));
  return async (operations, statistics) => {
    const label = labelOf(run, nextNumber());
    const installation = await arena.installation();
    const options = { installation, label, arena, judges, known, rules, statistics, signal };
    return new SequenceRun(options, play(installation, label)).run(operations);
  };
}
