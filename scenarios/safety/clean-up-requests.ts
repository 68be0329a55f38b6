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

/** How requests are sent, and as whom. */
export interface CleanUpContext {
  readonly target: Target;
  readonly way: Way;
  readonly speech: Speech;
  /** Tried one by one until one is not refused; at least one. */
  readonly originators: ReadonlyArray<string | undefined>;
}

/** The answer to the last originator, or why nothing may be sent. */
type AskResult = { readonly exchange: Exchange; readonly by: string | undefined } | { readonly unasked: string };

/** Reads or deletes the resource at a path; after a refusal that `goesOn`, as the next originator. */
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
  /** Absent if nothing could be sent. */
  readonly exchange?: Exchange;
  /** What was read; absent if nothing was. */
  readonly view?: AnswerView;
  /** By whom. */
  readonly by?: string | undefined;
  /** The answer, or why nothing was sent. */
  readonly says: string;
}

/** By the first originator that may read, else the answer to the last. */
export async function read(path: string, context: CleanUpContext): Promise<Reading> {
  const result = await ask('GET', path, context);
  if ('unasked' in result) return { says: result.unasked };
  const { exchange } = result;
  const says = summaryOf(exchange);
  return isSuccess(exchange) ? { ...result, says, view: viewOf(exchange) } : { exchange, says };
}

/** The answer to a removal, if it could be sent, and why the resource may still be there. */
export interface Removal {
  readonly exchange?: Exchange;
  readonly why?: string;
  /** An unanswered read of what became of it. */
  readonly unread?: Exchange;
}

/**
 * Removes the resource at a path, as the first originator that may. After not found or a failure, it is read by all its paths, by the
 * CSE as well, before it is believed to be gone.
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

/** Reads whether something is there whose removal succeeded, unless it is to be removed later (202, TS-0009 6.3.2). */
export async function readBack(removal: Removal, path: string, context: CleanUpContext): Promise<Removal> {
  const { exchange } = removal;
  if (exchange === undefined || !isSuccess(exchange) || exchange.answer?.status === 202) return removal;
  const { view, says } = await read(path, context);
  return view === undefined
    ? removal
    : { ...removal, why: `${summaryOf(exchange)}, and yet GET ${path} answers ${says}` };
}

/** Whether each of these is answered by not found; false if there is none. */
export async function areMissing(paths: readonly string[], context: CleanUpContext): Promise<boolean> {
  for (const path of paths) {
    const { exchange } = await read(path, context);
    if (!isMissing(exchange?.answer?.status)) return false;
  }
  return paths.length > 0;
}

/** Whether something has been removed. */
export function hasRemoved({ exchange }: Removal): boolean {
  return exchange !== undefined && isSuccess(exchange);
}

/** Whether no answer came: each further request would take the whole time limit. */
export function isSilent(exchange: Exchange): boolean {
  return exchange.failure?.kind === 'timeout' || neverArrived(exchange);
}

/**
 * Why something of the run may not be gone after such an answer: a path at which it is read, or none that is answered by not
 * found. Empty if it is gone.
 */
async function stillThere(
  removal: Exchange,
  paths: readonly string[],
  context: CleanUpContext,
): Promise<Omit<Removal, 'exchange'>> {
  const { description } = context.target;
  let seen: string | undefined;
  let missing = false;
  // One form of address may find what another does not.
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
