import { alertIn, type Trust, verificationProblem } from '../../messages/tls.ts';
import type { Exchange, FailureKind, TlsFacts } from '../../results/exchange.ts';

export type ExchangeFailure = NonNullable<Exchange['failure']>;

const kinds: ReadonlyArray<readonly [RegExp, FailureKind, string]> = [
  [/^ECONNREFUSED$/, 'refused', 'the connection was refused'],
  [/^(ENOTFOUND|EAI_AGAIN|EAI_NODATA)$/, 'unreachable', 'the host name is unknown'],
  [/^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/, 'unreachable', 'there is no route to the host'],
  [/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'unreachable', 'no connection was established in time'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED)$/, 'reset', 'the target reset the connection'],
  [/^UND_ERR_SOCKET$/, 'closed', 'the target closed the connection before its answer was complete'],
  [/^UND_ERR_(HEADERS|BODY)_TIMEOUT$/, 'timeout', 'the answer did not come in time'],
  [
    /^(UND_ERR_HEADERS_OVERFLOW|HPE_.*|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|UND_ERR_RESPONSE.*)$/,
    'malformed',
    'the answer is not HTTP/1.1',
  ],
];
const tlsCode =
  /^(ERR_(SSL|TLS|OSSL)_.*|CERT_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|UNABLE_TO_.*|EPROTO|HOSTNAME_MISMATCH|INVALID_PURPOSE)$/;

/** Why no answer came, beside errors of a socket or of TLS. */
export class RouteError extends Error {
  override readonly name = 'RouteError';
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** The failure of the target in an error of a socket or of the HTTP client; undefined when it says nothing about the target. */
export function failureOf(error: unknown): ExchangeFailure | undefined {
  if (error instanceof RouteError) return { kind: error.kind, message: error.message };
  const code = codeOf(error);
  if (code === undefined) return undefined;
  const message = error instanceof Error && error.message !== '' ? error.message : code;
  if (tlsCode.test(code)) return { kind: 'tls', message: tlsMessage(error, code, message) };
  const found = kinds.find(([pattern]) => pattern.test(code));
  if (found === undefined) return undefined;
  const [, kind, sentence] = found;
  return { kind, message: message === code ? sentence : `${sentence} (${message})` };
}

/** Why the handshake is not trusted; undefined where it is. */
export function untrusted({ server }: TlsFacts, { insecure }: Trust): ExchangeFailure | undefined {
  const { verification = 'verified' } = server ?? {};
  return verification === 'verified' || insecure ? undefined : { kind: 'tls', message: unverified(verification) };
}

function unverified(problem: string): string {
  return `the certificate of the target does not verify: ${problem}`;
}

function tlsMessage(error: unknown, code: string, message: string): string {
  const problem = verificationProblem(code);
  if (problem !== undefined) return unverified(problem);
  const alert = alertIn(error);
  return alert === undefined ? `TLS: ${readable(message)} (${code})` : `TLS: the target sent the alert "${alert}"`;
}

/** OpenSSL adds places in its own source; only the reason is useful to others. */
function readable(message: string): string {
  const reason = /:SSL routines:[^:]*:([^:]+):/.exec(message)?.[1];
  return reason ?? message.trim();
}

/** The end of a connection after the head of an answer. */
export function cutShort(failure: ExchangeFailure): ExchangeFailure {
  if (failure.kind !== 'closed' && failure.kind !== 'reset') return failure;
  return { kind: 'cut', message: 'the target closed the connection in the middle of its answer' };
}

/** `stage`: where a target was slow, if known. */
export function timeoutFailure(timeout: number, stage?: 'handshake' | 'answer'): ExchangeFailure {
  const limit = `within ${timeout / 1000} s`;
  if (stage === 'handshake') return { kind: 'timeout', message: `the TLS handshake did not end ${limit}` };
  const message = `no complete answer ${limit}${stage === undefined ? '' : ', only its beginning'}`;
  return { kind: 'timeout', message };
}

/** A name with several addresses gives one error for each of them. */
function codeOf(error: unknown): string | undefined {
  const { code, name, errors, cause } = error as Partial<AggregateError> & { readonly code?: unknown };
  if (typeof code === 'string') return code;
  if (name === 'HTTPParserError') return 'HPE_UNKNOWN';
  const inner = errors?.[0] ?? cause;
  return inner === undefined ? undefined : codeOf(inner);
}
