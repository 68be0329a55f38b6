import { type GeneratedRow, type GeneratedVerdict, generatedVerdicts } from './generated-row.ts';

/** What the generators alone make of each fault. */
export interface GeneratedTable {
  readonly startedAt: string;
  /** Milliseconds from the first to the last. */
  readonly took: number;
  readonly workers: number;
  readonly seed: number;
  /** Sequences for each fault at the most. */
  readonly runs: number;
  /** Faults that were to be found: more than there are rows where the work was interrupted. */
  readonly chosen: number;
  readonly interrupted: boolean;
  readonly totals: GeneratedTotals;
  readonly rows: readonly GeneratedRow[];
}

export interface GeneratedTotals {
  readonly verdicts: Readonly<Record<GeneratedVerdict, number>>;
  /** Of those found. */
  readonly named: number;
  /** Of those found, the middle one of each; absent where there is none. */
  readonly medians?: Readonly<Record<'sequences' | 'requests' | 'searched' | 'steps', number>>;
}

export function generatedTotalsOf(rows: readonly GeneratedRow[]): GeneratedTotals {
  const count = (verdict: GeneratedVerdict) => rows.filter((row) => row.verdict === verdict).length;
  const verdicts = Object.fromEntries(generatedVerdicts.map((one) => [one, count(one)])) as GeneratedTotals['verdicts'];
  const found = rows.filter(({ verdict }) => verdict === 'found');
  const named = found.filter((row) => row.named).length;
  if (found.length === 0) return { verdicts, named };
  const medians = {
    sequences: median(found.map(({ sequences }) => sequences)),
    requests: median(found.map(({ requests }) => requests)),
    searched: median(found.map(({ searched }) => searched)),
    steps: median(found.map(({ trophy }) => trophy?.steps.length ?? 0)),
  };
  return { verdicts, named, medians };
}

/** The lower one of the two in the middle. */
function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[(numbers.length - 1) >> 1] ?? 0;
}

/** What the generators have to keep: the share of the faults that they find, and requests of the median counterexample. */
const bars = { found: 0.9, steps: 4 };

/** 0: the bars are kept; 130: interrupted; 1 otherwise. */
export function exitOfGenerated({ interrupted, totals, rows }: GeneratedTable): 0 | 1 | 130 {
  if (interrupted) return 130;
  const enough = totals.verdicts.found >= bars.found * rows.length;
  return enough && (totals.medians?.steps ?? 0) <= bars.steps ? 0 : 1;
}
