/** A CSE as a WebSocket handler of Mock Service Worker (TS-0020). It uses nothing that browsers lack. */

import { type WebSocketHandler, type WebSocketHandlerConnection, ws } from 'msw';
import type { Format } from '../bindings/whole-primitives.ts';
import { formats, type WsLink } from '../bindings/ws/ws-connection.ts';
import { WsConnections } from '../bindings/ws/ws-connections.ts';
import type { WiredCse } from '../cse/create-cse.ts';

/**
 * A handler for `setupServer` (Node) and `setupWorker` (a browser's page) of MSW 2: a `WebSocket` to `url`, such as
 * `ws://gateway.example:8180`, with the subprotocol `oneM2M.json` or `oneM2M.cbor` is connected to the CSE. It answers requests, and sends
 * its own to an application without a point of access over the connection by which its last request was granted. Other subprotocols are
 * refused, as by a server. In Node the global `WebSocket` is intercepted, not the package ws. Throws a TypeError unless `url` is a `ws:` or
 * `wss:` URL.
 */
export function cseWsHandlers(cse: WiredCse, url: string): WebSocketHandler[] {
  const { protocol, pathname = '' } = URL.canParse(url) ? new URL(url) : { protocol: '' };
  if (!/^wss?:$/.test(protocol) || pathname.length > 1) {
    throw new TypeError(
      `${JSON.stringify(url)} is not where a CSE listens; write a URL such as ws://gateway.example:8180.`,
    );
  }
  const connections = new WsConnections({ cse: () => cse });
  cse.wires.add('ws', connections);
  return [ws.link(url).addEventListener('connection', (connection) => connect(connections, connection))];
}

function connect(connections: WsConnections, { client, info: { protocols = [] } }: WebSocketHandlerConnection): void {
  const format = [protocols].flat().flatMap((name) => formats.get(name) ?? [])[0];
  if (format === undefined) {
    client.close(failed, `The subprotocols here are ${[...formats.keys()].join(' and ')} (TS-0020, clause 6.2.2.9).`);
    return;
  }
  const link = new InterceptedLink(client, format);
  const connection = connections.add(link, { where: 'the connection that MSW intercepts' });
  client.addEventListener('message', async ({ data }) => {
    if (typeof data === 'string') connection.receive(utf8.encode(data), false);
    else connection.receive(await octetsOf(data), true);
  });
  client.addEventListener('close', () => {
    link.isOpen = false;
    connection.end();
  });
}

type Client = WebSocketHandlerConnection['client'];

class InterceptedLink implements WsLink {
  readonly format: Format;
  readonly #client: Client;
  isOpen = true;

  constructor(client: Client, format: Format) {
    this.#client = client;
    this.format = format;
  }

  send(payload: string | Uint8Array): void {
    if (typeof payload === 'string') this.#client.send(payload);
    else this.#client.send(this.format === 'cbor' ? Uint8Array.from(payload).buffer : text.decode(payload));
  }

  close(code: number): void {
    this.isOpen = false;
    this.#client.close(code);
  }

  cut(): void {
    this.close(failed);
  }
}

/** A page may send in any of these forms. */
async function octetsOf(data: Blob | ArrayBufferLike | ArrayBufferView): Promise<Uint8Array> {
  if (data instanceof Blob) return new Uint8Array(await data.arrayBuffer());
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}

const [utf8, text] = [new TextEncoder(), new TextDecoder()];
/** RFC 6455, clause 7.4.1: it ended without a closing handshake, or never began. */
const failed = 1006;
