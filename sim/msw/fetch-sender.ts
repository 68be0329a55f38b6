/** Sends what a CSE says to others by the platform's own `fetch`, as it is at the time of sending. */
import {
  type OutgoingAnswer,
  type OutgoingRequest,
  type Sender,
  UnreachableError,
} from '../dialects/outgoing-message.ts';

/** Milliseconds for one request with its answer. */
const patience = 5_000;

/** A page's cookies stay at home, and nothing is sent on to where an answer redirects. */
export function fetchSender(): Sender {
  return {
    async send(baseUrl, request, signal) {
      const limit = AbortSignal.timeout(patience);
      try {
        const answer = await fetch(`${new URL(baseUrl).origin}${request.target}`, {
          method: request.method,
          headers: request.headers,
          body: bodyOf(request),
          credentials: 'omit',
          redirect: 'error',
          signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
        });
        return await read(answer);
      } catch (error) {
        const reason = limit.aborted ? `no complete answer within ${patience / 1000} s` : reasonOf(error);
        throw new UnreachableError(`${baseUrl}: ${reason}`, { cause: error });
      }
    },
  };
}

/** Bytes of its own: `fetch` takes none from a memory that is shared. */
function bodyOf({ body }: OutgoingRequest): string | Uint8Array<ArrayBuffer> | null {
  if (body === undefined) return null;
  return typeof body === 'string' ? body : Uint8Array.from(body);
}

async function read(answer: Response): Promise<OutgoingAnswer> {
  const { status } = answer;
  const headers = Object.fromEntries(answer.headers);
  if (headers['content-type']?.includes('cbor') !== true) return { status, headers, body: await answer.text() };
  return { status, headers, body: '', bytes: new Uint8Array(await answer.arrayBuffer()) };
}

/** Node says what went wrong in the cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string } };
  return cause?.message || message || String(error);
}
