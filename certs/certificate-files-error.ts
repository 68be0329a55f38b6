/** Files of certificates that cannot be read, made or overwritten, or flags that ask for what cannot be; the message says which. */
export class CertificateFilesError extends Error {
  override readonly name = 'CertificateFilesError';
}

/** The refusal of the system as one sentence: `doing` says what was tried, such as "write x.pem". */
export function fileErrorOf(action: string, error: unknown): CertificateFilesError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new CertificateFilesError(`cannot ${action}: ${code ?? message}`, { cause: error });
}
