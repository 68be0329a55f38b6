/** A PKI as files. */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Pki } from './pki.ts';
import { CertificateDirectory } from './shipped.ts';

/** Files of certificates that cannot be read, made or overwritten; the message says which. */
export class CertificateFilesError extends Error {
  override readonly name = 'CertificateFilesError';
}

export interface WriteOptions {
  /** Files that exist are overwritten. */
  readonly force?: boolean;
  /** The private keys of the authorities are written as well. */
  readonly authorityKeys?: boolean;
}

/** Resolves to the paths written; private keys are for their owner only. Rejects with a CertificateFilesError. */
export async function writePki(pki: Pki, directory: string, options: WriteOptions = {}): Promise<string[]> {
  const files = filesOf(pki, new CertificateDirectory(directory), options);
  const inTheWay = options.force ? undefined : files.find(({ path }) => existsSync(path));
  if (inTheWay !== undefined) throw new CertificateFilesError(`${inTheWay.path} exists; --force overwrites it`);
  for (const { path, text, secret } of files) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { mode: secret ? 0o600 : 0o644 });
  }
  return files.map(({ path }) => path);
}

interface FileToWrite {
  readonly path: string;
  readonly text: string;
  readonly secret?: boolean;
}

function filesOf(pki: Pki, directory: CertificateDirectory, { authorityKeys }: WriteOptions): FileToWrite[] {
  const pairs = [
    ...Object.entries(pki.certificates),
    ...Object.entries(pki.refused).map(([kind, pair]) => [join('refused', kind), pair] as const),
  ];
  const keys = Object.entries(authorityKeys ? pki.authorityKeys : {});
  return [
    { path: directory.chain, text: pki.chain },
    { path: directory.root, text: pki.root },
    ...keys.map(([name, text]) => ({ path: join(directory.path, `${name}-ca.key.pem`), text, secret: true })),
    ...pairs.flatMap(([name, { cert, key }]) => [
      { path: directory.certificate(name).cert, text: cert },
      { path: directory.certificate(name).key, text: key, secret: true },
    ]),
  ];
}
