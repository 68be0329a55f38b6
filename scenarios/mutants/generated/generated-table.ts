import type { TaskResult } from '../../engine/processes/worker-pool.ts';
import { countedBy, reasonOf } from '../scoring/deviation-work.ts';
import {
  type GeneratedRow,
  type GeneratedTable,
  type GeneratedTotals,
  type GeneratedVerdict,
  generatedVerdicts,
} from '../scoring/tables.ts';
import type { SearchOutcome, SearchTask } from './search-task.ts';

export function generatedTotalsOf(rows: readonly GeneratedRow[]): GeneratedTotals {
  const verdicts = countedBy(generatedVerdicts, rows);
  const found = rows.filter(({ verdict }) => verdict === 'found');
  const identified = found.filter((row) => row.identified).length;
  if (found.length === 0) return { verdicts, identified };
  const medians = {
    sequences: median(found.map(({ sequences }) => sequences)),
    requests: median(found.map(({ requests }) => requests)),
    searched: median(found.map(({ searched }) => searched)),
    steps: median(found.map(({ counterexample }) => counterexample?.steps.length ?? 0)),
  };
  return { verdicts, identified, medians };
}

/** The lower of the two in the middle. */
function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[(numbers.length - 1) >> 1] ?? 0;
}

/** Minimum: the share of the deviations that the generators find; maximum: requests of the median counterexample. */
const bars = { found: 0.9, steps: 4 };

/** 0: the bars are kept; 130: interrupted; 1 otherwise. */
export function exitOfGenerated({ interrupted, totals, rows }: GeneratedTable): 0 | 1 | 130 {
  if (interrupted) return 130;
  const enough = totals.verdicts.found >= bars.found * rows.length;
  return enough && (totals.medians?.steps ?? 0) <= bars.steps ? 0 : 1;
}

export function generatedRowOf(
  { deviation, level, dialect, pair, originators }: SearchTask,
  answered: TaskResult<SearchOutcome>,
): GeneratedRow {
  const about = { deviation, level, dialect, pair, ...(originators !== undefined && { originators }) };
  if (!('result' in answered)) {
    const nothing = { identified: false, sequences: 0, requests: 0, searched: 0, took: 0 };
    return { ...about, ...nothing, verdict: 'not judged', reason: reasonOf(answered, 'the generators') };
  }
  const { counterexample, trouble, ...effort } = answered.result;
  const related = [deviation.violates, ...(deviation.also ?? [])];
  const identified = counterexample !== undefined && related.includes(counterexample.requirement);
  return {
    ...{ ...about, ...effort, verdict: verdictOn(answered.result), identified },
    ...(counterexample && { counterexample }),
    ...(trouble !== undefined && { reason: trouble }),
  };
}

function verdictOn({ counterexample, trouble }: SearchOutcome): GeneratedVerdict {
  if (counterexample === undefined) return trouble === undefined ? 'not found' : 'not judged';
  return counterexample.failsThere && counterexample.passesElsewhere ? 'found' : 'not confirmed';
}
