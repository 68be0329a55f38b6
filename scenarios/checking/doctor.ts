/** `cselab doctor`: finds errors in a set-up before a run, with the line that fixes each. */

import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { checkConnectivity } from '../doctor/connectivity.ts';
import { interview } from '../doctor/interview.ts';
import { type Diagnosis, elsewhere, right, type SetupRemark, setting, unknown, wrong } from '../doctor/remark.ts';
import { defined } from '../engine/basics/defined.ts';
import { UsageError } from '../engine/basics/diagnostics.ts';
import { summaryOf, viewOf } from '../engine/judging/answer.ts';
import { now, since } from '../engine/messages/target.ts';
import type { RunResult } from '../engine/results/result.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { inboxHostOf } from '../engine/targets/live-needs.ts';
import { type PreparedUrl, parseUrl, prepareUrl, type UrlChoice } from '../engine/targets/url-choice.ts';
import { check } from './check.ts';
import { cleanUp } from './clean-up.ts';

export interface DoctorOptions {
  /** Also creates a subscription, to see whether notifications arrive, and deletes it again. */
  readonly write?: boolean;
  readonly signal?: AbortSignal;
  /** Milliseconds for each request, and for each step of the connection; 5,000 when absent. */
  readonly timeout?: number;
  /** Directory of the ledgers of runs. */
  readonly ledger?: string;
}

const usualTimeout = 5000;

/** Throws a UsageError for an invalid URL; other errors in the set-up are remarks. At most about 20 reads, ten per second. */
export async function diagnose(choice: UrlChoice, options: DoctorOptions = {}): Promise<Diagnosis> {
  const { protocol, host, pathname } = parseUrl(choice.url);
  const started = now();
  const { remarks, requests } = await examined(choice, options);
  const isWrong = remarks.some(({ state }) => state === 'wrong');
  const outcome = options.signal?.aborted ? 'interrupted' : isWrong ? 'wrong' : 'right';
  return {
    url: `${protocol}//${host}${pathname.replace(/\/+$/, '')}`,
    outcome,
    remarks,
    requests,
    took: since(started),
  };
}

type Examined = Pick<Diagnosis, 'remarks' | 'requests'>;

async function examined(choice: UrlChoice, options: DoctorOptions): Promise<Examined> {
  const prepared = await prepareUrl(choice).catch((error: unknown) => {
    if (error instanceof UsageError) return error;
    throw error;
  });
  if (prepared instanceof UsageError) {
    return { remarks: [wrong('configuration', prepared.message, elsewhere('correct what names it'))], requests: 0 };
  }
  try {
    return await examineReached(prepared, options);
  } finally {
    await prepared.route?.close();
  }
}

async function examineReached(prepared: PreparedUrl, options: DoctorOptions): Promise<Examined> {
  const { timeout = usualTimeout, signal, write, ledger } = options;
  const connection = await checkConnectivity(prepared, timeout);
  if (!connection.open || signal?.aborted) return { remarks: connection.remarks, requests: 0 };
  const { remarks, requests, base } = await interview(prepared, { timeout, signal });
  const all = [...connection.remarks, ...remarks];
  if (base === undefined || signal?.aborted) return { remarks: all, requests };
  const inbox = await inboxRemark(prepared, connection.from);
  const proves = write && inbox.state !== 'wrong' && !all.some(({ state }) => state === 'wrong');
  const sent = proves && inbox.change === undefined ? await sentRemark(prepared, { timeout, signal, ledger }) : inbox;
  return { remarks: [...all, sent, ...(await ledgerRemarks(prepared.description.url, ledger))], requests };
}

/** Leftovers of runs in the ledgers. */
async function ledgerRemarks(url: string, ledger: string | undefined): Promise<SetupRemark[]> {
  if (ledger === undefined) return [];
  const remarks: SetupRemark[] = [];
  for await (const { run, outcome, removed } of cleanUp({ ledger, url, dryRun: true })) {
    if (outcome !== 'listed') continue;
    const says = `run ${run} was cut off, and ${removed.length} of its resources may remain`;
    remarks.push(wrong('leftovers', says, elsewhere(`cselab cleanup --run ${run}`)));
  }
  return remarks;
}

// Whether notifications of the target reach this harness.

const about = 'notifications';

/** From the configuration. `from`: the address of this machine in the connection to the target. */
async function inboxRemark({ choice, description, route }: PreparedUrl, from?: string): Promise<SetupRemark> {
  if (choice.reachesHarness === false)
    return unknown(about, 'they are not checked: the target cannot reach this machine, as configured');
  if (route !== undefined) return right(about, `they arrive over ${route.wire} as well`);
  const inbox = inboxHostOf(choice, description);
  if (inbox === undefined) {
    const host = from === undefined || isIP(from) === 0 ? 'HOST' : from;
    const hint = host === 'HOST' ? '' : `; towards the target its address is ${host}`;
    return unknown(
      about,
      `they are not checked, since no name of this machine is configured${hint}`,
      setting(`--inbox-host ${host}`, 'notifications.host', host),
    );
  }
  const { host = '127.0.0.1' } = inbox;
  const addresses = await lookup(host.replace(/^\[|\]$/g, ''), { all: true }).catch(() => []);
  const change = setting('--inbox-host HOST', 'notifications.host', 'HOST');
  if (addresses.length === 0) return wrong(about, `no name server here knows ${host}`, change);
  const own = new Set(Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address)));
  if (addresses.some(({ address }) => own.has(address)))
    return right(about, `they are sent to ${host}, which is this machine`);
  return unknown(about, `they are sent to ${host}, which is no address of this machine: does it lead here?`);
}

/** A scenario of each dialect that creates a subscription and causes a notification. */
const scenarios = { documented: 'documented/events/notified', onem2m: 'standard/notification-events/event-by-default' };

/** Runs such a scenario, which deletes what it creates. */
async function sentRemark(
  { choice }: PreparedUrl,
  limits: { readonly timeout: number; readonly signal?: AbortSignal | undefined; readonly ledger?: string | undefined },
): Promise<SetupRemark> {
  const { dialect = 'documented', ...target } = choice;
  const { ledger, timeout, signal } = limits;
  const run = check({
    ...{ target: { kind: 'url', ...target }, dialect, ids: [scenarios[dialect]], jobs: 1, undeclared: false },
    timeout,
    ...defined({ signal, safety: ledger === undefined ? undefined : { ledger } }),
  });
  return readResult(await lastOf(run), choice.inboxHost);
}

/** The content of notifications does not matter. */
function readResult({ scenarios: [scenario] }: RunResult, inboxHost = '127.0.0.1'): SetupRemark {
  const steps = scenario?.steps ?? [];
  const waited = steps.flatMap(({ notifications }) => notifications ?? []);
  const isSent = ({ url }: { readonly url: string }) => URL.canParse(url);
  const some = waited.find((one) => one.count > 0 && isSent(one));
  if (some !== undefined) return right(about, `one arrived at ${some.url}`);
  const unverified = steps.find(({ exchange }) => exchange !== undefined && unreached.has(viewOf(exchange).rsc ?? 0));
  // Up to the step that waits.
  const sentSteps = steps.filter(({ phase, exchange }) => phase !== 'cleanup' && exchange !== undefined);
  const isRefused = sentSteps.some(({ exchange }) => (exchange?.answer?.status ?? 500) >= 300);
  const { problem = scenario?.reason ?? 'the scenario for it did not run' } = steps.find((one) => one.problem) ?? {};
  if (unverified === undefined && (sentSteps.length === 0 || isRefused))
    return unknown(about, `none was due: ${problem}`);
  const host = waited.filter(isSent).map(({ url }) => new URL(url).host)[0] ?? inboxHost;
  const change = elsewhere(
    `see whether the target finds ${host}, give --inbox-host another name, or say notifications: none in a target file`,
  );
  const because = unverified?.exchange && `: ${unverified.title} came to ${summaryOf(unverified.exchange)}`;
  return wrong(about, `none arrived at ${host}${because ?? ''}`, change);
}

/** TARGET_NOT_REACHABLE, and SUBSCRIPTION_VERIFICATION_INITIATION_FAILED (TS-0004, clause 6.6.3.6). */
const unreached: ReadonlySet<number> = new Set([5103, 5204]);
