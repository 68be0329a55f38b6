/** `cselab explore --concurrency`: several originators at the same time. */
import { defined, exploreTogether, UsageError } from '../../scenarios/index.ts';
import type { ExploreFlags } from '../explore-command.ts';
import { runExploration } from './run-exploration.ts';
import { togetherProgress } from './together-progress.ts';
import { togetherText } from './together-text.ts';

export const runExploreTogether = (flags: ExploreFlags, concurrency: number): Promise<void> =>
  runExploration(flags, {
    ownOptions({ pair, wire, jobs, processes, focus, restartCommand }, { dialect, timeout }) {
      if (dialect !== 'documented') throw new UsageError('explore --concurrency speaks the documented dialect only');
      if (pair || wire || jobs !== undefined || processes !== undefined || restartCommand !== undefined) {
        throw new UsageError(
          '--pair, --wire, --jobs, --processes and --restart-command do not go with --concurrency, which has so many originators at one CSE',
        );
      }
      return { concurrency, ...defined({ focus, timeout }) };
    },
    explore: exploreTogether,
    progress: togetherProgress,
    fileOf: ({ counterexample }) =>
      counterexample && {
        name: `together.${counterexample.requirement}.history.yaml`,
        text: counterexample.data,
      },
    text: togetherText,
  });
