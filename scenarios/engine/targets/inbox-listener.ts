import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { ChunkedBody } from './exchanging/body-bytes.ts';
import { Waiters } from './exchanging/deadline.ts';
import { type HarnessServer, type ListenOptions, listen, type MaybeReply, type Reply } from './harness-server.ts';
import type { HarnessInbox } from './inbox.ts';

/** A port that listens for one inbox at a time. */
export interface InboxListener extends Pick<HarnessServer, 'port' | 'close'> {
  /** The current inbox. */
  inbox?: HarnessInbox | undefined;
}

/** `malformed` is called for requests that node cannot parse: only the port shows their inbox. */
export async function openListener(
  options: Omit<ListenOptions, 'purpose'>,
  malformed: (request: MalformedRequest, inbox: HarnessInbox | undefined) => MaybeReply,
): Promise<InboxListener> {
  const { server, ...opened } = await listen({ ...options, purpose: 'for notifications' });
  const listener: InboxListener = opened;
  onMalformed(server, (request) => malformed(request, listener.inbox));
  return listener;
}

/** Closes the connection of a malformed request after the answer. */
function answerAt(socket: Socket, { status, headers }: Reply): void {
  const lines = Object.entries({ ...headers, 'Content-Length': '0', Connection: 'close' });
  const head = [`HTTP/1.1 ${status} `, ...lines.map(([name, value]) => `${name}: ${value}`), '', ''];
  if (socket.writable) socket.end(head.join('\r\n'));
  else socket.destroy();
}

// Requests that node's parser refuses, read as far as possible, to show what is wrong with them.

/** Octets kept of such a request. */
const mostOctets = 1024 * 1024;
/** Milliseconds for the rest of it. */
const restTimeout = 2000;

/** The bytes, and a lenient reading of request target, version and headers. */
export interface MalformedRequest {
  readonly bytes: Buffer;
  readonly method: string;
  readonly path: string;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly body: string;
}

/** Calls `onRequest` once for each. */
function onMalformed(server: Server, onRequest: (request: MalformedRequest) => MaybeReply): void {
  const connections = new WeakMap<object, Connection>();
  server.on('connection', (socket: Socket) => {
    const connection = new Connection();
    connections.set(socket, connection);
    socket.on('data', (part: Buffer) => connection.add(part));
    for (const end of ['end', 'close']) socket.on(end, () => connection.end());
  });
  // A well-formed request is no part of the next one on the same connection.
  server.on('request', (request) => request.on('end', () => connections.get(request.socket)?.forget()));
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket: Socket) => {
    const connection = connections.get(socket);
    // Other errors (a reset, a timeout) are no requests.
    if (connection === undefined || code?.startsWith('HPE_') !== true) return void socket.destroy();
    if (connection.isMalformed) return;
    void connection
      .rest()
      .then((request) => request && onRequest(request))
      .then((reply) => (reply ? answerAt(socket, reply) : socket.destroy()));
  });
}

/** Bytes of a connection that are not known to be well-formed. */
class Connection {
  /** Whether node has refused the request; the offending part may not have been added yet. */
  isMalformed = false;
  #parts: Buffer[] = [];
  #octets = 0;
  #isOver = false;
  readonly #waiters = new Waiters();

  add(part: Buffer): void {
    if (this.#octets + part.length > mostOctets) return;
    this.#octets += part.length;
    this.#parts.push(part);
    this.#waiters.wake();
  }

  forget(): void {
    this.#parts = [];
    this.#octets = 0;
  }

  /** The connection has ended. */
  end(): void {
    this.#isOver = true;
    this.#waiters.wake();
  }

  /** The request once it is whole, or as much of it as came; undefined if nothing did. */
  async rest(): Promise<MalformedRequest | undefined> {
    this.isMalformed = true;
    await this.#waiters.wait(() => this.#isOver || this.#read()?.whole || undefined, { within: restTimeout });
    return this.#read();
  }

  #read() {
    return this.#octets === 0 ? undefined : readLoosely(Buffer.concat(this.#parts));
  }
}

/** `whole` is false while headers or announced parts of the body are missing. */
function readLoosely(bytes: Buffer): MalformedRequest & { readonly whole: boolean } {
  const end = /\r?\n\r?\n/.exec(bytes.toString('latin1'));
  const head = bytes.subarray(0, end?.index).toString('utf8');
  const [first = '', ...lines] = head.split(/\r?\n/);
  const [method = '', ...rest] = first.trim().split(/\s+/);
  const path = rest.filter((word) => !/^HTTP\//i.test(word)).join(' ');
  const headers = lines.flatMap((line): Array<readonly [string, string]> => {
    const at = line.indexOf(':');
    return at <= 0 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()]];
  });
  const after = end === null ? Buffer.alloc(0) : bytes.subarray(end.index + end[0].length);
  return { bytes, method, path, headers, ...bodyOf(after, headers, end !== null) };
}

function bodyOf(bytes: Buffer, headers: MalformedRequest['headers'], begun: boolean): { body: string; whole: boolean } {
  const header = (name: string) => headers.find(([one]) => one.toLowerCase() === name)?.[1];
  if (/chunked/i.test(header('transfer-encoding') ?? '')) {
    const chunks = new ChunkedBody();
    const body = Buffer.concat(chunks.push(bytes)).toString('utf8');
    return { body, whole: begun && (chunks.problem ?? chunks.rest) !== undefined };
  }
  const length = Number(header('content-length') ?? 0);
  const known = Number.isSafeInteger(length) && length >= 0;
  return {
    body: bytes.subarray(0, known && length > 0 ? length : undefined).toString('utf8'),
    whole: begun && (!known || bytes.length >= length),
  };
}
