/** The connection to a target: host name, port and TLS certificate. */

import { X509Certificate } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import { checkServerIdentity, connect as connectTls, type TLSSocket } from 'node:tls';
import { alertIn, tlsOptions, verificationProblem } from '../engine/messages/tls.ts';
import { failureOf } from '../engine/targets/exchanging/failure.ts';
import { certificateFor, type PreparedUrl } from '../engine/targets/url-choice.ts';
import { quoted } from '../probe/finding.ts';
import { elsewhere, right, type SetupRemark, setting, unknown, wrong } from './remark.ts';

export interface Connectivity {
  readonly remarks: readonly SetupRemark[];
  /** Whether requests make sense. */
  readonly open: boolean;
  readonly from?: string;
}

const ports: ReadonlyMap<string, number> = new Map([
  ['http:', 80],
  ['https:', 443],
  ['ws:', 80],
  ['wss:', 443],
  ['mqtt:', 1883],
  ['mqtts:', 8883],
]);
const secure: ReadonlySet<string> = new Set(['https:', 'wss:', 'mqtts:']);

interface SocketAddress {
  readonly host: string;
  readonly port: number;
  readonly name: string;
}

function addressOf({ description }: PreparedUrl): SocketAddress | undefined {
  const { protocol, hostname, port } = new URL(description.url);
  const usual = ports.get(protocol);
  if (usual === undefined) return undefined;
  const host = hostname.replace(/^\[|\]$/g, '');
  return { host, port: port === '' ? usual : Number(port), name: `${hostname}:${port || usual}` };
}

/** `timeout`: milliseconds for each step. */
export async function checkConnectivity(prepared: PreparedUrl, timeout: number): Promise<Connectivity> {
  const address = addressOf(prepared);
  // Over UDP, only an answer shows anything.
  if (address === undefined) return { remarks: [], open: true };
  const named = await nameOf(address);
  if (named?.state === 'wrong') return { remarks: [named], open: false };
  const remarks = named === undefined ? [] : [named];
  const socket = await dial(address, timeout);
  if ('state' in socket) return { remarks: [...remarks, socket], open: false };
  const from = socket.localAddress;
  socket.destroy();
  remarks.push(right('port', `${address.name} accepts connections`));
  if (!secure.has(new URL(prepared.description.url).protocol)) return { remarks, open: true, ...(from && { from }) };
  const tlsRemarks = await handshake(address, prepared, timeout);
  const open = tlsRemarks.every(({ state }) => state !== 'wrong');
  return { remarks: [...remarks, ...tlsRemarks], open, ...(from && { from }) };
}

async function nameOf({ host }: SocketAddress): Promise<SetupRemark | undefined> {
  const about = 'host name';
  if (isIP(host) !== 0) return undefined;
  try {
    const all = await lookup(host, { all: true });
    return right(about, `${host} is ${all.map(({ address }) => address).join(', ')}`);
  } catch {
    const change = elsewhere(`correct the host in the URL, or make ${host} known`);
    return wrong(about, `no name server knows ${host}`, change);
  }
}

function dial({ host, port, name }: SocketAddress, timeout: number): Promise<Socket | SetupRemark> {
  const about = 'port';
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.setTimeout(timeout, () => {
      socket.destroy();
      const change = elsewhere('see whether it runs there, and whether a firewall drops what is sent to it');
      resolve(wrong(about, `no connection to ${name} within ${timeout / 1000} s`, change));
    });
    socket.once('connect', () => {
      socket.setTimeout(0);
      resolve(socket);
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      const isRefused = failureOf(error)?.kind === 'refused';
      const says = isRefused ? `nothing listens at ${name}` : `${name}: ${failureOf(error)?.message ?? error.message}`;
      resolve(wrong(about, says, elsewhere('start the target, or correct the port in the URL')));
    });
  });
}

/** Tries a TLS handshake, and sends nothing. */
async function handshake(address: SocketAddress, prepared: PreparedUrl, timeout: number): Promise<SetupRemark[]> {
  const { host, name } = address;
  const about = 'TLS';
  const socket = await shakeHands(address, prepared, timeout);
  if (socket === undefined) {
    const says = `${name} accepts the connection, but its TLS handshake does not end within ${timeout / 1000} s`;
    return [wrong(about, says, elsewhere('see what listens there'))];
  }
  if (socket instanceof Error) return [failedHandshake(socket, prepared, name)];
  const certificate = new X509Certificate(socket.getPeerCertificate().raw);
  const names = checkServerIdentity(host, socket.getPeerCertificate());
  const protocol = socket.getProtocol()?.replace('TLSv', 'TLS ') ?? 'TLS';
  const chain = String(socket.authorizationError ?? '');
  socket.destroy();
  const remarks = [right(about, `${name} speaks ${protocol}`), ...datesOf(certificate, Date.now())];
  if (prepared.trust.insecure)
    return [...remarks, unknown('its certificate', 'its name was not checked, because of -k')];
  const isWrong = remarks.some(({ state }) => state === 'wrong');
  if (!isWrong) remarks.push(...chainRemarks(chain, certificate));
  return names ? [...remarks, nameRemark(host, certificate)] : remarks;
}

/** The connection, or an error of the handshake; undefined if it does not end. */
function shakeHands(
  { host, port }: SocketAddress,
  prepared: PreparedUrl,
  timeout: number,
): Promise<TLSSocket | Error | undefined> {
  return new Promise((resolve) => {
    const options = tlsOptions(prepared.trust, certificateFor(prepared), undefined);
    const servername = isIP(host) === 0 ? { servername: host } : {};
    const socket = connectTls({ ...options, host, port, ...servername, rejectUnauthorized: false });
    const ends = (outcome?: Error) => {
      socket.destroy();
      resolve(outcome);
    };
    socket.setTimeout(timeout, () => ends());
    socket.on('error', ends);
    socket.on('close', () => ends(new Error('the target closed the connection')));
    socket.once('secureConnect', () => resolve(socket));
  });
}

function failedHandshake(error: Error, prepared: PreparedUrl, name: string): SetupRemark {
  const { code } = error as NodeJS.ErrnoException;
  if (/WRONG_VERSION|PACKET_LENGTH|EPROTO/.test(code ?? '') && alertIn(error) === undefined) {
    const plain = prepared.description.url.replace(/^(https|wss|mqtts):/, (scheme) => scheme.replace(/s:$/, ':'));
    return wrong('TLS', `${name} does not speak TLS`, setting(`--url ${plain}`, 'url', plain));
  }
  return clientRemark(`its TLS handshake fails: ${failureOf(error)?.message ?? error.message}`, prepared);
}

/** Why a target that demands client certificates ended the handshake. */
export function clientRemark(says: string, prepared: PreparedUrl): SetupRemark {
  const about = 'client certificate';
  const { own } = prepared;
  const some = setting('--cert FILE --key FILE', 'tls.cert', 'FILE');
  if (own === undefined) return wrong(about, `${says}: it may want a client certificate`, some);
  const expired = /expired/.test(says) ? ', which has expired by its clock' : '';
  const reason = /unknown ca/.test(says) ? ', whose authority it does not know' : expired;
  const change = elsewhere(`give --cert another, or make the target trust who issued ${own.files.cert}`);
  return wrong(about, `${says}: it may not accept ${own.files.cert}${reason}`, change);
}

function datesOf({ validFrom, validTo }: X509Certificate, now: number): SetupRemark[] {
  const about = 'its certificate';
  const clock = 'put a valid one in its place, or set the clock of this machine';
  if (Date.parse(validTo) < now) return [wrong(about, `it has expired, at ${validTo}`, elsewhere(clock))];
  if (Date.parse(validFrom) > now) return [wrong(about, `it is not valid before ${validFrom}`, elsewhere(clock))];
  return [];
}

function chainRemarks(code: string, { issuer }: X509Certificate): SetupRemark[] {
  const about = 'its certificate';
  if (code === '') return [right(about, 'it verifies')];
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return [];
  const by = quoted(issuer.replaceAll('\n', ', '));
  const says = `it does not verify, ${verificationProblem(code) ?? code}: it was issued by ${by}`;
  return [wrong(about, says, setting('--cacert FILE', 'tls.cacert', 'FILE'))];
}

function nameRemark(host: string, { subjectAltName = 'no name' }: X509Certificate): SetupRemark {
  const change = elsewhere('name the host in the URL as the certificate does, or have one made with that name');
  return wrong('its certificate', `it is for ${quoted(subjectAltName)}, and not for ${host}`, change);
}

/** Whether the target speaks TLS at a plain HTTP URL. */
export async function speaksTls(prepared: PreparedUrl, timeout: number): Promise<boolean> {
  const address = addressOf(prepared);
  const socket = address && (await shakeHands(address, prepared, timeout));
  if (socket === undefined || socket instanceof Error) return socket !== undefined && alertIn(socket) !== undefined;
  socket.destroy();
  return true;
}
