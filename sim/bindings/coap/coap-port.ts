/** A listening UDP port that can be suspended: senders meanwhile learn that nobody is there. */

import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, isIPv6 } from 'node:net';
import type { Scheduler } from '../../environment/clock.ts';
import { urlOf } from '../listener.ts';

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
    return urlOf('coap', this.#address);
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

// How often a confirmable message is sent before its receiver is given up (RFC 7252, clauses 4.2 and 4.8).

/** Milliseconds; randomly up to half as long again. */
const firstWait = 2_000;
const mostTimes = 4;

/** Sends at once and then by the clock, at most five times in all; returns a function that stops it. */
export function retransmitted(clock: Scheduler, send: () => void): () => void {
  let wait = firstWait * (1 + Math.random() / 2);
  let cancel = (): void => {};
  const again = (left: number): void => {
    send();
    if (left === 0) return;
    cancel = clock.schedule(wait, () => again(left - 1));
    wait *= 2;
  };
  again(mostTimes);
  return () => cancel();
}
