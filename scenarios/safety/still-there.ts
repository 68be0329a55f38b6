import { isSuccess, summaryOf } from '../engine/judging/answer.ts';
import type { Exchange } from '../engine/messages/exchange.ts';
import { bareRequest } from '../engine/messages/usual-headers.ts';
import { type Asking, read } from './listing.ts';

/** How a removal was answered, where it could be asked for; and why what was to be removed may still be there. */
export interface Removed {
  readonly exchange?: Exchange;
  readonly why?: string;
}

/**
 * Removes what stands at a path, as the first originator that may: another is tried where the one before was refused in a way that
 * `goesOn`. What is answered as not found, or by a failure, is read by all its paths before it is believed to be gone.
 */
export async function removeAt(
  path: string,
  paths: readonly string[],
  asking: Asking,
  goesOn = (refusal: Exchange) => !leavesOpen(refusal),
): Promise<Removed> {
  const { target, way, speech, originators } = asking;
  let exchange: Exchange | undefined;
  for (const originator of new Set(originators)) {
    const request = bareRequest('DELETE', path, { originator, speech });
    const why = await target.objection(request, way);
    if (why !== undefined) return { why };
    exchange = await target.send(request, way);
    if (exchange.answer === undefined || isSuccess(exchange) || !goesOn(exchange)) break;
  }
  if (exchange === undefined) return { why: 'nobody is known who could remove it' };
  if (isSuccess(exchange)) return { exchange };
  const why = leavesOpen(exchange) ? await whyStillThere(exchange, paths, asking) : summaryOf(exchange);
  return { exchange, ...(why !== undefined && { why }) };
}

/** Whether the answer to a removal leaves open whether anything was removed: not found, or a failure of the target. */
export function leavesOpen({ answer }: Exchange): boolean {
  const status = answer?.status ?? 0;
  return isMissing(status) || status >= 500;
}

/**
 * Why something cannot be believed to be gone after such an answer, though the run created it: the first of its paths at which it
 * is read, or none that is answered by not found. Undefined when it is gone.
 */
async function whyStillThere(removal: Exchange, paths: readonly string[], asking: Asking): Promise<string | undefined> {
  let seen: string | undefined;
  let missing = false;
  for (const path of new Set(paths)) {
    const { exchange, view, says } = await read(asking, path);
    if (exchange === undefined) continue;
    if (view !== undefined) return `${summaryOf(removal)}, and yet GET ${path} answers ${says}`;
    missing ||= isMissing(exchange.answer?.status);
    seen ??= `GET ${path}: ${says}`;
  }
  return missing ? undefined : `${summaryOf(removal)}; ${seen ?? 'it cannot be read'}`;
}

function isMissing(status: number | undefined): boolean {
  return status === 404 || status === 410;
}
