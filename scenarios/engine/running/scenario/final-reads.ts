/** Reads what a scenario created once more before it is removed. */
import { ask, isSilent } from '../../../safety/clean-up-requests.ts';
import { resolveAddress, spRelativePath } from '../../messages/address.ts';
import type { Target, Way } from '../../messages/target.ts';
import type { Speech } from '../../messages/usual-headers.ts';
import type { StepResult } from '../../results/result.ts';
import type { CreatedResource } from './ledger.ts';

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
