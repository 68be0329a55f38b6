import { lifetimeOf } from '../../safety/lifetime.ts';
import { beginSafely, type SafetyChoice } from '../../safety/run-safety.ts';
import type { Installation } from '../running/installation.ts';
import { Installations, type Opened } from '../running/installations.ts';
import { Inboxes } from './inboxes.ts';
import { inboxHostOf, lackingOf, needsOf } from './live-needs.ts';
import { PlayedBackend } from './played-backend.ts';
import { livenessOf, type Parties, type ReachLimits, reachParties } from './reach-url.ts';
import { WaitBudget } from './target-clock.ts';
import { Throttle } from './throttle.ts';
import { backendDefaults, type PreparedUrl } from './url-choice.ts';

interface Limits extends ReachLimits {
  /** The run whose names the target may be changed below. Without one nothing guards the target: for tests of single requests. */
  readonly run?: string;
  readonly safety?: SafetyChoice;
}

/** Milliseconds that a run waits for time to pass, unless its user says otherwise. */
const usualWait = 30_000;

/** Milliseconds that a gateway is given to register, unless its user says otherwise. */
const usualGatewayWait = 30_000;

/** Makes sure that the target answers, and its backend where there is one. */
export async function openUrl(prepared: PreparedUrl, limits: Limits): Promise<Opened> {
  const { choice, description } = prepared;
  // It listens before anything is asked of the gateway, which may register only when it starts.
  const played = await play(prepared, limits);
  const reached = await reachParties(prepared, limits);
  if ('unreachable' in reached) {
    await played?.close();
    return { description, unreachable: reached.unreachable };
  }
  const { clockAhead, close: closeParties } = reached;
  const throttle = new Throttle(limits);
  const parties = throttled(reached.parties, throttle);
  const reachable = inboxHostOf(choice, description);
  const inboxes = new Inboxes({ ...(reachable ?? { wireless: true }), startedAt: limits.startedAt });
  const installation: Installation = {
    ...settingsOf(prepared),
    ...parties,
    ...(played && { played }),
    ...{ inboxes, reachesInboxes: choice.inboxHost !== undefined },
    ...lifetimeOf(choice, parties, clockAhead),
  };
  const close = async () => {
    inboxes.close();
    await closeParties();
  };
  const { run } = limits;
  if (run === undefined)
    return { description: parties.gateway.description, installations: await only(installation, prepared, close) };
  const { installations, depart, tidy } = await beginSafely(
    run,
    { ...choice, ...limits.safety, signal: limits.signal },
    installation,
    (guarded) => only(guarded, prepared, close),
  );
  const survival = { liveness: livenessOf(parties, prepared, limits), tidy };
  const departing: typeof depart = async (...how) => {
    const departure = await depart(...how);
    return { ...departure, notes: [...departure.notes, ...throttle.notes()] };
  };
  return { description: parties.gateway.description, installations, depart: departing, survival };
}

function throttled(parties: Parties, throttle: Throttle): Parties {
  const { gateway, backend } = parties;
  return { ...parties, gateway: throttle.around(gateway), ...(backend && { backend: throttle.around(backend) }) };
}

/** What is known of the target without asking it. */
function settingsOf(prepared: PreparedUrl) {
  const { choice, certificates } = prepared;
  const clock = new WaitBudget(choice.waitBudget ?? usualWait);
  return { name: 'target', has: needsOf(prepared), clock, certificates };
}

/** The only way in which a target is installed: open already, and known, so that it is closed whether or not it is used. */
async function only(installation: Installation, prepared: PreparedUrl, close: () => Promise<void>) {
  const offer = { name: installation.name, has: installation.has, open: async () => installation };
  const installations = new Installations({ offers: [offer], lacking: lackingOf(prepared), close });
  await installations.open(offer);
  return installations;
}

async function play({ choice, description, certificates, trust }: PreparedUrl, limits: Limits) {
  if (choice.playBackend === undefined) return undefined;
  const { port, interface: address, base, cseId, label } = choice.playBackend;
  const certificate = description.url.startsWith('https:') ? await certificates.find('backend') : { missing: '' };
  const { cert, key } = 'identity' in certificate ? certificate.identity : {};
  const secure = typeof cert === 'string' && typeof key === 'string';
  const played = await PlayedBackend.listen({
    port,
    ...(address !== undefined && { interface: address }),
    base: base ?? backendDefaults.base,
    cseId: cseId ?? backendDefaults.cseId,
    spId: description.spId,
    ...(secure && { tls: { cert, key, ...(trust.ca !== undefined && { ca: trust.ca }) } }),
    startedAt: limits.startedAt,
    certain: false,
    ...(label !== undefined && { label }),
  });
  const { wait = usualGatewayWait, onListening } = choice.playBackend;
  onListening?.(played.description.url);
  await played.waitForGateway(wait, limits.signal);
  return played;
}
