/** One CSE as it is installed: listening, with its certificates, reaching other CSEs, registered at them. */

import { HttpClient } from '../bindings/client.ts';
import type { TlsMaterial } from '../bindings/http.ts';
import { TargetRules } from '../bindings/target-rules.ts';
import { type Snapshot, takeSnapshot } from '../core/operations/snapshot.ts';
import { assembleCse } from '../cse/assemble-cse.ts';
import type { CseOptions, ReferenceCse } from '../cse/create-cse.ts';
import { OutgoingWires } from '../cse/outgoing-wires.ts';
import { type ReplaceableCse, replaceableCse } from '../cse/replaceable-cse.ts';
import { areChosen } from '../deviations/applying.ts';
import type { HttpService } from '../dialects/http-message.ts';
import { type Sender, wireOf } from '../dialects/outgoing-message.ts';
import type { Disturbances } from '../disturbance/contract.ts';
import { WireDisturbances } from '../disturbance/disturbances.ts';
import { type Scheduler, systemClock } from '../environment/clock.ts';
import { defined } from '../environment/defined.ts';
import { newToken } from '../environment/token.ts';
import { RequestJournal } from '../journal/journal.ts';
import { recordedSender } from '../journal/recorded.ts';
import type { AdminOptions } from './admin.ts';
import { openHttp } from './http-entry.ts';
import { type End, inParts } from './in-parts.ts';
import { installationOf } from './installation.ts';
import type { NodeContext, NodeSettings } from './node-settings.ts';
import { Registration } from './registration.ts';
import type { RemoteCse } from './registration-requests.ts';
import { readTlsFiles, watchTlsFiles } from './tls-files.ts';
import { type LateCse, openWires } from './wires.ts';

export interface CseNode extends AsyncDisposable {
  /** Undefined when the CSE does not listen. */
  readonly url: string | undefined;
  /** URL of its WebSocket listener; undefined without one. */
  readonly wsUrl: string | undefined;
  /** Its points of access: its own URL, and that of an MQTT server, without user and password. */
  readonly points: readonly string[];
  /** The product that it imitates: `cselab as acme`. */
  readonly imitates?: string | undefined;
  /** Of the admin port; undefined when there is none. */
  readonly adminUrl: string | undefined;
  /** Sent with each request to the admin port: `Authorization: Bearer <token>`. */
  readonly adminToken: string | undefined;
  /** Another one after a reset or a restore by the admin port. */
  readonly cse: ReferenceCse;
  readonly registrations: readonly Registration[];
  /** Handles its requests, with its instruments around it. */
  readonly service: HttpService;
  /** Disturbances of its wires, from the next request on. */
  readonly disturbances: Disturbances;
  /** Resolves when all its registrations have succeeded. Never, when that never happens. */
  whenRegistered(): Promise<void>;
  /** Makes the current tree the one of a reset; it is empty unless this is called. */
  rememberStart(): void;
  /** Replaces the CSE by one with the state of a snapshot. Throws a SnapshotError, and changes nothing, for one that does not fit. */
  restore(snapshot: Snapshot): void;
  /** What the settings say is broken is so from now on. Rejects with a DisturbanceRuleError for a rule that is not for this CSE. */
  startDisturbing(): Promise<void>;
  /** Deregisters, lets running requests finish for a bounded time, and ends. May be called again. */
  close(): Promise<void>;
}

/**
 * Starts a CSE. It listens when this resolves; its registrations go on by themselves.
 * Rejects with node's error when it cannot listen or a certificate cannot be read, with a TlsMaterialError when they do not
 * fit, with a DisturbanceRuleError for a rule that cannot be used.
 */
export async function startNode(settings: NodeSettings, context: NodeContext = {}): Promise<CseNode> {
  return inParts(async (ends, close) => {
    const parts = await startParts(settings, context, ends);
    return Object.assign(parts, { close, imitates: settings.imitates, [Symbol.asyncDispose]: close });
  });
}

async function startParts(
  settings: NodeSettings,
  { onError = console.error, log = () => {}, clock = systemClock(), sendingTimeout, ...others }: NodeContext,
  ends: End[],
): Promise<Omit<CseNode, 'close' | typeof Symbol.asyncDispose>> {
  const { adminPort } = settings;
  if (areChosen(settings.cse)) await import('../deviations/index.ts');
  const material = settings.tls === undefined ? undefined : await readTlsFiles(settings.tls);
  const outgoing = outgoingOf(settings, material, sendingTimeout);
  const client = new HttpClient(outgoing);
  ends.push(() => client.close());
  const later: LateCse = {};
  const disturbances = new WireDisturbances(clock, onError, others.onDeath);
  await disturbances.setClock(settings.disturbances ?? []);
  const http = await openHttp(later, settings, { material, disturbances, onError, log });
  ends.push(async () => {
    const closed = http?.close();
    later.current?.core().services.polling.end();
    await closed;
  });
  const sent = new RequestJournal({ clock, ...(adminPort === undefined ? { maxEntries: 0 } : keptForAdmin) });
  const out = new OutgoingWires(client);
  const wires = await openWires(settings, later, { ...outgoing, material, disturbances, out, onError, log, clock });
  ends.push(wires.close);
  const points = [...(http === undefined ? [] : [http.url]), ...wires.points];
  const options = { ...optionsOf(settings, points), clock: disturbances.clockOfCse, onError };
  const current = replaceableCse(
    (sender) => assembleCse(options, { sender, connectionOf: out.connectionOf }, installationOf(settings, log)),
    recordedSender(out, sent),
    others.instruments,
  );
  Object.assign(later, { current, service: current.service });
  await wires.join(current);
  const start: { snapshot?: Snapshot } = {};
  const token = settings.adminToken || newToken();
  const admin = await adminOf({ cse: current, clock, sent, start, disturbances, token }, adminPort, onError);
  ends.push(async () => admin?.close());
  const registrations = registrationsOf(settings, current, points, { clock: disturbances.clockOfCse, log });
  ends.push(async () => void (await Promise.all(registrations.map((registration) => registration.end()))));
  for (const registration of registrations) void registration.start();
  ends.push(watch(settings, [client, http, wires], log));
  return Object.assign(controlsOf(current, start), {
    ...{ url: http?.url, wsUrl: wires.wsUrl, points, adminUrl: admin?.url, adminToken: admin && token },
    ...{ registrations, disturbances, service: current.service },
    whenRegistered: async () => void (await Promise.all(registrations.map((one) => one.whenRegistered()))),
    startDisturbing: () => setDisturbances(disturbances, settings),
  });
}

const controlsOf = (current: ReplaceableCse, start: { snapshot?: Snapshot }) => ({
  restore: (snapshot: Snapshot) => current.replace(snapshot),
  get cse() {
    return current.cse;
  },
  rememberStart() {
    start.snapshot = takeSnapshot(current.cse.core);
  },
});

async function setDisturbances(
  disturbances: WireDisturbances,
  { disturbances: rules, disturbanceSeed: seed }: NodeSettings,
): Promise<void> {
  if (rules !== undefined) await disturbances.set(rules, seed === undefined ? {} : { seed });
}

function optionsOf({ cse, overwriteOriginator }: NodeSettings, points: readonly string[]): CseOptions {
  // Points of access in a file are those of HTTP.
  const own = cse.pointOfAccess ?? points.filter((point) => wireOf(point) === 'http');
  const pointOfAccess = [...own, ...points.filter((point) => wireOf(point) !== 'http')];
  return { ...(overwriteOriginator !== undefined && { ownOriginator: overwriteOriginator }), ...cse, pointOfAccess };
}

/** Sent requests for the admin port: the latest 10,000, however large. */
const keptForAdmin = { maxEntries: 10_000, maxBytes: Number.POSITIVE_INFINITY };

/** Loaded only with a port. */
async function adminOf(options: AdminOptions, port: number | undefined, onError: (error: unknown) => void) {
  if (port === undefined) return undefined;
  const { serveAdmin } = await import('./admin.ts');
  return serveAdmin(options, port, onError);
}

function outgoingOf(
  { cse, registration, acceptInsecureCerts }: NodeSettings,
  material: TlsMaterial | undefined,
  timeout: number | undefined,
) {
  const trusted = registration?.remoteCses.flatMap(({ poa }) => poa) ?? [];
  const targets = new TargetRules({ deny: cse.notifyDeny ?? [], trusted });
  return { ...defined({ timeout }), tls: { ...material, insecure: acceptInsecureCerts === true }, targets };
}

function registrationsOf(
  settings: NodeSettings,
  current: ReplaceableCse,
  points: readonly string[],
  context: { readonly clock: Scheduler; readonly log: (line: string) => void },
): Registration[] {
  if (settings.registration === undefined) return [];
  const { interval, offset, labels, remoteCses } = settings.registration;
  const sender: Sender = { send: (...message) => current.cse.sender.send(...message) };
  return remoteCses.map((remote) => {
    const remoteCse = { ...remote, ownPoa: ownPoaFor(remote, points) };
    return new Registration({ ...{ cse: current.core, sender, remoteCse, labels, interval, offset }, ...context });
  });
}

/** The other CSE reaches it by the same wire. */
function ownPoaFor({ poa, ownPoa }: RemoteCse, points: readonly string[]): readonly string[] {
  const wire = wireOf(poa[0] ?? '');
  const isAlike = (point: string) => wireOf(point) === wire;
  const choices = [ownPoa.filter(isAlike), points.filter(isAlike), points.slice(0, 1)];
  return (wire === 'http' && ownPoa.length > 0 ? ownPoa : choices.find(({ length }) => length > 0)) ?? [];
}

interface Renewing {
  renewTls(material: TlsMaterial & { readonly insecure: boolean }): Promise<void> | void;
}

function watch(
  { tls, acceptInsecureCerts }: NodeSettings,
  users: ReadonlyArray<Renewing | undefined>,
  log: (line: string) => void,
): () => void {
  if (tls === undefined) return () => {};
  const failed = (error: unknown) =>
    log(`the certificates cannot be renewed: ${error instanceof Error ? error.message : String(error)}`);
  const changed = async (material: TlsMaterial): Promise<void> => {
    for (const one of users) await one?.renewTls({ ...material, insecure: acceptInsecureCerts === true });
    log('the certificates were read again');
  };
  return watchTlsFiles(tls, changed, failed);
}
