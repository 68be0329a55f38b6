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
import { type LoadLimits, limitsOf } from './exchanging/load-limits.ts';
import type { Fetch } from './in-process.ts';
import { bindingOf, type Route, routeTo, schemes } from './wires/route.ts';

/** Names of a CSE. */
export interface CseNameChoice {
  /** `onem2m` when absent, `cse-in` in the onem2m dialect. */
  readonly base?: string;
  /** That of its CSE base when absent. */
  readonly cseId?: string;
}

/** A foreign target, as described by its user, however it is reached. */
export interface LiveChoice extends CseNameChoice {
  readonly url: string;
  readonly spId?: string;
  /** Sent with every request. */
  readonly headers?: HeaderList;
  /** Sent in place of every other originator. */
  readonly originator?: string;
  /** Dialect of the target; `documented` when absent. */
  readonly dialect?: Dialect;
  /** Sent with every request (onem2m dialect); `3` when absent. */
  readonly release?: string;
  /** Serialization of requests (onem2m dialect); JSON when absent. */
  readonly serialization?: Serialization;
  /** The originator with all privileges. */
  readonly admin?: string;
  /** Whether the target enforces access control policies; by its dialect when absent. */
  readonly accessControl?: boolean;
  /** Milliseconds that a run may wait for time to pass; 30,000 when absent. */
  readonly waitBudget?: number;
  /** Milliseconds after which resources of a run expire; `none` to send no expiration time. */
  readonly lifetime?: number | 'none';
  /** Paths that a run does not touch, with everything below them. */
  readonly handsOff?: readonly string[];
  /** Bytes of the longest body that the target accepts. */
  readonly bodyLimit?: number;
}

/** A target behind a function such as the global `fetch`: checks that need a socket or a listener do not apply. */
export interface FetchChoice extends LiveChoice {
  /** The global `fetch` when absent. */
  readonly fetch?: Fetch;
}

/** A target behind sockets. */
export interface UrlChoice extends LiveChoice, Pick<RiskChoice, 'risky' | 'risks' | 'looksLike'> {
  /** Path of the target file that describes it. */
  readonly file?: string;
  readonly tls?: {
    /** The client certificate of the user. */
    readonly own?: CertificateFiles;
    /** Path of the chain that verifies the target. */
    readonly cacert?: string;
    readonly insecure?: boolean;
    /** Path of a directory of further certificates. */
    readonly certs?: string;
    /** Whether the target demands a client certificate, if known. */
    readonly requireCert?: boolean;
  };
  /** The host under which the target reaches the harness, for notifications. */
  readonly inboxHost?: string;
  /** False where the target cannot reach the harness at all. */
  readonly reachesHarness?: false;
  /** Milliseconds to wait for an absent target, at the start and when it died; 10,000 when absent. */
  readonly waitForTarget?: number;
  /** The backend at which the target is registered. */
  readonly backend?: CseNameChoice & { readonly url: string };
  /** The harness as the backend. */
  readonly asBackend?: SimulatedBackendChoice;
  /** Name and version of the product. */
  readonly product?: string;
  readonly version?: string;
  /** Its claims and denials. Unlisted features are unknown, and checked. */
  readonly ics?: Ics;
  /** The name of a profile of TS-0025 that it should meet, or the path of one. */
  readonly profile?: string;
  /** Most requests in so many milliseconds. */
  readonly rate?: { readonly requests: number; readonly per: number };
  /** Most concurrent connections; the number of jobs when absent. */
  readonly connections?: number;
}

export interface SimulatedBackendChoice extends CseNameChoice {
  readonly port: number;
  /** 127.0.0.1 when absent. */
  readonly interface?: string;
  /** Milliseconds for the gateway to register, once the harness listens; 30 s when absent. */
  readonly wait?: number;
  /** A label that the gateway is configured to register with. */
  readonly label?: string;
  /** Called with the URL as soon as the harness listens there. */
  readonly onListening?: (url: string) => void;
}

/** Milliseconds. */
export const usualTargetWait = 10_000;

/** Those in the examples of the interface specification. */
export const defaults = { base: 'onem2m', cseId: 'mn-cse-1', spId: 'openmtc.org' };
/** Common names of deployed CSEs with the standard's own binding. */
const onem2mDefaults = { ...defaults, base: 'cse-in', cseId: 'id-in' };
export function defaultNames(dialect: Dialect): typeof defaults {
  return dialect === 'onem2m' ? onem2mDefaults : defaults;
}
export const backendDefaults = { ...defaults, cseId: 'in-cse-1' };

/** A choice with the contents of its files. */
export interface PreparedUrl {
  readonly choice: UrlChoice;
  readonly description: TargetDescription;
  readonly backend?: TargetDescription;
  readonly trust: Trust;
  readonly own?: ClientCertificate;
  readonly certificates: CertificateStore;
  /** Shared by all requests to the target. */
  readonly loadLimits: LoadLimits;
  /** Not to wait for the target, perhaps after a wait in vain. */
  readonly skipWait?: true;
  /** An unanswered request for its CSE base. */
  readonly noAnswer?: Exchange;
  /** The function in place of sockets. */
  readonly fetch?: Fetch;
  /** The route to it, if not HTTP. */
  readonly route?: Route;
}

/** Like `prepareUrl`. A function needs no wait, and nothing behind it reaches the harness. */
export async function prepareFetch({ fetch, ...choice }: FetchChoice): Promise<PreparedUrl> {
  const prepared = await prepareUrl({ ...choice, reachesHarness: false });
  return { ...prepared, skipWait: true, fetch: fetch ?? ((request) => globalThis.fetch(request)) };
}

/** Reads the files of a choice. Rejects with a UsageError for unusable ones; nothing is sent. */
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
  const { url, serialization, dialect = 'documented', originator } = choice;
  // Whether the certificate provides the originator.
  const namesOriginator = dialect === 'documented' && originator === undefined && requireCert !== false;
  if (sendsCertificate(description.url)) assertUsable(own, namesOriginator);
  const loadLimits = limitsOf(choice);
  const found = { backend, own, route: await routeTo(dialect, { url, trust, own, serialization }) };
  return { choice, description, trust, certificates, loadLimits, ...defined(found) };
}

async function requiredCertificate(certificates: CertificateStore): Promise<ClientCertificate> {
  const own = await certificates.find('own');
  if ('missing' in own) throw new UsageError('a target with --require-cert needs --cert and --key, or --certs');
  return own;
}

function descriptionOf(
  { url, base, cseId }: CseNameChoice & { readonly url: string },
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

/** Credentials are only for the server. */
export function withoutCredentials(url: string): string {
  const parsed = parseUrl(url);
  [parsed.username, parsed.password] = ['', ''];
  return parsed.href.replace(/\/+$/, '');
}

/** With the host of inboxes as in a URL, IPv6 in brackets. */
function withInboxHost(choice: UrlChoice): UrlChoice {
  const { inboxHost: text } = choice;
  if (text === undefined) return choice;
  const host = isIPv6(text) ? `[${text}]` : text;
  const inboxHost = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
  if (inboxHost !== '' && (isIPv6(text) || inboxHost === host.toLowerCase())) return { ...choice, inboxHost };
  throw new UsageError(`--inbox-host is a name or an address, without scheme, port and path; it cannot be "${text}"`);
}

/** Throws a UsageError for anything but a URL of a target. */
export function parseUrl(text: string): URL {
  // A password with characters of its own is a usual reason for no URL.
  const shown = text.replace(/\/\/.*@/s, '//***@').replace(/([?#]).*/s, '$1***');
  if (!URL.canParse(text)) throw new UsageError(`"${shown}" is no URL; it should look like http://127.0.0.1:8000`);
  const url = new URL(text);
  const scheme = url.protocol.slice(0, -1);
  if (scheme === 'coaps') throw new UsageError(`"${shown}": CoAP is spoken without DTLS: coap://${url.host}`);
  if (!schemes.includes(scheme)) {
    throw new UsageError(
      `"${shown}" is none of an ${schemes.slice(0, -1).join(', ')} or ${schemes.at(-1)} URL${didYouMean(scheme, schemes)}`,
    );
  }
  if (bindingOf(text)?.wire !== 'MQTT' && (url.username !== '' || url.password !== '')) {
    throw new UsageError("the URL may not hold a name and password; send what the target wants with -H 'Name: value'");
  }
  if (url.search !== '' || url.hash !== '') {
    throw new UsageError(`the URL "${shown}" may only have a host, a port and a path`);
  }
  return url;
}

/** Whether the target itself sees the client certificate, not just a server between both. */
export const sendsCertificate = (url: string): boolean => /^(https|wss):/.test(url);

/** A given certificate is used, unless the target is said not to require one. */
export function certificateFor({ choice, description, own }: PreparedUrl): ClientCertificate | undefined {
  return sendsCertificate(description.url) && choice.tls?.requireCert !== false ? own : undefined;
}
