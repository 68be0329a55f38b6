import { stranger } from '../messages/usual-headers.ts';
import { Liveness, type Sign, signOf } from './liveness.ts';
import type { Parties, ReachLimits } from './reach-url.ts';
import { type PreparedUrl, usualTargetWait } from './url-choice.ts';

/** Asks whether the target is alive, as whoever the run is. */
export function livenessOf(
  parties: Parties,
  { choice, own }: PreparedUrl,
  { timeout, clock }: Pick<ReachLimits, 'timeout' | 'clock'>,
): Liveness {
  const { gateway, backend, dialect, release, originator, admin, usualCertificate } = parties;
  const speech = { dialect, release, requestIdentifier: () => 'cselab-alive' };
  const sender = { originator: originator ?? admin ?? (dialect === 'onem2m' ? stranger : undefined), speech };
  const way = usualCertificate !== undefined && own !== undefined ? { certificate: own } : {};
  const ask = async (): Promise<Sign> => {
    for (const target of [gateway, backend]) {
      const sign = target === undefined ? 'alive' : await signOf(target, { sender, way, timeout });
      if (sign !== 'alive') return sign;
    }
    return 'alive';
  };
  return new Liveness({ ask, waitFor: choice.waitForTarget ?? usualTargetWait, ...(clock && { clock }) });
}
