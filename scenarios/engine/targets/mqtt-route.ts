/** The way to a target over MQTT (TS-0010), by one connection of the harness's own to the server of the target. */

import { randomBytes } from 'node:crypto';
import { Socket } from 'node:net';
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import { isObject, jsonOf } from '../basics/body.ts';
import { kept, lazy } from '../basics/kept.ts';
import { answerOf, levelOf, notificationOf, primitiveOf, spRelative } from '../messages/primitive.ts';
import { shellWord } from '../messages/shell.ts';
import { shownHeaders } from '../messages/shown.ts';
import type { HeaderList, RequestMessage } from '../messages/target.ts';
import { tlsOptions } from '../messages/tls.ts';
import type { ReceivedAnswer } from '../results/exchange.ts';
import type { TargetDescription } from '../results/result.ts';
import type { Heard, Route, RouteOptions } from './route.ts';

/** Milliseconds for a connection. */
const connectTimeout = 4_000;

export class MqttRoute implements Route {
  readonly wire = 'MQTT';
  /** Hears what comes to topics that were listened to. */
  heard: Heard = () => undefined;
  readonly #name = `cselab-${randomBytes(6).toString('base64url')}`;
  readonly #connected: () => Promise<MqttClient>;
  readonly #filters = new Map<string, Promise<unknown>>();
  /** Requests without an answer, by their identifiers. */
  readonly #waiting = new Map<string, (answer: ReceivedAnswer) => void>();

  readonly #server: string;

  constructor(options: RouteOptions) {
    const { protocol, host, pathname } = new URL(options.url);
    this.#server = `${protocol}//${host}${pathname.replace(/\/+$/, '')}`;
    this.#connected = lazy(() => this.#connect(options));
  }

  /** Rejects with an error of the connection; an answer that does not come is waited for until `over`. */
  async ask(cseId: string, request: RequestMessage, over: AbortSignal): Promise<ReceivedAnswer> {
    const client = await this.#connected();
    const primitive = { rqi: randomBytes(9).toString('base64url'), ...primitiveOf(request) };
    const { rqi, fr } = primitive as { rqi: string; fr?: string };
    const from = levelOf(fr === undefined || fr === '' ? this.#name : spRelative(fr, cseId));
    await this.#hearOf(client, `/oneM2M/resp/${from}/${cseId}/#`);
    if (!client.connected)
      throw Object.assign(new Error('the connection to the MQTT server is lost'), { code: 'ECONNRESET' });
    const answered = new Promise<ReceivedAnswer>((resolve) => this.#waiting.set(rqi, resolve));
    over.addEventListener('abort', () => this.#waiting.delete(rqi));
    // What the server does not acknowledge is not answered either.
    client.publishAsync(`/oneM2M/req/${from}/${cseId}/json`, JSON.stringify(primitive), { qos: 1 }).catch(() => {});
    return answered;
  }

  /** The server that both are connected to, where topics are. */
  async origin(): Promise<string> {
    return this.#server;
  }

  /** To a topic, and to those of which it is the beginning since a point of access says so (TS-0010, clause 6.6). */
  async listen(topic: string): Promise<void> {
    const client = await this.#connected();
    await Promise.all([topic, `${topic}/oneM2M/req/+/+/#`].map((filter) => this.#hearOf(client, filter)));
  }

  /** It publishes the same primitive. */
  line({ url, cseId }: TargetDescription, request: RequestMessage): string {
    const { hostname, port } = new URL(url);
    const primitive = primitiveOf({ ...request, headers: shownHeaders(request.headers) });
    const from = levelOf(spRelative(String(primitive.fr ?? 'cselab'), cseId));
    const where = ['-h', hostname, '-p', port || '1883', '-q', '1', '-t', `/oneM2M/req/${from}/${cseId}/json`];
    return ['mosquitto_pub', ...where, '-m', JSON.stringify(primitive)].map(shellWord).join(' ');
  }

  async close(): Promise<void> {
    await (await this.#connected().catch(() => undefined))?.endAsync(true);
  }

  async #connect({ url, trust, own }: RouteOptions): Promise<MqttClient> {
    const { protocol, host, username, password } = new URL(url);
    const client = await connectAsync(
      `${protocol}//${host}`,
      {
        // Nothing of it is left at the server.
        ...{ clientId: `A::${this.#name}`, clean: true, protocolVersion: 4, connectTimeout, reconnectPeriod: 500 },
        ...(username !== '' && { username: decodeURIComponent(username), password: decodeURIComponent(password) }),
        // With a key the library would speak TLS in any case.
        ...(protocol === 'mqtts:' && (tlsOptions(trust, own, undefined) as IClientOptions)),
      },
      false,
    );
    client.on('message', (topic, payload, { retain }) => {
      // What the server has kept is not for this run.
      if (!retain) this.#take(client, topic, payload);
    });
    client.on('error', () => {});
    sendAtOnce(client);
    client.on('connect', () => sendAtOnce(client));
    return client;
  }

  #hearOf(client: MqttClient, filter: string): Promise<unknown> {
    return kept(this.#filters, filter, () => client.subscribeAsync(filter, { qos: 1 }));
  }

  #take(client: MqttClient, topic: string, payload: Uint8Array): void {
    const value = jsonOf(Buffer.from(payload).toString('utf8'));
    if (!isObject(value)) return;
    const { 'm2m:rsp': response = value, 'm2m:rqp': request = value } = value;
    const [, prefix, kind, from, to, format] =
      /^(.*)\/oneM2M\/(req|resp)\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(topic) ?? [];
    if (kind === 'resp') this.#settle(response);
    // A topic of no pattern has none for answers, and yet who has sent it may wait for one.
    else this.#hear(client, prefix ?? topic, request, kind && `${prefix}/oneM2M/resp/${from}/${to}/${format}`);
  }

  #settle(response: unknown): void {
    const answer = answerOf(response);
    const rqi = isObject(response) ? response.rqi : undefined;
    if (answer === undefined || typeof rqi !== 'string') return;
    this.#waiting.get(rqi)?.(answer);
    this.#waiting.delete(rqi);
  }

  #hear(client: MqttClient, inbox: string, request: unknown, answerTo: string | undefined): void {
    const notification = notificationOf(request);
    if (notification === undefined || !isObject(request)) return;
    const { rqi, rvi, fr } = request;
    const headers = Object.fromEntries(notification.headers);
    const reply = this.heard({ method: 'POST', target: `/${inbox}`, headers, body: notification.body });
    const to = answerTo ?? (typeof fr === 'string' ? `/oneM2M/resp/${levelOf(fr)}/${this.#name}/json` : undefined);
    if (reply === undefined || to === undefined) return;
    const rsc = Number(codeIn(Object.entries(reply.headers)));
    client.publishAsync(to, JSON.stringify({ rsc, rqi, rvi }), { qos: 1 }).catch(() => {});
  }
}

const codeIn = (headers: HeaderList): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === 'x-m2m-rsc')?.[1];

/** A small message is not held back until the one before it was acknowledged (RFC 1122, clause 4.2.3.4). */
function sendAtOnce({ stream }: MqttClient): void {
  if (stream instanceof Socket) stream.setNoDelay(true);
}
