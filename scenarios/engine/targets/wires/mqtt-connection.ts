/** Connections of the harness to an MQTT server, and retained answers there. */

import { Socket } from 'node:net';
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import { lazy } from '../../basics/memoize.ts';
import { tlsOptions } from '../../messages/tls.ts';
import type { RouteOptions } from './route.ts';
import type { UnsolicitedMessages } from './unsolicited.ts';
import { readWhole } from './whole-message.ts';

/** Milliseconds for a connection. */
const connectTimeout = 4_000;
/** All topics of answers, even wrong ones: those of others are ignored. */
export const anyAnswer = ['/oneM2M/resp/#', '/oneM2M/reg_resp/#', 'oneM2M/#'];

/** A clean session: the server keeps nothing of it. */
export async function connectMqtt({ url, trust, own }: RouteOptions, name: string): Promise<MqttClient> {
  const { protocol, host, username, password } = new URL(url);
  const client = await connectAsync(
    `${protocol}//${host}`,
    {
      ...{ clientId: `A::${name}`, clean: true, protocolVersion: 4, connectTimeout, reconnectPeriod: 500 },
      ...(username !== '' && { username: decodeURIComponent(username), password: decodeURIComponent(password) }),
      // With a key the library would always use TLS.
      ...(protocol === 'mqtts:' && (tlsOptions(trust, own, undefined) as IClientOptions)),
    },
    false,
  );
  client.on('error', () => {});
  sendAtOnce(client);
  client.on('connect', () => sendAtOnce(client));
  return client;
}

/** Sends small messages before the previous one is acknowledged (RFC 1122, clause 4.2.3.4). */
function sendAtOnce({ stream }: MqttClient): void {
  if (stream instanceof Socket) stream.setNoDelay(true);
}

/** Answers between two looks, at first fewer. */
const rest = 64;

/** Answers that a server retains: only a new subscription shows them, so that a separate connection looks now and then. */
export class RetainedAnswers {
  readonly #connect: () => Promise<MqttClient>;
  readonly #found = new Set<string>();
  readonly #unsolicited: UnsolicitedMessages;
  #answers = 0;

  constructor(connect: () => Promise<MqttClient>, unsolicited: UnsolicitedMessages) {
    this.#connect = lazy(async () => {
      const client = await connect();
      client.on('message', (topic, payload, { retain }) => retain && this.#note(topic, payload));
      return client;
    });
    this.#unsolicited = unsolicited;
  }

  /** Retained answers are reported when they arrive. */
  look(): void {
    this.#answers += 1;
    const [before, now] = [this.#answers & (this.#answers - 1), this.#answers % rest];
    if (before !== 0 && now !== 0) return;
    void this.#look().catch(() => {});
  }

  async close(): Promise<void> {
    if (this.#answers > 0) await (await this.#connect().catch(() => undefined))?.endAsync(true);
  }

  async #look(): Promise<void> {
    const client = await this.#connect();
    await client.unsubscribeAsync(anyAnswer);
    await client.subscribeAsync(anyAnswer, { qos: 0 });
  }

  #note(topic: string, payload: Uint8Array): void {
    const { rqi } = readWhole(payload).response;
    if (!this.#unsolicited.knows(rqi) || this.#found.has(rqi)) return;
    this.#found.add(rqi);
    this.#unsolicited.add('kept', topic);
  }
}
