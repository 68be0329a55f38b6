/** Explores a target by malformed and odd bytes until some cause a breach, and shrinks those. */
import { defined } from '../../engine/basics/defined.ts';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import { labelOf } from '../../engine/running/scenario/scenario-context.ts';
import { unclaimed } from '../../ics/ics.ts';
import { maskedRun } from '../../safety/masked.ts';
import type { CampaignEnd, Finish } from '../search/campaign.ts';
import { campaign, defaultEvents, exitOf, violation } from '../search/campaign.ts';
import type { ExploreOptions } from '../search/explore-options.ts';
import { commandOf } from '../search/replay-command.ts';
import { describeFound } from './describe-found.ts';
import { type WireCounterexample, type WireEvent, type WireResult, WireStatistics } from './wire-exploration.ts';
import { type Hindrance, hinderedBy, openWireSession, type WireSession, withFixture } from './wire-fixture.ts';
import { WireSearch, type WireSearchOptions } from './wire-search.ts';

export interface WireOptions
  extends Pick<
    ExploreOptions,
    'target' | 'runs' | 'seed' | 'path' | 'maxTime' | 'shrinkAttempts' | 'level' | 'safety' | 'secrets' | 'signal'
  > {
  /** `documented` when absent. */
  readonly dialect?: Dialect;
  /** Milliseconds for each answer; 5000 when absent. */
  readonly timeout?: number;
}

const usual = { runs: 500, timeout: 5000, shrinkAttempts: 500 };

/**
 * Sends malformed and odd bytes, each over its own connection, and with a sound request behind them, into an application entity made
 * for that and removed at the end. The first that cause a breach are shrunk. Yields events; the last one carries the result, which is
 * also the return value. Throws UsageError before the first event for unusable options.
 */
export const exploreWire = (options: WireOptions) => maskedRun(runExploration, options);

interface WireFindings {
  /** Why the target cannot be explored, or not any more. */
  readonly hindrance?: Hindrance | undefined;
  readonly counterexample?: WireCounterexample | undefined;
}

type ExploreSettings = Omit<WireSearchOptions, 'session' | 'fixture'>;

async function* runExploration(options: WireOptions): AsyncGenerator<WireEvent, WireResult> {
  const { target, safety, dialect = 'documented', level } = options;
  const statistics = new WireStatistics();
  return yield* campaign<WireSession, WireEvent, WireFindings, WireResult>(options, {
    ...{ ...defaultEvents, usual },
    open: (opening) => openWireSession({ ...opening, target, safety, dialect }),
    work: (session, settings) => {
      const isBinding = (id: string) => !['gap', undefined].includes(settings.requirements.get(id)?.level);
      const demands = (id: string) => level === 'gap' || isBinding(id);
      return explore(session, { ...settings, statistics, demands, command: commandOf({ ...options, wire: true }) });
    },
    searched: () => ({ type: 'searched', runs: statistics.runs }),
    unreached: (reason) => ({ hindrance: { reason, lost: true } }),
    finish: finishing(dialect, statistics),
  });
}

function finishing(dialect: Dialect, statistics: WireStatistics): Finish<WireFindings, WireResult> {
  return ({ hindrance, counterexample }, common, interrupted) => {
    const { runs, withheld, split } = statistics;
    const exercised = statistics.exercised();
    return {
      ...{ ...common, dialect, runs, withheld, split, exercised, ...defined({ counterexample }) },
      exit: exitOf({
        interrupted,
        nothing: runs === 0 ? 'nothing was checked' : undefined,
        ...hinderedBy(hindrance, 'explored'),
        found: counterexample && foundIn(counterexample),
        sound: `an orderly answer to each of ${runs} malformed or odd requests`,
      }),
    };
  };
}

function foundIn({ requirement, confirmed, says }: WireCounterexample): CampaignEnd['found'] {
  return requirement === 'gap' && confirmed ? { says, again: true } : violation(requirement, confirmed);
}

async function explore(session: WireSession, settings: ExploreSettings): Promise<WireFindings> {
  const objection = session.ics && unclaimed(session.ics, ['PICS_AE', 'PICS_CNT']);
  if (objection !== undefined) return { hindrance: { reason: objection, lost: false } };
  const label = labelOf(settings.run, settings.nextNumber());
  return withFixture(session, label, async (fixture) => {
    const options = { ...settings, session, fixture };
    const search = new WireSearch(options);
    const { found, hindrance } = await search.search();
    return defined({ hindrance, counterexample: found && (await describeFound(found, { ...options, search, label })) });
  });
}
