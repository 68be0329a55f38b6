import { readFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { shipped } from '../../../certs/shipped.ts';
import {
  createCse,
  createFetch,
  createSendingCse,
  faults as faultsOfSimulator,
  type HttpService,
  joinedUrls,
  joinPair,
  manualClock,
  type PairOptions,
  type ReferenceCse,
  type Sender,
  startGateway,
  startPair,
  type TlsMode,
  UnreachableError,
} from '../../../sim/index.ts';
import type { Dialect } from '../grammar/dialects.ts';
import type { Need } from '../grammar/grammar.ts';
import type { TargetDescription } from '../result.ts';
import { type Installation, noCertificates, type Offer } from '../running/installation.ts';
import { Installations, type Opened } from '../running/installations.ts';
import { CertificateStore } from './certificate-store.ts';
import { directTarget } from './direct.ts';
import { inProcessTarget } from './in-process.ts';
import { Inboxes } from './inboxes.ts';
import { Patience, UnregisteredError } from './patience.ts';
import { PlayedBackend } from './played-backend.ts';
import type { Target } from './target.ts';
import { movedClock } from './target-clock.ts';
import type { Trust } from './tls.ts';
import { urlTarget } from './url.ts';
import { backendDefaults, defaults } from './url-choice.ts';

/** The project's own reference CSE as a target. */
export interface EmbeddedChoice {
  /** `in-process` leaves out the socket. */
  readonly kind: 'embedded' | 'in-process';
  /** Ids of faults of the simulator: what the gateway does wrong on purpose. */
  readonly faults?: readonly string[];
  /** For very many runs: without a wire wherever a scenario does not look at it, and without waiting for what will not come. */
  readonly hasty?: boolean;
}

export interface EmbeddedOptions extends EmbeddedChoice {
  readonly dialect: Dialect;
  readonly connections: number;
  /** Milliseconds for each request. */
  readonly timeout: number;
  /** `now()` at the start of the run. */
  readonly startedAt: number;
}

/** What the harness is told of a fault: never what it does, only what it breaks. */
export interface FaultFacts {
  readonly id: string;
  /** The requirement that a CSE with this fault does not keep. */
  readonly violates: string;
  /** Requirements that it cannot help but break as well. */
  readonly also?: readonly string[];
  /** Why no client can see it, in a sentence: it is no deviation, and is kept to say so. */
  readonly equivalent?: string;
  /** No scenario is expected to see it: it is left to generators. */
  readonly sequencesOnly?: true;
  /** What it does, as a sentence. */
  readonly says: string;
}

/** Everything that the simulator can do wrong on purpose. */
export const simulatedFaults: readonly FaultFacts[] = faultsOfSimulator;

/** Where the shipped certificates are, seen from the project. */
const shownDirectory = 'certs';

/** The project's own reference CSE, made for this run, in every way in which it can be installed. */
export async function openEmbedded(options: EmbeddedOptions): Promise<Opened> {
  const inboxes = new Inboxes(options);
  const offers = options.kind === 'in-process' ? [inProcess(options)] : allOffers({ ...options, inboxes });
  const installations = new Installations({ offers, lacking: lackingOf(options), close: () => inboxes.close() });
  const { gateway } = await mainOf(installations, offers);
  return { description: gateway.description, installations };
}

/** The first; where a fault keeps it from coming about, the first that does. */
async function mainOf(installations: Installations, offers: readonly Offer[]): Promise<Installation> {
  const shared = offers.filter(({ ownForEach }) => ownForEach !== true);
  for (const offer of shared) {
    const opened = await installations.open(offer).catch((error: unknown) => {
      if (error instanceof UnregisteredError) return undefined;
      throw error;
    });
    if (opened !== undefined) return opened;
  }
  throw new TypeError('there is no main installation');
}

function lackingOf({ kind, dialect }: EmbeddedOptions): (need: Need) => string {
  const how = kind === 'in-process' ? ' without a socket; leave out --in-process' : '';
  const elsewhere: ReadonlySet<string> = new Set(dialectSettings.onem2m.has);
  return (need) =>
    dialect === 'documented' && elsewhere.has(need)
      ? `needs "${need}", which the reference CSE has in the onem2m dialect only. Give --dialect onem2m`
      : `needs "${need}", which the reference CSE does not have${how}`;
}

/** How the reference CSE is set up to speak a dialect, and what scenarios find there by that. */
const dialectSettings = {
  documented: { cse: {}, has: [] },
  onem2m: {
    cse: { dialect: 'onem2m', base: 'cse-in', requireAuth: true, admin: 'CAdmin' },
    has: ['access control', 'admin'],
  },
} as const satisfies Readonly<Record<Dialect, { readonly cse: object; readonly has: readonly Need[] }>>;

/** What requests name; the reference CSE speaks older and later ones too. */
const release = '3';

function speechOf(dialect: Dialect): Pick<Installation, 'dialect' | 'release' | 'admin'> {
  return { dialect, release, ...(dialect === 'onem2m' && { admin: dialectSettings.onem2m.cse.admin }) };
}

function inProcess(options: EmbeddedOptions): Offer {
  const { cse, has: more } = dialectSettings[options.dialect];
  const has = new Set<Need>(['plain HTTP', 'any originator', ...more]);
  const open = async (): Promise<Installation> => {
    const names = { ...defaults, ...cse };
    const { base, cseId, spId } = names;
    const url = 'http://in-process';
    const description: TargetDescription = { kind: 'in-process', url, base, cseId, spId };
    const { http } = createCse({ ...names, pointOfAccess: [url], journal: 0, ...faultsOf(options) });
    const fetch = createFetch(onThisMachine(http));
    const gateway = inProcessTarget({ ...options, description, fetch });
    return { name: 'in-process', has, gateway, ...speechOf(options.dialect), certificates: noCertificates };
  };
  return { name: 'in-process', has, open };
}

/**
 * The reference CSE without a socket, made anew each time, in virtual time: what is sent to it in the same order is answered in the
 * same way. Each look at its clock finds it a microsecond later, so that no two resources are created at the same time.
 */
export function openFresh(options: EmbeddedOptions & { readonly inboxes?: Inboxes }): Installation {
  const { cse, has: more } = dialectSettings[options.dialect];
  const names = { ...defaults, ...cse };
  const { base, cseId, spId } = names;
  const url = 'http://in-process';
  const description: TargetDescription = { kind: 'in-process', url, base, cseId, spId };
  const { standing, clock } = freshClock();
  const { inboxes } = options;
  const settings = { ...names, pointOfAccess: [url], clock, ...faultsOf(options) };
  const { http, core } = inboxes
    ? createSendingCse(settings, senderTo(inboxes))
    : createCse({ ...settings, journal: 0 });
  const settled = settledIn([{ http, core }]);
  return {
    name: 'in-process',
    has: new Set<Need>([
      'plain HTTP',
      'any originator',
      'clock',
      ...(inboxes ? ['notifications' as const] : []),
      ...more,
    ]),
    ...(inboxes && { inboxes, reachesInboxes: true }),
    gateway: directTarget({ ...options, description, service: onThisMachine(http) }),
    ...speechOf(options.dialect),
    settled,
    clock: movedClock((duration) => settled().then(() => standing.advance(duration))),
    certificates: noCertificates,
  };
}

/** Notifications go to the inboxes without a wire, and nothing else goes anywhere. */
function senderTo(inboxes: Inboxes): Sender {
  return {
    send: async (url, request) => {
      const answer = inboxes.deliver(request);
      if (answer === undefined) throw new UnreachableError(`${url}: nobody listens`);
      return answer;
    },
  };
}

/** Seconds: so short that renewals come in any sequence that lets time pass. */
const registrationOfFresh = { interval: 60, offset: 60 };

/** The same as a gateway that is registered at a backend. The faults are those of the gateway. */
export async function openFreshPair(
  options: EmbeddedOptions & { readonly inboxes?: Inboxes },
): Promise<Installation & { readonly backend: Target }> {
  const { cse, has: more } = dialectSettings[options.dialect];
  const { standing, clock } = freshClock();
  const names = { gateway: { ...defaults, ...cse }, backend: { ...backendDefaults, ...cse } };
  const { inboxes } = options;
  const pair = await joinPair({
    ...{ clock, ...registrationOfFresh },
    ...(inboxes && { others: senderTo(inboxes) }),
    gateway: { ...names.gateway, dialect: options.dialect, ...faultsOf(options) },
    backend: { ...names.backend, dialect: options.dialect },
  });
  const target = (site: 'gateway' | 'backend'): Target => {
    const { base, cseId, spId } = names[site];
    const description: TargetDescription = { kind: 'in-process', url: joinedUrls[site], base, cseId, spId };
    return directTarget({ ...options, description, service: onThisMachine(pair[site].http) });
  };
  const settled = settledIn([pair.gateway, pair.backend]);
  return {
    name: 'in-process',
    has: new Set<Need>([
      ...(['plain HTTP', 'any originator', 'clock', 'backend'] as const),
      ...(inboxes ? (['notifications'] as const) : []),
      ...more,
    ]),
    ...(inboxes && { inboxes, reachesInboxes: true }),
    gateway: target('gateway'),
    backend: target('backend'),
    ...speechOf(options.dialect),
    settled,
    clock: movedClock((duration) => settled().then(() => standing.advance(duration))),
    certificates: noCertificates,
  };
}

/** The time that is moved, and the clock of what lives in it. */
function freshClock() {
  const standing = manualClock(beginningOfTime);
  let looks = 0;
  return { standing, clock: { ...standing, now: () => standing.now() + ++looks } };
}

/** 2026-01-01, in microseconds since 1970 UTC. */
const beginningOfTime = Date.UTC(2026, 0, 1) * 1000;

function faultsOf({ faults }: EmbeddedChoice): Pick<EmbeddedChoice, 'faults'> {
  return faults === undefined ? {} : { faults };
}

/** Requests come from an address, as they do over a network. */
function onThisMachine(service: HttpService): HttpService {
  return {
    handle: (request) => service.handle({ ...request, address: '127.0.0.1' }),
    refuse: (error) => service.refuse(error),
  };
}

interface OfferOptions extends EmbeddedOptions {
  readonly inboxes: Inboxes;
  /** Starts its pairs. */
  readonly patience: Patience;
}

function allOffers(given: Omit<OfferOptions, 'patience'>): Offer[] {
  const options = { ...given, patience: new Patience(given.faults !== undefined) };
  const { has } = dialectSettings[options.dialect];
  const open: readonly Need[] = ['backend', 'any originator', 'notifications', ...has];
  return [
    ...(options.hasty ? [directOffer(options)] : []),
    pairOffer('plain', 'off', ['plain HTTP', ...open], options),
    pairOffer('https', 'server', ['https', 'certificate optional', ...open], options),
    pairOffer('mutual', 'mutual', ['https', 'certificate required', 'backend', 'notifications'], options),
    playedOffer(options),
    { ...pairOffer('moved clock', 'off', ['plain HTTP', 'clock', ...open], options), ownForEach: true },
  ];
}

/** Milliseconds: a hundred times what a sound gateway needs, so that a busy machine does not look like a fault. */
const haste = 5000;

function hasteOf({ hasty }: EmbeddedChoice): Pick<Installation, 'haste'> {
  return hasty ? { haste } : {};
}

/** A CSE that is asked in this process, as if it came from another machine. */
function directOffer(options: EmbeddedOptions): Offer {
  const { cse, has: more } = dialectSettings[options.dialect];
  const has = new Set<Need>(['plain HTTP', 'any originator', ...more]);
  const open = async (): Promise<Installation> => {
    const names = { ...defaults, ...cse };
    const { base, cseId, spId } = names;
    const description: TargetDescription = { kind: 'in-process', url: 'http://in-process', base, cseId, spId };
    const { http } = createCse({ ...names, pointOfAccess: [description.url], journal: 0, ...faultsOf(options) });
    const gateway = directTarget({ ...options, description, service: onThisMachine(http) });
    return { name: 'direct', has, gateway, ...speechOf(options.dialect), certificates: noCertificates };
  };
  return { name: 'direct', has, wireless: true, open };
}

/** Milliseconds that the reference CSE waits for a receiver. */
const sendingTimeout = 2000;

/** A gateway and its backend. */
function pairOffer(name: string, tls: TlsMode, needs: readonly Need[], options: OfferOptions): Offer {
  const has = new Set(needs);
  const { cse } = dialectSettings[options.dialect];
  const open = async (): Promise<Installation> => {
    const certificates = tls === 'off' ? noCertificates : shippedCertificates();
    const own = tls === 'mutual' ? await certificates.find('own') : undefined;
    const trust: Trust = tls === 'off' ? {} : await trustOf(options);
    const clock = has.has('clock') ? manualClock() : undefined;
    const shared = { tls, sendingTimeout, dialect: options.dialect, ...(clock && { clock }) };
    const settings: PairOptions = {
      ...shared,
      gateway: { ...cse, cseId: defaults.cseId, journal: 0, ...faultsOf(options) },
      backend: { ...cse, cseId: backendDefaults.cseId, journal: 0 },
    };
    const pair = await options.patience.for(() => startPair(settings));
    const gateway = targetFor(pair.gateway, trust, options);
    const backend = targetFor(pair.backend, trust, options);
    const settled = settledIn([pair.gateway.cse, pair.backend.cse]);
    const originator = own !== undefined && 'uris' in own ? own.uris[0] : undefined;
    return {
      name,
      has,
      gateway: closingWith(gateway, () => pair.close()),
      backend,
      ...speechOf(options.dialect),
      inboxes: options.inboxes,
      reachesInboxes: true,
      settled,
      ...hasteOf(options),
      // What has been sent already comes before the time that passes now.
      ...(clock && { clock: movedClock((duration) => settled().then(() => clock.advance(duration))) }),
      certificates,
      ...(tls === 'mutual' && { usualCertificate: 'own' }),
      ...(originator !== undefined && { originator }),
    };
  };
  return { name, has, open };
}

/** A certificate that does not verify is for the checks to find where there are faults, and no reason not to send. */
async function trustOf({ faults }: EmbeddedChoice): Promise<Trust> {
  const ca = await readFile(shipped.chain, 'utf8');
  return { ca, caFile: `${shownDirectory}/ca-chain.cert.pem`, ...(faults !== undefined && { insecure: true }) };
}

/** A gateway whose backend is the harness. */
function playedOffer(options: OfferOptions): Offer {
  const { cse, has: more } = dialectSettings[options.dialect];
  const has = new Set<Need>(['plain HTTP', 'played backend', 'any originator', 'notifications', ...more]);
  const open = async (): Promise<Installation> => {
    const played = await PlayedBackend.listen({ ...backendDefaults, ...options, port: 0, certain: true });
    const { url, cseId, base } = played.description;
    const names = { ...cse, cseId: defaults.cseId, ...faultsOf(options) };
    const member = await startGateway({ ...names, sendingTimeout, backend: { url, cseId, base } });
    const gateway = closingWith(targetFor(member, {}, options), () => member.close());
    return {
      name: 'played',
      has,
      gateway,
      played,
      ...speechOf(options.dialect),
      inboxes: options.inboxes,
      reachesInboxes: true,
      settled: settledIn([member.cse]),
      ...hasteOf(options),
      certificates: noCertificates,
    };
  };
  return { name: 'played', has, open };
}

/** One notification can lead to another, by a group or another CSE, a turn of the event loop later. */
const turnsOfRest = 10;

/** When none of them has a notification under way, nor begins one. */
function settledIn(members: readonly ReferenceCse[]): () => Promise<void> {
  return async () => {
    for (let turn = 0; turn < turnsOfRest; turn += 1) {
      await Promise.all(members.map(({ core }) => core.services.notifier.settled()));
      await nextTurn();
    }
  };
}

interface Member {
  readonly url: string;
  readonly base: string;
  readonly cseId: string;
  readonly spId: string;
}

function targetFor({ url, base, cseId, spId }: Member, trust: Trust, options: EmbeddedOptions): Target {
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

function shippedCertificates(): CertificateStore {
  return new CertificateStore({
    directory: shipped.path,
    shownDirectory,
    gateway: defaults.cseId,
    backend: backendDefaults.cseId,
    identifier: `//${defaults.spId}/${defaults.cseId}/Ccselab`,
  });
}
