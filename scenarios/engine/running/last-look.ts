import { longForm, meantBy } from '../../safety/address.ts';
import { headerList, senderHeaders } from '../messages/usual-headers.ts';
import type { StepResult } from '../result.ts';
import { recordedExchange } from '../targets/record.ts';
import type { Target } from '../targets/target.ts';
import { isSilent, type Removing } from './cleanup.ts';
import type { Created, Ledger } from './ledger.ts';

/** So many of the resources of a scenario are looked at: the first, the last, and some between them. */
const mostLooks = 8;

/**
 * What is to be read before it is removed, every other one by the path that names the CSE, the first or the second by turns; and
 * the newest of what holds others.
 */
export function pathsToLookAt(
  created: readonly Created[],
  { description }: Target,
  { newest, turn }: { readonly newest: string; readonly turn: number },
): Created[] {
  const step = Math.max(1, Math.ceil(created.length / mostLooks));
  const chosen = created.filter((_, at) => at % step === 0 || at === created.length - 1);
  const asNamed = (path: string) => longForm(meantBy(path, description));
  const holders = created.filter(({ path }) => depth(path) > 2 && created.some((one) => parentOf(one.path) === path));
  return [
    ...chosen.map((one, at) => ((at + turn) % 2 === 0 ? { ...one, path: asNamed(one.path) } : one)),
    ...holders.slice(0, mostLooks).map((one) => ({ ...one, path: `${one.path}/${newest}` })),
  ];
}

/** Reads what a scenario created and is still there, for rules to judge; nothing is asked of a target that has fallen silent. */
export async function* lookedAt(
  paths: readonly Created[],
  target: Target,
  { wording, signal }: { readonly wording: Removing['wording']; readonly signal: AbortSignal },
): AsyncGenerator<StepResult> {
  for (const { path, originator, way } of paths) {
    const request = { method: 'GET', path, headers: headerList(senderHeaders({ originator, speech: wording.speech })) };
    if (signal.aborted || (await target.objection(request, way)) !== undefined) return;
    const exchange = await target.send(request, way);
    yield { phase: 'cleanup', title: `retrieve ${path}`, exchange: recordedExchange(exchange), checks: [] };
    if (isSilent(exchange)) return;
  }
}

/** What is left of a scenario at the CSE that is tested, the oldest first. */
export function createdIn(ledger: Ledger): Created[] {
  return [...ledger.toRemove(true)].filter(({ on, path }) => on === 'gateway' && path.startsWith('/'));
}

function depth(path: string): number {
  return path.split('/').length - 1;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
