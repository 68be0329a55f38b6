/** Explores a target by malformed and odd bytes, until some break the law, which are then made small. */
import { defined } from '../../engine/defined.ts';
import type { Catalogue } from '../../engine/files/catalogue.ts';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import type { Exit } from '../../engine/result.ts';
import { labelOf } from '../../engine/running/scenario-names.ts';
import { since } from '../../engine/targets/target.ts';
import { maskedRun } from '../../secrets/masked.ts';
import { unclaimed } from '../../statement/statement.ts';
import { type Beginning, beginning, campaign, enoughOf, type Settings, seldom } from '../campaign.ts';
import type { ExploreOptions } from '../explore.ts';
import { exitOfFound } from '../outcome.ts';
import { describeFound } from './describe-found.ts';
import { ExploredPlace, type Hindrance, openSite, type Site } from './place.ts';
import { type WireCounterexample, type WireEvent, type WireResult, WireStatistics } from './wire-exploration.ts';
import { type FoundBytes, WireSearch, type WireSearched } from './wire-search.ts';

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
 * Sends malformed and odd bytes, each over a connection of its own, and with a sound request behind them, into an application entity made for that and removed at the
 * end. The first that break the law are shrunk. Yields events while it goes on; the last one carries the result, which is also the
 * return value. Throws UsageError before the first event for what cannot be used.
 */
export async function* exploreWire(options: WireOptions): AsyncGenerator<WireEvent, WireResult> {
  return yield* maskedRun(exploring, options);
}

interface Explored {
  readonly searched: WireSearched;
  readonly counterexample?: WireCounterexample | undefined;
  readonly dead?: undefined;
}

async function* exploring(options: WireOptions): AsyncGenerator<WireEvent, WireResult> {
  const { target, dialect = 'documented', runs = usual.runs, timeout = usual.timeout, safety, signal, path } = options;
  const begun = beginning(options.seed);
  const { run, startedAt, began, seed } = begun;
  const place = await openSite({ target, dialect, timeout, startedAt: began, run, safety, signal });
  const statistics = new WireStatistics();
  const head = { run, target: place.description, seed };
  const planned = path === undefined ? runs : 1;
  return yield* campaign<Site, WireEvent, Explored, WireResult>({
    ...{ place, signal, started: { type: 'exploration started', ...head, planned } },
    work: (site, told) => explore(site, { ...options, ...begun, ...told, runs, timeout, statistics }),
    unreached: (reason) => ({ searched: nothing({ reason, lost: true }) }),
    finish: ({ searched: { hindrance }, counterexample }, notes) => {
      const { runs, withheld, split } = statistics;
      const interrupted = signal?.aborted === true;
      return {
        ...{ ...head, startedAt, took: since(began), dialect, runs, withheld, split },
        exercised: statistics.exercised(),
        ...defined({ counterexample }),
        ...{ notes, exit: exitOf({ statistics, interrupted, counterexample, hindrance }) },
      };
    },
  });
}

function nothing(hindrance: NonNullable<WireSearched['hindrance']>): WireSearched {
  return { attempts: 0, smallest: false, hindrance };
}

type Told = WireOptions &
  Beginning &
  Pick<Settings<WireEvent>, 'runs' | 'signal' | 'tell'> & {
    readonly timeout: number;
    readonly statistics: WireStatistics;
  };

async function explore(site: Site, told: Told): Promise<Explored> {
  const objection = site.statement && unclaimed(site.statement, ['PICS_AE', 'PICS_CNT']);
  if (objection !== undefined) return { searched: nothing({ reason: objection, lost: false }) };
  const { catalogue, seed, run, signal } = told;
  const label = labelOf(run, 1);
  const explored = new ExploredPlace(site, label);
  try {
    const search = new WireSearch({ ...searchOptions(told, catalogue), site, explored });
    const searched = await search.search();
    told.tell({ type: 'searched', runs: told.statistics.runs });
    const about = { site, explored, search, catalogue, seed, run, label, signal };
    return { searched, counterexample: await describeFound(searched, about) };
  } finally {
    await explored.remove();
  }
}

function searchOptions(told: Told, catalogue: Catalogue) {
  const { seed, runs, path, timeout, statistics, signal, tell, level = 'documented' } = told;
  const tellHowFar = seldom(() => tell({ type: 'searched', runs: statistics.runs }));
  let isFound = false;
  return {
    ...{ statistics, seed, runs, path, timeout, shrinkAttempts: told.shrinkAttempts ?? usual.shrinkAttempts },
    demands: (requirement: string) =>
      level === 'gap' || !['gap', undefined].includes(catalogue.requirements.get(requirement)?.level),
    enough: enoughOf(told),
    interrupted: () => signal.aborted,
    onRun: () => isFound || tellHowFar(),
    onFound: ({ wire, breach }: FoundBytes, attempts: number) => {
      if (isFound) tell({ type: 'shrunk', bytes: wire.bytes.length, attempts });
      else tell({ type: 'failure found', says: breach.says, what: wire.what });
      isFound = true;
    },
  };
}

interface Ended {
  readonly statistics: WireStatistics;
  readonly interrupted: boolean;
  readonly counterexample: WireCounterexample | undefined;
  /** Why the target cannot be explored, or not any more. */
  readonly hindrance: Hindrance | undefined;
}

/** The exit code of an exploration and its reason, as a run of scenarios has them. */
export function exitOf({ statistics, interrupted, counterexample, hindrance }: Ended): Exit {
  if (interrupted) return { code: 130, reason: 'interrupted' };
  if (counterexample !== undefined) {
    const { requirement, says, confirmed } = counterexample;
    return requirement === 'gap' && confirmed ? { code: 1, reason: says } : exitOfFound(counterexample);
  }
  if (hindrance?.lost) return { code: 3, reason: `the target could not be reached: ${hindrance.reason}` };
  if (hindrance !== undefined) return { code: 4, reason: `the target cannot be explored: ${hindrance.reason}` };
  if (statistics.runs === 0) return { code: 4, reason: 'nothing was judged' };
  return { code: 0, reason: `an orderly answer to each of ${statistics.runs} malformed or odd requests` };
}
