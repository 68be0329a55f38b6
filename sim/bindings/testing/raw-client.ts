/** A client that sends exact bytes and takes the exact answers apart. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly version: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Conversation {
  readonly answers: readonly RawAnswer[];
  /** How the connection ended: closed in order, or by a reset. */
  readonly ending: 'closed' | 'reset';
}

/** Sends the bytes and reads until the server closes. `bodyless`: the answers have no body, as those to HEAD. */
export async function converse(
  port: number,
  bytes: string | Buffer,
  options: { readonly bodyless?: boolean; readonly host?: string } = {},
): Promise<Conversation> {
  const client = new RawClient(port, options.host);
  client.send(bytes);
  const ending = await client.ended;
  return { answers: answersIn(client.received, options.bodyless ?? false), ending };
}

/** One connection that is driven step by step. */
export class RawClient {
  readonly socket: Socket;
  readonly ended: Promise<'closed' | 'reset'>;
  private pieces: Buffer[] = [];

  constructor(port: number, host = '127.0.0.1') {
    this.socket = connect({ port, host, allowHalfOpen: true });
    let ending: 'closed' | 'reset' = 'closed';
    this.socket.on('error', () => {
      ending = 'reset';
    });
    this.socket.on('data', (piece) => this.pieces.push(piece));
    this.socket.on('end', () => this.socket.end());
    this.ended = new Promise((resolve) => this.socket.on('close', () => resolve(ending)));
  }

  get received(): Buffer {
    return Buffer.concat(this.pieces);
  }

  send(bytes: string | Buffer): void {
    this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** Resolves when the text has been received. */
  async receives(text: string): Promise<void> {
    while (!this.received.includes(text)) await once(this.socket, 'data');
  }

  /** Resolves with the first answers once that many have arrived whole. */
  async answers(count: number): Promise<RawAnswer[]> {
    for (;;) {
      const answers = answersIn(this.received, false);
      if (answers.length >= count) return answers;
      await once(this.socket, 'data');
    }
  }

  close(): void {
    this.socket.destroy();
  }
}

/** The whole answers at the beginning of the bytes; 1xx answers are left out. */
export function answersIn(bytes: Buffer, bodyless: boolean): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = bytes;
  for (;;) {
    const headEnd = rest.indexOf('\r\n\r\n');
    if (headEnd === -1) return answers;
    const { status, version, headers } = headOf(rest.subarray(0, headEnd).toString('latin1'));
    const length = bodyless || status < 200 ? 0 : Number(headers['content-length'] ?? 0);
    const bodyEnd = headEnd + 4 + length;
    if (rest.length < bodyEnd) return answers;
    const body = rest.subarray(headEnd + 4, bodyEnd).toString();
    if (status >= 200) answers.push({ status, version, headers, body });
    rest = rest.subarray(bodyEnd);
  }
}

function headOf(head: string): Omit<RawAnswer, 'body'> {
  const [statusLine = '', ...lines] = head.split('\r\n');
  const [version = '', status] = statusLine.split(' ');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  return { status: Number(status), version, headers };
}
