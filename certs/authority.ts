/** Certificates made with @peculiar/x509: an authority, and what it issues. ECDSA on P-256 throughout. */
import 'reflect-metadata';
import { createPrivateKey, KeyObject, webcrypto } from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  type JsonGeneralName,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** PEM texts. */
export interface PemPair {
  /** The certificate, then the intermediate ones up to the root, without it. */
  readonly cert: string;
  /** Private key, PKCS#8. */
  readonly key: string;
}

export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** What a certificate of a CSE, an AE or an IPE says of its holder. */
export interface Holder {
  readonly commonName: string;
  /** URIs of the subjectAltName: absolute identifiers without a scheme, `//sp/cse/ae`. */
  readonly uris: readonly string[];
  readonly dnsNames: readonly string[];
  readonly addresses: readonly string[];
  /** `server` alone makes a certificate that no client can use. */
  readonly usages: readonly ('client' | 'server')[];
  readonly validity: Validity;
}

cryptoProvider.set(webcrypto as Crypto);

/** Something that issues certificates. */
export interface Authority {
  readonly certificate: X509Certificate;
  readonly keys: CryptoKeyPair;
  /** PEM of this authority's certificate and those above it, the root left out. */
  readonly chain: string;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const organization = 'O=cselab test-only, OU=Not for any installation';

const nameOf = (commonName: string) => `CN=${commonName.replace(/[\\,+"<>;=#]/g, '\\$&')}, ${organization}`;

export function newKeys(): Promise<CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']) as Promise<CryptoKeyPair>;
}

/** Self-signed without a root; with one, an authority that can issue leaves only. */
export async function makeAuthority(commonName: string, validity: Validity, root?: Authority): Promise<Authority> {
  const keys = await newKeys();
  const certificate = await sign({ commonName, validity }, keys, authorityExtensions(root && 0), root);
  return { certificate, keys, chain: root === undefined ? '' : pemOf(certificate) + root.chain };
}

/** An existing authority, from the PEM texts of its certificate and private key. */
export async function authorityOf(cert: string, key: string): Promise<Authority> {
  const certificate = new X509Certificate(cert);
  const der = createPrivateKey(key).export({ type: 'pkcs8', format: 'der' });
  const privateKey = await webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']);
  const keys = { privateKey, publicKey: await certificate.publicKey.export() } as CryptoKeyPair;
  return { certificate, keys, chain: pemOf(certificate) };
}

/** Self-signed without an authority. */
export async function issue(holder: Holder, authority?: Authority, ownKeys?: CryptoKeyPair): Promise<PemPair> {
  const keys = ownKeys ?? (await newKeys());
  const certificate = await sign(holder, keys, holderExtensions(holder), authority);
  return { cert: pemOf(certificate) + (authority?.chain ?? ''), key: keyPem(keys) };
}

/** Signed by itself where there is no issuer. */
async function sign(
  { commonName, validity }: Pick<Holder, 'commonName' | 'validity'>,
  keys: CryptoKeyPair,
  extensions: Extension[],
  issuer?: Authority,
): Promise<X509Certificate> {
  const { publicKey } = keys;
  const common = { ...validity, signingAlgorithm: algorithm };
  const all = [...extensions, await SubjectKeyIdentifierExtension.create(publicKey)];
  if (issuer === undefined) {
    return X509CertificateGenerator.createSelfSigned({ ...common, name: nameOf(commonName), keys, extensions: all });
  }
  return X509CertificateGenerator.create({
    ...{ ...common, subject: nameOf(commonName), issuer: issuer.certificate.subject },
    ...{ publicKey, signingKey: issuer.keys.privateKey },
    extensions: [...all, await AuthorityKeyIdentifierExtension.create(issuer.keys.publicKey)],
  });
}

function authorityExtensions(pathLength?: number): Extension[] {
  const usages = KeyUsageFlags.digitalSignature | KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign;
  return [new BasicConstraintsExtension(true, pathLength, true), new KeyUsagesExtension(usages, true)];
}

function holderExtensions({ uris, dnsNames, addresses, usages }: Holder): Extension[] {
  const names: JsonGeneralName[] = [
    ...uris.map((value) => ({ type: 'url' as const, value })),
    ...dnsNames.map((value) => ({ type: 'dns' as const, value })),
    ...addresses.map((value) => ({ type: 'ip' as const, value })),
  ];
  const purposes = { client: ExtendedKeyUsage.clientAuth, server: ExtendedKeyUsage.serverAuth };
  return [
    new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new ExtendedKeyUsageExtension(usages.map((usage) => purposes[usage])),
    ...(names.length > 0 ? [new SubjectAlternativeNameExtension(names)] : []),
  ];
}

export function pemOf(certificate: X509Certificate): string {
  return `${certificate.toString('pem')}\n`;
}

export function keyPem({ privateKey }: CryptoKeyPair): string {
  return KeyObject.from(privateKey).export({ type: 'pkcs8', format: 'pem' }).toString();
}
