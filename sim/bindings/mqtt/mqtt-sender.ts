/** What a CSE sends to points of access and notification URIs that begin with `mqtt:` or `mqtts:` (TS-0010, clause 6.6). */

import { getOrTry } from '../../core/get-or-insert.ts';
import {
  type OutgoingAnswer,
  type OutgoingRequest,
  type Sender,
  UnreachableError,
} from '../../dialects/outgoing-message.ts';
import { asRequest } from '../../dialects/serialized-primitive.ts';
import { receiverIn } from '../../dialects/target.ts';
import { addressOf, MqttEndpoint, type MqttOptions, prefixOf } from './endpoint.ts';

export class MqttSender implements Sender {
  readonly #options: Omit<MqttOptions, 'url'>;
  readonly #own: MqttEndpoint;
  /** By the address of the server. */
  readonly #endpoints = new Map<string, Promise<MqttEndpoint>>();

  private constructor({ url: _own, ...options }: MqttOptions, own: MqttEndpoint) {
    this.#options = options;
    this.#own = own;
    this.#endpoints.set(serverOf(own.url), Promise.resolve(own));
  }

  /** Connects to a server, and sends by it and others. Rejects with an UnreachableError. */
  static async join(options: MqttOptions): Promise<MqttSender> {
    return new MqttSender(options, await MqttEndpoint.connect(options));
  }

  /** Cuts it off from its own server, until `resume`. */
  suspend(): void {
    this.#own.suspend();
  }

  resume(): Promise<void> {
    return this.#own.resume();
  }

  async send(url: string, request: OutgoingRequest, signal?: AbortSignal): Promise<OutgoingAnswer> {
    const receiver = request.receiver ?? receiverIn(request.target);
    const endpoint = await this.#at(addressOf(url));
    if (receiver !== undefined) return endpoint.ask(receiver, request, { prefix: prefixOf(url), signal });
    const topic = topicAt(request.target);
    if (topic === '') throw new UnreachableError(`${url}: there is no topic in it (TS-0010, clause 6.6)`);
    await endpoint.publish(topic, asRequest(request), request.carried);
    // A subscriber of such a topic has none to answer to; all that can be known is that the server has it.
    return { status: 200, headers: { 'x-m2m-rsc': '2000' }, body: '' };
  }

  async close(): Promise<void> {
    const all = await Promise.allSettled(this.#endpoints.values());
    await Promise.all(all.map((one) => (one.status === 'fulfilled' ? one.value.close() : undefined)));
  }

  /** One connection to each server: a second one of the same name would end the first. */
  #at(url: string): Promise<MqttEndpoint> {
    return getOrTry(this.#endpoints, serverOf(url), () => MqttEndpoint.connect({ ...this.#options, url }));
  }
}

/** The same text for the same server: with the port that is registered for its scheme (TS-0010, clause 6.6). */
function serverOf(address: string): string {
  const { protocol, hostname, port } = new URL(address);
  const host = hostname === 'localhost' ? '127.0.0.1' : hostname.toLowerCase();
  return `${protocol}//${host}:${port || (protocol === 'mqtts:' ? 8883 : 1883)}`;
}

/** The whole path of a notification URI is the topic, without the slash before it. */
function topicAt(target: string): string {
  const path = decodeURIComponent(target.replace(/[?#].*$/, '')).replace(/^\//, '');
  // Those of the binding begin with a slash, which deployed entities leave out here.
  return path.startsWith('oneM2M/') ? `/${path}` : path;
}
