import { statSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import type { Ics } from '../../ics/ics.ts';
import { defined } from '../basics/defined.ts';
import { didYouMean, UsageError } from '../basics/diagnostics.ts';
import type { Dialect, Serialization } from '../grammar/dialects.ts';
import type { RiskChoice } from '../grammar/grammar-risk.ts';
import type { ClientCertificate, HeaderList } from '../messages/target.ts';
import type { Trust } from '../messages/tls.ts';
import type { Exchange } from '../results/exchange.ts';
import type { TargetDescription } from '../results/result.ts';
import { CertificateStore } from './certificate-store.ts';
import { assertUsable, type CertificateFiles, readAuthorities, readCertificate } from './credentials.ts';
import { type LoadLimits, loadLimitsOf } from './exchanging/load-limits.ts';
import type { Fetch } from './in-process.ts';
import { bindingOf, type Route, routeTo, schemes } from './wires/route.ts';

/** How a CSE is called. */
export interface OptionalCseNames {
  /** `onem2m` when absent, `cse-in` in the onem2m dialect. */
  readonly base?: string;
  /** What its CSE base says, when absent. */
  readonly cseId?: string;
}

/** A target that somebody else runs, as its user describes it, however it is reached. */
export interface LiveChoice extends OptionalCseNames {
  readonly url: string;
  readonly spId?: string;
  /** Sent with every request. */
  readonly headers?: HeaderList;
  /** Sent in place of every other originator. */
  readonly originator?: string;
  /** How the target speaks; `documented` when absent. */
  readonly dialect?: Dialect;
  /** Named in every request (onem2m dialect); `3` when absent. */
  readonly release?: string;
  /** In which it is asked (onem2m dialect); JSON when absent. */
  readonly serialization?: Serialization;
  /** The originator that may do everything. */
  readonly admin?: string;
  /** Whether the target looks at access control policies; by its dialect when absent. */
  readonly accessControl?: boolean;
  /** Milliseconds that a run may wait for time to pass; 30,000 when absent. */
  readonly waitBudget?: number;
  /** Milliseconds after which what a run creates expires; `none` where the target is not to be told. */
  readonly lifetime?: number | 'none';
  /** Paths that a run keeps away from, with everything below them. */
  readonly handsOff?: readonly string[];
  /** Bytes of the longest body that the target takes. */
  readonly bodyLimit?: number;
}

/** One behind a function such as the global `fetch`: what needs a socket or a listener is not judged. */
export interface FetchChoice extends LiveChoice {
  /** The global `fetch` when absent. */
  readonly fetch?: Fetch;
}

/** One that is reached over sockets. */
export interface UrlChoice extends LiveChoice, Pick<RiskChoice, 'risky' | 'risks' | 'looksLike'> {
  /** Path of the target file of its user that says so. */
  readonly file?: string;
  readonly tls?: {
    /** The client certificate that stands for the user. */
    readonly own?: CertificateFiles;
    /** Path of the chain by which the target is verified. */
    readonly cacert?: string;
    readonly insecure?: boolean;
    /** Path of a directory of further certificates. */
    readonly certs?: string;
    /** Whether the target demands a client certificate, where that is known. */
    readonly requireCert?: boolean;
  };
  /** The name by which the target reaches the harness, for notifications. */
  readonly inboxHost?: string;
  /** False where the target cannot reach the harness at all. */
  readonly reachesHarness?: false;
  /** Milliseconds to wait for a target that is not there, at the start and when it died; 10,000 when absent. */
  readonly waitForTarget?: number;
  /** The backend at which the target is registered. */
  readonly backend?: OptionalCseNames & { readonly url: string };
  /** The harness takes the place of the backend. */
  readonly asBackend?: SimulatedBackendChoice;
  /** What the target is called, and which version of it runs there. */
  readonly product?: string;
  readonly version?: string;
  /** What it claims to have, and denies. What is not listed is unknown, and judged. */
  readonly statement?: Ics;
  /** The name of a profile of TS-0025 that it is to meet, or the path of one. */
  readonly profile?: string;
  /** Most requests in so many milliseconds. */
  readonly rate?: { readonly requests: number; readonly per: number };
  /** Most connections at the same time; as many as there are jobs when absent. */
  readonly connections?: number;
}

export interface SimulatedBackendChoice extends OptionalCseNames {
  readonly port: number;
  /** 127.0.0.1 when absent. */
  readonly interface?: string;
  /** Milliseconds that the gateway is given to register, from when the harness listens; 30 s unless given. */
  readonly wait?: number;
  /** One with which the gateway is configured to register. */
  readonly label?: string;
  /** Called with the URL as soon as the harness listens there. */
  readonly onListening?: (url: string) => void;
}

/** Milliseconds. */
export const usualTargetWait = 10_000;

/** What the examples of the interface specification use. */
export const defaults = { base: 'onem2m', cseId: 'mn-cse-1', spId: 'openmtc.org' };
/** What deployed CSEs are often called that speak the standard's own binding. */
const onem2mDefaults = { ...defaults, base: 'cse-in', cseId: 'id-in' };
export function defaultNames(dialect: Dialect): typeof defaults {
  return dialect === 'onem2m' ? onem2mDefaults : defaults;
}
export const backendDefaults = { ...defaults, cseId: 'in-cse-1' };

/** A choice whose files are read. */
export interface PreparedUrl {
  readonly choice: UrlChoice;
  readonly description: TargetDescription;
  readonly backend?: TargetDescription;
  readonly trust: Trust;
  readonly own?: ClientCertificate;
  readonly certificates: CertificateStore;
  /** Shared by all that is sent to the target. */
  readonly loadLimits: LoadLimits;
  /** Whether the target is not waited for, or was already, in vain. */
  readonly skipWait?: true;
  /** How it was asked for its CSE base, and said nothing. */
  readonly noAnswer?: Exchange;
  /** What the target is behind, in place of sockets. */
  readonly fetch?: Fetch;
  /** The way to it where that is none of HTTP. */
  readonly route?: Route;
}

/** As `prepareUrl` does. A function answers or it does not, and nothing behind it reaches the harness. */
export async function prepareFetch({ fetch, ...choice }: FetchChoice): Promise<PreparedUrl> {
  const prepared = await prepareUrl({ ...choice, reachesHarness: false });
  return { ...prepared, skipWait: true, fetch: fetch ?? ((request) => globalThis.fetch(request)) };
}

/** Reads what the choice names. Rejects with a UsageError for what cannot be used; nothing is sent. */
export async function prepareUrl(input: UrlChoice): Promise<PreparedUrl> {
  const choice = withInboxHost(input);
  const usual = defaultNames(choice.dialect ?? 'documented');
  const description = {
    ...descriptionOf(choice, choice, usual),
    ...defined({ product: choice.product, version: choice.version }),
  };
  const backend = choice.backend && descriptionOf(choice.backend, choice, { ...backendDefaults, base: usual.base });
  const { own: files, cacert, insecure = false, certs, requireCert } = choice.tls ?? {};
  if (certs !== undefined && !statSync(certs, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--certs: there is no directory ${certs}`);
  const trust: Trust = {
    ...(cacert !== undefined && { ca: await readAuthorities(cacert), caFile: cacert }),
    ...(insecure && { insecure }),
  };
  const certificate = files && (await readCertificate('own', files));
  const certificates = new CertificateStore({
    ...defined({ own: certificate, directory: certs }),
    gateway: description.cseId,
    backend: backend?.cseId ?? choice.asBackend?.cseId ?? backendDefaults.cseId,
    identifier: `//${description.spId}/${description.cseId}/Ccselab`,
    issuing: choice.dialect === 'onem2m' && choice.originator === undefined,
  });
  const own = certificate ?? (requireCert === true ? await requiredCertificate(certificates) : undefined);
  if (sendsCertificate(description.url)) assertUsable(own, namesOriginator(choice));
  const loadLimits = loadLimitsOf(choice);
  const { url, serialization, dialect = 'documented' } = choice;
  const found = { backend, own, route: await routeTo(dialect, { url, trust, own, serialization }) };
  return { choice, description, trust, certificates, loadLimits, ...defined(found) };
}

/** Whether the certificate says who the run is. */
function namesOriginator({ dialect = 'documented', originator, tls }: UrlChoice): boolean {
  return dialect === 'documented' && originator === undefined && tls?.requireCert !== false;
}

async function requiredCertificate(certificates: CertificateStore): Promise<ClientCertificate> {
  const own = await certificates.find('own');
  if ('missing' in own) throw new UsageError('a target with --require-cert needs --cert and --key, or --certs');
  return own;
}

function descriptionOf(
  { url, base, cseId }: OptionalCseNames & { readonly url: string },
  { spId, serialization }: LiveChoice,
  usual: typeof defaults,
): TargetDescription {
  return {
    kind: 'url',
    url: withoutCredentials(url),
    base: (base ?? usual.base).replace(/^\/+|\/+$/g, ''),
    cseId: (cseId ?? usual.cseId).replace(/^\/+/, ''),
    spId: (spId ?? usual.spId).replace(/^\/+/, ''),
    ...defined({ serialization }),
  };
}

/** What the server wants to know of who connects is told to nobody else. */
export function withoutCredentials(url: string): string {
  const parsed = parseUrl(url);
  [parsed.username, parsed.password] = ['', ''];
  return parsed.href.replace(/\/+$/, '');
}

/** With the host of inboxes as it stands in a URL, IPv6 in brackets. */
function withInboxHost(choice: UrlChoice): UrlChoice {
  const { inboxHost: text } = choice;
  if (text === undefined) return choice;
  const host = isIPv6(text) ? `[${text}]` : text;
  const inboxHost = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
  if (inboxHost !== '' && (isIPv6(text) || inboxHost === host.toLowerCase())) return { ...choice, inboxHost };
  throw new UsageError(`--inbox-host is a name or an address, without scheme, port and path; it cannot be "${text}"`);
}

/** Throws a UsageError for what is no URL of a target. */
export function parseUrl(text: string): URL {
  if (!URL.canParse(text)) throw new UsageError(`"${text}" is no URL; it should look like http://127.0.0.1:8000`);
  const url = new URL(text);
  const scheme = url.protocol.slice(0, -1);
  if (scheme === 'coaps') throw new UsageError(`"${text}": CoAP is spoken without DTLS: coap://${url.host}`);
  if (!schemes.includes(scheme)) {
    throw new UsageError(
      `"${text}" is none of an ${schemes.slice(0, -1).join(', ')} or ${schemes.at(-1)} URL${didYouMean(scheme, schemes)}`,
    );
  }
  if (bindingOf(text)?.wire !== 'MQTT' && (url.username !== '' || url.password !== '')) {
    throw new UsageError("the URL may not hold a name and password; send what the target wants with -H 'Name: value'");
  }
  if (url.search !== '' || url.hash !== '') {
    throw new UsageError(`the URL "${text}" may only have a host, a port and a path`);
  }
  return url;
}

/** Whether the target itself sees the certificate of who sends: a server between both may be all that does. */
export const sendsCertificate = (url: string): boolean => /^(https|wss):/.test(url);

/** A user who names a certificate means it to be used, unless the target is said to do without. */
export function certificateFor({ choice, description, own }: PreparedUrl): ClientCertificate | undefined {
  return sendsCertificate(description.url) && choice.tls?.requireCert !== false ? own : undefined;
}
