/** The way to a target over MQTT (TS-0010), by one connection of the harness's own to the server of the target. */

import { randomBytes } from 'node:crypto';
import type { MqttClient } from 'mqtt';
import { kept, lazy } from '../../basics/kept.ts';
import type { Serialization } from '../../grammar/dialects.ts';
import { levelOf, primitiveOf, spRelative } from '../../messages/primitive.ts';
import { written } from '../../messages/serialization.ts';
import { printfFormat, shellWord } from '../../messages/shell.ts';
import { shownHeaders } from '../../messages/shown.ts';
import type { RequestMessage } from '../../messages/target.ts';
import type { TargetDescription } from '../../results/result.ts';
import { BesideAnswers } from './beside.ts';
import { anyAnswer, connected, Leftovers } from './mqtt-connection.ts';
import type { Heard, Route, Routed, RouteOptions } from './route.ts';
import { payloadIn, readWhole, replyTo, requestFacts, routedOf, type WholeMessage } from './whole-message.ts';

interface Waiting {
  /** Where its answer belongs, but for the format at the end. */
  readonly topic: string;
  readonly cse: string;
  readonly resolve: (routed: Routed) => void;
}

export class MqttRoute implements Route {
  readonly wire = 'MQTT';
  readonly serialization: Serialization;
  /** Hears what comes to topics that were listened to. */
  heard: Heard = () => undefined;
  readonly #name = `cselab-${randomBytes(6).toString('base64url')}`;
  readonly #connected: () => Promise<MqttClient>;
  readonly #filters = new Map<string, Promise<unknown>>();
  /** Whether all answers are heard, by the CSE. */
  readonly #wide = new Map<string, Promise<boolean>>();
  /** Requests without an answer, by their identifiers. */
  readonly #waiting = new Map<string, Waiting>();
  /** Topics that were listened to. */
  readonly #inboxes = new Set<string>();
  /** Topics of its own answers, which come back. */
  readonly #replies = new Set<string>();
  readonly #beside = new BesideAnswers({ mayRepeat: true });
  readonly #leftovers: Leftovers;
  readonly #server: string;

  constructor(options: RouteOptions) {
    const { protocol, host, pathname } = new URL(options.url);
    this.serialization = options.serialization ?? 'json';
    this.#server = `${protocol}//${host}${pathname.replace(/\/+$/, '')}`;
    this.#leftovers = new Leftovers(() => connected(options, `${this.#name}-2`), this.#beside);
    this.#connected = lazy(() => this.#connect(options));
  }

  /** Rejects with an error of the connection; an answer that does not come is waited for until `over`. */
  async ask(cseId: string, request: RequestMessage, over: AbortSignal): Promise<Routed> {
    const client = await this.#connected();
    const primitive = { rqi: randomBytes(9).toString('base64url'), ...primitiveOf(request) };
    const { rqi } = primitive;
    const { request: askedAt, response: topic } = topicsOf(primitive, cseId, this.#name);
    await this.#hearAnswers(client, topic, cseId);
    if (!client.connected)
      throw Object.assign(new Error('the connection to the MQTT server is lost'), { code: 'ECONNRESET' });
    this.#beside.asked(rqi);
    const answered = new Promise<Routed>((resolve) => this.#waiting.set(rqi, { topic, cse: cseId, resolve }));
    over.addEventListener('abort', () => this.#waiting.delete(rqi));
    // What the server does not acknowledge is not answered either.
    const { serialization } = this;
    const payload = written(primitive, serialization);
    client.publishAsync(`${askedAt}/${serialization}`, payload, { qos: 1 }).catch(() => {});
    return answered.finally(() => this.#leftovers.look());
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
    const client = await this.#connected();
    this.#inboxes.add(topic);
    await this.#hearOf(client, `${topic.split('/')[0]}/#`);
  }

  /** It publishes the same primitive. */
  line({ url, cseId }: TargetDescription, request: RequestMessage): string {
    const { hostname, port } = new URL(url);
    const primitive = primitiveOf({ ...request, headers: shownHeaders(request.headers) });
    const topic = `${topicsOf(primitive, cseId, 'cselab').request}/${this.serialization}`;
    const where = ['-h', hostname, '-p', port || '1883', '-q', '1', '-t', topic];
    const line = (...message: string[]) => ['mosquitto_pub', ...where, ...message].map(shellWord).join(' ');
    if (this.serialization === 'json') return line('-m', JSON.stringify(primitive));
    return `printf ${printfFormat(written(primitive, 'cbor'))} | ${line('-s')}`;
  }

  async close(): Promise<void> {
    await this.#leftovers.close();
    await (await this.#connected().catch(() => undefined))?.endAsync(true);
  }

  async #connect(options: RouteOptions): Promise<MqttClient> {
    const client = await connected(options, this.#name);
    client.on('message', (topic, payload, { retain }) => {
      // What the server has kept is not for this run.
      if (!retain) this.#take(client, topic, payload);
    });
    return client;
  }

  /** All that come, even where requests belong; those where they belong alone at a server that does not let everybody hear that much. */
  async #hearAnswers(client: MqttClient, topic: string, cseId: string): Promise<void> {
    const filters = [...anyAnswer, `/oneM2M/req/${cseId}/#`];
    const hearsAll = await kept(this.#wide, cseId, () =>
      client.subscribeAsync(filters, { qos: 1 }).then(
        (granted) => granted.length === filters.length && granted.every(({ qos }) => qos < 128),
        () => false,
      ),
    );
    if (!hearsAll) await this.#hearOf(client, `${topic}/#`);
  }

  #hearOf(client: MqttClient, filter: string): Promise<unknown> {
    return kept(this.#filters, filter, () => client.subscribeAsync(filter, { qos: 1 }));
  }

  #take(client: MqttClient, topic: string, payload: Uint8Array): void {
    if (this.#replies.has(topic)) return;
    const message = readWhole(payload);
    const [, inbox, named] = misplaced.exec(topic) ?? [];
    if (inbox !== undefined && named !== undefined && this.#inboxes.has(named)) {
      this.#hear(client, { topic, inbox, answerTo: topic.replace('/req/', '/resp/') }, message);
      return;
    }
    const [, prefix, kind, from, to, format] = pattern.exec(topic) ?? [];
    if (kind === 'resp' || /^\/?oneM2M\//.test(topic)) this.#settle(topic, message);
    // A topic of no pattern has none for answers, and yet who has sent it may wait for one.
    else
      this.#hear(
        client,
        { topic, inbox: prefix ?? topic, answerTo: kind && `${prefix}/oneM2M/resp/${from}/${to}/${format}` },
        message,
      );
  }

  #settle(topic: string, message: WholeMessage): void {
    const { response, payload, text } = message;
    const { rqi } = response;
    const identifier = this.#beside.knows(rqi) ? rqi : this.#onlyOneAt(topic);
    if (identifier === undefined) return;
    if (identifier === rqi) this.#beside.answered(identifier, text);
    const waiting = this.#waiting.get(identifier);
    if (waiting === undefined) return;
    this.#waiting.delete(identifier);
    const format = /\/(json|cbor|xml)$/.exec(topic)?.[1];
    // Another serialization than was asked for is permitted (TS-0010, clause 6.5.3); XML is not read here.
    if (format === 'xml' && payload.startsWith('no')) {
      waiting.resolve({ failure: { kind: 'interrupted', message: `the answer is ${format}, which is not read here` } });
      return;
    }
    const { resolve: _resolve, ...where } = waiting;
    const asked = { ...where, rqi: identifier, payload: payloadIn(format ?? this.serialization) };
    waiting.resolve(
      routedOf(message, {
        binding: 'MQTT',
        asked,
        ...{ topic, ...(format && { format }), ...(this.#beside.take(identifier) as Record<string, string[]>) },
      }),
    );
  }

  /** The request to which an answer without a known identifier belongs, by where it came. */
  #onlyOneAt(topic: string): string | undefined {
    const [one, ...more] = [...this.#waiting].filter(([, waiting]) => topic.startsWith(`${waiting.topic}/`));
    return more.length === 0 ? one?.[0] : undefined;
  }

  #hear(client: MqttClient, { topic, inbox, answerTo }: Came, message: WholeMessage): void {
    this.#beside.tell('requests', { topic, ...requestFacts(message) }, inbox);
    const { request, serialization } = message;
    const { rqi, rvi, fr } = request;
    // Some publish the content alone.
    const whole = Object.hasOwn(request, 'm2m:sgn') ? { op: 5, pc: request } : request;
    const reply = replyTo({ ...message, request: whole }, this.heard, `/${inbox}`);
    const to =
      answerTo ?? (typeof fr === 'string' ? `/oneM2M/resp/${levelOf(fr)}/${this.#name}/${serialization}` : undefined);
    if (reply === undefined || to === undefined || rqi === undefined) return;
    this.#replies.add(to);
    client.publishAsync(to, written({ ...reply, rqi, rvi }, serialization), { qos: 1 }).catch(() => {});
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
    (kind) => `/oneM2M/${kind}/${from}/${cseId}`,
  ) as [string, string];
  return { request, response };
}

/** What ought to be published to the topic that stands there for the receiver. */
const misplaced = /^\/oneM2M\/req\/[^/]+\/((.+?)(?:\?.*?)?)(?:\/(?:json|cbor|xml))?$/;
const pattern = /^(.*)\/oneM2M\/(req|resp)\/([^/]+)\/([^/]+)\/([^/]+)$/;

/** Where a request of the target came, for which inbox, and where its answer belongs. */
interface Came {
  readonly topic: string;
  readonly inbox: string;
  readonly answerTo: string | undefined;
}
