/** A listening UDP port that can be suspended: senders meanwhile learn that nobody is there. */

import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, isIPv6 } from 'node:net';

export type OnDatagram = (datagram: Buffer, from: RemoteInfo) => void;

export class CoapPort {
  readonly #address: AddressInfo;
  #onDatagram: OnDatagram = () => {};
  /** Undefined while it does not listen. */
  #socket: Socket | undefined;
  #isOver = false;

  private constructor(socket: Socket) {
    this.#address = socket.address();
    this.#attach(socket);
  }

  /** Rejects with node's error. */
  static async open(address: string, port: number): Promise<CoapPort> {
    return new CoapPort(await bound({ address, port }));
  }

  /** Such as `coap://127.0.0.1:5683`. */
  get url(): string {
    const { address, port, family } = this.#address;
    const any = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address;
    return `coap://${family === 'IPv6' && isIPv6(any) ? `[${any}]` : any}:${port}`;
  }

  get isOpen(): boolean {
    return this.#socket !== undefined;
  }

  /** Hands datagrams to this handler from now on. */
  listen(handler: OnDatagram): void {
    this.#onDatagram = handler;
  }

  /** Does nothing while it does not listen. */
  send(message: Uint8Array, { address, port }: RemoteInfo): void {
    this.#socket?.send(message, port, address, () => {});
  }

  suspend(): void {
    this.#socket?.close();
    this.#socket = undefined;
  }

  /** Listens again, where it does not yet. Rejects with node's error. */
  async resume(): Promise<void> {
    if (this.isOpen) return;
    const socket = await bound(this.#address);
    if (this.#isOver) socket.close();
    else this.#attach(socket);
  }

  async close(): Promise<void> {
    this.#isOver = true;
    const closed = this.#socket && once(this.#socket, 'close');
    this.suspend();
    await closed;
  }

  #attach(socket: Socket): void {
    this.#socket = socket;
    socket.on('message', (datagram, from) => this.#onDatagram(datagram, from));
    // Such as an answer to a peer that is gone: nothing can be done about it.
    socket.on('error', () => {});
  }
}

async function bound({ address, port }: Pick<AddressInfo, 'address' | 'port'>): Promise<Socket> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  const listening = once(socket, 'listening');
  socket.bind({ address, port });
  await listening;
  return socket;
}
