import { isSuccess, neverArrived, summaryOf } from '../judging/answer.ts';
import type { Exchange } from '../messages/exchange.ts';
import { headerList, type Speech, senderHeaders } from '../messages/usual-headers.ts';
import type { StepResult } from '../result.ts';
import { recordedExchange } from '../targets/record.ts';
import { now, since, type Target } from '../targets/target.ts';
import type { Created, Ledger, Site } from './ledger.ts';

/** Milliseconds for removing things after an interruption. */
const hurry = 3000;

export interface Removing extends Readonly<Partial<Record<Site, Target>>> {
  /** Whether what lies below something may be left to go with it, which takes fewer requests. */
  readonly wholeTrees?: boolean;
  readonly wording: { readonly speech: Speech; readonly admin?: string | undefined };
}

/** Removes what a scenario created, the youngest first unless whole trees may go. What cannot be removed stays in the ledger. */
export async function* removeCreated(
  ledger: Ledger,
  { gateway, backend, wording, wholeTrees }: Removing,
  signal: AbortSignal,
): AsyncGenerator<StepResult> {
  const started = now();
  const targets = { gateway, backend };
  for (const created of ledger.toRemove(wholeTrees)) {
    if (signal.aborted && since(started) > hurry) return;
    const exchange = await remove(created, targets[created.on], wording);
    if (exchange === undefined) continue;
    if ('objection' in exchange) {
      yield unsentStep(created, exchange.objection);
      continue;
    }
    const gone = isSuccess(exchange) || exchange.answer?.status === 404;
    if (gone) ledger.removed(created.path, created.on);
    yield stepOf(created, exchange, gone);
    if (isSilent(exchange)) return;
  }
}

/** As whoever created it; where that is refused, as the administrator. */
async function remove(
  { path, originator, way }: Created,
  target: Target | undefined,
  { speech, admin }: Removing['wording'],
): Promise<Exchange | { readonly objection: string } | undefined> {
  if (target === undefined) return undefined;
  const objection = target.objection({ method: 'DELETE', path, headers: [] }, way);
  if (objection !== undefined) return { objection };
  const send = (by: string | undefined) => {
    const headers = headerList(senderHeaders({ originator: by, speech }));
    return target.send({ method: 'DELETE', path, headers }, way).catch(() => undefined);
  };
  const exchange = await send(originator);
  return exchange?.answer?.status === 403 && admin !== undefined ? send(admin) : exchange;
}

/** What the target may not be asked to remove stays in the ledger. */
function unsentStep({ path, on }: Created, objection: string): StepResult {
  const problem = `not removed: ${objection}`;
  return { phase: 'cleanup', title: `delete ${path}`, ...(on === 'backend' && { on }), checks: [], problem };
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
