/** `cselab explore`: sequences of requests, one after the other. */
import { defined, explore, UsageError } from '../../scenarios/index.ts';
import type { ExploreFlags } from '../explore-command.ts';
import { restartOf } from '../restarter.ts';
import { explorationText } from './exploration-text.ts';
import { exploreProgress } from './progress.ts';
import { runExploration } from './run-exploration.ts';

export const runExplore = (flags: ExploreFlags): Promise<void> =>
  runExploration(flags, {
    ownOptions({ pair, focus, processes, restartCommand }, { dialect, jobs, timeout }) {
      if (jobs === 0) throw new UsageError('--jobs is at least 1');
      if (processes === 0) throw new UsageError('--processes is at least 1');
      return { ...defined({ dialect, pair, focus, jobs, processes, timeout }), ...restartOf({ restartCommand }) };
    },
    explore,
    progress: exploreProgress,
    fileOf: ({ counterexample }) =>
      counterexample && { name: `${counterexample.requirement}.yaml`, text: counterexample.scenario },
    text: explorationText,
  });
