/** A whole test PKI as PEM texts: two authorities, a certificate for each CSE and application, and some to be refused. */
import {
  type Authority,
  type Holder,
  issue,
  issueToOneself,
  keyPem,
  makeIntermediate,
  makeRoot,
  type PemPair,
  pemOf,
  type Validity,
} from './authority.ts';

export interface PkiOptions {
  /** File name, without its ending, to absolute identifier (`//sp/cse` or `//sp/cse/ae`). */
  readonly holders: Readonly<Record<string, string>>;
  /** Whose identity the certificates to be refused carry, unless what is wrong is the identity. Absent: none are made. */
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
  readonly refused: Readonly<Partial<Record<RefusedKind, PemPair>>>;
  /** To issue more later; never shipped. */
  readonly authorityKeys: { readonly root: string; readonly intermediate: string };
}

/** What can be wrong with the certificate of a client. */
export const refusedKinds = [
  'expired',
  'not-yet-valid',
  'other-authority',
  'self-signed',
  'server-only',
  'no-alternative-names',
  'dns-only',
  'two-uris',
  'wrong-identifier',
] as const;
export type RefusedKind = (typeof refusedKinds)[number];

const day = 24 * 60 * 60 * 1000;
/** A clock that is a little behind must not find a fresh certificate in its future. */
const tolerance = day;

function validity(days: number, from = Date.now()): Validity {
  return { notBefore: new Date(from - tolerance), notAfter: new Date(from + days * day) };
}

export async function makePki(options: PkiOptions): Promise<Pki> {
  const period = validity(options.days);
  const root = await makeRoot('cselab test root', period);
  const intermediate = await makeIntermediate(root, 'cselab test intermediate', period);
  const certificates: Record<string, PemPair> = {};
  for (const [name, identifier] of Object.entries(options.holders)) {
    certificates[name] = await issue(intermediate, holderOf(name, identifier, options));
  }
  return {
    chain: pemOf(intermediate.certificate) + pemOf(root.certificate),
    root: pemOf(root.certificate),
    certificates,
    refused: options.refused === undefined ? {} : await makeRefused(intermediate, options.refused, options),
    authorityKeys: { root: await keyPem(root.keys), intermediate: await keyPem(intermediate.keys) },
  };
}

function holderOf(commonName: string, identifier: string, { hosts = [], days }: PkiOptions): Holder {
  const isAddress = (host: string) => host.includes(':') || /^[\d.]+$/.test(host);
  return {
    commonName,
    uris: [identifier],
    dnsNames: ['localhost', ...hosts.filter((host) => !isAddress(host))],
    addresses: ['127.0.0.1', '::1', ...hosts.filter(isAddress)],
    usages: ['client', 'server'],
    validity: validity(days),
  };
}

async function makeRefused(
  authority: Authority,
  identifier: string,
  options: PkiOptions,
): Promise<Record<RefusedKind, PemPair>> {
  const sound = (kind: RefusedKind) => holderOf(kind, identifier, options);
  const cse = identifier.slice(0, identifier.lastIndexOf('/'));
  const past = { notBefore: new Date(Date.now() - 400 * day), notAfter: new Date(Date.now() - 35 * day) };
  const future = {
    notBefore: new Date(Date.now() + options.days * day),
    notAfter: new Date(Date.now() + 2 * options.days * day),
  };
  const from = (holder: Holder) => issue(authority, holder);
  return {
    expired: await from({ ...sound('expired'), validity: past }),
    'not-yet-valid': await from({ ...sound('not-yet-valid'), validity: future }),
    'other-authority': await issueByStranger(identifier, options),
    'self-signed': await issueToOneself(sound('self-signed')),
    'server-only': await from({ ...sound('server-only'), usages: ['server'] }),
    'no-alternative-names': await from({ ...sound('no-alternative-names'), uris: [], dnsNames: [], addresses: [] }),
    'dns-only': await from({ ...sound('dns-only'), uris: [], addresses: [] }),
    'two-uris': await from({ ...sound('two-uris'), uris: [`${cse}/CFirst`, `${cse}/CSecond`] }),
    'wrong-identifier': await from({ ...sound('wrong-identifier'), uris: [`${cse}/COther`] }),
  };
}

/** A sound certificate of an authority that nobody trusts. */
export async function issueByStranger(identifier: string, options: PkiOptions): Promise<PemPair> {
  const period = validity(options.days);
  const root = await makeRoot('cselab other root', period);
  const intermediate = await makeIntermediate(root, 'cselab other intermediate', period);
  return issue(intermediate, holderOf('other-authority', identifier, options));
}
