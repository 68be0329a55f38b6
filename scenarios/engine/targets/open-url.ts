import { clockAhead, lifetimeOf, noteOnRefusal } from '../../safety/lifetime.ts';
import { Throttle } from '../../safety/politeness.ts';
import { RunSafety, type RunSafetyChoice, type SafetyChoice } from '../../safety/run-safety.ts';
import { defined } from '../defined.ts';
import type { Need } from '../grammar/grammar.ts';
import { summaryOf, viewOf } from '../judging/answer.ts';
import { type Installation, noCertificates, withTargets } from '../running/installation.ts';
import { Installations, type InstallationsOptions, type Opened } from '../running/installations.ts';
import { type Fetch, inProcessTarget } from './in-process.ts';
import { Inboxes } from './inboxes.ts';
import { inboxHostOf, lackingOf, needsOf } from './live-needs.ts';
import { baseRequest } from './liveness.ts';
import { PlayedBackend } from './played-backend.ts';
import { livenessOf, type ReachLimits, reachParties, speechOf } from './reach-url.ts';
import type { Target } from './target.ts';
import { WaitBudget } from './target-clock.ts';
import { backendDefaults, type LiveChoice, type PreparedUrl, prepareUrl } from './url-choice.ts';

export interface RunLimits extends ReachLimits {
  /** The run whose names the target may be changed below. */
  readonly run: string;
  readonly safety?: SafetyChoice | undefined;
}

/** Milliseconds that a gateway is given to register, unless its user says otherwise. */
const usualGatewayWait = 30_000;

/** Makes sure that the target answers, and its backend where there is one. */
export async function openUrl(prepared: PreparedUrl, limits: RunLimits): Promise<Opened> {
  const { choice, description, certificates } = prepared;
  // It listens before anything is asked of the gateway, which may register only when it starts.
  const played = await play(prepared, limits);
  const reached = await reachParties(prepared, limits);
  if ('unreachable' in reached) {
    await played?.close();
    return { description, unreachable: reached.unreachable };
  }
  const { clockAhead, close: closeParties } = reached;
  const throttle = new Throttle(limits);
  const parties = withTargets(reached.parties, (target) => throttle.around(target));
  const reachable = inboxHostOf(choice, description);
  const inboxes = new Inboxes({ ...(reachable ?? { wireless: true }), startedAt: limits.startedAt });
  const installation: Installation = {
    ...{ name: 'target', has: needsOf(prepared), clock: new WaitBudget(choice.waitBudget), certificates },
    ...parties,
    ...(played && { played }),
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
  const survival = { liveness: livenessOf(parties, prepared, limits), tidy };
  return { description: parties.gateway.description, installations, survival };
}

interface About extends Omit<InstallationsOptions, 'offers' | 'depart'> {
  /** What else the user should know at the end, as sentences. */
  readonly notes?: () => readonly string[];
}

/** Opens an installation as the only one, guarded, once the ledger is there; what is open is closed where it cannot be. */
async function openSafely(
  run: string,
  choice: RunSafetyChoice,
  installation: Installation,
  { notes = () => [], ...options }: About,
): Promise<{ readonly installations: Installations; readonly tidy: () => Promise<void> }> {
  const safety = new RunSafety(run, choice, installation);
  const depart = async (interrupted: boolean, dead?: string) => {
    const departure = await safety.end(interrupted, dead);
    return { ...departure, notes: [...departure.notes, ...noteOnRefusal(installation.lifetime), ...notes()] };
  };
  const guarded = { ...installation, ...safety.targets, vacate: safety.vacate };
  const installations = await Installations.only(guarded, { ...options, depart });
  await safety.begin().catch(async (error: unknown) => {
    await installations.close();
    throw error;
  });
  return { installations, tidy: () => safety.tidy() };
}

async function play({ choice, description, certificates, trust }: PreparedUrl, limits: RunLimits) {
  if (choice.playBackend === undefined) return undefined;
  const { port, interface: address, base, cseId, label, wait = usualGatewayWait, onListening } = choice.playBackend;
  const certificate = description.url.startsWith('https:') ? await certificates.find('backend') : { missing: '' };
  const { cert, key } = 'identity' in certificate ? certificate.identity : {};
  const secure = typeof cert === 'string' && typeof key === 'string';
  const played = await PlayedBackend.listen({
    ...{ port, startedAt: limits.startedAt, certain: false },
    ...{ ...backendDefaults, spId: description.spId },
    ...defined({ interface: address, base, cseId, label }),
    ...(secure && { tls: { cert, key, ...defined({ ca: trust.ca }) } }),
  });
  onListening?.(played.description.url);
  await played.waitForGateway(wait, limits.signal);
  return played;
}

/** A target behind a function such as the global `fetch`: what needs a socket or a listener is not judged. */
export interface FetchChoice extends LiveChoice {
  /** The global `fetch` when absent. */
  readonly fetch?: Fetch;
}

type FetchLimits = Pick<RunLimits, 'timeout' | 'startedAt' | 'run' | 'safety'>;

/** Makes sure that the target answers. Rejects with a UsageError for a choice that cannot be used. */
export async function openFetch({ fetch: given, ...choice }: FetchChoice, limits: FetchLimits): Promise<Opened> {
  const { description } = await prepareUrl(choice);
  const fetch: Fetch = given ?? ((request) => globalThis.fetch(request));
  const options = { ...limits, fetch, foreign: true, ...(choice.headers && { headers: choice.headers }) };
  const asked = inProcessTarget({ ...options, description });
  const speaker = { ...speechOf(choice), originator: choice.originator };
  const exchange = await asked.send(baseRequest(description, speaker, 'cselab-probe'));
  if (exchange.answer === undefined)
    return { description, unreachable: `${description.url} does not answer: ${summaryOf(exchange)}` };
  const csi = viewOf(exchange).attributes?.csi;
  const told = typeof csi === 'string' ? /^\/?([^/\s]+)$/.exec(csi)?.[1] : undefined;
  const cseId = choice.cseId === undefined ? (told ?? description.cseId) : description.cseId;
  const gateway = inProcessTarget({ ...options, description: { ...description, cseId } });
  const installation = { ...installationOf(gateway, choice), ...lifetimeOf(choice, { gateway }, clockAhead(exchange)) };
  const safe = { ...choice, ...limits.safety };
  const { installations } = await openSafely(limits.run, safe, installation, { lacking });
  return { description: gateway.description, installations };
}

function installationOf(gateway: Target, choice: LiveChoice): Installation {
  const { dialect = 'documented', admin, originator, accessControl = dialect === 'onem2m', waitBudget } = choice;
  const has = new Set<Need>([
    'plain HTTP',
    'clock',
    ...(originator === undefined ? (['any originator'] as const) : []),
    ...(accessControl ? (['access control'] as const) : []),
    ...(admin === undefined ? [] : (['admin'] as const)),
  ]);
  return {
    name: 'fetch',
    has,
    gateway,
    ...speechOf(choice),
    ...defined({ originator }),
    clock: new WaitBudget(waitBudget),
    certificates: noCertificates,
  };
}

function lacking(need: Need): string {
  return `needs "${need}", which a target behind a function has not, or of which nothing was said`;
}
