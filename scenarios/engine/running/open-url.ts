import { RunSafety, type RunSafetyChoice, type SafetyChoice } from '../../safety/run-safety.ts';
import { defined } from '../basics/defined.ts';
import { waitBudget } from '../targets/exchanging/clocks.ts';
import { Throttle } from '../targets/exchanging/load-limits.ts';
import { Inboxes } from '../targets/inboxes.ts';
import { type Installation, withTargets } from '../targets/installation.ts';
import { lifetimeOf, noteOnRefusal } from '../targets/lifetime.ts';
import { inboxHostOf, lackingOf, needsOf } from '../targets/live-needs.ts';
import { livenessOf, type ReachLimits, reachParties } from '../targets/reach-url.ts';
import { SimulatedBackend } from '../targets/simulated-backend.ts';
import { backendDefaults, type PreparedUrl } from '../targets/url-choice.ts';
import { Installations, type InstallationsOptions, type Opened } from './scenario/installations.ts';

export interface RunLimits extends ReachLimits {
  /** The run, below whose names the target may be changed. */
  readonly run: string;
  readonly safety?: SafetyChoice | undefined;
}

/** Milliseconds for a gateway to register, by default. */
const usualGatewayWait = 30_000;

/** Opens a target after it has answered, and its backend, if any. */
export async function openUrl(prepared: PreparedUrl, limits: RunLimits): Promise<Opened> {
  const { choice, description, certificates } = prepared;
  // It listens before the first request to the gateway, which may register only when it starts.
  const simulated = await simulateBackend(prepared, limits);
  const reached = await reachParties(prepared, limits);
  if ('unreachable' in reached) {
    await simulated?.close();
    return { description, ...reached };
  }
  const { clockAhead, close: closeParties } = reached;
  const throttle = new Throttle(limits);
  const parties = withTargets(reached.parties, (target) => throttle.wrap(target));
  const inboxes = await inboxesFor(prepared, limits.startedAt);
  const installation: Installation = {
    ...{ name: 'target', has: needsOf(prepared), clock: waitBudget(choice.waitBudget), certificates },
    ...parties,
    ...(simulated && { simulated }),
    ...{ inboxes, reachesInboxes: choice.inboxHost !== undefined },
    ...lifetimeOf(choice, parties, clockAhead),
  };
  const close = async () => {
    await inboxes.close();
    await closeParties();
  };
  const safe = { ...choice, ...limits.safety, signal: limits.signal };
  const about = { lacking: lackingOf(prepared), close, notes: () => throttle.notes() };
  const { installations, tidy } = await openSafely(limits.run, safe, installation, about);
  const survival = prepared.fetch ? undefined : { liveness: livenessOf(parties, prepared, limits), tidy };
  return { description: parties.gateway.description, installations, ...(survival && { survival }) };
}

/** Inboxes on the wire of the target; over HTTP on this machine, if the target can reach it. */
async function inboxesFor({ choice, description, route }: PreparedUrl, startedAt: number): Promise<Inboxes> {
  const reachable = inboxHostOf(choice, description);
  if (route === undefined) return new Inboxes({ ...(reachable ?? { wireless: true }), startedAt });
  const origin = await route.origin(reachable && (reachable.host ?? '127.0.0.1'));
  return new Inboxes({ wireless: true, route, ...defined({ origin }), startedAt });
}

/**
 * Opens a guarded installation as the only one, once the ledger exists; on failure everything is closed. `notes`: further notes
 * for the user at the end, as sentences.
 */
async function openSafely(
  run: string,
  choice: RunSafetyChoice,
  installation: Installation,
  { notes, ...options }: Pick<InstallationsOptions, 'lacking' | 'close'> & { readonly notes: () => readonly string[] },
) {
  const safety = new RunSafety(run, choice, installation);
  const depart: RunSafety['end'] = async (...leaving) => {
    const departure = await safety.end(...leaving);
    return { ...departure, notes: [...departure.notes, ...noteOnRefusal(installation.lifetime), ...notes()] };
  };
  const guarded = { ...installation, ...safety.targets, freeOriginator: safety.vacate };
  const installations = await Installations.only(guarded, { ...options, depart });
  await safety.begin().catch(async (error: unknown) => {
    await installations.close();
    throw error;
  });
  return { installations, tidy: (deadly?: readonly string[]) => safety.tidy(deadly) };
}

async function simulateBackend({ choice, description, certificates, trust }: PreparedUrl, limits: RunLimits) {
  if (choice.asBackend === undefined) return undefined;
  const { port, interface: address, base, cseId, label, wait = usualGatewayWait, onListening } = choice.asBackend;
  const certificate = description.url.startsWith('https:') ? await certificates.find('backend') : { missing: '' };
  const { cert, key } = 'identity' in certificate ? certificate.identity : {};
  const secure = typeof cert === 'string' && typeof key === 'string';
  const simulated = await SimulatedBackend.listen({
    ...{ port, startedAt: limits.startedAt, certain: false },
    ...{ ...backendDefaults, spId: description.spId },
    ...defined({ interface: address, base, cseId, label }),
    ...(secure && { tls: { cert, key, ...defined({ ca: trust.ca }) } }),
  });
  onListening?.(simulated.description.url);
  await simulated.waitForGateway(wait, limits.signal);
  return simulated;
}
