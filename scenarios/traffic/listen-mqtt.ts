/** What passes an MQTT server (TS-0010), as a recording that others are still writing: nothing is published. */

import { randomBytes } from 'node:crypto';
import { type CapturedExchange, lostIn } from '../captures/captured.ts';
import type { Packet } from '../captures/packets.ts';
import { PrimitivePairing, routeAt } from '../captures/primitive-pairing.ts';
import { UsageError } from '../engine/basics/diagnostics.ts';
import { connectMqtt } from '../engine/targets/wires/mqtt-connection.ts';

/** All there is; where a server does not let everybody hear that much, what entities usually send. */
const filters = [['#'], ['/oneM2M/#', 'oneM2M/#']] as const;

/** How a server is listened to. */
export interface Listening {
  readonly until: AbortSignal;
  /** Told once all that comes is heard. */
  readonly onReady?: () => void;
}

/** The exchanges that it sees until then, in the order in which they end. Throws a UsageError for a server that cannot be heard. */
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
    // What was published before has come when that is acknowledged.
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
    throw new UsageError(`${serverIn(url)} cannot be heard: ${error instanceof Error ? error.message : String(error)}`);
  };
  const client = await connectMqtt({ url, trust: {} }, name).catch(fail);
  client.on('message', (topic, payload, { retain }) => {
    // What the server has kept was sent before.
    if (!retain) listener.onMessage(topic, payload);
  });
  for (const topics of filters) {
    const granted = await client.subscribeAsync([...topics], { qos: 1 }).catch(() => []);
    if (granted.length > 0 && granted.every(({ qos }) => qos < 128)) return client;
  }
  await client.endAsync(true);
  return fail(new Error('it lets nobody hear what is not for him'));
}

/** Hears requests and their answers together. */
class MqttListener {
  readonly #server: string;
  readonly #talks: PrimitivePairing;
  readonly #found: (one: CapturedExchange) => void;
  /** CSEs that were spoken to. */
  readonly #origins = new Set<string>();
  #messages = 0;
  #wake = () => {};

  constructor(url: string, found: (one: CapturedExchange) => void) {
    this.#server = serverIn(url);
    this.#found = found;
    this.#talks = new PrimitivePairing(found);
  }

  onMessage(topic: string, payload: Buffer): void {
    const passing = routeAt(topic, this.#server);
    if (passing.origin !== undefined) this.#origins.add(passing.origin);
    this.#talks.onMessage(payload, this.#packet(), passing);
    this.#wake();
  }

  /** The connection is lost, and with it what passes until there is another. */
  onDisconnect(): void {
    for (const origin of this.#origins) this.#found(lostIn(this.#packet(), origin));
  }

  /** Until something has come, or nothing is waited for any more. */
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
    this.#talks.end();
  }

  #packet(): Packet {
    this.#messages += 1;
    return { number: this.#messages, at: Date.now(), link: 0, bytes: Buffer.alloc(0) };
  }
}

/** Without the CSE, and without who listens. */
function serverIn(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
