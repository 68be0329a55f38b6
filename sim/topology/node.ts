/** One CSE as it is installed: listening, with its certificates, reaching other CSEs, registered at them. */
import { shipped } from '../../certs/shipped.ts';
import { type HttpServer, serveHttp, type TlsMaterial } from '../bindings/http.ts';
import { type Scheduler, systemClock } from '../clock.ts';
import { type Snapshot, takeSnapshot } from '../core/snapshot.ts';
import type { CseOptions, ReferenceCse } from '../create-cse.ts';
import type { HttpService } from '../dialects/http-message.ts';
import { presentedBy } from '../faults/index.ts';
import type { AdminOptions } from './admin.ts';
import { assemble } from './assemble.ts';
import { HttpClient } from './client.ts';
import { RecordingSender } from './recording-sender.ts';
import { Registration } from './registration.ts';
import { RegistrationRequests, type RemoteCse } from './registration-requests.ts';
import { ReplaceableCse } from './replaceable-cse.ts';
import { readTlsFiles, type TlsFiles, watchTlsFiles } from './tls-files.ts';

export interface NodeSettings {
  readonly cse: CseOptions;
  /** Absent: it does not listen. */
  readonly http?: {
    /** 127.0.0.1 unless given. */
    readonly interface?: string;
    /** A free one unless given. */
    readonly port?: number;
    readonly enableHttps?: boolean;
    readonly requireCert?: boolean;
    /** A client without the required certificate does not even get through the handshake. */
    readonly rejectAtHandshake?: boolean;
  };
  /** Absent: there is no admin port. */
  readonly admin?: {
    /** A free one unless given. */
    readonly port?: number;
  };
  /** Needed for HTTPS; presented to other CSEs too. */
  readonly tls?: TlsFiles;
  /** The certificates of other CSEs are not verified. */
  readonly acceptInsecureCerts?: boolean;
  /** Stands for the own identifier as originator of what this CSE sends. */
  readonly overwriteOriginator?: string;
  readonly registration?: {
    /** Seconds. */
    readonly interval: number;
    /** Seconds. */
    readonly offset: number;
    readonly labels: readonly string[];
    /** Without `ownPoa`, the URL at which this CSE listens is given. */
    readonly remoteCses: readonly RemoteCse[];
  };
}

export interface NodeSurroundings {
  readonly clock?: Scheduler;
  /** Milliseconds for each request to another CSE; 5,000 unless given. */
  readonly sendingTimeout?: number;
  /** Hears of defects of ours. */
  readonly onError?: (error: unknown) => void;
  /** One line for each change of a registration and each incident of a connection. */
  readonly log?: (line: string) => void;
  /** Put around the HTTP service, to see what comes and goes. */
  readonly around?: (service: HttpService) => HttpService;
}

export interface CseNode extends AsyncDisposable {
  /** Undefined when the CSE does not listen. */
  readonly url: string | undefined;
  /** Of the admin port; undefined when there is none. */
  readonly adminUrl: string | undefined;
  /** Another one after a reset or a restore by the admin port. */
  readonly cse: ReferenceCse;
  readonly registrations: readonly Registration[];
  /** Resolves when the CSE is registered wherever it is to be. Never, when that never happens. */
  whenRegistered(): Promise<void>;
  /** The tree as it is now is what a reset goes back to; an empty one unless this is called. */
  rememberStart(): void;
  /** Deregisters, lets running requests finish for a bounded time, and ends. May be called again. */
  close(): Promise<void>;
}

/** What a part of the installation needs to come to its end. */
type End = () => Promise<void> | void;

/**
 * Starts a CSE. It listens when this resolves; its registrations go on by themselves.
 * Rejects with node's error when it cannot listen or a certificate cannot be read, with a TlsMaterialError when they do not fit.
 */
export async function startNode(settings: NodeSettings, surroundings: NodeSurroundings = {}): Promise<CseNode> {
  const ends: End[] = [];
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= (async () => {
      for (const end of ends.reverse()) await end();
    })();
    return closed;
  };
  try {
    const parts = await startParts(settings, surroundings, ends);
    return Object.assign(parts, { close, [Symbol.asyncDispose]: close });
  } catch (error) {
    await close();
    throw error;
  }
}

async function startParts(
  settings: NodeSettings,
  { onError = console.error, log = () => {}, clock = systemClock(), sendingTimeout, around }: NodeSurroundings,
  ends: End[],
): Promise<Omit<CseNode, 'close' | typeof Symbol.asyncDispose>> {
  const material = settings.tls === undefined ? undefined : await readTlsFiles(settings.tls);
  const client = new HttpClient({
    tls: { ...material, insecure: settings.acceptInsecureCerts === true },
    ...(sendingTimeout !== undefined && { timeout: sendingTimeout }),
  });
  ends.push(() => client.close());
  const recorded = settings.admin && new RecordingSender(client, () => clock.now());
  const later: { service?: HttpService } = {};
  const presented = await presentedMaterial(settings, material);
  const server = await listen(later, settings, presented, { onError, log });
  ends.push(async () => server?.close());
  const out = { client: recorded ?? client, url: server?.url, clock, onError };
  const current = new ReplaceableCse((gate) => assemble(settings, { ...out, gate }));
  const service = serviceOf(current);
  later.service = around?.(service) ?? service;
  const start: { snapshot?: Snapshot } = {};
  const admin = recorded && (await adminOf({ cse: current, clock, recorded, start }, settings.admin?.port, onError));
  ends.push(async () => admin?.close());
  const registrations = registrationsOf(settings, current, server?.url, { clock, log });
  ends.push(async () => void (await Promise.all(registrations.map((registration) => registration.end()))));
  for (const registration of registrations) void registration.start();
  ends.push(watch(settings, client, server, log));
  return {
    ...{ url: server?.url, adminUrl: admin?.url, registrations },
    get cse() {
      return current.cse;
    },
    async whenRegistered() {
      await Promise.all(registrations.map((registration) => registration.whenRegistered()));
    },
    rememberStart() {
      start.snapshot = takeSnapshot(current.cse.core);
    },
  };
}

/** Loaded for those who have one. */
async function adminOf(options: AdminOptions, port: number | undefined, onError: (error: unknown) => void) {
  const { serveAdmin } = await import('./admin.ts');
  return serveAdmin(options, port, onError);
}

function serviceOf(current: ReplaceableCse): HttpService {
  return {
    handle: (request) => current.cse.http.handle(request),
    refuse: (error) => current.cse.http.refuse(error),
  };
}

/** A fault may have the server present another certificate; what the CSE sends is not affected. */
async function presentedMaterial(
  { cse }: NodeSettings,
  material: TlsMaterial | undefined,
): Promise<TlsMaterial | undefined> {
  const wrong = presentedBy(cse.faults ?? []);
  if (wrong === undefined || material === undefined) return material;
  const { cert, key } = shipped.refused(wrong);
  return { ...(await readTlsFiles({ crt: cert, key, ca: shipped.chain })), ca: material.ca };
}

type Told = Required<Pick<NodeSurroundings, 'onError' | 'log'>>;

/** Listens first, so that the CSE can be told at which URL; it exists before the first request can come. */
async function listen(
  later: { readonly service?: HttpService },
  { http }: NodeSettings,
  material: TlsMaterial | undefined,
  { onError, log }: Told,
): Promise<HttpServer | undefined> {
  if (http === undefined) return undefined;
  const { port = 0, enableHttps, requireCert, rejectAtHandshake } = http;
  if (enableHttps && material === undefined) throw new TypeError('HTTPS needs the files of key, certificate and chain');
  const clientCertificate = !requireCert ? 'optional' : rejectAtHandshake ? 'required at handshake' : 'required';
  const service = (): HttpService => {
    if (later.service === undefined) throw new TypeError('a request came before the CSE was there');
    return later.service;
  };
  return serveHttp(
    { handle: (request) => service().handle(request), refuse: (error) => service().refuse(error) },
    {
      port,
      interface: http.interface ?? '127.0.0.1',
      onError,
      onIncident: log,
      ...(enableHttps && material !== undefined && { tls: { material, clientCertificate } }),
    },
  );
}

function registrationsOf(
  settings: NodeSettings,
  current: ReplaceableCse,
  url: string | undefined,
  surroundings: { readonly clock: Scheduler; readonly log: (line: string) => void },
): Registration[] {
  if (settings.registration === undefined) return [];
  const { interval, offset, labels, remoteCses } = settings.registration;
  const { originator } = current.cse.core.services.outgoing;
  return remoteCses.map((given) => {
    const ownPoa = given.ownPoa.length > 0 || url === undefined ? given.ownPoa : [url];
    const requests = new RegistrationRequests({
      cse: () => current.cse.core,
      sender: { send: (...message) => current.sender.send(...message) },
      remoteCse: { ...given, ownPoa },
      labels,
      originator,
    });
    return new Registration({ requests, interval, offset, ...surroundings });
  });
}

function watch(
  { tls, acceptInsecureCerts }: NodeSettings,
  client: HttpClient,
  server: HttpServer | undefined,
  log: (line: string) => void,
): () => void {
  if (tls === undefined) return () => {};
  const failed = (error: unknown) =>
    log(`the certificates cannot be renewed: ${error instanceof Error ? error.message : String(error)}`);
  const changed = (material: TlsMaterial): void => {
    server?.renewTls(material);
    client.renewTls({ ...material, insecure: acceptInsecureCerts === true });
    log('the certificates were read again');
  };
  return watchTlsFiles(tls, changed, failed);
}
