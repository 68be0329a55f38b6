/** Key, certificate and chain of one CSE on disk, read again when they change. */

import { unwatchFile, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { TlsMaterial } from '../bindings/http.ts';

/** Paths, as `ssl_certs` names them. */
export interface TlsFiles {
  readonly key: string;
  readonly crt: string;
  readonly ca: string;
}

/** Milliseconds between two checks of the files. */
const checkInterval = 1_000;

/** Rejects with node's error for a file that cannot be read. */
export async function readTlsFiles({ key, crt, ca }: TlsFiles): Promise<TlsMaterial> {
  const [keyText, cert, caText] = await Promise.all([key, crt, ca].map((path) => readFile(path, 'utf8')));
  return { key: keyText ?? '', cert: cert ?? '', ca: caText ?? '' };
}

/**
 * Calls `changed` with the material after one of the files was changed, within a second or two of the real clock. Files are
 * seldom replaced all at once: a failure goes to `failed`, and the next change is another attempt.
 * Returns a function that ends the watch. It does not keep a process alive.
 */
export function watchTlsFiles(
  files: TlsFiles,
  changed: (material: TlsMaterial) => Promise<void>,
  failed: (error: unknown) => void,
): () => void {
  const read = (): void => {
    readTlsFiles(files).then(changed).catch(failed);
  };
  const paths = [files.key, files.crt, files.ca];
  // Node has one watcher for each path: many CSEs of one process may watch the same files.
  for (const path of paths) watchFile(path, { interval: checkInterval, persistent: false }, read).setMaxListeners(0);
  return () => {
    for (const path of paths) unwatchFile(path, read);
  };
}
