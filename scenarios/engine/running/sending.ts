import type { LoadedCheck } from '../files/load.ts';
import type { SendingStep } from '../grammar/grammar-step.ts';
import { viewOf } from '../judging/answer.ts';
import { isObject } from '../judging/body.ts';
import type { Exchange } from '../messages/exchange.ts';
import { interpolate, interpolateToText, type Names } from '../messages/interpolate.ts';
import type { Prepared } from '../messages/request.ts';
import type { Acting } from './acting.ts';
import type { Change } from './ledger.ts';

/** Milliseconds to watch a connection that is to be closed, and one that is to stay open. */
const watch = { closed: 1500, open: 250 };

/** Sends what was prepared, and watches the connection as long as the checks ask for. */
export async function exchangeOf(
  prepared: Prepared,
  { target, way, ordinary }: Acting,
  checks: readonly LoadedCheck[],
): Promise<Exchange> {
  const exchange =
    prepared.kind === 'message'
      ? await target.send(prepared.request, way)
      : await target.sendRaw(prepared.request, { ...way, watchConnection: watchTime(checks) });
  return ordinary ? withLostTarget(exchange) : exchange;
}

function watchTime(checks: readonly LoadedCheck[]): number {
  const expected = checks.flatMap(({ check }) => [check, ...(check['one of'] ?? [])].map((one) => one.connection));
  if (expected.includes('closed')) return watch.closed;
  return expected.includes('open') ? watch.open : 0;
}

/** An ordinary request that fails in TLS shows no behaviour: the target spoke TLS with this client when the run began. */
function withLostTarget(exchange: Exchange): Exchange {
  const { failure } = exchange;
  return failure?.kind === 'tls' ? { ...exchange, failure: { ...failure, kind: 'unreachable' } } : exchange;
}

/** What a step may create or remove, for the ledger. */
export function changeOf(step: SendingStep, names: Names): Change | undefined {
  if ('create' in step) {
    const name = interpolate(step.attributes?.rn, names);
    return { kind: 'creates below', path: interpolateToText(step.in, names), name };
  }
  if ('delete' in step) return { kind: 'removes', path: interpolateToText(step.delete, names) };
  if (!('raw' in step) || step.creates === undefined) return undefined;
  return { kind: 'creates', path: interpolateToText(step.creates, names) };
}

/** Target not reachable, subscription verification initiation failed, remote entity not reachable (TS-0004 6.6.3.6). */
const unreachableReceiver = [5103, 5107, 5204];

/** Whether a target says that it could not send to somebody: in the answer, or in that of a member (m2m:agr). */
export function missesReceiver(exchange: Exchange): boolean {
  const { rsc } = viewOf(exchange);
  const inside = /"rsc"\s*:\s*(\d+)/g;
  if (rsc !== undefined && unreachableReceiver.includes(rsc)) return true;
  for (const [, code] of (exchange.answer?.body ?? '').matchAll(inside)) {
    if (unreachableReceiver.includes(Number(code))) return true;
  }
  return false;
}

/** The path of what a target keeps of a request that it answers later (TS-0004 7.3.2.2, 7.5.1.1: uri). */
export function keptRequest(exchange: Exchange): string | undefined {
  const { body } = viewOf(exchange);
  const address = exchange.answer?.status === 202 && isObject(body) ? body['m2m:uri'] : undefined;
  if (typeof address !== 'string' || address === '') return undefined;
  if (address.startsWith('//')) return `/_/${address.slice(2)}`;
  return address.startsWith('/') ? `/~${address}` : `/${address}`;
}

/**
 * Why the answer to a registration says nothing: with one originator for all, whoever is registered with it already, from
 * before the run, keeps everybody else out.
 */
export function takenOriginator(step: SendingStep, acting: Acting, exchange: Exchange): string | undefined {
  const registers = 'create' in step && step.create === 'ae' && (step.expect ?? 'success') === 'success';
  if (!registers || !acting.ordinary || !acting.shared || exchange.answer?.status !== 409) return undefined;
  return `409: an application entity may be registered as ${acting.originator} already; the run needs that originator for itself`;
}
