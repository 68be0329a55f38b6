import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { clientIssuer } from '../../../certs/pki.ts';
import { type DefectName, defectNames } from '../../../certs/refused.ts';
import { CertificateDirectory, fileNameOf } from '../../../certs/shipped.ts';
import { getOrAdd } from '../basics/memoize.ts';
import type { CertificateName } from '../grammar/vocabulary.ts';
import type { ClientCertificate } from '../messages/target.ts';
import { type CertificateFiles, readCertificate } from './credentials.ts';
import type { Certificates } from './installation.ts';

export interface CertificateStoreOptions {
  /** The client's own certificate, given explicitly. */
  readonly own?: ClientCertificate;
  /** A directory with the layout of the shipped one. */
  readonly directory?: string;
  /** The directory for command lines, where different. */
  readonly displayDirectory?: string;
  /** CSE identifiers, without slashes. */
  readonly gateway: string;
  readonly backend: string;
  /** The identity to use without an own certificate. */
  readonly identifier: string;
  /** Whether to issue further ones if the directory has the private key of the authority. */
  readonly issuing?: boolean;
}

/** The intended defect of the certificate of this name. */
function refusedKindOf(name: CertificateName): DefectName | undefined {
  return defectNames.find((kind) => kind === name.replaceAll(' ', '-'));
}

const lackOf = (name: string) => (error: Error) => ({ missing: `needs the certificate "${name}": ${error.message}` });

type Found = ClientCertificate | { readonly missing: string };

/** The certificates for a target: the given one, those of a directory, and self-made ones. */
export class CertificateStore implements Certificates {
  readonly #options: CertificateStoreOptions;
  readonly #found = new Map<string, Promise<Found>>();
  #issuer: ReturnType<typeof clientIssuer> | undefined;
  readonly issue: Certificates['issue'];
  #made: Promise<Partial<Record<DefectName, { readonly cert: string; readonly key: string }>>> | undefined;

  constructor(options: CertificateStoreOptions) {
    this.#options = options;
    const { directory, issuing = false } = options;
    if (directory === undefined || !issuing || !existsSync(new CertificateDirectory(directory).issuingKey)) return;
    this.issue = (identifier) =>
      getOrAdd(this.#found, identifier, () => this.#issue(identifier, directory).catch(lackOf(identifier)));
  }

  async #issue(identifier: string, directory: string): Promise<ClientCertificate> {
    const { displayDirectory = directory } = this.#options;
    this.#issuer ??= import('../../../certs/pki.ts').then(async ({ clientIssuer }) => {
      const { chain, issuingKey } = new CertificateDirectory(directory);
      return clientIssuer(await readFile(chain, 'utf8'), await readFile(issuingKey, 'utf8'));
    });
    const issue = await this.#issuer;
    const displayFiles = new CertificateDirectory(displayDirectory).certificate(fileNameOf(identifier));
    return { name: identifier, identity: await issue(identifier), uris: [identifier], files: displayFiles };
  }

  /** An unusable file counts as missing; the reason says so. */
  find(name: CertificateName): Promise<Found> {
    return getOrAdd(this.#found, name, () => this.#look(name).catch(lackOf(name)));
  }

  async #look(name: CertificateName): Promise<Found> {
    const { own } = this.#options;
    if (name === 'own' && own !== undefined) return own;
    const files = this.#filesOf(name);
    if (files !== undefined) return readCertificate(name, files);
    if (name === 'self-signed' || name === 'other authority') return this.#make(name);
    return { missing: this.#missing(name) };
  }

  #filesOf(name: CertificateName): CertificateFiles | undefined {
    const { directory, displayDirectory = directory } = this.#options;
    if (directory === undefined || displayDirectory === undefined) return undefined;
    const here = new CertificateDirectory(directory);
    const file = this.#candidates(name).find((one) => existsSync(here.certificate(one).cert));
    if (file === undefined) return undefined;
    return { ...here.certificate(file), displayPaths: new CertificateDirectory(displayDirectory).certificate(file) };
  }

  #candidates(name: CertificateName): string[] {
    const { gateway, backend } = this.#options;
    const refused = refusedKindOf(name);
    if (refused !== undefined) return [join('refused', refused)];
    if (name === 'gateway') return [`${gateway}-client-server`, 'mn-cse-1-client-server'];
    if (name === 'backend') return [`${backend}-client-server`, 'in-cse-1-client-server'];
    return [name === 'own' ? 'test-ae' : 'test-ipe'];
  }

  #missing(name: CertificateName): string {
    const { directory } = this.#options;
    if (name === 'own') return 'needs a client certificate: give --cert and --key';
    return directory === undefined
      ? `needs the certificate "${name}": give --certs DIR, a directory as \`cselab certs make\` writes it`
      : `needs the certificate "${name}": there is no ${this.#candidates(name)[0]}.cert.pem in ${directory}`;
  }

  /** Certificates that need no known authority. With the own identity, so that they have one defect only. */
  async #make(name: 'self-signed' | 'other authority'): Promise<Found> {
    const own = await this.find('own');
    const identifier = ('uris' in own ? own.uris[0] : undefined) ?? this.#options.identifier;
    this.#made ??= import('../../../certs/pki.ts').then(async ({ makePki }) => {
      return (await makePki({ holders: {}, refused: identifier, days: 30 })).refused;
    });
    const kind = refusedKindOf(name) ?? 'self-signed';
    const pair = (await this.#made)[kind];
    if (pair === undefined) return { missing: this.#missing(name) };
    const files = { cert: `${kind}.cert.pem`, key: `${kind}.key.pem` };
    return { name, identity: pair, uris: [identifier], files };
  }
}
