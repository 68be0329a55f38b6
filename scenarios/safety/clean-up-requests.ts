import {
  type AnswerView,
  isMissing,
  isSuccess,
  leavesOpen,
  neverArrived,
  summaryOf,
  viewOf,
} from '../engine/judging/answer.ts';
import { resolveAddress, spRelativePath } from '../engine/messages/address.ts';
import type { Target, Way } from '../engine/messages/target.ts';
import { bareRequest, type Speech } from '../engine/messages/usual-headers.ts';
import type { Exchange } from '../engine/results/exchange.ts';
import { isCutShort } from '../engine/targets/liveness.ts';

/** Who asks a CSE, and how. */
export interface CleanUpContext {
  readonly target: Target;
  readonly way: Way;
  readonly speech: Speech;
  /** Tried one after the other, as long as the one before is refused; one at least. */
  readonly originators: ReadonlyArray<string | undefined>;
}

/** What came to the last originator that asked, or why nothing may be asked. */
type AskResult = { readonly exchange: Exchange; readonly by: string | undefined } | { readonly unasked: string };

/** Asks for what stands at a path, or for its removal; another originator tries where a refusal `goesOn`. */
export async function ask(
  method: 'GET' | 'DELETE',
  path: string,
  { target, way, speech, originators }: CleanUpContext,
  goesOn: (refusal: Exchange) => boolean = () => true,
): Promise<AskResult> {
  let result: AskResult = { unasked: 'nobody is known who could ask' };
  for (const originator of new Set(originators)) {
    const request = bareRequest(method, path, { originator, speech });
    const unasked = await target.objection(request, way);
    if (unasked !== undefined) return { unasked };
    const exchange = await target.send(request, way);
    result = { exchange, by: originator };
    if (isSuccess(exchange) || exchange.answer === undefined || !goesOn(exchange)) break;
  }
  return result;
}

interface Reading {
  /** Absent where it could not be asked for. */
  readonly exchange?: Exchange;
  /** What was read; absent where nothing was. */
  readonly view?: AnswerView;
  /** By whom. */
  readonly by?: string | undefined;
  /** What came, or why nothing was asked. */
  readonly says: string;
}

/** By the first originator that may read, else what the last one was answered. */
export async function read(path: string, context: CleanUpContext): Promise<Reading> {
  const result = await ask('GET', path, context);
  if ('unasked' in result) return { says: result.unasked };
  const { exchange } = result;
  const says = summaryOf(exchange);
  return isSuccess(exchange) ? { ...result, says, view: viewOf(exchange) } : { exchange, says };
}

/** How a removal was answered, where it could be asked for; and why what was to be removed may still be there. */
export interface Removal {
  readonly exchange?: Exchange;
  readonly why?: string;
  /** A read that was to show what became of it, and was not answered. */
  readonly unread?: Exchange;
}

/**
 * Removes what stands at a path, as the first originator that may. What is answered as not found, or by a failure, is read by all its
 * paths, by the CSE as well, before it is believed to be gone.
 */
export async function removeAt(path: string, paths: readonly string[], context: CleanUpContext): Promise<Removal> {
  const result = await ask('DELETE', path, context, (refusal) => !leavesOpen(refusal));
  if ('unasked' in result) return { why: result.unasked };
  const { exchange } = result;
  if (isSuccess(exchange)) return { exchange };
  return {
    exchange,
    ...(leavesOpen(exchange) ? await stillThere(exchange, paths, context) : { why: summaryOf(exchange) }),
  };
}

/** Whether something was there, and has been removed. */
export function hasRemoved({ exchange }: Removal): boolean {
  return exchange !== undefined && isSuccess(exchange);
}

/** Whether no answer came: to ask for more would take the whole time limit for each thing. */
export function isSilent(exchange: Exchange): boolean {
  return exchange.failure?.kind === 'timeout' || neverArrived(exchange);
}

/**
 * Why something cannot be believed to be gone after such an answer, though the run created it: the first of its paths at which it
 * is read, or none that is answered by not found. Nothing when it is gone.
 */
async function stillThere(
  removal: Exchange,
  paths: readonly string[],
  context: CleanUpContext,
): Promise<Omit<Removal, 'exchange'>> {
  const { description } = context.target;
  let seen: string | undefined;
  let missing = false;
  // What is not found by one form may be there by another.
  for (const path of new Set(paths.flatMap((one) => [one, spRelativePath(resolveAddress(one, description))]))) {
    const { exchange, view, says } = await read(path, context);
    if (exchange === undefined) continue;
    if (view !== undefined) return { why: `${summaryOf(removal)}, and yet GET ${path} answers ${says}` };
    if (isCutShort(exchange)) return { why: `${summaryOf(removal)}; GET ${path}: ${says}`, unread: exchange };
    missing ||= isMissing(exchange.answer?.status);
    seen ??= `GET ${path}: ${says}`;
  }
  return missing ? {} : { why: `${summaryOf(removal)}; ${seen ?? 'it cannot be read'}` };
}
