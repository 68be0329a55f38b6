/** The route to a target over MQTT (TS-0010), over one connection of the harness to the server of the target. */

import { randomBytes } from 'node:crypto';
import type { MqttClient } from 'mqtt';
import { getOrAdd, lazy } from '../../basics/memoize.ts';
import type { Serialization } from '../../grammar/dialects.ts';
import { maskedHeaders, printfFormat, shellWord } from '../../messages/display.ts';
import { levelOf, primitiveOf, spRelative } from '../../messages/primitive.ts';
import { serialize } from '../../messages/serialization.ts';
import type { RequestMessage } from '../../messages/target.ts';
import type { TargetDescription } from '../../results/result.ts';
import { anyAnswer, connectMqtt, RetainedAnswers } from './mqtt-connection.ts';
import type { NotificationHandler, Route, RouteOptions, RouteResult } from './route.ts';
import { UnsolicitedMessages } from './unsolicited.ts';
import { payloadIn, readWhole, replyTo, requestFacts, routeResult, type WholeMessage } from './whole-message.ts';

interface PendingRequest {
  /** Topic of its answer, without the format at the end. */
  readonly topic: string;
  readonly cse: string;
  readonly resolve: (routed: RouteResult) => void;
}

export class MqttRoute implements Route {
  readonly wire = 'MQTT';
  readonly serialization: Serialization;
  /** Called for requests to topics with a listener. */
  onNotification: NotificationHandler = () => undefined;
  readonly #name = `cselab-${randomBytes(6).toString('base64url')}`;
  readonly #client: () => Promise<MqttClient>;
  readonly #filters = new Map<string, Promise<unknown>>();
  /** Whether all answers are received, by CSE. */
  readonly #wide = new Map<string, Promise<boolean>>();
  /** Unanswered requests, by identifier. */
  readonly #pending = new Map<string, PendingRequest>();
  /** Topics with a listener. */
  readonly #inboxes = new Set<string>();
  /** Topics of its own answers, which the server sends back. */
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

  /** Rejects with an error of the connection; waits for the answer until `signal` is aborted. */
  async ask(cseId: string, request: RequestMessage, signal: AbortSignal): Promise<RouteResult> {
    const client = await this.#client();
    const primitive = { rqi: randomBytes(9).toString('base64url'), ...primitiveOf(request) };
    const { rqi } = primitive;
    const { request: requestTopic, response: topic } = topicsOf(primitive, cseId, this.#name);
    await this.#subscribeToAnswers(client, topic, cseId);
    if (!client.connected)
      throw Object.assign(new Error('the connection to the MQTT server is lost'), { code: 'ECONNRESET' });
    this.#unsolicited.noteRequest(rqi);
    const response = new Promise<RouteResult>((resolve) => this.#pending.set(rqi, { topic, cse: cseId, resolve }));
    signal.addEventListener('abort', () => this.#pending.delete(rqi));
    // A request that the server does not acknowledge is not answered either.
    const { serialization } = this;
    const payload = serialize(primitive, serialization);
    client.publishAsync(`${requestTopic}/${serialization}`, payload, { qos: 1 }).catch(() => {});
    return response.finally(() => this.#retained.look());
  }

  cannotAddress(cseId: string, request: RequestMessage): string | undefined {
    const topic = topicsOf(primitiveOf(request), cseId, this.#name).request;
    if (!/[+#\0]/.test(topic) && Buffer.byteLength(topic) < longestTopic) return undefined;
    return 'the originator stands in the topic of a request over MQTT, which cannot hold this one (MQTT 3.1.1, clauses 1.5.3 and 4.7.1)';
  }

  /** The server of both, with the topics. */
  async origin(): Promise<string> {
    return this.#server;
  }

  /**
   * Listens to a topic, to those below it, as for a point of access (TS-0010, clause 6.6), and to those with it as the last level.
   * Requests with the topic as the receiver arrive at the usual topics.
   */
  async listen(topic: string): Promise<void> {
    const client = await this.#client();
    this.#inboxes.add(topic);
    await this.#subscribe(client, `${topic.split('/')[0]}/#`);
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
      // Retained messages are not for this run.
      if (!retain) this.#take(client, topic, payload);
    });
    return client;
  }

  /** Subscribes to all answers, even at topics of requests; to the right topic alone if the server denies that. */
  async #subscribeToAnswers(client: MqttClient, topic: string, cseId: string): Promise<void> {
    const filters = [...anyAnswer, `/oneM2M/req/${cseId}/#`];
    const receivesAll = await getOrAdd(this.#wide, cseId, () =>
      client.subscribeAsync(filters, { qos: 1 }).then(
        (granted) => granted.length === filters.length && granted.every(({ qos }) => qos < 128),
        () => false,
      ),
    );
    if (!receivesAll) await this.#subscribe(client, `${topic}/#`);
  }

  #subscribe(client: MqttClient, filter: string): Promise<unknown> {
    return getOrAdd(this.#filters, filter, () => client.subscribeAsync(filter, { qos: 1 }));
  }

  #take(client: MqttClient, topic: string, payload: Uint8Array): void {
    if (this.#replies.has(topic)) return;
    const message = readWhole(payload);
    const [, inbox, named] = misplaced.exec(topic) ?? [];
    if (inbox !== undefined && named !== undefined && this.#inboxes.has(named)) {
      this.#receive(client, { topic, inbox, answerTo: topic.replace('/req/', '/resp/') }, message);
      return;
    }
    const [, prefix, direction, from, to, format] = pattern.exec(topic) ?? [];
    if (direction === 'resp' || /^\/?oneM2M\//.test(topic)) this.#settle(topic, message);
    // An unknown topic has none for answers, but its sender may wait for one.
    else
      this.#receive(
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
    // Another serialization than requested is permitted (TS-0010, clause 6.5.3); XML is not read here.
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

  /** The request of an answer without a known identifier, by its topic. */
  #onlyOneAt(topic: string): string | undefined {
    const [one, ...more] = [...this.#pending].filter(([, pending]) => topic.startsWith(`${pending.topic}/`));
    return more.length === 0 ? one?.[0] : undefined;
  }

  /** A request of the target to an inbox; `answerTo`: the topic of its answer. */
  #receive(
    client: MqttClient,
    { topic, inbox, answerTo }: Readonly<Record<'topic' | 'inbox', string>> & { readonly answerTo: string | undefined },
    message: WholeMessage,
  ): void {
    this.#unsolicited.add('requests', { topic, ...requestFacts(message) }, inbox);
    const { request, serialization } = message;
    const { rqi, rvi, fr } = request;
    // Some CSEs publish the content alone.
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
 * Topics of a request and its answer, without the format at the end. An AE that registers and has no identifier yet uses the
 * name of its connection (TS-0010, clauses 6.4.2 to 6.4.4).
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

/** Bytes that a server may not take in a topic; the format follows. */
const longestTopic = 65_000;
/** A request with the topic of an inbox as the receiver. */
const misplaced = /^\/oneM2M\/req\/[^/]+\/((.+?)(?:\?.*?)?)(?:\/(?:json|cbor|xml))?$/;
const pattern = /^(.*)\/oneM2M\/(req|resp)\/([^/]+)\/([^/]+)\/([^/]+)$/;
