import { isSuccess, neverArrived, summaryOf } from './answer.ts';
import type { Ledger } from './ledger.ts';
import type { Exchange, StepResult } from './result.ts';
import { recordedExchange } from './targets/record.ts';
import { now, since, type Target } from './targets/target.ts';

/** Milliseconds for removing things after an interruption. */
const hurry = 3000;

/** Removes what a scenario created, the youngest first. What cannot be removed stays in the ledger. */
export async function* removeCreated(ledger: Ledger, target: Target, signal: AbortSignal): AsyncGenerator<StepResult> {
  const started = now();
  for (const { path, originator } of ledger.toRemove()) {
    if (signal.aborted && since(started) > hurry) return;
    const headers = originator === undefined ? [] : [['X-M2M-Origin', originator] as const];
    const exchange = await target.send({ method: 'DELETE', path, headers }).catch(() => undefined);
    if (exchange === undefined) continue;
    const gone = isSuccess(exchange) || exchange.answer?.status === 404;
    if (gone) ledger.removed(path);
    const problem = gone ? {} : { problem: `not removed: ${summaryOf(exchange)}` };
    yield { phase: 'cleanup', title: `delete ${path}`, exchange: recordedExchange(exchange), checks: [], ...problem };
    if (isSilent(exchange)) return;
  }
}

/** Removing more would take the whole time limit for each thing. */
function isSilent(exchange: Exchange): boolean {
  return exchange.failure?.kind === 'timeout' || neverArrived(exchange);
}
