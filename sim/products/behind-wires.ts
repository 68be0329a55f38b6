/** What products do below HTTP: the bytes of a connection on their way to the CSE and back. */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { HttpServer } from '../bindings/http.ts';
import { type Listener, listenerOf } from '../bindings/listener.ts';
import type { Wire } from './product.ts';

/** Hands everything that comes at an address of its own on to the server, by way of the wires. */
export async function behindWires(
  inner: HttpServer,
  wires: readonly Wire[],
  { port, host }: { readonly port: number; readonly host: string },
): Promise<HttpServer> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const cse = connect({ port: inner.port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    for (const socket of [client, cse]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => sockets.delete(socket));
    }
    join(client, cse, wires);
  });
  server.listen({ port, host });
  await once(server, 'listening');
  // Where its port is taken when it is to be listened at again; it is waited for.
  server.on('error', () => {});
  const bound = portOf(server);
  const listener = listenerOf(server, { port: bound, host }, () => {});
  const close = async () => {
    listener.end();
    await closed(server, sockets);
    await inner.close();
  };
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
  return { ...inner, ...turnedOff(listener, sockets), url, port: bound, close, [Symbol.asyncDispose]: close };
}

function turnedOff(listener: Listener, sockets: ReadonlySet<Socket>): Pick<HttpServer, 'suspend' | 'resume'> {
  return {
    suspend: () => {
      listener.stop();
      for (const socket of sockets) socket.destroy();
    },
    resume: () => listener.resume(),
  };
}

/** Hands on what comes from either side, as the wires have it. */
function join(client: Socket, cse: Socket, wires: readonly Wire[]): void {
  const end = () => {
    client.destroy();
    cse.destroy();
  };
  const receives = wires.flatMap((wire) => wire.receives ?? []);
  const answers = wires.flatMap((wire) => wire.answers ?? []);
  handOnRequests(client, cse, { receives, end });
  handOnAnswers(cse, client, { answers, end });
  for (const { idle } of wires) if (idle !== undefined) client.setTimeout(idle, end);
  client.once('data', () => client.setTimeout(0));
}

interface Requests {
  readonly receives: readonly NonNullable<Wire['receives']>[];
  readonly end: () => void;
}

function handOnRequests(client: Socket, cse: Socket, { receives, end }: Requests): void {
  let isFirst = true;
  client.on('data', (piece) => {
    let bytes: Buffer | undefined = piece;
    for (const receive of receives) bytes = bytes && receive(bytes, isFirst);
    isFirst = false;
    if (bytes === undefined) end();
    else if (bytes.length > 0) cse.write(bytes);
  });
  client.on('end', () => cse.end());
  client.on('close', () => cse.destroy());
}

interface Answers {
  readonly answers: readonly NonNullable<Wire['answers']>[];
  readonly end: () => void;
}

/** All at once when the CSE has closed the connection, where a wire changes them. */
function handOnAnswers(cse: Socket, client: Socket, { answers, end }: Answers): void {
  const kept: Buffer[] = [];
  cse.on('data', (piece) => {
    if (isNoAnswer(piece)) end();
    else if (answers.length === 0) client.write(piece);
    else kept.push(piece);
  });
  cse.on('end', () => {
    const whole = Buffer.concat(kept);
    if (whole.length > 0) client.write(answers.reduce<Buffer>((bytes, answer) => answer(bytes), whole));
    client.end();
  });
  // A connection that the CSE resets is one that is reset, for the client too.
  cse.on('error', ({ code }: NodeJS.ErrnoException) => void (code === 'ECONNRESET' && client.resetAndDestroy()));
  cse.on('close', () => client.destroySoon());
}

/** The service's `noAnswer`, as the HTTP binding writes it. */
const isNoAnswer = (piece: Buffer) => piece.subarray(0, 13).toString('latin1') === 'HTTP/1.1 444 ';

function closed(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    for (const socket of sockets) socket.destroy();
  });
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('a TCP server has an address and a port');
  return address.port;
}
