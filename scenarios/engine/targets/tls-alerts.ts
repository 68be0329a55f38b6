/** Alerts by number (RFC 8446, section 6; RFC 5246, section 7.2). */
const alerts: Readonly<Record<number, string>> = {
  0: 'close notify',
  10: 'unexpected message',
  20: 'bad record mac',
  22: 'record overflow',
  40: 'handshake failure',
  42: 'bad certificate',
  43: 'unsupported certificate',
  44: 'certificate revoked',
  45: 'certificate expired',
  46: 'certificate unknown',
  47: 'illegal parameter',
  48: 'unknown ca',
  49: 'access denied',
  50: 'decode error',
  51: 'decrypt error',
  70: 'protocol version',
  71: 'insufficient security',
  80: 'internal error',
  86: 'inappropriate fallback',
  90: 'user canceled',
  109: 'missing extension',
  110: 'unsupported extension',
  112: 'unrecognized name',
  113: 'bad certificate status response',
  115: 'unknown psk identity',
  116: 'certificate required',
  120: 'no application protocol',
};

/** The alert that the other side sent, read from an error of node:tls; undefined when the error tells of none. */
export function alertIn(error: unknown): string | undefined {
  const message = error instanceof Error ? error.message : '';
  const number = /SSL alert number (\d+)/.exec(message)?.[1];
  return number === undefined ? undefined : (alerts[Number(number)] ?? `alert ${number}`);
}
