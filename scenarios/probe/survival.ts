import { Deaths } from '../engine/running/deaths.ts';
import { isCutShort, isSuspicious, isUnavailable, Liveness, signOf } from '../engine/targets/liveness.ts';
import type { Target } from '../engine/targets/target.ts';
import { type PreparedUrl, usualTargetWait } from '../engine/targets/url-choice.ts';
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
  { choice, description, own }: PreparedUrl,
  { timeout, startedAt, restart, signal = new AbortController().signal }: Limits,
): { readonly deaths: Deaths; readonly survives: NonNullable<AskerOptions['survives']> } {
  const { dialect = 'documented', release = '3', admin, originator = admin } = choice;
  const speech = { dialect, release, requestIdentifier: () => 'cselab-alive' };
  const presents = description.url.startsWith('https:') && choice.tls?.requireCert !== false && own !== undefined;
  const way = presents ? { certificate: own } : {};
  const ask = () => signOf(reader, { sender: { originator, speech }, way, timeout });
  const liveness = new Liveness({ ask, waitFor: choice.waitForTarget ?? usualTargetWait });
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
