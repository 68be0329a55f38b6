import { headerOf } from '../basics/body.ts';
import { defined } from '../basics/defined.ts';
import { neverArrived, summaryOf, viewOf } from '../judging/answer.ts';
import { clockAhead as clockAheadIn } from '../judging/timestamp.ts';
import { asRaw, type ClientCertificate, imitatedProduct, type RequestLimits, type Target } from '../messages/target.ts';
import type { Exchange } from '../results/exchange.ts';
import type { TargetDescription } from '../results/result.ts';
import { type PauseOptions, withGrowingPauses } from './exchanging/clocks.ts';
import { type UrlTargetOptions, urlTarget } from './exchanging/url.ts';
import { inProcessTarget } from './in-process.ts';
import type { Installation } from './installation.ts';
import { baseRequest, isCutShort, isUnavailable, Liveness, type Sign, signOf } from './liveness.ts';
import { type CseNameChoice, certificateFor, type PreparedUrl, type UrlChoice, usualTargetWait } from './url-choice.ts';
import { cborTarget, noCbor, routedTarget } from './wires/routed-target.ts';

/** With the pauses of the wait for the target. */
export interface ReachLimits extends RequestLimits, PauseOptions {
  /** Finds certain errors of the set-up in the answer with the CSE base; `undefined`: the run cannot go on. */
  readonly examine?: ((read: Exchange | undefined) => Promise<string | undefined>) | undefined;
}

/** Milliseconds after which a silent target counts as unreachable. */
export const probeTimeout = 4500;
/** Milliseconds to see whether the target closes the connection after its answer. */
const closeWatch = 100;

/** The CSEs of a target, with identity and dialect of requests. */
export type Parties = Pick<
  Installation,
  'gateway' | 'backend' | 'dialect' | 'release' | 'admin' | 'originator' | 'certificates' | 'usualCertificate'
>;

/**
 * Waits until the target answers, and its backend, if any, within the load limits. `clockAhead`: milliseconds by which the clock of
 * the gateway is ahead; `close` ends what the CSEs share, which are closed separately.
 */
export async function reachParties(prepared: PreparedUrl, options: ReachLimits) {
  const { choice, certificates } = prepared;
  const { clock, signal, examine, ...limits } = options;
  const limit = prepared.skipWait ? 0 : (choice.waitForTarget ?? usualTargetWait);
  const close = async () => {
    await prepared.loadLimits.slots?.close();
    await prepared.route?.close();
  };
  const speaker = senderSettings(prepared);
  const reached = (description: TargetDescription, { cseId }: CseNameChoice) =>
    withGrowingPauses(
      () => reach({ ...prepared, ...speaker, description, known: cseId !== undefined }, limits),
      (one) => !('unreachable' in one) || one.final === true,
      { limit, clock, signal },
    );
  const gateway = await examined(await reached(prepared.description, choice), examine);
  if ('unreachable' in gateway) {
    await close();
    return gateway;
  }
  const backend = prepared.backend && (await reached(prepared.backend, choice.backend ?? {}));
  if (backend !== undefined && 'unreachable' in backend) {
    await gateway.target.close();
    await close();
    return { unreachable: `the backend ${backend.unreachable}` };
  }
  const targets = { gateway: gateway.target, ...(backend && { backend: backend.target }) };
  return { parties: { ...speaker, certificates, ...targets }, clockAhead: gateway.ahead, close };
}

/** Replaces the target by an error of the set-up, if any. */
async function examined(reached: ReachResult, examine: ReachLimits['examine']): Promise<ReachResult> {
  // A target that accepts connections and stays silent would stay silent again.
  const problem =
    'silent' in reached ? undefined : await examine?.('exchange' in reached ? reached.exchange : undefined);
  if (problem === undefined) return reached;
  if ('target' in reached) await reached.target.close();
  return { unreachable: problem, misconfigured: true };
}

/** Dialect and identity of requests to a target. */
export function senderSettings(prepared: PreparedUrl) {
  const { choice, own, certificates } = prepared;
  const usual = certificateFor(prepared) && ('own' as const);
  // Beside HTTP all requests use the same certificate.
  const isOne = usual !== undefined && (certificates.issue === undefined || prepared.route !== undefined);
  const originator = choice.originator ?? (isOne ? own?.uris[0] : undefined);
  return { ...speechOf(choice), ...defined({ usualCertificate: usual, originator }) };
}

export function speechOf({
  dialect = 'documented',
  release = '3',
  admin,
}: Pick<UrlChoice, 'dialect' | 'release' | 'admin'>) {
  return { dialect, release, ...defined({ admin }) };
}

/** The target itself, without the wrappers of a run. */
export function targetAt(
  { choice, description, trust, loadLimits, fetch, route }: PreparedUrl,
  limits: Omit<UrlTargetOptions, 'description' | 'trust' | 'headers'>,
): Target {
  const options = { ...loadLimits, ...limits, description, trust, ...defined({ headers: choice.headers }) };
  const target = route
    ? routedTarget({ ...options, route })
    : fetch
      ? inProcessTarget({ ...options, fetch, foreign: true })
      : urlTarget(options);
  return description.serialization === 'cbor' ? cborTarget(target) : target;
}

interface Probe extends PreparedUrl {
  /** Whether its CSE identifier was given. */
  readonly known: boolean;
  readonly originator?: string;
}

/** `ahead`: milliseconds by which its clock is ahead. `final`: waiting will not help. */
type ReachResult = { readonly target: Target; readonly ahead: number; readonly exchange: Exchange } | ReachFailure;

interface ReachFailure {
  readonly unreachable: string;
  readonly final?: boolean;
  /** Whether it timed out, and would again. */
  readonly silent?: true;
  /** Whether the reason names the setting to change. */
  readonly misconfigured?: true;
}

/** Retrieves the CSE base once: over HTTP any answer will do, elsewhere any reaction; its `csi` is the default CSE-ID. */
async function reach(probe: Probe, limits: RequestLimits): Promise<ReachResult> {
  const { description, choice, noAnswer } = probe;
  const exchange = noAnswer ?? (await ask(probe, { ...limits, timeout: Math.min(limits.timeout, probeTimeout) }));
  const isOther = exchange.failure?.kind === 'malformed';
  if (!isAnswered(exchange, probe))
    return {
      unreachable: `${description.url} ${isOther ? 'does not answer as a CSE would' : 'does not answer'}: ${(probe.route === undefined ? why : whyOverWire)(exchange, probe)}`,
      final: !(neverArrived(exchange) || isCutShort(exchange)),
      ...(exchange.failure?.kind === 'timeout' && description.serialization !== 'cbor' && { silent: true as const }),
    };
  const cseId = probe.known ? description.cseId : cseIdIn(exchange);
  if ((cseId === undefined && choice.dialect === 'onem2m') || refusesCbor(exchange, description)) {
    const answer = summaryOf(exchange);
    return {
      unreachable: `${description.url} does not report its CSE-ID: ${answer}. ${remedyFor(exchange, description)}`,
      final: !isUnavailable(exchange),
    };
  }
  const { product, version, ...names } = description;
  const imitation = imitatedProduct(exchange.answer?.headers ?? []);
  const named = imitation === undefined ? { product, version } : { product: imitation };
  const found = { ...names, ...defined(named), cseId: cseId ?? description.cseId };
  const target = targetAt({ ...probe, description: found }, { ...limits, keepAlive: keepsConnection(exchange) });
  return { target, ahead: clockAheadIn(exchange), exchange };
}

const isAnswered = ({ answer, failure, wire }: Exchange, { known }: Probe) =>
  answer !== undefined || (known && failure?.kind === 'malformed' && wire !== undefined);

/** NOT_ACCEPTABLE and UNSUPPORTED_MEDIA_TYPE (TS-0004, clause 7.3.3.1). */
function refusesCbor({ answer }: Exchange, { serialization }: TargetDescription): boolean {
  const rsc = headerOf(answer?.headers ?? [], 'x-m2m-rsc') ?? '';
  return serialization === 'cbor' && (/^(5207|4015)$/.test(rsc) || answer?.status === 406 || answer?.status === 415);
}

/** What to do if the CSE base was not read. */
function remedyFor(exchange: Exchange, description: TargetDescription): string {
  const [{ answer }, { base }] = [exchange, description];
  if (refusesCbor(exchange, description)) return `Give --serialization json: ${noCbor}`;
  if (answer?.status === 404) return `Perhaps /${base} is not its CSE base: give --base`;
  if (answer?.status === 200) return `That is no CSE base: is it a CSE, and /${base} its base? Else give --base`;
  return 'Give --cse-id, or with --admin an originator that may read the CSE base';
}

/** Presents a given certificate, so that an unsuitable one is found before any check. */
async function ask(probe: Probe, limits: RequestLimits): Promise<Exchange> {
  const { description, own, originator, choice } = probe;
  const target = targetAt(probe, { ...limits, keepAlive: false });
  const certificate: ClientCertificate | undefined = description.url.startsWith('https:') ? own : undefined;
  const sender = originator ?? certificate?.uris[0];
  const request = asRaw(baseRequest(description, { ...speechOf(choice), originator: sender }, 'cselab-probe'));
  const exchange = await target.send(request, { watchConnection: closeWatch, ...(certificate && { certificate }) });
  await target.close();
  return exchange;
}

function why(exchange: Exchange, { own, fetch }: Probe): string {
  const { failure, tls } = exchange;
  // A function shows nothing more.
  if (fetch !== undefined) return summaryOf(exchange);
  const { message = 'nothing came' } = failure ?? {};
  const { verification = 'verified' } = tls?.server ?? {};
  if (verification !== 'verified') {
    return `${message}. Name the chain that it is to be verified by with --cacert FILE, or leave it unverified with -k`;
  }
  if (tls === undefined && (failure?.kind === 'closed' || failure?.kind === 'reset')) {
    return `${message}. If it speaks HTTPS, write https:// in the URL`;
  }
  if (tls?.handshake === undefined || tls.handshake === 'completed') return message;
  if (own !== undefined) return `${message}. ${perhapsRefused(own)}`;
  const demanded = tls.handshake === 'dropped' || /certificate/.test(tls.alert ?? '');
  return demanded ? `${message}. Perhaps it demands a client certificate: give --cert and --key` : message;
}

/** For a wire other than HTTP. */
function whyOverWire({ failure }: Exchange, probe: Probe): string {
  const { message = 'nothing came' } = failure ?? {};
  return message + (probe.own === undefined ? perhapsAnother(failure, probe) : `. ${perhapsRefused(probe.own)}`);
}

/** A hint after silence over MQTT: a CSE with another CSE-ID than the default listens to other topics. */
export function perhapsAnother(failure: Exchange['failure'], { choice, description, route }: PreparedUrl): string {
  if (failure?.kind !== 'timeout' || route?.wire !== 'MQTT' || choice.cseId !== undefined) return '';
  return `. Requests were for the CSE /${description.cseId}: if that is not its CSE-ID, give --cse-id`;
}

const perhapsRefused = ({ files }: ClientCertificate) => `Perhaps it refuses the client certificate ${files.cert}`;

/** A target that closes without notice, or sends surplus bytes, would break the next request on the same connection. */
function keepsConnection({ answer, connection, surplus = 0 }: Exchange): boolean {
  if (surplus > 0) return false;
  const announced = answer?.headers.some(([name, value]) => name === 'connection' && /\bclose\b/i.test(value));
  return connection !== 'closed' || announced === true;
}

function cseIdIn(exchange: Exchange): string | undefined {
  const { root, attributes } = viewOf(exchange);
  const csi = root === 'm2m:cb' ? attributes?.csi : undefined;
  return typeof csi === 'string' ? /^\/?([^/\s]+)$/.exec(csi)?.[1] : undefined;
}

/** Asks whether the target is alive, with the identity of the run. */
export function livenessOf(
  { gateway, backend }: Pick<Parties, 'gateway' | 'backend'>,
  prepared: PreparedUrl,
  { timeout, clock }: Pick<ReachLimits, 'timeout' | 'clock'>,
): Liveness {
  const { choice, own } = prepared;
  const usual = senderSettings(prepared);
  const way = usual.usualCertificate !== undefined && own !== undefined ? { certificate: own } : {};
  const speaker = { ...usual, ...defined({ originator: usual.originator ?? way.certificate?.uris[0] }) };
  const ask = async (): Promise<Sign> => {
    for (const target of [gateway, backend]) {
      const sign = target === undefined ? 'alive' : await signOf(target, speaker, { ...way, timeout });
      if (sign !== 'alive') return sign;
    }
    return 'alive';
  };
  return new Liveness({ ask, waitFor: choice.waitForTarget ?? usualTargetWait, ...(clock && { clock }) });
}
