import { ask, hasRemoved, isSilent, type Removal, removeAt } from '../../../safety/clean-up-requests.ts';
import { isSuccess } from '../../judging/answer.ts';
import { resolveAddress, spRelativePath } from '../../messages/address.ts';
import { now, since, type Target, type Way } from '../../messages/target.ts';
import type { Speech } from '../../messages/usual-headers.ts';
import type { Exchange } from '../../results/exchange.ts';
import type { StepResult } from '../../results/result.ts';
import type { Installation, MemberName } from '../../targets/installation.ts';
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

// Reads what a scenario created once more before it is removed.

/** Resources of a scenario that are read, by default: the first, the last, and some between them. */
const mostReads = 8;

export interface ReadContext {
  readonly wording: { readonly speech: Speech };
  readonly signal: AbortSignal;
}

/**
 * The resources to read before they are removed, every other one by the path that names the CSE, starting with the first or the
 * second by turns; and the newest child of those that have some.
 */
export function pathsToRead(
  created: readonly CreatedResource[],
  { description }: Target,
  {
    newest,
    turn,
    most = mostReads,
  }: { readonly newest: string; readonly turn: number; readonly most?: number | undefined },
): CreatedResource[] {
  const step = Math.max(1, Math.ceil(created.length / most));
  const chosen = created.filter((_, at) => at % step === 0 || at === created.length - 1);
  const asNamed = (path: string) => spRelativePath(resolveAddress(path, description));
  const holders = created.filter(({ path }) => {
    const depth = path.split('/').length - 1;
    return depth > 2 && created.some((one) => parentOf(one) === path);
  });
  return [
    ...chosen.map((one, at) => ((at + turn) % 2 === 0 ? { ...one, path: asNamed(one.path) } : one)),
    ...holders.slice(0, most).map((one) => ({ ...one, path: `${one.path}/${newest}` })),
  ];
}

/** Reads what is left of a scenario's resources, for rules to check; stops when the target falls silent. */
export async function* readAll(
  paths: readonly CreatedResource[],
  target: Target,
  { wording, signal }: ReadContext,
): AsyncGenerator<StepResult> {
  for (const { path, originator, way } of paths) {
    if (signal.aborted) return;
    const reading = await ask('GET', path, { target, way, speech: wording.speech, originators: [originator] });
    if ('unasked' in reading) return;
    const { exchange } = reading;
    yield { phase: 'cleanup', title: `retrieve ${path}`, exchange, checks: [] };
    if (isSilent(exchange)) return;
  }
}

/** The path of the parent. */
export function parentOf({ path }: CreatedResource): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** How the tree of a scenario is read, for comparison with another one. */
export interface ReadBack {
  /** Resources at the most. */
  readonly most: number;
  /** The other wire that it is read over as well. */
  readonly over?: { readonly target: Target; readonly way: Way } | undefined;
}

/** Note of steps that read over the other wire. */
export const byTheOtherWire = 'by the other wire';

/** Discovers below the uppermost resources, reads all by the path that names the service provider, and over the other wire. */
export async function* readBackOf(
  created: readonly CreatedResource[],
  target: Target,
  context: ReadContext,
  { most, over }: ReadBack,
): AsyncGenerator<StepResult> {
  const paths = new Set(created.map(({ path }) => path));
  const uppermost = created.filter((one) => !paths.has(parentOf(one)));
  yield* readAll(
    uppermost.slice(0, most).map((one) => ({ ...one, path: `${one.path}?fu=1` })),
    target,
    context,
  );
  const read = created.slice(0, most);
  yield* readAll(
    read.map((one) => ({ ...one, path: absoluteForm(one, target) })),
    target,
    context,
  );
  if (over === undefined) return;
  const there = read.map((one) => ({ ...one, way: over.way }));
  for await (const step of readAll(there, over.target, context)) yield { ...step, note: byTheOtherWire };
}

/** TS-0009 6.2.3. */
function absoluteForm({ path }: CreatedResource, { description }: Target): string {
  return spRelativePath(resolveAddress(path, description)).replace('/~/', `/_/${description.spId}/`);
}
