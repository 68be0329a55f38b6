import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { type HttpServer, serveHttp } from '../bindings/http.ts';
import { type Product, productService, type Quirk, type Wire } from './product.ts';

export interface ProductServerOptions {
  /** 0, or none given: a free port. */
  readonly port?: number;
  /** Address to listen on, 127.0.0.1 unless given. */
  readonly interface?: string;
  /** All of the product's unless given. */
  readonly quirks?: readonly Quirk[];
}

export interface ProductServer {
  /** No slash at its end. */
  readonly url: string;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Serves a product until it is closed. Rejects with node's error when the address cannot be listened on. */
export async function serveProduct(
  product: Product,
  { port = 0, interface: address = '127.0.0.1', quirks = product.quirks }: ProductServerOptions = {},
): Promise<ProductServer> {
  const wires = quirks.flatMap(({ wire }) => wire ?? []);
  const { http } = productService(product, quirks);
  const onError = () => {};
  if (wires.length === 0) return serveHttp(http, { port, interface: address, onError });
  return behindWires(await serveHttp(http, { onError }), wires, { port, address });
}

/** Hands everything that comes at an address of its own on to the server, by way of the wires. */
async function behindWires(
  inner: HttpServer,
  wires: readonly Wire[],
  { port, address }: { readonly port: number; readonly address: string },
): Promise<ProductServer> {
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
  server.listen({ port, host: address });
  await once(server, 'listening');
  const close = async () => {
    await closed(server, sockets);
    await inner.close();
  };
  return { url: urlOf(server, address), close, [Symbol.asyncDispose]: close };
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

function urlOf(server: Server, host: string): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('a TCP server has an address and a port');
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}
