/** Records the messages of an MQTT server (TS-0010) while they pass; publishes nothing. */

import { randomBytes } from 'node:crypto';
import { type CapturedExchange, lostIn } from '../captures/captured.ts';
import type { Packet } from '../captures/packets.ts';
import { PrimitivePairing, routeAt } from '../captures/primitive-pairing.ts';
import { UsageError } from '../engine/basics/diagnostics.ts';
import { connectMqtt } from '../engine/targets/wires/mqtt-connection.ts';

/** Everything, or, if the server does not permit that, the usual topics of oneM2M. */
const filters = [['#'], ['/oneM2M/#', 'oneM2M/#']] as const;

/** Limits for listening to a server. */
export interface Listening {
  readonly until: AbortSignal;
  /** Called once it is subscribed. */
  readonly onReady?: () => void;
}

/** The exchanges until then, in the order of their ends. Throws a UsageError if it cannot subscribe. */
export async function* listenTo(url: string, { until, onReady }: Listening): AsyncGenerator<CapturedExchange> {
  const captured: CapturedExchange[] = [];
  const listener = new MqttListener(url, (one) => void captured.push(one));
  const client = await listening(url, listener);
  client.on('close', () => until.aborted || listener.onDisconnect());
  onReady?.();
  try {
    while (!until.aborted) {
      yield* captured.splice(0);
      await listener.next(until);
    }
  } finally {
    // The acknowledgement comes after all earlier messages.
    await client.unsubscribeAsync(filters.flat()).catch(() => {});
    await client.endAsync(true);
  }
  listener.end();
  yield* captured;
}

async function listening(url: string, listener: MqttListener): ReturnType<typeof connectMqtt> {
  const name = `cselab-judge-${randomBytes(6).toString('base64url')}`;
  const fail = (error: unknown): never => {
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      `${serverIn(url)} cannot be subscribed to: ${error instanceof Error ? error.message : String(error)}`,
    );
  };
  const client = await connectMqtt({ url, trust: {} }, name).catch(fail);
  client.on('message', (topic, payload, { retain }) => {
    // Retained messages are old.
    if (!retain) listener.onMessage(topic, payload);
  });
  for (const topics of filters) {
    const granted = await client.subscribeAsync([...topics], { qos: 1 }).catch(() => []);
    if (granted.length > 0 && granted.every(({ qos }) => qos < 128)) return client;
  }
  await client.endAsync(true);
  return fail(new Error('it does not permit a subscription to all topics'));
}

/** Pairs requests and their answers. */
class MqttListener {
  readonly #server: string;
  readonly #pairing: PrimitivePairing;
  readonly #found: (one: CapturedExchange) => void;
  /** CSEs with requests. */
  readonly #origins = new Set<string>();
  #messages = 0;
  #wake = () => {};

  constructor(url: string, found: (one: CapturedExchange) => void) {
    this.#server = serverIn(url);
    this.#found = found;
    this.#pairing = new PrimitivePairing(found);
  }

  onMessage(topic: string, payload: Buffer): void {
    const route = routeAt(topic, this.#server);
    if (route.origin !== undefined) this.#origins.add(route.origin);
    this.#pairing.onMessage(payload, this.#packet(), route);
    this.#wake();
  }

  /** The connection is lost, and messages until the next one are missing. */
  onDisconnect(): void {
    for (const origin of this.#origins) this.#found(lostIn(this.#packet(), origin));
  }

  /** Resolves at the next message, or when aborted. */
  next(until: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        until.removeEventListener('abort', done);
        resolve();
      };
      this.#wake = done;
      until.addEventListener('abort', done);
    });
  }

  end(): void {
    this.#pairing.end();
  }

  #packet(): Packet {
    this.#messages += 1;
    return { number: this.#messages, at: Date.now(), link: 0, bytes: Buffer.alloc(0) };
  }
}

/** The URL of the server, without path and credentials. */
function serverIn(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
