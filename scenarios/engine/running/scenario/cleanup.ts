import { hasRemoved, type Removal, removeAt } from '../../../safety/clean-up-requests.ts';
import { isSuccess } from '../../judging/answer.ts';
import { now, since, type Target } from '../../messages/target.ts';
import type { Speech } from '../../messages/usual-headers.ts';
import type { Exchange } from '../../results/exchange.ts';
import type { StepResult } from '../../results/result.ts';
import type { Installation, MemberName } from '../../targets/installation.ts';
import { parentOf, pathsToRead, type ReadBack, type ReadContext, readAll, readBackOf } from './final-reads.ts';
import type { CreatedResource, Ledger } from './ledger.ts';

/** Milliseconds for clean-up after an interruption. */
const hurry = 3000;

export interface RemovalOptions extends Readonly<Partial<Record<MemberName, Target>>> {
  /** Whether to delete children with their parent, which takes fewer requests. */
  readonly wholeTrees?: boolean;
  readonly wording: { readonly speech: Speech; readonly admin?: string | undefined };
}

interface ScenarioCleanUp extends Pick<Installation, MemberName | 'dialect'>, Pick<RemovalOptions, 'wording'> {
  readonly signal: AbortSignal;
  /** Present with rules: decides which resources are named in which form. */
  readonly turn?: number | undefined;
  readonly readBack?: ReadBack | undefined;
}

/**
 * Removes what a scenario created. With rules, the resources are read once more before; whole trees are deleted, and their members
 * are looked for.
 */
export async function* cleanUpScenario(
  ledger: Ledger,
  { turn, signal, readBack, ...options }: ScenarioCleanUp,
): AsyncGenerator<StepResult> {
  if (turn === undefined) return yield* removeCreated(ledger, options, signal);
  const { gateway, dialect, wording } = options;
  const context = { wording, signal };
  const created = [...ledger.toRemove(true)].filter(({ on, path }) => on === 'gateway' && path.startsWith('/'));
  const newest = dialect === 'documented' ? 'latest' : 'la';
  yield* readAll(pathsToRead(created, gateway, { newest, turn, most: readBack?.most }), gateway, context);
  if (readBack !== undefined && dialect === 'onem2m') yield* readBackOf(created, gateway, context, readBack);
  let isCut = false;
  for await (const step of removeCreated(ledger, { ...options, wholeTrees: true }, signal)) {
    yield step;
    isCut ||= isUnanswered(step.exchange);
  }
  const isThere = !isCut && (yield* findRemaining(created.slice(1), ledger, gateway, context));
  if (isThere) yield* removeCreated(ledger, options, signal);
}

/**
 * Removes what a scenario created, newest first unless whole trees may go. What cannot be removed stays in the ledger; after an
 * unanswered request no more are sent.
 */
export async function* removeCreated(
  ledger: Ledger,
  { gateway, backend, wording, wholeTrees }: RemovalOptions,
  signal: AbortSignal,
): AsyncGenerator<StepResult> {
  const started = now();
  const targets = { gateway, backend };
  for (const created of ledger.toRemove(wholeTrees)) {
    if (signal.aborted && since(started) > hurry) return;
    const target = targets[created.on];
    const removed = target && (await remove(created, target, wording).catch(() => undefined));
    if (removed === undefined) continue;
    if (removed.why === undefined) ledger.removed(created.path, created.on);
    yield stepOf(created, removed);
    const { exchange, unread } = removed;
    if (unread !== undefined)
      yield { phase: 'cleanup', title: `retrieve ${created.path}`, exchange: unread, checks: [] };
    if (unread !== undefined || isUnanswered(exchange)) return;
  }
}

/** As its creator; if refused, as the administrator. */
async function remove(
  { path, originator, way, copies = 1 }: CreatedResource,
  target: Target,
  { speech, admin }: RemovalOptions['wording'],
): Promise<Removal> {
  const request = { target, way, speech, originators: [originator, ...(admin === undefined ? [] : [admin])] };
  const removal = await removeAt(path, [path], request);
  const more = hasRemoved(removal) ? copies : 0;
  for (let left = more; left > 1; left -= 1) {
    const next = await removeAt(path, [], { ...request, originators: [originator] });
    if (isUnanswered(next.exchange)) return next;
  }
  return removal;
}

function isUnanswered(exchange: Exchange | undefined): boolean {
  return exchange !== undefined && exchange.answer === undefined;
}

/** What could not be removed stays in the ledger. */
function stepOf({ path, on }: CreatedResource, { exchange, why }: Removal): StepResult {
  return {
    phase: 'cleanup',
    title: `delete ${path}`,
    ...(on === 'backend' && { on }),
    ...(exchange && { exchange }),
    checks: [],
    ...(why !== undefined && { problem: `not removed: ${why}` }),
  };
}

/**
 * After whole trees were deleted, reads the last child of each parent, and all if one is left; returns whether any is.
 * Resources that are left have to be deleted one by one.
 */
async function* findRemaining(
  created: readonly CreatedResource[],
  ledger: Ledger,
  target: Target,
  context: ReadContext,
): AsyncGenerator<StepResult, boolean> {
  const lasts = new Set(new Map(created.map((one) => [parentOf(one), one])).values());
  const left = new Map<CreatedResource, Exchange>();
  for (const one of [...lasts, ...created.filter((other) => !lasts.has(other))]) {
    if (left.size === 0 && !lasts.has(one)) break;
    for await (const step of readAll([one], target, context)) {
      yield step;
      if (step.exchange !== undefined && isSuccess(step.exchange)) left.set(one, step.exchange);
    }
  }
  for (const one of created) {
    const exchange = left.get(one);
    if (exchange !== undefined) ledger.note({ in: one.path, at: one.path }, one, exchange);
  }
  return left.size > 0;
}
