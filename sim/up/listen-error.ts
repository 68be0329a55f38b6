/** The address cannot be listened on: taken, not allowed, or not this machine's. */
export class ListenError extends Error {
  override readonly name = 'ListenError';

  constructor(host: string, port: number, cause: unknown) {
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
    const advice = code === 'EADDRINUSE' ? 'something else listens there; choose another port' : code;
    super(`cannot listen on ${host} port ${port}: ${advice}`, { cause });
  }
}
