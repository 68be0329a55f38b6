/** Receives notifications over CoAP: one port for all inboxes, distinguished by path. */

import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIP } from 'node:net';
import { generate } from 'coap-packet';
import { dataOf } from '../../basics/body.ts';
import { UsageError } from '../../basics/diagnostics.ts';
import { factsOfRequest, typeOf } from '../../messages/coap-facts.ts';
import {
  blockIn,
  type CoapPacket,
  type CoapParts,
  notificationIn,
  packetIn,
  replyIn,
  valuesOf,
} from '../../messages/coap-message.ts';
import type { RequestMessage } from '../../messages/target.ts';
import { AccessPoints } from './access-points.ts';
import type { NotificationHandler } from './route.ts';
import type { UnsolicitedMessages } from './unsolicited.ts';

/** Kept answers, and incomplete requests; octets of one. */
const mostKept = 1000;
const largestBody = 1024 * 1024;

/** Receivers of notifications, and of facts about their binding. */
interface CoapInboxOptions {
  readonly onNotification: NotificationHandler;
  readonly unsolicited: UnsolicitedMessages;
}

export class CoapInbox {
  /** Prefix of points of access and URLs of inboxes. */
  readonly origin: string;
  readonly #socket: Socket;
  readonly #onNotification: NotificationHandler;
  readonly #unsolicited: UnsolicitedMessages;
  /** Paths with a listener; others are rejected. */
  readonly #paths = new Set<string>();
  readonly #points = new AccessPoints();
  /** Answers by request, so that a duplicate is processed once (RFC 7252, clause 4.2). */
  readonly #answered = new Map<string, Buffer | undefined>();
  readonly #incomplete = new Map<string, Buffer>();

  private constructor(socket: Socket, host: string, { onNotification, unsolicited }: CoapInboxOptions) {
    this.#socket = socket;
    this.origin = `coap://${host}:${socket.address().port}`;
    this.#onNotification = onNotification;
    this.#unsolicited = unsolicited;
    socket.on('message', (datagram, from) => this.#take(datagram, from));
    socket.on('error', () => {});
  }

  /** `host`: the name of this machine for the target. Rejects with a UsageError where it cannot listen. */
  static async open(host: string, listener: CoapInboxOptions): Promise<CoapInbox> {
    const address = host.replace(/^\[|\]$/g, '');
    const isV6 = isIP(address) === 6;
    const socket = createSocket(isV6 ? 'udp6' : 'udp4');
    const listening = once(socket, 'listening');
    const own = /^127\.|^::1$/.test(address) ? address : isV6 ? '::' : '0.0.0.0';
    socket.bind(0, own);
    await listening.catch((error: Error) => {
      throw new UsageError(`the harness cannot listen for notifications over CoAP: ${error.message}`);
    });
    return new CoapInbox(socket, host, listener);
  }

  listen(path: string): void {
    this.#paths.add(`/${path}`);
  }

  /** Records a point of access that an application entity registers here. */
  note({ method, path }: Pick<RequestMessage, 'method' | 'path'>, originator: string, content: unknown): void {
    const address = withoutScope((path.split('?')[0] ?? '').split('/').slice(1)).join('/');
    const { rn } = dataOf(dataOf(content)['m2m:ae']);
    const named = method !== 'POST' ? [address] : typeof rn === 'string' ? [`${address}/${rn}`] : [];
    const names = [originator.split('/').at(-1) ?? '', ...named];
    this.#points.note(names, content, this.origin, (one) => this.#isOpen(one));
  }

  close(): void {
    this.#socket.close();
  }

  #take(datagram: Buffer, from: RemoteInfo): void {
    const packet = packetIn(datagram);
    if (packet === undefined || packet.ack || packet.reset) return;
    const { code, messageId, token } = packet;
    const send = (message: Buffer | undefined) =>
      message && this.#socket.send(message, from.port, from.address, () => {});
    const key = `${from.address} ${from.port} ${messageId} ${token.toString('hex')}`;
    if (this.#answered.has(key)) {
      send(this.#answered.get(key));
      return;
    }
    const isRequest = code.startsWith('0') && code !== '0.00';
    const reply = isRequest ? this.#reply(packet, from) : 'rejected';
    const message = reply && messageOf(reply, packet);
    keep(this.#answered, key, message);
    send(message);
  }

  /** Undefined where the inbox does not answer. */
  #reply(request: CoapPacket, { address, port }: RemoteInfo): CoapParts | 'rejected' | undefined {
    const type = typeOf(request);
    const parts = valuesOf(request.options, 'Uri-Path').map(String);
    const path = this.#inboxOf(parts);
    if (path === undefined) return 'rejected';
    const whole = this.#whole(request, `${address} ${port} ${path} ${valuesOf(request.options, '283').map(String)}`);
    if ('code' in whole) return whole;
    this.#unsolicited.add('requests', { type, ...factsOfRequest({ ...request, payload: whole.payload }) }, path);
    const notification = notificationIn({ ...request, payload: whole.payload });
    const isNamed = path === `/${parts.join('/')}`;
    const target = isNamed ? undefined : notification?.target.replace(/^[^?]*/, () => path);
    const reply = notification && this.#onNotification({ ...notification, ...(target && { target }) });
    return reply && replyIn(reply.headers);
  }

  /**
   * The inbox by its path, or by the owner of the point of access, since the path is the `to` of a request (TS-0008, clause 6.2.2.3).
   * Some send their whole URL there.
   */
  #inboxOf(parts: readonly string[]): string | undefined {
    const path = `/${parts.join('/')}`.replace(/^\/coap:\/\/[^/]*/, '');
    if (this.#isOpen(path)) return path;
    const point = this.#points.pathOf(withoutScope(path.split('/').slice(1)).join('/'));
    return point !== undefined && this.#isOpen(point) ? point : undefined;
  }

  #isOpen(path: string): boolean {
    return [...this.#paths].some((one) => path === one || path.startsWith(`${one}/`));
  }

  /** The whole body, or the answer to a part of it. */
  #whole({ options, payload }: CoapParts, key: string): CoapParts | { readonly payload: Buffer } {
    const block = blockIn({ options }, 'Block1');
    if (block === undefined) return { payload };
    const own = options.filter(({ name }) => name === 'Block1');
    const replyWith = (code: string) => ({ code, options: own, payload: Buffer.alloc(0) });
    if (block === 'none') return replyWith('4.08');
    const before = block.number === 0 ? Buffer.alloc(0) : this.#incomplete.get(key);
    if (before?.length !== block.number * block.size) return replyWith('4.08');
    const all = Buffer.concat([before, payload]);
    if (all.length > largestBody) return replyWith('4.13');
    if (!block.more) return { payload: all };
    keep(this.#incomplete, key, all);
    return replyWith('2.31');
  }
}

/** Only a confirmable message is rejected with a reset. */
function messageOf(reply: CoapParts | 'rejected', { confirmable, messageId, token }: CoapPacket): Buffer | undefined {
  if (reply === 'rejected') return confirmable ? generate({ code: '0.00', reset: true, messageId }) : undefined;
  const message = { ...reply, options: [...reply.options], ack: confirmable, token };
  return generate({ ...message, ...(confirmable && { messageId }) }, 65_536);
}

/** An address below the CSE, or an identifier alone. */
const withoutScope = (parts: readonly string[]): readonly string[] =>
  parts.slice(parts[0] === '_' ? 3 : parts[0] === '~' ? 2 : 0);

function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > mostKept && oldest !== undefined) map.delete(oldest);
}
