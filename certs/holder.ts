/** Types of certificates and their holders, without the library that makes them. */

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
