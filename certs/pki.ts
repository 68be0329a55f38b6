/** A whole test PKI as PEM texts: two authorities, a certificate for each CSE and application, and some to be refused. */
import { KeyObject, randomFillSync, sign, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import {
  type Authority,
  authorityOf,
  type Holder,
  issue,
  keyPem,
  makeAuthority,
  newKeys,
  type PemPair,
  pemOf,
  type Validity,
} from './authority.ts';
import type { DefectName } from './refused.ts';

export { type DefectName, defectNames } from './refused.ts';

export interface PkiOptions {
  /** File name, without its ending, to absolute identifier (`//sp/cse` or `//sp/cse/ae`). */
  readonly holders: Readonly<Record<string, string>>;
  /** Identity in the certificates to be refused, unless the identity is the defect. Absent: none are made. */
  readonly refused?: string;
  /** How long everything is valid. */
  readonly days: number;
  /** DNS names and IP addresses beside localhost, 127.0.0.1 and ::1. */
  readonly hosts?: readonly string[];
}

export interface Pki {
  /** Intermediate certificate, then root. */
  readonly chain: string;
  readonly root: string;
  readonly certificates: Readonly<Record<string, PemPair>>;
  readonly refused: Readonly<Partial<Record<DefectName, PemPair>>>;
  /** To issue more later; never shipped. */
  readonly authorityKeys: { readonly root: string; readonly intermediate: string };
}

const day = 24 * 60 * 60 * 1000;
/** A clock that is a little behind must not find a fresh certificate in its future. */
const tolerance = day;

/** What all certificates of a PKI have in common; nothing outlives the authority that issued it. */
interface Common {
  readonly hosts: readonly string[];
  readonly now: number;
  readonly days: number;
  readonly period: Validity;
}

function commonOf({ hosts = [], days }: PkiOptions): Common {
  const now = Date.now();
  return { hosts, now, days, period: { notBefore: new Date(now - tolerance), notAfter: new Date(now + days * day) } };
}

/**
 * Makes everything anew and touches no disk. The certificates to be refused can be had for any identifier, without a holder:
 * `const { refused } = await makePki({ holders: {}, refused: '//sp/cse/CApp', days: 1 })`. Of these, `self-signed` and
 * `other-authority` serve against any CSE; the others only against one that trusts `chain`.
 */
export async function makePki(options: PkiOptions): Promise<Pki> {
  const common = commonOf(options);
  const { period } = common;
  const root = await makeAuthority('cselab test root', period);
  const intermediate = await makeAuthority('cselab test intermediate', period, root);
  const certificates: Record<string, PemPair> = {};
  for (const [name, identifier] of Object.entries(options.holders)) {
    certificates[name] = await issue(holderOf(name, identifier, common), intermediate);
  }
  return {
    chain: pemOf(intermediate.certificate) + pemOf(root.certificate),
    root: pemOf(root.certificate),
    certificates,
    refused: options.refused === undefined ? {} : await makeRefused(intermediate, options.refused, common),
    authorityKeys: { root: keyPem(root.keys), intermediate: keyPem(intermediate.keys) },
  };
}

/**
 * Issues client certificates by the authority of this certificate and private key, both as PEM texts. They share one key of their own,
 * which makes them cheap to issue in any number. Rejects where key or certificate cannot be parsed.
 */
export async function clientIssuer(
  cert: string,
  key: string,
  days = 1,
): Promise<(identifier: string) => Promise<PemPair>> {
  const [authority, keys] = await Promise.all([authorityOf(cert, key), newKeys()]);
  const common = commonOf({ holders: {}, days });
  const forClients = { dnsNames: [], addresses: [], usages: ['client'] } as const;
  const authorityKey = KeyObject.from(authority.keys.privateKey);
  /** The first certificate for each length of identifier. */
  const issued = new Map<number, { readonly identifier: string; readonly pair: PemPair }>();
  return async (identifier) => {
    const like = issued.get(identifier.length);
    const cert = like && reissue(like.pair.cert, like.identifier, identifier, authorityKey);
    if (like && cert !== undefined) return { ...like.pair, cert: cert + authority.chain };
    const pair = await issue({ ...holderOf('client', identifier, common), ...forClients }, authority, keys);
    issued.set(identifier.length, { identifier, pair });
    return pair;
  };
}

function holderOf(commonName: string, identifier: string, { hosts, period }: Common): Holder {
  const isAddress = (host: string) => isIP(host) !== 0;
  return {
    commonName,
    uris: [identifier],
    dnsNames: ['localhost', ...hosts.filter((host) => !isAddress(host))],
    addresses: ['127.0.0.1', '::1', ...hosts.filter(isAddress)],
    usages: ['client', 'server'],
    validity: period,
  };
}

async function makeRefused(
  authority: Authority,
  identifier: string,
  common: Common,
): Promise<Record<DefectName, PemPair>> {
  const { now, days } = common;
  const cse = identifier.slice(0, identifier.lastIndexOf('/'));
  const past = { notBefore: new Date(now - 400 * day), notAfter: new Date(now - 35 * day) };
  const future = { notBefore: new Date(now + days * day), notAfter: new Date(now + 2 * days * day) };
  const issueOne = async (defect: DefectName, wrong: Partial<Holder>, by = authority) =>
    [defect, await issue({ ...holderOf(defect, identifier, common), ...wrong }, by)] as const;
  const otherRoot = await makeAuthority('cselab other root', common.period);
  return Object.fromEntries([
    await issueOne('expired', { validity: past }),
    await issueOne('not-yet-valid', { validity: future }),
    await issueOne('other-authority', {}, await makeAuthority('cselab other intermediate', common.period, otherRoot)),
    ['self-signed', await issue(holderOf('self-signed', identifier, common))],
    await issueOne('server-only', { usages: ['server'] }),
    await issueOne('no-alternative-names', { uris: [], dnsNames: [], addresses: [] }),
    await issueOne('dns-only', { uris: [], addresses: [] }),
    await issueOne('two-uris', { uris: [`${cse}/CFirst`, `${cse}/CSecond`] }),
    await issueOne('wrong-identifier', { uris: [`${cse}/COther`] }),
  ]) as Record<DefectName, PemPair>;
}

// Reissues a certificate for another URI: making one of its parts takes twenty times as long as signing it.

const sequence = 0x30;
const bitString = 0x03;

/**
 * PEM of the same certificate for another URI of the same length, with a serial number of its own, signed anew by ECDSA with SHA-256, as
 * it was (RFC 5280, 4.1). Undefined unless the URI occurs in it exactly once, byte for byte.
 */
export function reissue(cert: string, from: string, to: string, authorityKey: KeyObject): string | undefined {
  const [toBeSigned, algorithm] = partsOf(new X509Certificate(cert).raw);
  if (toBeSigned === undefined || algorithm === undefined) return undefined;
  const at = toBeSigned.indexOf(from, 'latin1');
  const isThereOnce = at >= 0 && !toBeSigned.includes(from, at + 1, 'latin1');
  // A letter of several bytes would change the length.
  if (!isThereOnce || Buffer.byteLength(to) !== from.length || to.length !== from.length) return undefined;
  toBeSigned.write(to, at, 'latin1');
  const [, number] = partsOf(toBeSigned);
  // Tag, length and two bytes stay: they keep it positive and as short as it has to be.
  if (number !== undefined) randomFillSync(number, 4);
  const signature = sign('sha256', toBeSigned, authorityKey);
  const whole = element(sequence, toBeSigned, algorithm, element(bitString, Buffer.of(0), signature));
  return new X509Certificate(whole).toString();
}

/** The elements of a sequence in DER, each with tag and length, as views of its bytes. */
function partsOf(der: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = headOf(der, 0).head; at < der.length; ) {
    const { head, body } = headOf(der, at);
    parts.push(der.subarray(at, at + head + body));
    at += head + body;
  }
  return parts;
}

/** Lengths in bytes. */
function headOf(der: Buffer, at: number): { readonly head: number; readonly body: number } {
  const first = der.readUInt8(at + 1);
  if (first < 0x80) return { head: 2, body: first };
  const more = first - 0x80;
  return { head: 2 + more, body: der.readUIntBE(at + 2, more) };
}

function element(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size = length < 0x80 ? [length] : [0x82, length >> 8, length % 0x100];
  return Buffer.concat([Buffer.of(tag, ...size), body]);
}
