/** A gateway CSE and a backend CSE that know each other, in one process. */
import type { Breakage, GivenRule } from '../breakage/contract.ts';
import type { Scheduler } from '../clock.ts';
import type { DialectName } from '../core/resource-type.ts';
import type { CseOptions, ReferenceCse } from '../create-cse.ts';
import { type CseNode, type NodeSettings, type NodeSurroundings, startNode } from './node.ts';
import { type PairCertificates, pairCertificates } from './pair-certificates.ts';
import type { TlsFiles } from './tls-files.ts';

/** `server`: HTTPS, and clients may present a certificate. `mutual`: HTTPS, and clients must present one. */
export type TlsMode = 'off' | 'server' | 'mutual';

/** What can be said of either CSE. */
export interface MemberOptions extends Omit<CseOptions, 'clock' | 'onError' | 'pointOfAccess'> {
  /** A free one unless given. */
  readonly port?: number;
  /** 127.0.0.1 unless given. */
  readonly interface?: string;
  /** Stands for the own identifier as originator of what this CSE sends. */
  readonly overwriteOriginator?: string;
  /** Opens an admin port there (0: at a free one): resets, snapshots, what was sent. */
  readonly adminPort?: number;
  /** What goes wrong at its listener once the pair is there; its clock is wrong from the beginning. See `PairMember.breakage`. */
  readonly breakage?: readonly GivenRule[];
  /** Of what is left to chance in it; 1 unless given. */
  readonly breakageSeed?: number;
}

interface SharedOptions extends Pick<NodeSurroundings, 'sendingTimeout' | 'onError' | 'log'> {
  /** Of both CSEs; `documented` unless given. */
  readonly dialect?: DialectName;
  /** `off` unless given. */
  readonly tls?: TlsMode;
  /** Of both CSEs; the system's unless given. */
  readonly clock?: Scheduler;
  /** Seconds between two renewals of the registration; 3,600 unless given. */
  readonly interval?: number;
  /** Seconds that a registration lives beyond the interval; 3,600 unless given. */
  readonly offset?: number;
  /** Of the registration; `cselab` unless given. */
  readonly labels?: readonly string[];
}

export interface PairOptions extends SharedOptions {
  /** Of the gateway, or of each; `mn-cse-1` unless told otherwise, in the onem2m dialect `id-mn` with the base `cse-mn`. */
  readonly gateway?: MemberOptions;
  /** `in-cse-1` unless told otherwise, in the onem2m dialect `id-in` with the base `cse-in`. */
  readonly backend?: MemberOptions;
  /** How many gateways register at the backend: `mn-cse-1`, `mn-cse-2` …; 1 unless given. */
  readonly gateways?: number;
}

export interface PairMember {
  readonly url: string;
  readonly base: string;
  readonly cseId: string;
  readonly spId: string;
  /** Another one after a reset or a restore by the admin port. */
  readonly cse: ReferenceCse;
  /** Of the admin port; undefined when there is none. */
  readonly adminUrl: string | undefined;
  /** Breaks what comes and goes at its listener: `await pair.gateway.breakage.set(['drop POST share=0.1'])`. */
  readonly breakage: Breakage;
  /** Resolves when the CSE is registered at the backend (again); at once for the backend itself. */
  whenRegistered(): Promise<void>;
}

export interface Pair extends AsyncDisposable {
  /** The first gateway. */
  readonly gateway: PairMember;
  readonly gateways: readonly PairMember[];
  readonly backend: PairMember;
  /** Files for clients; undefined when TLS is off. */
  readonly certs: PairCertificates | undefined;
  /** Ends the gateways, which deregister, then the backend. May be called again. */
  close(): Promise<void>;
}

/** Resolves when every gateway is registered. Rejects with node's error for a port that is taken. */
export async function startPair(options: PairOptions = {}): Promise<Pair> {
  const count = options.gateways ?? 1;
  if (!Number.isSafeInteger(count) || count < 1) throw new RangeError('gateways must be a whole number from 1 on');
  const { dialect = 'documented' } = options;
  const backend = { dialect, ...usualNames[dialect].backend, cseType: 'IN-CSE' as const, ...options.backend };
  const gateways = Array.from({ length: count }, (_, index) => gatewayOptions({ dialect, ...options.gateway }, index));
  const certificates = options.tls && options.tls !== 'off' ? await pairCertificates(gateways, backend) : undefined;
  const started: CseNode[] = [];
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= closeAll(started, certificates);
    return closed;
  };
  try {
    const first = await start(backend, certificates?.backend, undefined, options);
    started.push(first.node);
    const { url, cseId, base } = first.member;
    const members: PairMember[] = [];
    for (const [index, gateway] of gateways.entries()) {
      const { node, member } = await start(gateway, certificates?.gateways[index], { url, cseId, base }, options);
      started.push(node);
      members.push(member);
    }
    await Promise.all(members.map((member) => member.whenRegistered()));
    for (const node of started) node.rememberStart();
    // Only now: what is broken from the start would keep a pair from coming about.
    for (const node of started) await node.startBreaking();
    const [gateway] = members as [PairMember];
    const ends = { close, [Symbol.asyncDispose]: close };
    return { gateway, gateways: members, backend: first.member, certs: certificates, ...ends };
  } catch (error) {
    await close();
    throw error;
  }
}

export interface GatewayOptions extends SharedOptions, MemberOptions {
  readonly backend: Remote;
}

export interface Gateway extends PairMember, AsyncDisposable {
  /** Deregisters and ends. */
  close(): Promise<void>;
}

/** A gateway of a backend that somebody else runs. It listens when this resolves, and registers by itself. */
export async function startGateway({ backend, ...options }: GatewayOptions): Promise<Gateway> {
  const { tls, ...others } = options;
  const own = gatewayOptions(options, 0);
  const certificates = tls && tls !== 'off' ? await pairCertificates([own], { cseId: backend.cseId }) : undefined;
  const { node, member } = await start(own, certificates?.gateways[0], backend, { ...others, ...(tls && { tls }) });
  const close = () => closeAll([node], certificates);
  try {
    await node.startBreaking();
  } catch (error) {
    await close();
    throw error;
  }
  return Object.assign(member, { close, [Symbol.asyncDispose]: close });
}

interface Remote {
  readonly url: string;
  readonly cseId: string;
  readonly base: string;
}

const usualNames = {
  documented: { gateway: { cseId: 'mn-cse-1' }, backend: { cseId: 'in-cse-1' } },
  onem2m: { gateway: { base: 'cse-mn', cseId: 'id-mn' }, backend: { base: 'cse-in', cseId: 'id-in' } },
} as const;

function gatewayOptions(given: MemberOptions, index: number): MemberOptions & { readonly cseId: string } {
  const { gateway } = usualNames[given.dialect ?? 'documented'];
  const first = given.cseId ?? gateway.cseId;
  const cseId = index === 0 ? first : `${first.replace(/-?\d+$/, '')}-${index + 1}`;
  return { ...gateway, cseType: 'MN-CSE', ...given, cseId, ...(given.port && { port: given.port + index }) };
}

async function start(
  wanted: MemberOptions,
  tls: TlsFiles | undefined,
  remote: Remote | undefined,
  options: SharedOptions,
): Promise<{ readonly node: CseNode; readonly member: PairMember }> {
  const { clock, sendingTimeout, onError, log } = options;
  const node = await startNode(settingsOf(wanted, tls, remote, options), {
    ...(clock && { clock }),
    ...(sendingTimeout !== undefined && { sendingTimeout }),
    ...(onError && { onError }),
    ...(log && { log }),
  });
  const { base, cseId, spId } = node.cse.core.configuration;
  const member = {
    ...{ url: node.url ?? '', base, cseId, spId, adminUrl: node.adminUrl },
    ...{ breakage: node.breakage, whenRegistered: node.whenRegistered },
    get cse() {
      return node.cse;
    },
  };
  return { node, member };
}

function settingsOf(
  { port, interface: address, overwriteOriginator, adminPort, breakage, breakageSeed: seed, ...cse }: MemberOptions,
  tls: TlsFiles | undefined,
  remote: Remote | undefined,
  { tls: mode = 'off', interval = 3600, offset = 3600, labels = ['cselab'] }: SharedOptions,
): NodeSettings {
  const http = {
    enableHttps: mode !== 'off',
    requireCert: mode === 'mutual',
    ...(port !== undefined && { port }),
    ...(address !== undefined && { interface: address }),
  };
  const others = {
    http,
    ...(tls && { tls }),
    ...(overwriteOriginator && { overwriteOriginator }),
    ...(adminPort !== undefined && { admin: { port: adminPort } }),
    ...(breakage && { breakage: { rules: breakage, ...(seed !== undefined && { seed }) } }),
  };
  if (remote === undefined) return { cse, ...others };
  const { url, ...names } = remote;
  const remoteCses = [{ ...names, cseType: 'IN-CSE' as const, ownPoa: [], poa: [url] }];
  return { cse, ...others, registration: { interval, offset, labels, remoteCses } };
}

/** The gateways first: they deregister at the backend. */
async function closeAll(started: readonly CseNode[], certificates: PairCertificates | undefined): Promise<void> {
  const [backend, ...gateways] = started;
  await Promise.all(gateways.map((node) => node.close()));
  await backend?.close();
  await certificates?.remove();
}
