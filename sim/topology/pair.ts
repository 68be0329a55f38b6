/** A gateway CSE and a backend CSE that know each other, in one process. */

import type { Broker } from '../bindings/mqtt/broker.ts';
import { type ManualClock, manualClock, type Scheduler, systemClock } from '../environment/clock.ts';
import { importPackage } from '../environment/missing-package.ts';
import { controlsOf } from '../instruments/controls.ts';
import { Instruments } from '../instruments/instruments.ts';
import '../deviations/index.ts';
import { checkChoice } from '../environment/choice.ts';
import { defaultNamesIn, numberedId } from '../environment/default-names.ts';
import { inParts } from './in-parts.ts';
import { startNode } from './node.ts';
import { type NamedCse, type PairCertificates, pairCertificates } from './pair-certificates.ts';
import {
  type MemberOptions,
  memberOf,
  type PairMember,
  type Remote,
  type SharedOptions,
  type StartedMember,
  settingsOf,
  type TlsMode,
  urlsOf,
} from './pair-member.ts';
import { readTlsFiles, type TlsFiles } from './tls-files.ts';

export type { PairMember, TlsMode };

export interface PairOptions extends SharedOptions {
  /** Of the gateway, or of each; `mn-cse-1` unless given, in the onem2m dialect `id-mn` with the base `cse-mn`. */
  readonly gateway?: MemberOptions;
  /** `in-cse-1` unless given, in the onem2m dialect `id-in` with the base `cse-in`. */
  readonly backend?: MemberOptions;
  /** With TLS: certificates of its own, and in `certs.directory` the private key of their authority, to issue more. */
  readonly issuing?: boolean;
  /** How many gateways register at the backend: `mn-cse-1`, `mn-cse-2` …; 1 unless given. */
  readonly gateways?: number;
  /** Aborts the wait for registrations: `startPair` rejects with its reason then, and nothing is left running. */
  readonly signal?: AbortSignal;
}

/** `Time` is the clock: one with `advance` where the options say `clock: 'manual'`. */
export interface Pair<Time extends Scheduler = Scheduler> extends AsyncDisposable {
  /** The first gateway. */
  readonly gateway: PairMember;
  readonly gateways: readonly PairMember[];
  readonly backend: PairMember;
  /** Of both CSEs: `now()` is microseconds since 1970 UTC, and a manual one has `await pair.clock.advance('1h')`. */
  readonly clock: Time;
  /** Files for clients; undefined when TLS is off. */
  readonly certs: PairCertificates | undefined;
  /** With `mqtt: true`, their MQTT server: `await pair.broker.restart()` cuts every connection to it. */
  readonly broker: Broker | undefined;
  /**
   * Cuts the connection between the CSEs: none reaches the other any more, while applications reach both. `backend` cuts off all
   * gateways, a gateway only itself. Their registrations are retried.
   */
  disconnect(who?: 'backend' | PairMember): void;
  /** Undoes that, for all unless one is given; the gateways check their registrations at once. */
  reconnect(who?: 'backend' | PairMember): Promise<void>;
  /** Ends the gateways, which deregister, then the backend. May be called again. */
  close(): Promise<void>;
}

type ManualPairOptions = PairOptions & { readonly clock: 'manual' | ManualClock };

/** Resolves when every gateway is registered. Rejects with node's error for a port that is taken. */
export function startPair(options: ManualPairOptions): Promise<Pair<ManualClock>>;
export function startPair(options?: PairOptions): Promise<Pair>;
export async function startPair(options: PairOptions = {}): Promise<Pair> {
  const count = options.gateways ?? 1;
  if (!Number.isSafeInteger(count) || count < 1) throw new RangeError('gateways must be a whole number from 1 on');
  const { dialect = 'documented' } = options;
  const backend = { dialect, ...defaultNamesIn(dialect).backend, ...options.backend };
  const gateways = Array.from({ length: count }, (_, index) => gatewayOptions({ dialect, ...options.gateway }, index));
  const same = gateways.find(({ cseId }) => cseId === backend.cseId);
  if (same !== undefined) throw new RangeError(`gateway and backend would both be ${same.cseId}; choose another cseId`);
  return together(options, gateways, backend, async ({ start, started, clock, certs, broker, closing }) => {
    const { member } = await start(backend, certs?.backend);
    const { cseId, base } = member;
    const remote = { url: urlsOf(member)[0] ?? '', cseId, base };
    for (const [index, gateway] of gateways.entries()) await start(gateway, certs?.gateways[index], remote);
    if ('advance' in clock) await retry(started);
    await settle(started, options.signal);
    return { ...pairOf(started), clock, certs, broker, ...closing };
  });
}

interface Together extends Pick<Pair, 'clock' | 'certs' | 'broker'> {
  readonly start: (member: MemberOptions, tls?: TlsFiles, remote?: Remote) => Promise<StartedMember>;
  /** The backend before its gateways. */
  readonly started: readonly StartedMember[];
  readonly closing: Pick<Pair, 'close' | typeof Symbol.asyncDispose>;
}

/** CSEs that are started together, with what they share; when that fails, nothing is left running. */
function together<Result>(
  options: PairOptions,
  gateways: readonly NamedCse[],
  backend: NamedCse,
  task: (all: Together) => Promise<Result>,
): Promise<Result> {
  return inParts(async (ends, close) => {
    const { tls, issuing } = options;
    checkChoice('tls', tls, ['off', 'server', 'mutual']);
    const certs = tls && tls !== 'off' ? await pairCertificates(gateways, backend, { issuing }) : undefined;
    ends.push(async () => certs?.remove());
    const broker = await brokerFor(options, certs);
    ends.push(async () => broker?.close());
    const shared = { ...options, clock: clockOf(options), ...(broker && { mqtt: broker }) };
    const started: StartedMember[] = [];
    const start: Together['start'] = async (...which) => {
      const one = await startMember(shared, ...which);
      started.push(one);
      return one;
    };
    ends.push(async () => {
      const [first, ...others] = started;
      // Gateways deregister at the backend.
      await Promise.all(others.map((gateway) => gateway.close()));
      await first?.close();
    });
    const closing = { close, [Symbol.asyncDispose]: close };
    return task({ start, started, clock: shared.clock, certs, broker, closing });
  });
}

/** More than for a single CSE: the registration is checked every five seconds, also of virtual time. */
const keptRequests = 5_000;

/** It listens when this resolves; its registration goes on by itself. */
async function startMember(
  options: Omit<SharedOptions, 'clock'> & { readonly clock: Scheduler },
  member: MemberOptions,
  tls?: TlsFiles,
  remote?: Remote,
): Promise<StartedMember> {
  const { clock, onError, openTelemetry } = options;
  const instruments = new Instruments({ clock, maxEntries: member.journal ?? keptRequests, onError, openTelemetry });
  const node = await startNode(settingsOf(member, tls, remote, options), { ...options, instruments });
  const { service, restore } = node;
  const core = () => node.cse.core;
  const controls = controlsOf(instruments, { core, service, clock, restore });
  const close = (): Promise<void> => {
    controls.stopWorkload();
    return node.close();
  };
  return { node, member: memberOf(node, controls), outbound: instruments.outbound, close };
}

function clockOf({ clock = systemClock() }: PairOptions): Scheduler {
  return clock === 'manual' ? manualClock() : clock;
}

/** Further attempts where the first registration was lost. */
const moreAttempts = 5;

/** Nobody advances a manual clock before there is a pair: a retry by the clock would never come. */
async function retry(started: readonly StartedMember[]): Promise<void> {
  for (const registration of started.flatMap(({ node }) => node.registrations)) {
    await registration.settled();
    for (let attempt = 0; attempt < moreAttempts && !registration.registered; attempt += 1) await registration.tryNow();
  }
}

async function settle(started: readonly StartedMember[], signal: AbortSignal | undefined): Promise<void> {
  const registered = Promise.all(started.map(({ member }) => member.whenRegistered()));
  await (signal === undefined ? registered : Promise.race([registered, aborted(signal)]));
  for (const { node } of started) node.rememberStart();
  // Only now: disturbances from the start could keep a pair from registering.
  for (const { node } of started) await node.startDisturbing();
}

/** Rejects with the reason of the signal. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
  });
}

function pairOf(started: readonly StartedMember[]) {
  const [backend, ...gateways] = started as [StartedMember, StartedMember, ...StartedMember[]];
  const affectedBy = (who: 'backend' | PairMember) =>
    who === 'backend' || who === backend.member ? gateways : gateways.filter(({ member }) => member === who);
  return {
    gateway: gateways[0].member,
    gateways: gateways.map(({ member }) => member),
    backend: backend.member,
    disconnect(who: 'backend' | PairMember = 'backend'): void {
      for (const gateway of affectedBy(who)) between('disconnect', gateway, backend);
    },
    async reconnect(who: 'backend' | PairMember = 'backend'): Promise<void> {
      for (const gateway of affectedBy(who)) between('reconnect', gateway, backend);
      const registrations = affectedBy(who).flatMap(({ node }) => node.registrations);
      await Promise.all(registrations.map((registration) => registration.tryNow()));
    },
  };
}

/** By each wire, in both directions. */
function between(what: 'disconnect' | 'reconnect', one: StartedMember, other: StartedMember): void {
  for (const [{ outbound }, { member }] of [
    [one, other],
    [other, one],
  ] as const) {
    for (const url of urlsOf(member)) outbound[what](url, `/${member.cseId}`);
  }
}

/** A broker of their own, where the options request one. */
async function brokerFor(
  { mqtt, tls }: SharedOptions,
  certificates: PairCertificates | undefined,
): Promise<Broker | undefined> {
  if (mqtt !== true) return undefined;
  const { startBroker } = await importPackage('MQTT', 'mqtt aedes', () => import('../bindings/mqtt/broker.ts'));
  if (certificates === undefined) return startBroker();
  const { ca, ...own } = await readTlsFiles(certificates.backend);
  return startBroker({ tls: { ...own, ...(tls === 'mutual' && { ca }) } });
}

export interface GatewayOptions extends SharedOptions, MemberOptions {
  /** The CSE at which it registers; none when absent. */
  readonly backend?: Remote;
}

export interface Gateway extends PairMember, AsyncDisposable {
  /** Deregisters and ends. */
  close(): Promise<void>;
}

/** A gateway alone, or at a backend elsewhere. It listens when this resolves, and registers by itself. */
export async function startGateway({ backend, ...options }: GatewayOptions = {}): Promise<Gateway> {
  const own = gatewayOptions(options, 0);
  const { cseId } = backend ?? defaultNamesIn(options.dialect).backend;
  return together(options, [own], { cseId }, async ({ start, certs, closing }) => {
    const { node, member } = await start(own, certs?.gateways[0], backend);
    await node.startDisturbing();
    return Object.assign(member, closing);
  });
}

function gatewayOptions(options: MemberOptions, index: number): MemberOptions & { readonly cseId: string } {
  const { gateway } = defaultNamesIn(options.dialect);
  const cseId = numberedId(options.cseId ?? gateway.cseId, index);
  return { ...gateway, ...options, cseId, ...(options.port && { port: options.port + index }) };
}
