/** The way to a target over MQTT (TS-0010), by one connection of the harness's own to the server of the target. */

import { randomBytes } from 'node:crypto';
import type { MqttClient } from 'mqtt';
import { getOrAdd, lazy } from '../../basics/memoize.ts';
import type { Serialization } from '../../grammar/dialects.ts';
import { maskedHeaders } from '../../messages/display.ts';
import { levelOf, primitiveOf, spRelative } from '../../messages/primitive.ts';
import { serialize } from '../../messages/serialization.ts';
import { printfFormat, shellWord } from '../../messages/shell.ts';
import type { RequestMessage } from '../../messages/target.ts';
import type { TargetDescription } from '../../results/result.ts';
import { anyAnswer, connectMqtt, RetainedAnswers } from './mqtt-connection.ts';
import type { NotificationHandler, Route, RouteOptions, RouteResult } from './route.ts';
import { UnsolicitedMessages } from './unsolicited.ts';
import { payloadIn, readWhole, replyTo, requestFacts, routeResult, type WholeMessage } from './whole-message.ts';

interface PendingRequest {
  /** Where its answer belongs, but for the format at the end. */
  readonly topic: string;
  readonly cse: string;
  readonly resolve: (routed: RouteResult) => void;
}

export class MqttRoute implements Route {
  readonly wire = 'MQTT';
  readonly serialization: Serialization;
  /** Hears what comes to topics that were listened to. */
  onNotification: NotificationHandler = () => undefined;
  readonly #name = `cselab-${randomBytes(6).toString('base64url')}`;
  readonly #client: () => Promise<MqttClient>;
  readonly #filters = new Map<string, Promise<unknown>>();
  /** Whether all answers are heard, by the CSE. */
  readonly #wide = new Map<string, Promise<boolean>>();
  /** Requests without an answer, by their identifiers. */
  readonly #pending = new Map<string, PendingRequest>();
  /** Topics that were listened to. */
  readonly #inboxes = new Set<string>();
  /** Topics of its own answers, which come back. */
  readonly #replies = new Set<string>();
  readonly #unsolicited = new UnsolicitedMessages({ mayRepeat: true });
  readonly #retained: RetainedAnswers;
  readonly #server: string;

  constructor(options: RouteOptions) {
    const { protocol, host, pathname } = new URL(options.url);
    this.serialization = options.serialization ?? 'json';
    this.#server = `${protocol}//${host}${pathname.replace(/\/+$/, '')}`;
    this.#retained = new RetainedAnswers(() => connectMqtt(options, `${this.#name}-2`), this.#unsolicited);
    this.#client = lazy(() => this.#connect(options));
  }

  /** Rejects with an error of the connection; an answer that does not come is waited for until `over`. */
  async ask(cseId: string, request: RequestMessage, signal: AbortSignal): Promise<RouteResult> {
    const client = await this.#client();
    const primitive = { rqi: randomBytes(9).toString('base64url'), ...primitiveOf(request) };
    const { rqi } = primitive;
    const { request: requestTopic, response: topic } = topicsOf(primitive, cseId, this.#name);
    await this.#hearAnswers(client, topic, cseId);
    if (!client.connected)
      throw Object.assign(new Error('the connection to the MQTT server is lost'), { code: 'ECONNRESET' });
    this.#unsolicited.noteRequest(rqi);
    const response = new Promise<RouteResult>((resolve) => this.#pending.set(rqi, { topic, cse: cseId, resolve }));
    signal.addEventListener('abort', () => this.#pending.delete(rqi));
    // What the server does not acknowledge is not answered either.
    const { serialization } = this;
    const payload = serialize(primitive, serialization);
    client.publishAsync(`${requestTopic}/${serialization}`, payload, { qos: 1 }).catch(() => {});
    return response.finally(() => this.#retained.look());
  }

  /** The server that both are connected to, where topics are. */
  async origin(): Promise<string> {
    return this.#server;
  }

  /**
   * To a topic, and to those of which it is the beginning since a point of access says so (TS-0010, clause 6.6), or of whose last level
   * it is. What takes it for a receiver is heard as all that is where requests belong.
   */
  async listen(topic: string): Promise<void> {
    const client = await this.#client();
    this.#inboxes.add(topic);
    await this.#hearOf(client, `${topic.split('/')[0]}/#`);
  }

  /** It publishes the same primitive. */
  line({ url, cseId }: TargetDescription, request: RequestMessage): string {
    const { hostname, port } = new URL(url);
    const primitive = primitiveOf({ ...request, headers: maskedHeaders(request.headers) });
    const topic = `${topicsOf(primitive, cseId, 'cselab').request}/${this.serialization}`;
    const where = ['-h', hostname, '-p', port || '1883', '-q', '1', '-t', topic];
    const line = (...message: string[]) => ['mosquitto_pub', ...where, ...message].map(shellWord).join(' ');
    if (this.serialization === 'json') return line('-m', JSON.stringify(primitive));
    return `printf ${printfFormat(serialize(primitive, 'cbor'))} | ${line('-s')}`;
  }

  async close(): Promise<void> {
    await this.#retained.close();
    await (await this.#client().catch(() => undefined))?.endAsync(true);
  }

  async #connect(options: RouteOptions): Promise<MqttClient> {
    const client = await connectMqtt(options, this.#name);
    client.on('message', (topic, payload, { retain }) => {
      // What the server has kept is not for this run.
      if (!retain) this.#take(client, topic, payload);
    });
    return client;
  }

  /** All that come, even where requests belong; those where they belong alone at a server that does not let everybody hear that much. */
  async #hearAnswers(client: MqttClient, topic: string, cseId: string): Promise<void> {
    const filters = [...anyAnswer, `/oneM2M/req/${cseId}/#`];
    const hearsAll = await getOrAdd(this.#wide, cseId, () =>
      client.subscribeAsync(filters, { qos: 1 }).then(
        (granted) => granted.length === filters.length && granted.every(({ qos }) => qos < 128),
        () => false,
      ),
    );
    if (!hearsAll) await this.#hearOf(client, `${topic}/#`);
  }

  #hearOf(client: MqttClient, filter: string): Promise<unknown> {
    return getOrAdd(this.#filters, filter, () => client.subscribeAsync(filter, { qos: 1 }));
  }

  #take(client: MqttClient, topic: string, payload: Uint8Array): void {
    if (this.#replies.has(topic)) return;
    const message = readWhole(payload);
    const [, inbox, named] = misplaced.exec(topic) ?? [];
    if (inbox !== undefined && named !== undefined && this.#inboxes.has(named)) {
      this.#hear(client, { topic, inbox, answerTo: topic.replace('/req/', '/resp/') }, message);
      return;
    }
    const [, prefix, direction, from, to, format] = pattern.exec(topic) ?? [];
    if (direction === 'resp' || /^\/?oneM2M\//.test(topic)) this.#settle(topic, message);
    // A topic of no pattern has none for answers, and yet who has sent it may wait for one.
    else
      this.#hear(
        client,
        { topic, inbox: prefix ?? topic, answerTo: direction && `${prefix}/oneM2M/resp/${from}/${to}/${format}` },
        message,
      );
  }

  #settle(topic: string, message: WholeMessage): void {
    const { response, payload, text } = message;
    const { rqi } = response;
    const identifier = this.#unsolicited.knows(rqi) ? rqi : this.#onlyOneAt(topic);
    if (identifier === undefined) return;
    if (identifier === rqi) this.#unsolicited.noteAnswer(identifier, text);
    const pending = this.#pending.get(identifier);
    if (pending === undefined) return;
    this.#pending.delete(identifier);
    const format = /\/(json|cbor|xml)$/.exec(topic)?.[1];
    // Another serialization than was asked for is permitted (TS-0010, clause 6.5.3); XML is not read here.
    if (format === 'xml' && payload.startsWith('no')) {
      pending.resolve({ failure: { kind: 'interrupted', message: `the answer is ${format}, which is not read here` } });
      return;
    }
    const { resolve: _resolve, ...where } = pending;
    const asked = { ...where, rqi: identifier, payload: payloadIn(format ?? this.serialization) };
    pending.resolve(
      routeResult(message, {
        binding: 'MQTT',
        asked,
        ...{ topic, ...(format && { format }), ...(this.#unsolicited.take(identifier) as Record<string, string[]>) },
      }),
    );
  }

  /** The request to which an answer without a known identifier belongs, by where it came. */
  #onlyOneAt(topic: string): string | undefined {
    const [one, ...more] = [...this.#pending].filter(([, pending]) => topic.startsWith(`${pending.topic}/`));
    return more.length === 0 ? one?.[0] : undefined;
  }

  #hear(client: MqttClient, { topic, inbox, answerTo }: ReceivedAt, message: WholeMessage): void {
    this.#unsolicited.add('requests', { topic, ...requestFacts(message) }, inbox);
    const { request, serialization } = message;
    const { rqi, rvi, fr } = request;
    // Some publish the content alone.
    const whole = Object.hasOwn(request, 'm2m:sgn') ? { op: 5, pc: request } : request;
    const reply = replyTo({ ...message, request: whole }, this.onNotification, `/${inbox}`);
    const to =
      answerTo ?? (typeof fr === 'string' ? `/oneM2M/resp/${levelOf(fr)}/${this.#name}/${serialization}` : undefined);
    if (reply === undefined || to === undefined || rqi === undefined) return;
    this.#replies.add(to);
    client.publishAsync(to, serialize({ ...reply, rqi, rvi }, serialization), { qos: 1 }).catch(() => {});
  }
}

/**
 * Where a request and its answer belong, but for the format at the end. Who registers and has no identifier of its own yet stands there
 * by what the server knows it for (TS-0010, clauses 6.4.2 to 6.4.4): `connection`, the name of the connection.
 */
function topicsOf(primitive: Readonly<Record<string, unknown>>, cseId: string, connection: string) {
  const { op, ty, fr = '' } = primitive;
  const isInitial = op === 1 && (ty === 2 || ty === 16) && /^[CS]?$/.test(String(fr));
  const from = isInitial || fr === '' ? connection : levelOf(spRelative(String(fr), cseId));
  const [request, response] = (isInitial ? ['reg_req', 'reg_resp'] : ['req', 'resp']).map(
    (direction) => `/oneM2M/${direction}/${from}/${cseId}`,
  ) as [string, string];
  return { request, response };
}

/** What ought to be published to the topic that stands there for the receiver. */
const misplaced = /^\/oneM2M\/req\/[^/]+\/((.+?)(?:\?.*?)?)(?:\/(?:json|cbor|xml))?$/;
const pattern = /^(.*)\/oneM2M\/(req|resp)\/([^/]+)\/([^/]+)\/([^/]+)$/;

/** Where a request of the target came, for which inbox, and where its answer belongs. */
interface ReceivedAt {
  readonly topic: string;
  readonly inbox: string;
  readonly answerTo: string | undefined;
}
