/** A gateway with a backend, over real sockets. */

import { readFile } from 'node:fs/promises';
import type { CertificateDirectory } from '../../../../certs/shipped.ts';
import type { ReferenceCse } from '../../../../sim/cse/create-cse.ts';
import type { WireWorld } from '../../../../sim/deviations/drawn/operators.ts';
import { disturbanceRules } from '../../../../sim/deviations/drawn/varied-wire.ts';
import { type ManualClock, manualClock } from '../../../../sim/environment/clock.ts';
import { type PairOptions, startGateway, startPair, type TlsMode } from '../../../../sim/topology/pair.ts';
import type { PairCertificates } from '../../../../sim/topology/pair-certificates.ts';
import { defined } from '../../basics/defined.ts';
import type { Dialect } from '../../grammar/dialects.ts';
import type { Need } from '../../grammar/vocabulary.ts';
import type { Target } from '../../messages/target.ts';
import type { Trust } from '../../messages/tls.ts';
import type { TargetDescription } from '../../results/result.ts';
import { CertificateStore } from '../certificate-store.ts';
import { inTime } from '../exchanging/deadline.ts';
import { urlTarget } from '../exchanging/url.ts';
import type { Inboxes } from '../inboxes.ts';
import { type Installation, noCertificates, type Offer } from '../installation.ts';
import { SimulatedBackend } from '../simulated-backend.ts';
import { backendDefaults, defaults } from '../url-choice.ts';
import {
  commonParts,
  deviationSettings,
  dialectSettings,
  type EmbeddedChoice,
  type EmbeddedOptions,
  isWritten,
} from './reference-cse.ts';

export interface PairOfferOptions extends EmbeddedOptions {
  readonly inboxes: Inboxes;
  /** Starts the pairs. */
  readonly starter: Starter;
}

/** The folder of the shipped certificates, relative to the project. */
const displayDirectory = 'certs';

/** Milliseconds: a hundred times what a sound gateway needs, so that a busy machine does not look like a deviation. */
const longestWait = 5000;

/** Milliseconds that the reference CSE waits for a receiver. */
const sendingTimeout = 2000;

type Opening = Pick<Installation, 'gateway'> & Partial<Installation> & { readonly members: readonly ReferenceCse[] };

/** An offer that meets these needs; `clock`: the virtual time of its members, if needed. */
function offerOf(
  name: string,
  needs: readonly Need[],
  options: PairOfferOptions,
  make: (has: ReadonlySet<Need>, clock: ManualClock | undefined) => Promise<Opening>,
): Offer {
  const has = new Set(needs);
  const open = async (): Promise<Installation> => {
    const clock = has.has('clock') ? manualClock() : undefined;
    const { members, ...made } = await make(has, clock);
    const common = { ...commonParts(members, { ...options, clock }), ...(options.hasty && { longestWait }) };
    return { name, has, ...common, certificates: noCertificates, ...made };
  };
  return { name, has, open };
}

/** A gateway and its backend. */
export function pairOffer(name: string, tls: TlsMode, needs: readonly Need[], options: PairOfferOptions): Offer {
  const { cse } = dialectSettings[options.dialect];
  return offerOf(name, needs, options, async (has, clock) => {
    const issuing = has.has('certificate required') && has.has('any originator');
    const settings: PairOptions = {
      ...{ tls, issuing, sendingTimeout, dialect: options.dialect, ...(clock && { clock }) },
      gateway: { ...cse, cseId: defaults.cseId, journal: 0, ...deviationSettings(options) },
      backend: { ...cse, cseId: backendDefaults.cseId, journal: 0 },
    };
    const pair = await options.starter((signal) => startPair({ ...settings, signal }));
    const certificates = pair.certs === undefined ? noCertificates : certificatesIn(pair.certs.directory, issuing);
    const own = tls === 'mutual' ? await certificates.find('own') : undefined;
    const trust: Trust = pair.certs === undefined ? {} : await trustOf(pair.certs, options);
    const originator = own !== undefined && 'uris' in own && !issuing ? own.uris[0] : undefined;
    return {
      members: [pair.gateway.cse, pair.backend.cse],
      gateway: closingWith(targetFor(pair.gateway, trust, options), () => pair.close()),
      backend: targetFor(pair.backend, trust, options),
      certificates,
      ...(tls === 'mutual' && { usualCertificate: 'own' as const }),
      ...defined({ originator }),
    };
  });
}

/** With deviations, an invalid certificate is for the checks to find, and no reason not to send. */
async function trustOf({ chain }: PairCertificates, { deviations }: EmbeddedChoice): Promise<Trust> {
  const ca = await readFile(chain, 'utf8');
  const caFile = `${displayDirectory}/ca-chain.cert.pem`;
  return { ca, caFile, ...(deviations?.some(isWritten) && { insecure: true }) };
}

/** The label in the registration of the reference CSE. */
const label = 'plant-7';

/** A gateway whose backend is the harness. */
export function simulatedOffer(options: PairOfferOptions): Offer {
  const { cse, has: more } = dialectSettings[options.dialect];
  const own: readonly Need[] = [
    'plain HTTP',
    'simulated backend',
    'registration label',
    'any originator',
    'no originator',
  ];
  return offerOf('simulated', [...own, 'notifications', ...more], options, async () => {
    const simulated = await SimulatedBackend.listen({ ...backendDefaults, ...options, port: 0, certain: true, label });
    const { url, cseId, base } = simulated.description;
    const names = { ...cse, cseId: defaults.cseId, ...deviationSettings(options) };
    const labels = ['floor-2', label];
    const member = await startGateway({ ...names, sendingTimeout, labels, backend: { url, cseId, base } });
    const gateway = closingWith(targetFor(member, {}, options), () => member.close());
    return { members: [member.cse], gateway, simulated };
  });
}

function targetFor(
  { url, base, cseId, spId }: Omit<TargetDescription, 'kind'>,
  trust: Trust,
  options: EmbeddedOptions,
): Target {
  const description: TargetDescription = { kind: 'embedded', url: url.replace(/\/+$/, ''), base, cseId, spId };
  return urlTarget({ ...options, description, trust, keepAlive: true });
}

function closingWith(target: Target, end: () => Promise<void>): Target {
  const close = async () => {
    await target.close();
    await end();
  };
  return { ...target, close };
}

function certificatesIn({ path }: CertificateDirectory, issuing: boolean): CertificateStore {
  return new CertificateStore({
    ...{ directory: path, issuing },
    displayDirectory,
    gateway: defaults.cseId,
    backend: backendDefaults.cseId,
    identifier: `//${defaults.spId}/${defaults.cseId}/Ccselab`,
  });
}

// A gateway with its backend on loopback addresses, checked like a foreign one.

/** Deviations are those of the gateway, over the wire if one is named; `plain`: the gateway alone, over HTTP. */
export async function startListening(
  dialect: Dialect,
  settings: Pick<EmbeddedChoice, 'deviations' | 'variations'>,
  wire?: WireWorld,
) {
  const { cse } = dialectSettings[dialect];
  const { variations = [] } = settings;
  const disturbances = disturbanceRules(variations);
  const own = { ...cse, journal: 0 };
  const pair = await startPair({
    dialect,
    ...(wire && { [wire]: true }),
    gateway: { ...own, cseId: defaults.cseId, ...deviationSettings(settings), disturbances },
    backend: { ...own, cseId: backendDefaults.cseId },
  });
  const { gateway, backend } = pair;
  const namesOf = ({ url, base, cseId }: typeof gateway) => ({ url, base, cseId });
  const admin = 'admin' in cse ? { admin: cse.admin } : {};
  const names = namesOf(gateway);
  const urls = { mqtt: gateway.mqttUrl, ws: gateway.wsUrl, coap: gateway.coapUrl };
  const reached = wire === undefined ? { ...names, backend: namesOf(backend) } : { ...names, url: urls[wire] ?? '' };
  const target = { kind: 'url', ...reached, ...admin, waitBudget: 1 } as const;
  const plain = { kind: 'url', ...names, ...admin, waitBudget: 1 } as const;
  return { target, plain, close: () => pair.close() };
}

/** A gateway did not register at its backend, so that no installation of both is possible. */
export class UnregisteredError extends Error {
  override readonly name = 'UnregisteredError';
}

/** Milliseconds for a gateway with a deviation to register. A sound one needs some tens of them. */
const usualLimit = 5000;

/** Starts pairs: one that is late is aborted and closed, and rejects with an UnregisteredError. */
export type Starter = <T extends { close(): Promise<void> }>(start: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/**
 * Waits for pairs so many milliseconds. A deviation can keep a gateway from ever registering: after the first timeout the others
 * fail at once. Without deviations there is no limit: a pair that does not start is a defect that must show.
 */
export function pairStarter(limited: boolean, limit: number = usualLimit): Starter {
  let hopeless = false;
  return async (start) => {
    const late = new AbortController();
    if (!limited) return start(late.signal);
    const starting = hopeless ? undefined : start(late.signal);
    const first = starting && (await inTime(starting, limit));
    if (first !== undefined) return first;
    hopeless = true;
    const unregistered = new UnregisteredError('the gateway does not register at its backend');
    late.abort(unregistered);
    starting?.then((pair) => pair.close()).catch(() => {});
    throw unregistered;
  };
}
