/** What a CSE sends to points of access and notification URIs that begin with `mqtt:` or `mqtts:` (TS-0010, clause 6.6). */

import { getOrTry } from '../../core/memoize.ts';
import {
  type OutgoingAnswer,
  type OutgoingRequest,
  type Sender,
  UnreachableError,
} from '../../dialects/outgoing-message.ts';
import { asRequest } from '../../dialects/serialized-primitive.ts';
import { receiverIn } from '../../dialects/target.ts';
import { MqttEndpoint, type MqttOptions } from './endpoint.ts';
import { addressOf, prefixOf, serverOf, topicAt } from './topics.ts';

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
