/** Explores a target by malformed and odd bytes, until some break the law, which are then made small. */
import { randomInt } from 'node:crypto';
import { type Catalogue, loadRequirements } from '../../engine/files/catalogue.ts';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import { runId } from '../../engine/running/run-id.ts';
import { labelOf } from '../../engine/running/scenario-names.ts';
import { whileTold } from '../../engine/running/while-told.ts';
import { now, since } from '../../engine/targets/target.ts';
import { maskedRun } from '../../secrets/masked.ts';
import { unclaimed } from '../../statement/statement.ts';
import type { ExploreOptions } from '../explore.ts';
import { describeFound } from './describe-found.ts';
import { ExploredPlace } from './place.ts';
import { openSite, type Site } from './site.ts';
import type { WireCounterexample, WireEvent, WireResult } from './wire-exploration.ts';
import { exitOf } from './wire-outcome.ts';
import { WireSearch, type WireSearched } from './wire-search.ts';
import { WireStatistics } from './wire-statistics.ts';

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

/** Milliseconds between two events that only say how far it is. */
const tellEvery = 100;

/**
 * Sends malformed and odd bytes, each over a connection of its own, and with a sound request behind them, into an application entity made for that and removed at the
 * end. The first that break the law are shrunk. Yields events while it goes on; the last one carries the result, which is also the
 * return value. Throws UsageError before the first event for what cannot be used.
 */
export async function* exploreWire(options: WireOptions): AsyncGenerator<WireEvent, WireResult> {
  return yield* maskedRun(exploring, options);
}

interface Found {
  readonly searched: WireSearched;
  readonly counterexample?: WireCounterexample | undefined;
  readonly notes: readonly string[];
}

async function* exploring(options: WireOptions): AsyncGenerator<WireEvent, WireResult> {
  const {
    target,
    dialect = 'documented',
    seed = randomInt(2 ** 31),
    timeout = usual.timeout,
    safety,
    signal,
  } = options;
  const { runs = usual.runs, path } = options;
  const run = runId();
  const began = now();
  const startedAt = new Date().toISOString();
  const site = await openSite({ target, dialect, timeout, startedAt: began, run, safety, signal });
  const statistics = new WireStatistics();
  const finish = ({ searched, counterexample, notes }: Found): WireResult => ({
    ...{ run, startedAt, took: since(began), target: site.description, dialect, seed },
    ...{
      runs: statistics.runs,
      withheld: statistics.withheld,
      split: statistics.split,
      exercised: statistics.exercised(),
    },
    ...(counterexample && { counterexample }),
    notes,
    exit: exitOf({ statistics, interrupted: signal?.aborted === true, counterexample, hindrance: searched.hindrance }),
  });
  yield { type: 'exploration started', run, target: site.description, seed, planned: path === undefined ? runs : 1 };
  const result =
    'unreachable' in site
      ? finish({ searched: nothing({ reason: site.unreachable, lost: true }), notes: [] })
      : yield* within(site, { ...options, seed, runs, timeout, run, statistics }, finish);
  yield { type: 'exploration finished', result };
  return result;
}

function nothing(hindrance: NonNullable<WireSearched['hindrance']>): WireSearched {
  return { attempts: 0, smallest: false, hindrance };
}

type Told = WireOptions & {
  readonly seed: number;
  readonly runs: number;
  readonly timeout: number;
  readonly run: string;
  readonly statistics: WireStatistics;
};

async function* within(
  site: Site,
  told: Told,
  finish: (found: Found) => WireResult,
): AsyncGenerator<WireEvent, WireResult> {
  const explored = new ExploredPlace(site, labelOf(told.run, 1));
  let notes: readonly string[] = [];
  const found = yield* whileTold<WireEvent, Omit<Found, 'notes'>>(
    (tell, signal) => explore(site, explored, { ...told, signal }, tell),
    async (interrupted) => {
      await explored.remove();
      ({ notes } = await site.leave(interrupted));
    },
    told.signal,
  );
  return finish({ ...found, notes });
}

async function explore(
  site: Site,
  explored: ExploredPlace,
  told: Told & { readonly signal: AbortSignal },
  tell: (event: WireEvent) => void,
): Promise<Omit<Found, 'notes'>> {
  const objection = site.statement && unclaimed(site.statement, ['PICS_AE', 'PICS_CNT']);
  if (objection !== undefined) return { searched: nothing({ reason: objection, lost: false }) };
  const catalogue = loadRequirements();
  const search = new WireSearch({ ...searchOptions(told, catalogue, tell), site, explored });
  const searched = await search.search();
  tell({ type: 'searched', runs: told.statistics.runs });
  if (searched.found === undefined) return { searched };
  const { seed, run, signal } = told;
  const counterexample = await describeFound(searched, {
    ...{ site, explored, search, catalogue, seed, run, label: labelOf(run, 1), signal },
  });
  return { searched, counterexample };
}

function searchOptions(told: Told & { readonly signal: AbortSignal }, catalogue: Catalogue, tell: Tell) {
  const { seed, runs, path, timeout, statistics, signal, level = 'documented' } = told;
  const { maxTime = Number.POSITIVE_INFINITY, shrinkAttempts = usual.shrinkAttempts } = told;
  const began = now();
  let toldAt = 0;
  let isFound = false;
  return {
    ...{ statistics, seed, runs, path, timeout, shrinkAttempts },
    demands: (requirement: string) =>
      level === 'gap' || !['gap', undefined].includes(catalogue.requirements.get(requirement)?.level),
    enough: () => signal.aborted || since(began) > maxTime,
    interrupted: () => signal.aborted,
    onRun: () => {
      if (isFound || now() - toldAt < tellEvery) return;
      toldAt = now();
      tell({ type: 'searched', runs: statistics.runs });
    },
    onFound: ({ wire, breach }: Parameters<WireSearchFound>[0], attempts: number) => {
      if (isFound) tell({ type: 'shrunk', bytes: wire.bytes.length, attempts });
      else tell({ type: 'failure found', says: breach.says, what: wire.what });
      isFound = true;
    },
  };
}

type Tell = (event: WireEvent) => void;
type WireSearchFound = ConstructorParameters<typeof WireSearch>[0]['onFound'];
