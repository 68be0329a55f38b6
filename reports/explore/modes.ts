/** The modes of `cselab explore`: options, progress and files of each. */

import { exploreConcurrent } from '../../scenarios/generators/concurrency/explore-concurrent.ts';
import { explore } from '../../scenarios/generators/exploring/explore.ts';
import { exploreWire } from '../../scenarios/generators/wire/explore-wire.ts';
import { readBaseline } from '../../scenarios/results.ts';
import { robustness } from '../../scenarios/robustness/robustness.ts';
import { defined, UsageError } from '../../scenarios/words.ts';
import { counted } from '../facts/wording.ts';
import { refuse } from '../flags/common-flags.ts';
import { restartOf } from '../flags/safety-flags.ts';
import { explorationDocument, robustnessDocument, togetherDocument, wireDocument } from './exploration-document.ts';
import { type ExploreFlags, runExploration, sequenceOnly } from './run-exploration.ts';

/** Sequences of requests, one after the other. */
export const runExplore = (flags: ExploreFlags): Promise<number> =>
  runExploration(flags, {
    ownOptions({ pair, processes, restartCommand, ...rest }, { dialect, jobs, timeout }) {
      if (jobs === 0) throw new UsageError('--jobs is at least 1');
      if (processes === 0) throw new UsageError('--processes is at least 1');
      const own = defined({ dialect, pair, jobs, processes, timeout });
      return { ...own, ...scopeOf(rest), ...restartOf({ restartCommand }) };
    },
    explore,
    progress: {
      lines: {
        'exploration started': ({ target, seed }) => `exploring ${target.url} with seed ${seed}`,
        'failure found': ({ requirement, path }) =>
          `${requirement} fails in sequence ${path}; looking for a shorter one`,
      },
      transient: {
        searched: ({ sequences, steps }, planned) =>
          `${sequences} of ${counted(planned, 'sequence')}, ${counted(steps, 'request')}`,
        shrunk: ({ operations, attempts }) =>
          `${counted(operations, 'operation')} left after ${counted(attempts, 'attempt')}`,
      },
    },
    filesOf: ({ counterexample: found }) => [found && { name: `${found.requirement}.yaml`, text: found.scenario }],
    documentOf: (result, [file]) => explorationDocument(result, file),
  });

/** `--concurrency`: several originators at the same time. */
export const runExploreTogether = (flags: ExploreFlags, concurrency: number): Promise<number> =>
  runExploration(flags, {
    ownOptions({ pair, wire, jobs, processes, restartCommand, ...rest }, { dialect, timeout }) {
      if (dialect !== 'documented') throw new UsageError('explore --concurrency speaks the documented dialect only');
      if (pair || wire || jobs !== undefined || processes !== undefined || restartCommand !== undefined)
        throw new UsageError(
          '--pair, --wire, --jobs, --processes and --restart-command do not go with --concurrency, which has so many originators at one CSE',
        );
      return { concurrency, ...defined({ timeout }), ...scopeOf(rest) };
    },
    explore: exploreConcurrent,
    progress: {
      lines: {
        'exploration started': ({ target, originators, seed }) =>
          `exploring ${target.url} by ${originators} originators at the same time with seed ${seed}`,
        'failure found': ({ path, requirement }) =>
          `no order explains history ${path} (${requirement}); looking for a smaller one`,
      },
      transient: {
        searched: ({ histories, steps }, planned) =>
          `${histories} of ${counted(planned, 'program')}, ${counted(steps, 'request')}`,
        shrunk: ({ requests, attempts }) =>
          `${counted(requests, 'request')} left after ${counted(attempts, 'attempt')}`,
      },
    },
    filesOf: ({ counterexample: found }) => [
      found && { name: `together.${found.requirement}.history.yaml`, text: found.data },
    ],
    documentOf: (result, [file]) => togetherDocument(result, file),
  });

/** What is checked, without what a baseline knows. */
function scopeOf({ focus, except = [], baseline }: Pick<ExploreFlags, 'focus' | 'except' | 'baseline'>) {
  const known = baseline === undefined ? [] : readBaseline(baseline).entries.map(({ requirement }) => requirement);
  return defined({ focus, except: [...new Set([...except, ...known])] });
}

/** `--wire`: malformed and odd HTTP. */
export const runExploreWire = (flags: ExploreFlags): Promise<number> =>
  runExploration(flags, {
    ownOptions(rest, { dialect, timeout }) {
      refuse(rest, [...sequenceOnly, 'restartCommand'], '--wire, which sends one malformed request after the other');
      return defined({ dialect, timeout });
    },
    explore: exploreWire,
    progress: {
      lines: {
        'exploration started': ({ target, seed }) => `exploring ${target.url} by malformed bytes with seed ${seed}`,
        'failure found': ({ what, says }) => `${what}: ${says} Looking for fewer bytes`,
      },
      transient: {
        searched: ({ runs }, planned) => `${runs} of ${counted(planned, 'request')}`,
        shrunk: ({ bytes, attempts }) => `${counted(bytes, 'byte')} left after ${counted(attempts, 'attempt')}`,
      },
    },
    filesOf({ counterexample }) {
      if (counterexample === undefined) return [];
      const { requirement, file } = counterexample;
      return [{ name: file.kind === 'scenario' ? `wire.${requirement}.yaml` : 'wire.txt', text: file.text }];
    },
    documentOf: (result, [file]) => wireDocument(result, file),
  });

/** `--robustness`: a fixed list of malformed and odd requests, by their numbers. */
export const runRobustness = (flags: ExploreFlags, numbers: readonly string[]): Promise<number> =>
  runExploration(flags, {
    ownOptions(rest, { dialect, timeout }) {
      const others = ['wire', 'runs', 'seed', 'path', 'maxTime', 'deviation', 'restartCommand'] as const;
      refuse(rest, [...sequenceOnly, ...others], '--robustness, which sends a fixed list of requests');
      return { numbers, ...defined({ dialect, timeout }) };
    },
    explore: robustness,
    progress: {
      lines: {
        'robustness started': ({ planned, target }) =>
          `sending ${counted(planned, 'robustness case')} to ${target.url}`,
      },
      transient: { 'case finished': ({ case: { number } }, planned, times) => `${times} of ${planned}: ${number}` },
    },
    filesOf: () => [],
    documentOf: robustnessDocument,
  });
