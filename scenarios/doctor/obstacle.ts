/** What of a set-up keeps a run from judging its target: what is sure of what `cselab doctor` would say. */

import { viewOf } from '../engine/judging/answer.ts';
import type { Exchange } from '../engine/results/exchange.ts';
import type { PreparedUrl } from '../engine/targets/url-choice.ts';
import { changeText } from './change-text.ts';
import { identityRemarks } from './comparison.ts';
import { checkConnectivity } from './connectivity.ts';
import { interview } from './interview.ts';
import type { SetupRemark } from './remark.ts';

/** What is known of a target once it was asked for its CSE base. */
interface ObstacleOptions {
  /** Undefined where the run cannot go on. */
  readonly read: Exchange | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for each request, and for each step on the way to the target. */
  readonly timeout: number;
}

/** Never the reason why a run cannot go on; and that nobody can be reached, which the run says itself. */
const harmless: ReadonlySet<string> = new Set([
  ...['leftovers', 'clock', 'time zone', 'notifications'],
  ...['host name', 'port'],
]);
/** Sure where the CSE base was read after all, otherwise than the run would; and where nothing answered as a CSE does. */
const sure = {
  found: new Set(['CSE base', 'dialect', 'release', 'administrator', 'CSE-ID', 'SP-ID']),
  lost: new Set(['answers', 'TLS', 'serialization']),
};

/**
 * One sentence with the line to change; undefined where nothing is surely wrong. Nothing is asked of a target that has told its CSE base;
 * of any other at most what a doctor asks.
 */
export async function obstacle(prepared: PreparedUrl, options: ObstacleOptions): Promise<string | undefined> {
  const { read, signal } = options;
  if (prepared.fetch !== undefined || signal?.aborted) return undefined;
  const remarks = read === undefined ? await blocked(prepared, options) : await doubted(prepared, read, options);
  const wrong = remarks.filter((one) => one.state === 'wrong' && isReason(one, prepared));
  // Whoever is refused for asking too much is told nothing else.
  const found = wrong.find(({ about }) => about === 'rate') ?? wrong[0];
  if (found?.change === undefined || signal?.aborted) return undefined;
  return `${found.about}: ${found.says} → ${changeText(found.change, prepared.choice.file)}`;
}

/** What is judged by the standard may look otherwise: that is what is judged. */
function isReason({ about }: SetupRemark, { choice }: PreparedUrl): boolean {
  return !harmless.has(about) && !(about === 'dialect' && choice.dialect === 'onem2m');
}

async function blocked(prepared: PreparedUrl, { timeout, signal }: ObstacleOptions): Promise<readonly SetupRemark[]> {
  const way = await checkConnectivity(prepared, timeout);
  // A handshake that hangs has no line to change.
  if (!way.open) return way.remarks.filter(({ about, change = {} }) => about !== 'TLS' || 'flag' in change);
  const { remarks, silent } = await interview(prepared, { timeout, signal });
  // Whatever keeps a target silent may be its own.
  return silent ? remarks.filter(({ about }) => about !== 'answers') : remarks;
}

/** Of one that answered, over another wire than HTTP perhaps by what is no answer: that is judged. */
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
