/** One CSE as it is installed: listening, with its certificates, reaching other CSEs, registered at them. */
import { shipped } from '../../certs/shipped.ts';
import { type HttpServer, serveHttp, type TlsMaterial } from '../bindings/http.ts';
import { type Scheduler, systemClock } from '../clock.ts';
import type { Cse } from '../core/cse.ts';
import { type CseOptions, createInstalledCse, type ReferenceCse } from '../create-cse.ts';
import { authentication } from '../dialects/authentication.ts';
import type { HttpService } from '../dialects/http-message.ts';
import type { Sender } from '../dialects/outgoing-message.ts';
import { presentedBy, withSendingFaults } from '../faults/index.ts';
import { HttpClient } from './client.ts';
import { absoluteCseId, absoluteOriginator } from './identifiers.ts';
import { httpMessenger } from './messenger.ts';
import { Registration } from './registration.ts';
import { RegistrationRequests, type RemoteCse } from './registration-requests.ts';
import { retargeting } from './retargeting.ts';
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
  readonly cse: ReferenceCse;
  readonly registrations: readonly Registration[];
  /** Resolves when the CSE is registered wherever it is to be. Never, when that never happens. */
  whenRegistered(): Promise<void>;
  /** Deregisters, lets running requests finish for a bounded time, and ends. May be called again. */
  close(): Promise<void>;
}

/**
 * Starts a CSE. It listens when this resolves; its registrations go on by themselves.
 * Rejects with node's error when it cannot listen or a certificate cannot be read, with a TlsMaterialError when they do not fit.
 */
export async function startNode(settings: NodeSettings, surroundings: NodeSurroundings = {}): Promise<CseNode> {
  const { onError = console.error, log = () => {}, clock = systemClock(), sendingTimeout } = surroundings;
  const material = settings.tls === undefined ? undefined : await readTlsFiles(settings.tls);
  const client = new HttpClient({
    tls: { ...material, insecure: settings.acceptInsecureCerts === true },
    ...(sendingTimeout !== undefined && { timeout: sendingTimeout }),
  });
  const later: { service?: HttpService } = {};
  const presented = await presentedMaterial(settings, material);
  const server = await listen(later, settings, presented, { onError, log }).catch(async (error: unknown) => {
    await client.close();
    throw error;
  });
  const { cse, sender } = assemble(settings, client, server?.url, { onError, clock });
  later.service = surroundings.around?.(cse.http) ?? cse.http;
  const registrations = registrationsOf(settings, cse.core, sender, server?.url, { clock, log });
  for (const registration of registrations) void registration.start();
  const unwatch = watch(settings, client, server, log);
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= (async () => {
      unwatch();
      await Promise.all(registrations.map((registration) => registration.end()));
      await server?.close();
      await client.close();
    })();
    return closed;
  };
  const whenRegistered = async () => {
    await Promise.all(registrations.map((registration) => registration.whenRegistered()));
  };
  return { url: server?.url, cse, registrations, whenRegistered, close, [Symbol.asyncDispose]: close };
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

function assemble(
  settings: NodeSettings,
  client: HttpClient,
  url: string | undefined,
  { onError, clock }: { onError: (error: unknown) => void; clock: Scheduler },
): { cse: ReferenceCse; sender: Sender } {
  let sender: Sender = client;
  const options = optionsOf(settings, url, { send: (...message) => sender.send(...message) }, clock);
  const cse = createInstalledCse({ ...options, clock, onError }, (core) => {
    sender = withSendingFaults(client, core, settings.cse.faults ?? []);
    const { configuration } = core;
    return {
      admit: authentication({
        requireCertificate: settings.http?.requireCert === true,
        isRegisteredCse: (identifier) => isRegistered(identifier, core),
        ...(configuration.dialect.name === 'onem2m' && {
          compared: (originator) => absoluteOriginator(originator, configuration),
        }),
      }),
      retarget: retargeting({
        cse: core,
        sender,
        ownOriginator: ownOriginator(settings, core),
        presentsCertificate: settings.tls !== undefined,
      }),
    };
  });
  return { cse, sender };
}

/** What the CSE itself sends goes the way of everything else that leaves this installation. */
function optionsOf(
  { cse, overwriteOriginator }: NodeSettings,
  url: string | undefined,
  sender: Sender,
  clock: Scheduler,
): CseOptions {
  const manner = { dialect: cse.dialect ?? 'documented', now: () => clock.now() };
  return {
    messenger: httpMessenger(sender, manner),
    ...(overwriteOriginator !== undefined && { ownOriginator: overwriteOriginator }),
    ...cse,
    pointOfAccess: cse.pointOfAccess ?? (url === undefined ? [] : [url]),
  };
}

function isRegistered(identifier: string, { configuration, tree }: Cse): boolean {
  const domain = `//${configuration.spId}`;
  return identifier.startsWith(`${domain}/`) && tree.byAlias(identifier.slice(domain.length)) !== undefined;
}

function ownOriginator({ overwriteOriginator }: NodeSettings, { configuration }: Cse): string {
  return overwriteOriginator ?? absoluteCseId(configuration);
}

function registrationsOf(
  settings: NodeSettings,
  cse: Cse,
  sender: Sender,
  url: string | undefined,
  surroundings: { readonly clock: Scheduler; readonly log: (line: string) => void },
): Registration[] {
  if (settings.registration === undefined) return [];
  const { interval, offset, labels, remoteCses } = settings.registration;
  const { originator } = cse.services.outgoing;
  return remoteCses.map((given) => {
    const ownPoa = given.ownPoa.length > 0 || url === undefined ? given.ownPoa : [url];
    const remoteCse = { ...given, ownPoa };
    const requests = new RegistrationRequests({ cse, sender, remoteCse, labels, originator });
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
