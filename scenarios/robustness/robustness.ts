/** Sends the robustness cases to a target, one by one. */
import type { Dialect } from '../engine/grammar/dialects.ts';
import { labelOf } from '../engine/running/scenario/scenario-context.ts';
import { withGrowingPauses } from '../engine/targets/exchanging/clocks.ts';
import {
  type CampaignEnd,
  campaign,
  type ExplorationResult,
  exitOf,
  type Settings,
  type Started,
} from '../generators/search/campaign.ts';
import type { WireOptions } from '../generators/wire/explore-wire.ts';
import type { RobustnessCase } from '../generators/wire/listed/robustness-case.ts';
import { casesOf } from '../generators/wire/listed/robustness-cases.ts';
import type { Hindrance, WireSession } from '../generators/wire/wire-fixture.ts';
import { hinderedBy, openWireSession, withFixture } from '../generators/wire/wire-fixture.ts';
import { maskedRun } from '../safety/masked.ts';
import { type CaseOptions, type CaseResult, type RobustnessVerdict, runCase } from './run-case.ts';

export interface RobustnessOptions
  extends Pick<WireOptions, 'target' | 'dialect' | 'timeout' | 'safety' | 'secrets' | 'signal'> {
  /** Numbers and sections, such as `R-3` and `R-4.12`; all cases when absent. */
  readonly numbers?: readonly string[];
}

export interface RobustnessResult extends Omit<ExplorationResult, 'seed'> {
  readonly dialect: Dialect;
  readonly cases: readonly CaseResult[];
  readonly totals: Readonly<Record<RobustnessVerdict, number>>;
}

export type RobustnessEvent =
  | ({ readonly type: 'robustness started' } & Pick<Started, 'run' | 'target' | 'planned'>)
  | { readonly type: 'case finished'; readonly case: CaseResult }
  | { readonly type: 'robustness finished'; readonly result: RobustnessResult };

/** Milliseconds to wait for a lost target. */
const longestWait = 10_000;

/**
 * Sends each case into an application entity made for that and removed at the end, with sound requests behind it. Yields events; the
 * last one carries the result, which is also the return value. Throws UsageError before the first event for unusable options.
 */
export const robustness = (options: RobustnessOptions) => maskedRun(runRobustness, options);

interface CasesRun {
  readonly cases: readonly CaseResult[];
  /** Why the target cannot be reached, if so. */
  readonly hindrance?: Hindrance | undefined;
}

async function* runRobustness(options: RobustnessOptions): AsyncGenerator<RobustnessEvent, RobustnessResult> {
  const { target, dialect = 'documented', safety, numbers = [] } = options;
  const cases = casesOf(numbers);
  return yield* campaign<WireSession, RobustnessEvent, CasesRun, RobustnessResult>(options, {
    usual: { runs: cases.length, timeout: 5000, shrinkAttempts: 0 },
    started: ({ run, target, planned }) => ({ type: 'robustness started', run, target, planned }),
    finished: (result) => ({ type: 'robustness finished', result }),
    open: (opening) => openWireSession({ ...opening, target, safety, dialect }),
    work: (session, settings) =>
      withFixture(session, labelOf(settings.run, 1), (fixture) => send(cases, { ...settings, session, fixture })),
    unreached: (reason) => ({ cases: [], hindrance: { reason, lost: true } }),
    finish: ({ cases, hindrance }, { seed: _, ...common }, interrupted) => {
      const totals = totalsOf(cases);
      const exit = exitOf({ interrupted, ...endOf(totals, cases.length), ...hinderedBy(hindrance, 'tried') });
      return { ...common, dialect, cases, totals, exit };
    },
  });
}

function endOf(totals: RobustnessResult['totals'], count: number): Omit<CampaignEnd, 'interrupted'> {
  const { wrong, lost } = totals;
  const tried = count - totals['left out'];
  const says = `${wrong} of ${count} robustness cases wrong${lost > 0 ? `, and the target lost by ${lost}` : ''}`;
  return {
    found: wrong + lost > 0 ? { says, again: true } : undefined,
    nothing: tried === 0 ? 'nothing was tried' : undefined,
    sound: `none of ${tried} robustness cases wrong`,
  };
}

async function send(
  cases: readonly RobustnessCase[],
  { emit: tell, signal, ...options }: Pick<Settings<RobustnessEvent>, 'emit' | 'signal'> & CaseOptions,
): Promise<CasesRun> {
  const results: CaseResult[] = [];
  for (const one of cases) {
    if (signal.aborted) break;
    // A target that was there before gets time to come back.
    const waiting = { limit: results.length > 0 ? longestWait : 0, signal };
    const prepare = () => options.fixture.prepare();
    const hindrance = await withGrowingPauses(prepare, (hindrance) => hindrance === undefined, waiting);
    if (hindrance !== undefined) return { cases: results, hindrance };
    const result = await runCase(one, options);
    results.push(result);
    tell({ type: 'case finished', case: result });
  }
  return { cases: results };
}

function totalsOf(cases: readonly CaseResult[]): RobustnessResult['totals'] {
  const totals = { 'as it should': 0, tolerable: 0, wrong: 0, lost: 0, 'left out': 0 };
  for (const { verdict } of cases) totals[verdict] += 1;
  return totals;
}
