import { isSuccess, summaryOf } from '../engine/judging/answer.ts';
import type { Exchange } from '../engine/messages/exchange.ts';

/** Reads a path; undefined where it must not be read. */
export type Reads = (path: string) => Promise<Exchange | undefined>;

/** Whether the answer to a removal leaves open whether anything was removed: not found, or a failure of the target. */
export function leavesOpen({ answer }: Exchange): boolean {
  const status = answer?.status ?? 0;
  return isMissing(status) || status >= 500;
}

/**
 * Why something cannot be believed to be gone after such an answer, though the run created it: the first of its paths at which it
 * is read, or none that is answered by not found. Undefined when it is gone.
 */
export async function whyStillThere(
  removal: Exchange,
  paths: readonly string[],
  reads: Reads,
): Promise<string | undefined> {
  let seen: string | undefined;
  let missing = false;
  for (const path of new Set(paths)) {
    const exchange = await reads(path);
    if (exchange === undefined) continue;
    if (isSuccess(exchange)) return `${summaryOf(removal)}, and yet GET ${path} answers ${summaryOf(exchange)}`;
    missing ||= isMissing(exchange.answer?.status);
    seen ??= `GET ${path}: ${summaryOf(exchange)}`;
  }
  return missing ? undefined : `${summaryOf(removal)}; ${seen ?? 'it cannot be read'}`;
}

function isMissing(status: number | undefined): boolean {
  return status === 404 || status === 410;
}
