/** Deletes resources that runs left at targets, by their ledgers. */
import { unlinkSync } from 'node:fs';
import { defined } from '../engine/basics/defined.ts';
import { isExactBytes, now, type Target } from '../engine/messages/target.ts';
import type { Death, LostRequest } from '../engine/results/run-context.ts';
import { Deaths, type DeathsOptions } from '../engine/running/losses.ts';
import type { CertificateFiles } from '../engine/targets/credentials.ts';
import { withTargets } from '../engine/targets/installation.ts';
import { type Liveness, wasUnderWay } from '../engine/targets/liveness.ts';
import { livenessOf, reachParties } from '../engine/targets/reach-url.ts';
import { parseUrl, prepareUrl, type UrlChoice } from '../engine/targets/url-choice.ts';
import { guardRun, holdingsOf } from '../safety/guard.ts';
import type { Holdings } from '../safety/holdings.ts';
import { isInUse, type ReadLedger, readLedgers } from '../safety/ledger-file.ts';
import type { RunLine } from '../safety/ledger-line.ts';
import { type SweepOptions, type Swept, sweep } from '../safety/sweep.ts';

export interface CleanUpOptions {
  /** Directory of the ledgers. */
  readonly ledger: string;
  /** Only this run, even if its process seems to be alive. */
  readonly run?: string;
  /** Only runs at this target, for which the choice is meant. */
  readonly url?: string;
  /** Administrator, headers and certificates, which ledgers do not have; these override the ledger. */
  readonly choice?: Partial<Pick<UrlChoice, 'admin' | 'headers' | 'tls' | 'rate' | 'connections' | 'waitForTarget'>> &
    Pick<CertificateFiles, 'passphrase' | 'askPassphrase'>;
  /** Restarts a target that stays dead for `waitForTarget`. */
  readonly restart?: () => Promise<void>;
  /** Milliseconds for each request; 10,000 when absent. */
  readonly timeout?: number;
  /** Only lists what would be deleted. */
  readonly dryRun?: boolean;
}

/** Result for the ledger of one run. */
export interface CleanedRun {
  readonly run: string;
  readonly ledger: string;
  readonly url: string;
  /** `in use`: its run is still active. `listed`: nothing was sent. */
  readonly outcome: 'gone' | 'left' | 'unreachable' | 'in use' | 'listed';
  /** Paths that were deleted, or would be. */
  readonly removed: readonly string[];
  readonly left: ReadonlyArray<{ readonly path: string; readonly why: string }>;
  /** The target stopped answering; absent if it never did. */
  readonly deaths?: readonly Death[];
  /** Why the target could not be reached. */
  readonly reason?: string;
  /** Headers that the run sent and this one lacks. */
  readonly headersMissing: readonly string[];
  /** Whether an originator of the run is secret, and not given here. */
  readonly originatorMissing: boolean;
}

/** Processes every ledger, or that of one run. Throws a UsageError for an invalid ledger or file. */
export async function* cleanUp(options: CleanUpOptions): AsyncGenerator<CleanedRun> {
  const { run, url } = options;
  const all = readLedgers(options.ledger).filter(({ head }) => run === undefined || head.run === run);
  for (const ledger of all.filter(({ head }) => url === undefined || isAt(url, head))) {
    yield await cleanedRun(ledger, options);
  }
}

/** A probe may have found the CSE below the given path. */
function isAt(url: string, { gateway }: RunLine): boolean {
  const start = parseUrl(url).href.replace(/\/+$/, '');
  return gateway.url === start || gateway.url.startsWith(`${start}/`);
}

async function cleanedRun(ledger: ReadLedger, options: CleanUpOptions): Promise<CleanedRun> {
  const { head, path } = ledger;
  const names = (options.choice?.headers ?? []).map(([name]) => name.toLowerCase());
  const headersMissing = (head.headers ?? []).filter((name) => !names.includes(name.toLowerCase()));
  const originatorMissing = head.withheld === true && options.choice?.admin === undefined;
  const known = { run: head.run, ledger: path, url: head.gateway.url, headersMissing, originatorMissing };
  if (options.run === undefined && isInUse(head)) return { ...known, outcome: 'in use', removed: [], left: [] };
  const holdings = holdingsOf(ledger);
  if (options.dryRun === true) {
    const removed = holdings.left().map(({ paths, line }) => paths[0] ?? `something without a name below ${line.in}`);
    return { ...known, outcome: 'listed', removed, left: [] };
  }
  const swept = holdings.left().length === 0 ? nothingLeft : await sweepRun(head, holdings, options);
  const { removed, left, unreachable, deaths = [] } = swept;
  const about = { ...known, ...(deaths.length > 0 && { deaths }) };
  if (unreachable !== undefined) return { ...about, outcome: 'unreachable', removed, left, reason: unreachable };
  if (left.length > 0) return { ...about, outcome: 'left', removed, left };
  unlinkSync(path);
  return { ...about, outcome: 'gone', removed, left };
}

const nothingLeft: SurvivedSweep = { removed: [], left: [], deaths: [] };

async function sweepRun(
  head: RunLine,
  holdings: Holdings,
  { choice, restart, timeout = 10_000 }: CleanUpOptions,
): Promise<SurvivedSweep> {
  const prepared = await prepareUrl(choiceOf(head, choice));
  const opened = await reachParties(prepared, { connections: 1, timeout, startedAt: now() });
  if ('unreachable' in opened) return { ...nothingLeft, unreachable: opened.unreachable };
  const { parties, close } = opened;
  const { gateway, backend } = parties;
  try {
    const surviving = { liveness: livenessOf(parties, prepared, { timeout }), restart };
    const { sweepOptions } = guardRun(head, holdings, parties, { letter: 'c' });
    return await survivedSweep({ ...sweepOptions, isOver: true }, surviving);
  } finally {
    await Promise.all([gateway.close(), backend?.close()]);
    await close();
  }
}

/** The target of the ledger, with additions of the user. */
function choiceOf(head: RunLine, choice: CleanUpOptions['choice'] = {}): UrlChoice {
  const { gateway, backend, dialect, release, admin, originator, tls = {} } = head;
  const { cert, key, type, ...trust } = tls;
  const { tls: givenTls, passphrase, askPassphrase, ...others } = choice;
  const own = givenTls?.own ?? (cert === undefined ? undefined : { cert, ...defined({ key, type }) });
  const secret = defined({ askPassphrase, passphrase: passphrase || undefined });
  return {
    ...gateway,
    ...defined({ backend, dialect, release, admin, originator }),
    ...others,
    tls: { ...trust, ...givenTls, ...(own && { own: { ...own, ...secret } }) },
  };
}

interface SurvivedSweep extends Swept {
  readonly deaths: readonly Death[];
}

/** Deaths of the target to wait for. */
const mostDeaths = 3;

/** Deletes the resources of a run. Waits for a target that dies; a deletion that was pending then is not sent again. */
async function survivedSweep(
  options: SweepOptions,
  { liveness, restart }: Pick<DeathsOptions, 'liveness' | 'restart'>,
): Promise<SurvivedSweep> {
  const { signal } = new AbortController();
  const deaths = new Deaths({ liveness, restart, startedAt: now(), emit: () => {}, signal });
  const underWay: LostRequest[] = [];
  const deadly: string[] = [];
  const targets = withTargets(options.targets, (target) => noting(liveness.watch(target), liveness, underWay));
  const removed: string[] = [];
  for (;;) {
    const swept = await sweep({ ...options, targets, deadly });
    removed.push(...swept.removed);
    if (!deaths.isDown) return { ...swept, removed, deaths: deaths.all };
    const lost = underWay.splice(0);
    deadly.push(...lost.flatMap(({ method, path }) => (method === 'DELETE' ? path : [])));
    deaths.record(lost);
    const isBack = await deaths.comeBack();
    // Deletions are sent one at a time.
    if (!isBack) deaths.diedAlone(lost[0]);
    if (!isBack || deaths.all.length >= mostDeaths)
      return { ...swept, removed, unreachable: deaths.why(), deaths: deaths.all };
  }
}

/** Notes requests that were pending when the target died. */
function noting(target: Target, liveness: Liveness, underWay: LostRequest[]): Target {
  const send: Target['send'] = async (request, way) => {
    const exchange = await target.send(request, way);
    const isLost = liveness.down !== undefined && wasUnderWay(exchange) && !isExactBytes(request);
    if (isLost)
      underWay.push({ method: request.method, path: request.path, scenario: 'cleanup', step: 0, curl: exchange.curl });
    return exchange;
  };
  return { ...target, send };
}
