import { isSuccess, neverArrived, summaryOf } from './answer.ts';
import type { Created, Ledger, Site } from './ledger.ts';
import type { Exchange, StepResult } from './result.ts';
import { recordedExchange } from './targets/record.ts';
import { now, since, type Target } from './targets/target.ts';

/** Milliseconds for removing things after an interruption. */
const hurry = 3000;

/** Removes what a scenario created, the youngest first. What cannot be removed stays in the ledger. */
export async function* removeCreated(
  ledger: Ledger,
  targets: Readonly<Partial<Record<Site, Target>>>,
  signal: AbortSignal,
): AsyncGenerator<StepResult> {
  const started = now();
  for (const created of ledger.toRemove()) {
    if (signal.aborted && since(started) > hurry) return;
    const exchange = await remove(created, targets[created.on]);
    if (exchange === undefined) continue;
    const gone = isSuccess(exchange) || exchange.answer?.status === 404;
    if (gone) ledger.removed(created.path, created.on);
    yield stepOf(created, exchange, gone);
    if (isSilent(exchange)) return;
  }
}

/** As whoever created it. */
function remove({ path, originator, way }: Created, target: Target | undefined): Promise<Exchange | undefined> {
  const headers = originator === undefined ? [] : [['X-M2M-Origin', originator] as const];
  if (target === undefined) return Promise.resolve(undefined);
  return target.send({ method: 'DELETE', path, headers }, way).catch(() => undefined);
}

function stepOf({ path, on }: Created, exchange: Exchange, gone: boolean): StepResult {
  return {
    phase: 'cleanup',
    title: `delete ${path}`,
    ...(on === 'backend' && { on }),
    exchange: recordedExchange(exchange),
    checks: [],
    ...(!gone && { problem: `not removed: ${summaryOf(exchange)}` }),
  };
}

/** Removing more would take the whole time limit for each thing. */
function isSilent(exchange: Exchange): boolean {
  return exchange.failure?.kind === 'timeout' || neverArrived(exchange);
}
