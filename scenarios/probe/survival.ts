import { Deaths } from '../engine/running/deaths.ts';
import { isCutShort, isSuspicious, isUnavailable } from '../engine/targets/liveness.ts';
import { livenessOf } from '../engine/targets/reach-url.ts';
import type { Target } from '../engine/targets/target.ts';
import type { PreparedUrl } from '../engine/targets/url-choice.ts';
import type { AskerOptions } from './asker.ts';

interface Limits {
  /** Milliseconds for each request. */
  readonly timeout: number;
  readonly startedAt: number;
  readonly signal?: AbortSignal | undefined;
  readonly restart?: (() => Promise<void>) | undefined;
}

/** Waits for a target that dies while it is probed. */
export function survivalOf(
  reader: Target,
  prepared: PreparedUrl,
  { timeout, startedAt, restart, signal = new AbortController().signal }: Limits,
): { readonly deaths: Deaths; readonly survives: NonNullable<AskerOptions['survives']> } {
  const liveness = livenessOf({ gateway: reader }, prepared, { timeout });
  const deaths = new Deaths({ liveness, startedAt, restart, signal, tell: () => {} });
  const survives: AskerOptions['survives'] = async (exchange, number) => {
    if (deaths.isDown) return 'gone';
    if (!isSuspicious(exchange)) return 'alive';
    await liveness.look();
    if (!deaths.isDown) return 'alive';
    const { method, path } = exchange.request;
    const lost = { method, path, scenario: 'probe', step: number - 1, curl: exchange.curl };
    const isUnderWay = isCutShort(exchange) || isUnavailable(exchange);
    deaths.record(isUnderWay ? [lost] : []);
    // One request at a time: there is no other.
    if (isUnderWay) deaths.diedAlone(lost);
    return (await deaths.comeBack()) ? 'back' : 'gone';
  };
  return { deaths, survives };
}
