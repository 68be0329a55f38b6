/** A PKI as files. */
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PemPair } from './authority.ts';
import { CertificateFilesError, fileErrorOf } from './certificate-files-error.ts';
import type { Pki } from './pki.ts';
import { CertificateDirectory } from './shipped.ts';

export interface WriteOptions {
  /** Files that exist are overwritten. */
  readonly force?: boolean;
  /** The private keys of the authorities are written as well. */
  readonly authorityKeys?: boolean;
}

type NamedPairs = readonly (readonly [name: string, pair: PemPair])[];

/** Resolves to the paths written; private keys are for their owner only. Rejects with a CertificateFilesError. */
export async function writePki(pki: Pki, directory: string, options: WriteOptions = {}): Promise<string[]> {
  return writeAll(filesOf(pki, new CertificateDirectory(directory), options), options);
}

/** The same for certificates by their file names, without the endings. */
export function writeCertificates(pairs: NamedPairs, directory: string, options: WriteOptions = {}): Promise<string[]> {
  return writeAll(filesOfPairs(pairs, new CertificateDirectory(directory)), options);
}

async function writeAll(files: readonly FileToWrite[], options: WriteOptions): Promise<string[]> {
  const paths = files.map(({ path }) => path);
  const twice = paths.find((path, at) => paths.indexOf(path) !== at);
  if (twice !== undefined) throw new CertificateFilesError(`two of the files would be ${twice}`);
  const inTheWay = options.force ? undefined : paths.find((path) => existsSync(path));
  if (inTheWay !== undefined) throw new CertificateFilesError(`${inTheWay} exists; --force overwrites it`);
  for (const file of files) await write(file, options.force === true);
  return paths;
}

interface FileToWrite {
  readonly path: string;
  readonly text: string;
  readonly secret?: boolean;
}

/** Removes an existing file first: overwritten, it would keep its mode, and a secret might be readable by everybody. */
async function write({ path, text, secret }: FileToWrite, force: boolean): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    if (force) await rm(path, { force: true });
    await writeFile(path, text, { flag: 'wx', mode: secret ? 0o600 : 0o644 });
  } catch (error) {
    throw fileErrorOf(`write ${path}`, error);
  }
}

function filesOf(pki: Pki, directory: CertificateDirectory, { authorityKeys }: WriteOptions): FileToWrite[] {
  const pairs = [
    ...Object.entries(pki.certificates),
    ...Object.entries(pki.refused).map(([defect, pair]) => [join('refused', defect), pair] as const),
  ];
  const keys = Object.entries(authorityKeys ? pki.authorityKeys : {});
  return [
    { path: directory.chain, text: pki.chain },
    { path: directory.root, text: pki.root },
    ...keys.map(([name, text]) => ({ path: join(directory.path, `${name}-ca.key.pem`), text, secret: true })),
    ...filesOfPairs(pairs, directory),
  ];
}

function filesOfPairs(pairs: NamedPairs, directory: CertificateDirectory): FileToWrite[] {
  return pairs.flatMap(([name, { cert, key }]) => [
    { path: directory.certificate(name).cert, text: cert },
    { path: directory.certificate(name).key, text: key, secret: true },
  ]);
}
