/** Connections of the harness to an MQTT server, and what answers are looked for there. */

import { Socket } from 'node:net';
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import { lazy } from '../../basics/memoize.ts';
import { tlsOptions } from '../../messages/tls.ts';
import type { RouteOptions } from './route.ts';
import type { UnsolicitedMessages } from './unsolicited.ts';
import { readWhole } from './whole-message.ts';

/** Milliseconds for a connection. */
const connectTimeout = 4_000;
/** Where answers come, wherever they belong: those of others are passed over. */
export const anyAnswer = ['/oneM2M/resp/#', '/oneM2M/reg_resp/#', 'oneM2M/#'];

/** Nothing of the connection is left at the server. */
export async function connectMqtt({ url, trust, own }: RouteOptions, name: string): Promise<MqttClient> {
  const { protocol, host, username, password } = new URL(url);
  const client = await connectAsync(
    `${protocol}//${host}`,
    {
      ...{ clientId: `A::${name}`, clean: true, protocolVersion: 4, connectTimeout, reconnectPeriod: 500 },
      ...(username !== '' && { username: decodeURIComponent(username), password: decodeURIComponent(password) }),
      // With a key the library would speak TLS in any case.
      ...(protocol === 'mqtts:' && (tlsOptions(trust, own, undefined) as IClientOptions)),
    },
    false,
  );
  client.on('error', () => {});
  sendAtOnce(client);
  client.on('connect', () => sendAtOnce(client));
  return client;
}

/** A small message is not held back until the one before it was acknowledged (RFC 1122, clause 4.2.3.4). */
function sendAtOnce({ stream }: MqttClient): void {
  if (stream instanceof Socket) stream.setNoDelay(true);
}

/** Answers between two looks, at first fewer. */
const rest = 64;

/** Answers that a server keeps for others: only who subscribes anew is shown them, so that a connection of its own looks now and then. */
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

  /** What there is comes when it comes, and is told then. */
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
