/** What in a set-up certainly prevents a run: the certain remarks of `cselab doctor`. */

import { viewOf } from '../engine/judging/answer.ts';
import type { Exchange } from '../engine/results/exchange.ts';
import type { PreparedUrl } from '../engine/targets/url-choice.ts';
import { identityRemarks } from './comparison.ts';
import { checkConnectivity } from './connectivity.ts';
import { interview } from './interview.ts';
import type { SetupRemark } from './remark.ts';
import { changeText } from './remark.ts';

/** State after a read of the CSE base. */
interface ObstacleOptions {
  /** Undefined if the run cannot continue. */
  readonly read: Exchange | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for each request, and for each step of the connection. */
  readonly timeout: number;
}

/** Never the reason why a run cannot continue; an unreachable target is reported by the run itself. */
const harmless = new Set(['leftovers', 'clock', 'time zone', 'notifications', 'host name', 'port']);
/** `found`: certain if the CSE base could be read in another way; `lost`: certain if nothing answered as a CSE. */
const sure = {
  found: new Set(['CSE base', 'dialect', 'release', 'administrator', 'CSE-ID', 'SP-ID']),
  lost: new Set(['answers', 'TLS', 'serialization']),
};

/**
 * One sentence with the line to change; undefined if nothing is certainly wrong. Sends no requests after a successful read of the CSE
 * base, else at most those of a doctor.
 */
export async function obstacle(prepared: PreparedUrl, options: ObstacleOptions): Promise<string | undefined> {
  const { read, signal } = options;
  if (prepared.fetch !== undefined || signal?.aborted) return undefined;
  const remarks = read === undefined ? await blocked(prepared, options) : await doubted(prepared, read, options);
  const wrong = remarks.filter((one) => one.state === 'wrong' && isReason(one, prepared));
  // A rate limit explains everything else.
  const found = wrong.find(({ about }) => about === 'rate') ?? wrong[0];
  if (found?.change === undefined || signal?.aborted) return undefined;
  return `${found.about}: ${found.says} → ${changeText(found.change, prepared.choice.file)}`;
}

/** In the standard's dialect, a different dialect is a finding of the run. */
function isReason({ about }: SetupRemark, { choice }: PreparedUrl): boolean {
  return !harmless.has(about) && !(about === 'dialect' && choice.dialect === 'onem2m');
}

async function blocked(prepared: PreparedUrl, { timeout, signal }: ObstacleOptions): Promise<readonly SetupRemark[]> {
  const { remarks: found, open } = await checkConnectivity(prepared, timeout);
  // A handshake that hangs has no line to change.
  if (!open) return found.filter(({ about, change = {} }) => about !== 'TLS' || 'flag' in change);
  const { remarks, silent } = await interview(prepared, { timeout, signal });
  // A silent target may be at fault itself.
  return silent ? remarks.filter(({ about }) => about !== 'answers') : remarks;
}

/** For a target that answered, however badly. */
async function doubted(
  prepared: PreparedUrl,
  read: Exchange,
  { timeout, signal }: ObstacleOptions,
): Promise<readonly SetupRemark[]> {
  if (read.answer === undefined) return [];
  const { root, attributes } = viewOf(read);
  if (root === 'm2m:cb' && attributes !== undefined) return identityRemarks({ attributes }, prepared);
  const { remarks, base } = await interview(prepared, { timeout, signal });
  const names = base === undefined ? sure.lost : sure.found;
  return remarks.filter(({ about }) => names.has(about));
}
