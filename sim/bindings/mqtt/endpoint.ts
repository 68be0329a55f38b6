/** One CSE at one MQTT server (TS-0010): answers requests, and sends its own. */

import { Socket } from 'node:net';
import { connectAsync, type IClientOptions, type IPublishPacket, type MqttClient } from 'mqtt';
import { getOrTry } from '../../core/memoize.ts';
import type { DialectName } from '../../core/resource-type.ts';
import { writeCbor } from '../../dialects/cbor.ts';
import type { HttpService } from '../../dialects/http-message.ts';
import {
  type OutgoingAnswer,
  type OutgoingRequest,
  reasonOf,
  UnreachableError,
} from '../../dialects/outgoing-message.ts';
import { asHttpRequest, asRequest } from '../../dialects/serialized-primitive.ts';
import type { MessageDetourFor, MessageWire } from '../detour.ts';
import {
  type AnsweredPrimitive,
  AwaitedAnswers,
  carriageOf,
  type Format,
  readPrimitive,
  responseTo,
  writtenBy,
} from '../whole-primitives.ts';
import { Deliveries, type Delivery } from './deliveries.ts';
import { addressOf, answerTopic, filtersFor, levelOf, prefixOf, type Topic, topicIn, topicOf } from './topics.ts';

/** PEM texts; `insecure`: the certificate of the server is not verified. */
export interface MqttTls {
  readonly key?: string;
  readonly cert?: string;
  readonly ca?: string;
  readonly insecure?: boolean;
}

export interface MqttOptions {
  /** Of the server: `mqtt://` or `mqtts://`, with user and password where it wants them; a path is put before topics (TS-0010, clause 6.6). */
  readonly url: string;
  /** CSE-ID, as `/cse`. */
  readonly identifier: string;
  readonly dialect: DialectName;
  readonly tls?: MqttTls;
  /** Milliseconds for one request with its answer, and for a connection; 5,000 unless given. */
  readonly timeout?: number;
  /** Answers requests. */
  readonly service: HttpService;
  /** How the wire disturbs a request and its answer. */
  readonly detour?: MessageDetourFor;
  /** Changes when the CSE has lost its state. */
  readonly generation: () => unknown;
  /** Called with internal errors. */
  readonly onError?: (error: unknown) => void;
}

export class MqttEndpoint {
  readonly #client: MqttClient;
  readonly #options: MqttOptions;
  readonly #prefix: string;
  /** Subscribed topics beside its own. */
  readonly #subscribed = new Map<string, Promise<unknown>>();
  readonly #awaited: AwaitedAnswers;
  readonly #deliveries: Deliveries<AnsweredPrimitive | undefined>;

  private constructor(client: MqttClient, options: MqttOptions) {
    this.#client = client;
    this.#options = options;
    this.#prefix = prefixOf(options.url);
    this.#deliveries = new Deliveries(options.generation);
    this.#awaited = new AwaitedAnswers(this.url, options.timeout ?? usualTimeout);
    sendAtOnce(client);
    client.on('connect', () => sendAtOnce(client));
    client.on('message', (topic, payload, packet) => this.#receive(topic, payload, packet));
    // It reconnects by itself; pending requests time out.
    client.on('error', () => {});
  }

  /** Resolves when it listens. Rejects with an UnreachableError. */
  static async connect(options: MqttOptions): Promise<MqttEndpoint> {
    const address = addressOf(options.url);
    const client = await connectAsync(addressOf(options.url), connectionOf(options), false).catch((error: Error) => {
      throw new UnreachableError(`${address}: ${reasonOf(error)}`, { cause: error });
    });
    const endpoint = new MqttEndpoint(client, options);
    const granted = await client.subscribeAsync(filtersFor(options.identifier, endpoint.#prefix), { qos: 1 });
    if (granted.every(({ qos }) => qos < 128)) return endpoint;
    await client.endAsync(true);
    throw new UnreachableError(`${address}: the MQTT server does not let this client subscribe`);
  }

  /** Of the server, such as `mqtt://127.0.0.1:1883`. */
  get url(): string {
    return addressOf(this.#options.url);
  }

  /** Subscribes to a topic, once. */
  #listen(topic: string): Promise<unknown> {
    const subscribe = () => this.#client.subscribeAsync(topic, { qos: 1 });
    return getOrTry(this.#subscribed, topic, () => this.#withTimeout(subscribe, 'taken a subscription'));
  }

  /** Sends to an entity by its identifier; `prefix`: of its point of access. Rejects with an UnreachableError. */
  async ask(
    receiver: string,
    request: OutgoingRequest,
    { prefix = this.#prefix, signal }: { prefix?: string; signal?: AbortSignal | undefined } = {},
  ): Promise<OutgoingAnswer> {
    const primitive = asRequest(request);
    const { rqi } = primitive;
    if (typeof rqi !== 'string') throw new UnreachableError(unidentified);
    const originator = levelOf(this.#options.identifier);
    if (prefix !== this.#prefix) await this.#listen(`${prefix}/oneM2M/resp/${originator}/${levelOf(receiver)}/#`);
    const topic = topicOf({ prefix, kind: 'req', originator, receiver: levelOf(receiver), format: 'json' });
    const answered = this.#awaited.to(rqi, signal);
    // A request that cannot be sent does not wait for an answer.
    this.publish(topic, primitive, request.carried).catch((error: UnreachableError) => this.#awaited.fail(rqi, error));
    return answered;
  }

  /** At least once (QoS 1). Rejects with an UnreachableError. */
  async publish(topic: string, primitive: AnsweredPrimitive['primitive'], carried?: string): Promise<void> {
    if (carried !== undefined) return this.#deviate(topic, primitive, carried);
    const payload = bytesOf(primitive, 'json');
    await this.#withTimeout(() => this.#client.publishAsync(topic, payload, { qos: 1 }), 'acknowledged what was sent');
  }

  /** Leaves nothing behind at the server (TS-0010, clause 6.3.3). */
  async close(): Promise<void> {
    this.#awaited.end('closed');
    await this.#client.endAsync(true);
    const options = { ...connectionOf(this.#options), clean: true };
    const last = await connectAsync(addressOf(this.#options.url), options, false).catch(() => undefined);
    await last?.endAsync();
  }

  /** The library would hold a request until a lost connection is back, when nobody waits for it any more. */
  #withTimeout<Result>(ask: () => Promise<Result>, action: string): Promise<Result> {
    if (!this.#client.connected) {
      const cause = Object.assign(new Error('no connection'), { code: 'ECONNRESET' });
      return Promise.reject(new UnreachableError(`${this.url}: the connection to the MQTT server is lost`, { cause }));
    }
    const { timeout = usualTimeout } = this.#options;
    return new Promise((resolve, reject) => {
      const failed = (reason: string, cause?: Error) =>
        reject(new UnreachableError(`${this.url}: ${reason}`, { cause }));
      const late = setTimeout(() => failed(`the MQTT server has not ${action} within ${timeout / 1000} s`), timeout);
      ask()
        .then(resolve, (error: Error) => failed(reasonOf(error), error))
        .finally(() => clearTimeout(late));
    });
  }

  #receive(text: string, payload: Uint8Array, { retain, dup }: IPublishPacket): void {
    // A retained message was meant for somebody else, long ago.
    if (retain) return;
    const topic = topicIn(text);
    if (topic?.kind === 'resp' || topic?.kind === 'reg_resp') {
      this.#awaited.settle(readPrimitive(payload, topic.format).response);
    } else if (topic !== undefined) {
      const { onError = console.error } = this.#options;
      this.#answer(topic, { topic: text, payload, again: dup }).catch(onError);
    }
  }

  /** Cuts it off from its server, until `resume`. */
  suspend(): void {
    this.#client.end(true);
  }

  async resume(): Promise<void> {
    const back = new Promise((resolve) => this.#client.once('connect', resolve));
    this.#client.reconnect();
    await back;
  }

  async #answer(topic: Topic, delivery: Delivery): Promise<void> {
    const isTooLarge = delivery.payload.length > largest;
    const primitive = readPrimitive(isTooLarge ? nothing : delivery.payload, topic.format);
    const refused = isTooLarge ? `A message has at most ${largest} octets.` : undefined;
    const { service, identifier, dialect } = this.#options;
    const message = asHttpRequest(primitive.request, dialect, { wire: 'mqtt' });
    const detour = message && this.#options.detour?.(message);
    const respond = async () => responseTo(primitive, { service, identifier, message }, refused);
    const isServed = detour?.isServed !== false;
    const response = isServed ? await this.#deliveries.once(delivery, primitive.request, respond) : undefined;
    const wire = this.#wireTo(topicOf(answerTopic(topic)));
    const write: MessageWire['write'] = (payload, how) => {
      if (response?.carried === undefined) wire.write(payload, how);
      else this.#deviate(topicOf(answerTopic(topic)), response.primitive, response.carried);
    };
    const serialized = response && Buffer.from(response.serialized(topic.format));
    if (detour !== undefined) detour.take(serialized, { ...wire, write });
    else if (serialized !== undefined) write(serialized);
  }

  /** Sends a message as a deviation changes it. */
  async #deviate(topic: string, primitive: AnsweredPrimitive['primitive'], carried: string): Promise<void> {
    const carriage = carriageOf(carried);
    const [to, retain] = [carriage.topic?.(topic) ?? topic, carriage.retained === true];
    const messages = writtenBy(carriage, primitive, (one) => bytesOf(one, 'json'));
    await Promise.all(messages.map((one) => this.#client.publishAsync(to, Buffer.from(one), { qos: 1, retain }))).catch(
      () => {},
    );
  }

  /** An answer waits for a lost connection to be back, since its client may still wait at the server. */
  #wireTo(topic: string): MessageWire {
    return {
      write: (payload, { retained: retain } = { retained: false }) =>
        // It fails when this is closed, when nobody waits for it.
        void this.#client.publishAsync(topic, Buffer.from(payload), { qos: 1, retain }).catch(() => {}),
      reset: () => {
        const { stream } = this.#client;
        if (stream instanceof Socket) stream.resetAndDestroy();
        else stream.destroy();
      },
    };
  }
}

const bytesOf = (primitive: unknown, format: Format): Buffer =>
  Buffer.from(format === 'cbor' ? writeCbor(primitive) : JSON.stringify(primitive));

const usualTimeout = 5_000;
/** Octets of a message that is read. */
const largest = 1024 * 1024;
const nothing = new Uint8Array(0);
const unidentified = 'over MQTT an answer is known by the request identifier alone, and there is none';

function connectionOf({ url, identifier, tls = {}, timeout = usualTimeout }: MqttOptions): IClientOptions {
  const { username, password } = new URL(url);
  const { insecure, ...files } = tls;
  return {
    // TS-0010, clause 6.3.3.
    clientId: `C::${levelOf(identifier)}`,
    clean: false,
    protocolVersion: 4,
    connectTimeout: timeout,
    reconnectPeriod: 250,
    ...(username !== '' && { username: decodeURIComponent(username), password: decodeURIComponent(password) }),
    // With a key the library would speak TLS in any case.
    ...(url.startsWith('mqtts:') && { ...files, rejectUnauthorized: insecure !== true }),
  };
}

/** A small message is not held back until the one before it was acknowledged (RFC 1122, clause 4.2.3.4). */
function sendAtOnce({ stream }: MqttClient): void {
  if (stream instanceof Socket) stream.setNoDelay(true);
}
