/** A gateway with its backend on loopback addresses, to be judged as if somebody else ran it. */
import { rulesOf, startPair } from '../../../../sim/index.ts';
import type { Dialect } from '../../grammar/dialects.ts';
import { backendDefaults, defaults, type UrlChoice } from '../url-choice.ts';
import { dialectSettings } from './reference-cse.ts';
import type { Variation } from './simulated-deviations.ts';

interface Listening {
  readonly target: Omit<UrlChoice, 'dialect'> & { readonly kind: 'url' };
  close(): Promise<void>;
}

/** The gateway answers with these variations. */
export async function startListening(dialect: Dialect, variations: readonly Variation[]): Promise<Listening> {
  const { cse } = dialectSettings[dialect];
  const own = { ...cse, journal: 0 };
  const pair = await startPair({
    dialect,
    gateway: { ...own, cseId: defaults.cseId, variations, breakage: rulesOf(variations) },
    backend: { ...own, cseId: backendDefaults.cseId },
  });
  const { gateway, backend } = pair;
  const namesOf = ({ url, base, cseId }: typeof gateway) => ({ url, base, cseId });
  const admin = 'admin' in cse ? { admin: cse.admin } : {};
  const target = { kind: 'url', ...namesOf(gateway), ...admin, backend: namesOf(backend), waitBudget: 1 } as const;
  return { target, close: () => pair.close() };
}
