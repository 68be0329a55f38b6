/** Whether notifications find their way from the target to this harness. */

import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { check } from '../checking/check.ts';
import { defined } from '../engine/basics/defined.ts';
import { summaryOf, viewOf } from '../engine/judging/answer.ts';
import type { RunResult } from '../engine/results/result.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { inboxHostOf } from '../engine/targets/live-needs.ts';
import type { PreparedUrl } from '../engine/targets/url-choice.ts';
import { elsewhere, right, type SetupRemark, setting, unknown, wrong } from './remark.ts';

const about = 'notifications';

/** By what is said of it. `from`: the address of this machine on the way to the target. */
export async function inboxRemark({ choice, description, route }: PreparedUrl, from?: string): Promise<SetupRemark> {
  if (choice.reachesHarness === false) return unknown(about, 'they are not judged: it is said that none can come here');
  if (route !== undefined) return right(about, `they are to come over ${route.wire} as well`);
  const inbox = inboxHostOf(choice, description);
  if (inbox === undefined) {
    const host = from === undefined || isIP(from) === 0 ? 'HOST' : from;
    const seen = host === 'HOST' ? '' : `; on the way there this machine is ${host}`;
    return unknown(
      about,
      `they are not judged, since no name of this machine is given${seen}`,
      setting(`--inbox-host ${host}`, 'notifications.host', host),
    );
  }
  const { host = '127.0.0.1' } = inbox;
  const addresses = await lookup(host.replace(/^\[|\]$/g, ''), { all: true }).catch(() => []);
  const given = setting('--inbox-host HOST', 'notifications.host', 'HOST');
  if (addresses.length === 0) return wrong(about, `no name server here knows ${host}`, given);
  const own = new Set(Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address)));
  if (addresses.some(({ address }) => own.has(address)))
    return right(about, `they are to come to ${host}, which is this machine`);
  return unknown(about, `they are to come to ${host}, which is no address of this machine: does it lead here?`);
}

/** A scenario of each dialect in which something is subscribed to and changed. */
const scenarios = { documented: 'documented/events/notified', onem2m: 'standard/notification-events/event-by-default' };

/** Creates a subscription of its own, and changes what it watches: all of it is removed again. */
export async function sentRemark(
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

/** What comes is not looked into. */
function readResult({ scenarios: [scenario] }: RunResult, inboxHost = '127.0.0.1'): SetupRemark {
  const steps = scenario?.steps ?? [];
  const waited = steps.flatMap(({ notifications }) => notifications ?? []);
  const isSent = ({ url }: { readonly url: string }) => URL.canParse(url);
  const some = waited.find((one) => one.count > 0 && isSent(one));
  if (some !== undefined) return right(about, `one has come to ${some.url}`);
  const unverified = steps.find(({ exchange }) => exchange !== undefined && unreached.has(viewOf(exchange).rsc ?? 0));
  // As far as the step that waits.
  const asked = steps.filter(({ phase, exchange }) => phase !== 'cleanup' && exchange !== undefined);
  const isRefused = asked.some(({ exchange }) => (exchange?.answer?.status ?? 500) >= 300);
  if (unverified === undefined && (asked.length === 0 || isRefused))
    return unknown(about, `none was to be sent: ${reasonOf(scenario)}`);
  const host = waited.filter(isSent).map(({ url }) => new URL(url).host)[0] ?? inboxHost;
  const change = elsewhere(
    `see whether the target finds ${host}, give --inbox-host another name, or say notifications: none in a target file`,
  );
  const because = unverified?.exchange && `: ${unverified.title} came to ${summaryOf(unverified.exchange)}`;
  return wrong(about, `none has come to ${host}${because ?? ''}`, change);
}

/** TARGET_NOT_REACHABLE, and that the verification of a subscription could not be begun (TS-0004, clause 6.6.3.6). */
const unreached: ReadonlySet<number> = new Set([5103, 5204]);

function reasonOf(scenario: RunResult['scenarios'][number] | undefined): string {
  const problem = scenario?.steps.find((step) => step.problem !== undefined)?.problem;
  return problem ?? scenario?.reason ?? 'the scenario for it did not run';
}
