import { summaryOf, viewOf } from '../answer.ts';
import type { Exchange } from '../exchange.ts';
import type { CertificateName } from '../grammar-step.ts';
import type { Installation } from '../installation.ts';
import { Installations, type Opened } from '../installations.ts';
import type { TargetDescription } from '../result.ts';
import { headerList, senderHeaders } from '../usual-headers.ts';
import { Inboxes } from './inboxes.ts';
import { inboxHostOf, lackingOf, needsOf } from './live-needs.ts';
import { PlayedBackend } from './played-backend.ts';
import type { ClientCertificate, Target } from './target.ts';
import { WaitBudget } from './target-clock.ts';
import { type UrlTargetOptions, urlTarget } from './url.ts';
import { backendDefaults, type PreparedUrl, type UrlChoice } from './url-choice.ts';

type Limits = Pick<UrlTargetOptions, 'connections' | 'timeout' | 'startedAt'>;

/** Milliseconds after which a target that says nothing counts as unreachable. */
const probeTimeout = 4500;
/** Asks for the CSE base where no administrator is known. */
const stranger = 'Ccselab';
/** Milliseconds that a run waits for time to pass, unless its user says otherwise. */
const usualWait = 30_000;
/** Milliseconds to see whether the target closes the connection after its answer. */
const closeWatch = 100;

/** Makes sure that the target answers, and its backend where there is one. */
export async function openUrl(prepared: PreparedUrl, limits: Limits): Promise<Opened> {
  const { choice, description, own } = prepared;
  const usual = usualCertificate(prepared);
  const originator = choice.originator ?? (usual === undefined ? undefined : own?.uris[0]);
  const gateway = await reach(description, { ...prepared, known: choice.cseId !== undefined, originator }, limits);
  if ('unreachable' in gateway) return { description, unreachable: gateway.unreachable };
  const backend =
    prepared.backend &&
    (await reach(prepared.backend, { ...prepared, known: choice.backend?.cseId !== undefined, originator }, limits));
  if (backend !== undefined && 'unreachable' in backend) {
    await gateway.target.close();
    return { description, unreachable: `the backend ${backend.unreachable}` };
  }
  const played = await play(prepared, limits);
  const reachable = inboxHostOf(choice, description);
  const inboxes = reachable && new Inboxes({ ...reachable, startedAt: limits.startedAt });
  const installation: Installation = {
    ...settingsOf(prepared),
    gateway: gateway.target,
    ...(backend && { backend: backend.target }),
    ...(played && { played }),
    ...(inboxes && { inboxes, reachesInboxes: choice.inboxHost !== undefined }),
    ...(usual !== undefined && { usualCertificate: usual }),
    ...(originator !== undefined && { originator }),
  };
  const installations = await only(installation, prepared, async () => inboxes?.close());
  return { description: gateway.target.description, installations };
}

/** What is known of the target without asking it. */
function settingsOf(prepared: PreparedUrl) {
  const { choice, certificates } = prepared;
  const clock = new WaitBudget(choice.waitBudget ?? usualWait);
  return { name: 'target', has: needsOf(prepared), ...speechOf(choice), clock, certificates };
}

/** The only way in which a target is installed: open already, and known, so that it is closed whether or not it is used. */
async function only(installation: Installation, prepared: PreparedUrl, close: () => Promise<void>) {
  const offer = { name: installation.name, has: installation.has, open: async () => installation };
  const installations = new Installations({ offers: [offer], lacking: lackingOf(prepared), close });
  await installations.open(offer);
  return installations;
}

function speechOf({ dialect = 'documented', release = '3', admin }: UrlChoice) {
  return { dialect, release, ...(admin !== undefined && { admin }) };
}

/** A user who names a certificate means it to be used, unless the target is said to do without. */
function usualCertificate({ choice, description, own }: PreparedUrl): CertificateName | undefined {
  const used = description.url.startsWith('https:') && own !== undefined && choice.tls?.requireCert !== false;
  return used ? 'own' : undefined;
}

interface Probe extends PreparedUrl {
  /** Whether its CSE identifier was given. */
  readonly known: boolean;
  readonly originator: string | undefined;
}

type Reached = { readonly target: Target } | { readonly unreachable: string };

/** Asks for the CSE base once: any HTTP answer will do; its `csi` tells the CSE identifier, if none was given. */
async function reach(description: TargetDescription, probe: Probe, limits: Limits): Promise<Reached> {
  const { trust, choice } = probe;
  const { headers } = choice;
  const options = { ...limits, description, trust, ...(headers && { headers }) };
  const exchange = await ask(description, probe, { ...options, timeout: Math.min(limits.timeout, probeTimeout) });
  if (exchange.answer === undefined)
    return { unreachable: `${description.url} ${failing(exchange)}: ${why(exchange, probe)}` };
  const told = probe.known ? description.cseId : cseIdIn(exchange);
  if (told === undefined && choice.dialect === 'onem2m') {
    const answer = summaryOf(exchange);
    return {
      unreachable: `${description.url} does not tell its CSE-ID: ${answer}. ${remedyFor(exchange, description)}`,
    };
  }
  const found = { ...description, cseId: told ?? description.cseId };
  return { target: urlTarget({ ...options, description: found, keepAlive: keepsConnection(exchange) }) };
}

function failing({ failure }: Exchange): string {
  return failure?.kind === 'malformed' ? 'does not answer as a CSE would' : 'does not answer';
}

/** What can be done where the CSE base was not read. */
function remedyFor({ answer }: Exchange, { base }: TargetDescription): string {
  if (answer?.status === 404) return `Perhaps /${base} is not its CSE base: give --base`;
  if (answer?.status === 200) return `That is no CSE base: is it a CSE, and /${base} its base? Else give --base`;
  return 'Give --cse-id, or with --admin an originator that may read the CSE base';
}

/** Where a certificate was given, it is presented, so that one that does not fit is found before anything is judged. */
async function ask(
  description: TargetDescription,
  { own, originator, choice }: Probe,
  options: Omit<UrlTargetOptions, 'keepAlive'>,
): Promise<Exchange> {
  const target = urlTarget({ ...options, keepAlive: false });
  const sender = originator ?? (choice.tls?.requireCert === false ? own?.uris[0] : undefined);
  const { dialect, release, admin } = speechOf(choice);
  const speech = { dialect, release, requestIdentifier: () => 'cselab-probe' };
  const from = sender ?? admin ?? (dialect === 'onem2m' ? stranger : undefined);
  const headers = headerList(senderHeaders({ originator: from, speech }));
  const request = { method: 'GET', path: `/${description.base}`, headers };
  const raw = { ...request, version: '1.1', addHost: true, addContentLength: true } as const;
  const certificate: ClientCertificate | undefined = description.url.startsWith('https:') ? own : undefined;
  const exchange = await target.sendRaw(raw, { watchConnection: closeWatch, ...(certificate && { certificate }) });
  await target.close();
  return exchange;
}

function why({ failure, tls }: Exchange, { own }: Probe): string {
  const { message = 'nothing came' } = failure ?? {};
  const { verification = 'verified' } = tls?.server ?? {};
  if (verification !== 'verified') {
    return `${message}. Name the chain that it is to be verified by with --cacert FILE, or leave it unverified with -k`;
  }
  if (tls === undefined && (failure?.kind === 'closed' || failure?.kind === 'reset')) {
    return `${message}. If it speaks HTTPS, write https:// in the URL`;
  }
  if (tls?.handshake === undefined || tls.handshake === 'completed') return message;
  if (own !== undefined) return `${message}. Perhaps it refuses the client certificate ${own.files.cert}`;
  const demanded = tls.handshake === 'dropped' || /certificate/.test(tls.alert ?? '');
  return demanded ? `${message}. Perhaps it demands a client certificate: give --cert and --key` : message;
}

async function play({ choice, description, certificates, trust }: PreparedUrl, limits: Limits) {
  if (choice.playBackend === undefined) return undefined;
  const { port, interface: address, base, cseId } = choice.playBackend;
  const certificate = description.url.startsWith('https:') ? await certificates.find('backend') : { missing: '' };
  const { cert, key } = 'identity' in certificate ? certificate.identity : {};
  const secure = typeof cert === 'string' && typeof key === 'string';
  return PlayedBackend.listen({
    port,
    ...(address !== undefined && { interface: address }),
    base: base ?? backendDefaults.base,
    cseId: cseId ?? backendDefaults.cseId,
    spId: description.spId,
    ...(secure && { tls: { cert, key, ...(trust.ca !== undefined && { ca: trust.ca }) } }),
    startedAt: limits.startedAt,
    certain: false,
  });
}

/** A target that closes without saying so would break the next request on the same connection. */
function keepsConnection({ answer, connection }: Exchange): boolean {
  const announced = answer?.headers.some(([name, value]) => name === 'connection' && /\bclose\b/i.test(value));
  return connection !== 'closed' || announced === true;
}

function cseIdIn(exchange: Exchange): string | undefined {
  const { root, attributes } = viewOf(exchange);
  const csi = root === 'm2m:cb' ? attributes?.csi : undefined;
  return typeof csi === 'string' ? /^\/?([^/\s]+)$/.exec(csi)?.[1] : undefined;
}
