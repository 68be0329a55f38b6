import { readFileSync } from 'node:fs';

/** Certificate files that cannot be read, made or overwritten, or flags that cannot be met; the message says which. */
export class CertificateFilesError extends Error {
  override readonly name = 'CertificateFilesError';
}

/** A system error as one sentence: `action` says what was tried, such as "write x.pem". */
export function fileErrorOf(action: string, error: unknown): CertificateFilesError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new CertificateFilesError(`cannot ${action}: ${code ?? message}`, { cause: error });
}

/** What a task reads from a file. Throws a CertificateFilesError. */
export function reading<Read>(path: string, task: () => Read): Read {
  try {
    return task();
  } catch (error) {
    throw fileErrorOf(`read ${path}`, error);
  }
}

export const readText = (path: string): string => reading(path, () => readFileSync(path, 'utf8'));
