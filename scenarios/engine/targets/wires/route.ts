/** Routes to targets over bindings other than HTTP. */

import { UsageError } from '../../basics/diagnostics.ts';
import type { Serialization } from '../../grammar/dialects.ts';
import type { ClientCertificate, RequestMessage } from '../../messages/target.ts';
import type { Trust } from '../../messages/tls.ts';
import type { Exchange, WireName } from '../../results/exchange.ts';
import type { TargetDescription } from '../../results/result.ts';

/** Answers a notification, by the path of its inbox. */
export type NotificationHandler = (request: {
  readonly method: string;
  readonly target: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}) => { readonly headers: Record<string, string> } | undefined;

export interface RouteOptions {
  /** Of the target or its server, including credentials. */
  readonly url: string;
  readonly trust: Trust;
  readonly own?: ClientCertificate | undefined;
  /** JSON when absent. */
  readonly serialization?: Serialization | undefined;
}

/** The answer or failure, with facts of the binding. */
export type RouteResult = Pick<Exchange, 'answer' | 'failure' | 'wire'>;

export interface Route {
  readonly wire: WireName;
  /** Serialization of whole primitives; absent where requests have media types. */
  readonly serialization?: Serialization;
  /** Called for requests to inboxes with a listener. */
  onNotification: NotificationHandler;
  /** Rejects with an error of the connection; waits for the answer until `signal` is aborted. */
  ask(cseId: string, request: RequestMessage, signal: AbortSignal): Promise<RouteResult>;
  /**
   * Prefix of URLs of inboxes; undefined where the target cannot send to any. `host`: the name of this machine for the
   * target; undefined where unknown.
   */
  origin(host: string | undefined): Promise<string | undefined>;
  /** For an inbox, by its path without the leading slash. */
  listen(path: string): Promise<void>;
  /** Assigns the connection of an originator to an inbox; absent where originators have none. */
  receiveOver?(originator: string, path: string): void;
  /** Why this wire cannot carry an ordinary request; when absent, it carries only one JSON object with an identifier. */
  cannotCarry?(request: RequestMessage): string | undefined;
  /** Why an ordinary request cannot be addressed to the CSE. */
  cannotAddress?(cseId: string, request: RequestMessage): string | undefined;
  /** A command line for sh that sends the same. */
  line(target: TargetDescription, request: RequestMessage): string;
  close(): Promise<void>;
}

interface Binding {
  readonly wire: WireName;
  /** Name of an optional package. */
  readonly needs: string;
  open(options: RouteOptions): Promise<Route>;
}

const mqtt: Binding = {
  wire: 'MQTT',
  needs: 'mqtt',
  open: async (options) => new (await import('./mqtt-route.ts')).MqttRoute(options),
};

const webSocket: Binding = {
  wire: 'WebSocket',
  needs: 'ws',
  open: async (options) => new (await import('./ws-route.ts')).WsRoute(options),
};

const coap: Binding = {
  wire: 'CoAP',
  needs: 'coap-packet',
  open: async (options) => new (await import('./coap-route.ts')).CoapRoute(options),
};

/** By the scheme of a URL, without its colon. */
const bindings: ReadonlyMap<string, Binding> = new Map([
  ['mqtt', mqtt],
  ['mqtts', mqtt],
  ['ws', webSocket],
  ['wss', webSocket],
  ['coap', coap],
]);

/** All schemes of a target. */
export const schemes: readonly string[] = ['http', 'https', ...bindings.keys()];

export const bindingOf = (url: string): Binding | undefined =>
  bindings.get(/^[a-z]+/.exec(url.toLowerCase())?.[0] ?? '');

/** Undefined for a target over HTTP. Loads the package of the binding on demand; rejects with a UsageError. */
export async function routeTo(dialect: string, options: RouteOptions): Promise<Route | undefined> {
  const { url, serialization } = options;
  if (dialect === 'documented' && serialization === 'cbor')
    throw new UsageError('the documented dialect is JSON only; CBOR needs --dialect onem2m');
  const binding = bindingOf(url);
  if (binding === undefined) return undefined;
  const { wire, needs } = binding;
  if (dialect === 'documented') {
    throw new UsageError(`"${url}": the documented dialect is HTTP only; ${wire} needs --dialect onem2m`);
  }
  return binding.open(options).catch(orPackage(`a target over ${wire}`, needs));
}

/** Turns a failed import into a UsageError that names the missing package. */
export const orPackage =
  (what: string, needs: string) =>
  (error: unknown): never => {
    const isMissing = (error as { code?: unknown }).code === 'ERR_MODULE_NOT_FOUND';
    throw isMissing ? new UsageError(`${what} needs the package ${needs}: npm install ${needs}`) : error;
  };
