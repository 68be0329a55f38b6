/** The certificates that come with the project, by file. For tests and laboratories only: their keys are public. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DefectName } from './pki.ts';

/** File name, without its ending, to the identifier in the certificate. */
export const shippedHolders = {
  'mn-cse-1-client-server': '//openmtc.org/mn-cse-1',
  'in-cse-1-client-server': '//openmtc.org/in-cse-1',
  'test-ae': '//openmtc.org/mn-cse-1/CTest-AE',
  'test-ipe': '//openmtc.org/mn-cse-1/CTestIPE',
} as const;

/** Paths of a certificate with its chain, and of its private key. */
export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

/** How a directory of certificates is laid out: the shipped one, and those that `cselab certs make` writes. */
export class CertificateDirectory {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Intermediate certificate and root, by which the others are verified. */
  get chain(): string {
    return join(this.path, 'ca-chain.cert.pem');
  }

  get root(): string {
    return join(this.path, 'root-ca.cert.pem');
  }

  /** Private key of the authority that issues; not of the shipped ones. */
  get issuingKey(): string {
    return join(this.path, 'intermediate-ca.key.pem');
  }

  certificate(name: string): CertificatePair {
    return { cert: join(this.path, `${name}.cert.pem`), key: join(this.path, `${name}.key.pem`) };
  }

  /** One that is to be refused. */
  refused(defect: DefectName): CertificatePair {
    return this.certificate(join('refused', defect));
  }
}

/** What the file of its certificate is called: `//sp/cse/CTest-AE` → `test-ae`, `//sp/cse/CTestIPE` → `test-ipe`. */
export function fileNameOf(identifier: string): string {
  const last = identifier.slice(identifier.lastIndexOf('/') + 1);
  const words = last.replace(/^C(?=.)/, '').replace(/(?<=[a-z0-9])(?=[A-Z])/g, '-');
  return words.toLowerCase();
}

export const shipped = new CertificateDirectory(fileURLToPath(new URL('.', import.meta.url)));
