/** `cselab doctor`: says what of a set-up is wrong, before anything is judged, and which line would change it. */

import { cleanUp } from '../checking/clean-up.ts';
import { UsageError } from '../engine/basics/diagnostics.ts';
import { now, since } from '../engine/messages/target.ts';
import { type PreparedUrl, parseUrl, prepareUrl, type UrlChoice } from '../engine/targets/url-choice.ts';
import { inboxRemark, sentRemark } from './inbox.ts';
import { interview } from './interview.ts';
import { type Diagnosis, elsewhere, type SetupRemark, wrong } from './remark.ts';
import { wayTo } from './way.ts';

export interface DoctorOptions {
  /** Also subscribes to something of its own, to see whether notifications come; it is removed again. */
  readonly write?: boolean;
  readonly signal?: AbortSignal;
  /** Milliseconds for each request, and for each step on the way to the target; 5,000 when absent. */
  readonly timeout?: number;
  /** Directory of the ledgers of runs. */
  readonly ledger?: string;
}

const usualTimeout = 5000;

/** Throws a UsageError for what is no URL; never rejects for what else is wrong with the set-up. About 20 reads at most, ten in a second. */
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

interface Examined {
  readonly remarks: readonly SetupRemark[];
  readonly requests: number;
}

async function examined(choice: UrlChoice, options: DoctorOptions): Promise<Examined> {
  const prepared = await prepareUrl(choice).catch((error: unknown) => {
    if (error instanceof UsageError) return error;
    throw error;
  });
  if (prepared instanceof UsageError) {
    return { remarks: [wrong('configuration', prepared.message, elsewhere('correct what names it'))], requests: 0 };
  }
  try {
    return await visited(prepared, options);
  } finally {
    await prepared.route?.close();
  }
}

async function visited(prepared: PreparedUrl, options: DoctorOptions): Promise<Examined> {
  const { timeout = usualTimeout, signal, write, ledger } = options;
  const way = await wayTo(prepared, timeout);
  if (!way.open || signal?.aborted) return { remarks: way.remarks, requests: 0 };
  const { remarks, requests, base } = await interview(prepared, { timeout, signal });
  const all = [...way.remarks, ...remarks];
  if (base === undefined || signal?.aborted) return { remarks: all, requests };
  const heard = await inboxRemark(prepared, way.from);
  const proves = write && heard.state !== 'wrong' && !all.some(({ state }) => state === 'wrong');
  const sent = proves && heard.change === undefined ? await sentRemark(prepared, { timeout, signal, ledger }) : heard;
  return { remarks: [...all, sent, ...(await ledgerRemarks(prepared, ledger))], requests };
}

/** What runs have written down here and not removed there. */
async function ledgerRemarks(
  { description: { url } }: PreparedUrl,
  ledger: string | undefined,
): Promise<SetupRemark[]> {
  if (ledger === undefined) return [];
  const remarks: SetupRemark[] = [];
  for await (const { run, outcome, removed } of cleanUp({ ledger, url, dryRun: true })) {
    if (outcome !== 'listed') continue;
    const says = `run ${run} was cut off, and ${removed.length} resources of it may be there`;
    remarks.push(wrong('leftovers', says, elsewhere(`cselab cleanup --run ${run}`)));
  }
  return remarks;
}
