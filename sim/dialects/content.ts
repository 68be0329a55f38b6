/** Content instances: text plain, everything else in base64 with its marker ("Content instance", field cnf). */

/** Content to be pushed: a text, octets, or any JSON value. */
export type MessageContent =
  | string
  | Uint8Array
  | number
  | boolean
  | null
  | readonly unknown[]
  | { readonly [key: string]: unknown };

export interface EncodedContent {
  readonly con: string;
  /** `<media type>:<encoding digit>`: 0 plain, 1 base64. */
  readonly cnf: string;
}

export function encodeContent(content: MessageContent): EncodedContent {
  if (typeof content === 'string') return { con: content, cnf: 'text/plain:0' };
  if (content instanceof Uint8Array) {
    return { con: Buffer.from(content).toString('base64'), cnf: 'application/octet-stream:1' };
  }
  return { con: Buffer.from(JSON.stringify(content)).toString('base64'), cnf: 'application/json:1' };
}

/** The inverse; invalid JSON stays a text. */
export function decodeContent({ con, cnf }: { readonly con?: unknown; readonly cnf?: unknown }): unknown {
  const [mediaType = '', encoding = '0'] = String(cnf ?? '').split(':');
  if (encoding !== '1' || typeof con !== 'string') return con;
  const octets = Buffer.from(con, 'base64');
  if (mediaType !== 'application/json') return mediaType.startsWith('text/') ? octets.toString('utf8') : octets;
  try {
    return JSON.parse(octets.toString('utf8'));
  } catch {
    return octets.toString('utf8');
  }
}
