/** `cselab explore --wire`: malformed and odd HTTP. */
import { defined, exploreWire, UsageError } from '../../scenarios/index.ts';
import type { ExploreFlags } from '../explore-command.ts';
import { runExploration } from './run-exploration.ts';
import { wireProgress } from './wire-progress.ts';
import { wireText } from './wire-text.ts';

const strange = ['focus', 'jobs', 'processes', 'pair', 'concurrency', 'restartCommand'] as const;

export const runExploreWire = (flags: ExploreFlags): Promise<void> =>
  runExploration(flags, {
    ownOptions(asked, { dialect, timeout }) {
      const stray = strange.filter((flag) => asked[flag] !== undefined);
      if (stray.length > 0) {
        const named = stray.map((flag) => `--${flag.replace('restartC', 'restart-c')}`).join(', ');
        throw new UsageError(`${named} does not go with --wire, which sends one malformed request after the other`);
      }
      return defined({ dialect, timeout });
    },
    explore: exploreWire,
    progress: wireProgress,
    fileOf({ counterexample }) {
      if (counterexample === undefined) return undefined;
      const { requirement, file } = counterexample;
      return { name: file.kind === 'scenario' ? `wire.${requirement}.yaml` : 'wire.txt', text: file.text };
    },
    text: wireText,
  });
