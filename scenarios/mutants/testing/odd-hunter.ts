/** For tests: a worker that finds what its task says. */

import { serveTasks } from '../../engine/processes/worker-pool.ts';
import type { SearchOutcome, SearchTask } from '../generated/search-task.ts';
import type { ConfirmedCounterexample } from '../scoring/tables.ts';

const effort = { sequences: 7, requests: 70, searched: 7, took: 9 };

function caught(requirement: string, more: Partial<ConfirmedCounterexample> = {}): SearchOutcome {
  const counterexample = {
    ...{ requirement, path: '1', steps: ['one', 'two'], operations: { found: 9, left: 2 }, expected: '', actual: '' },
    ...{ attempts: 1, smallest: true, scenario: '', failsThere: true, passesElsewhere: true },
  };
  return { ...effort, counterexample: { ...counterexample, ...more } };
}

const acts: Readonly<Record<string, (task: SearchTask) => SearchOutcome>> = {
  'finds it': ({ deviation }) => caught(deviation.violates),
  'finds another': () => caught('ae.aei'),
  'finds it once': ({ deviation }) => caught(deviation.violates, { failsThere: false }),
  'finds it everywhere': ({ deviation }) => caught(deviation.violates, { passesElsewhere: false }),
  'finds nothing': () => effort,
  'is in trouble': () => ({ ...effort, trouble: 'nothing was checked' }),
  'says what it was sent': ({ dialect, pair, seed, runs }) => ({
    ...effort,
    trouble: `${dialect} ${pair} ${seed} ${runs}`,
  }),
  'pair.says what it was sent': ({ pair }) => ({ ...effort, trouble: String(pair) }),
  dies: () => process.exit(7),
};

serveTasks<SearchTask, SearchOutcome>(async (task) => acts[task.deviation.id]?.(task) ?? effort);
