/** Ways to a target that is reached by another binding than that of HTTP. */

import { UsageError } from '../../basics/diagnostics.ts';
import type { Serialization } from '../../grammar/dialects.ts';
import type { ClientCertificate, RequestMessage } from '../../messages/target.ts';
import type { Trust } from '../../messages/tls.ts';
import type { Exchange, WireName } from '../../results/exchange.ts';
import type { TargetDescription } from '../../results/result.ts';

/** What a notification is answered with, by the path of the inbox that it is for. */
export type NotificationHandler = (request: {
  readonly method: string;
  readonly target: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}) => { readonly headers: Record<string, string> } | undefined;

export interface RouteOptions {
  /** Of the target or its server, with what it wants to know of who connects. */
  readonly url: string;
  readonly trust: Trust;
  readonly own?: ClientCertificate | undefined;
  /** JSON when absent. */
  readonly serialization?: Serialization | undefined;
}

/** What came, or why that is no answer, with what the binding showed of it. */
export type RouteResult = Pick<Exchange, 'answer' | 'failure' | 'wire'>;

export interface Route {
  readonly wire: WireName;
  /** In which primitives go whole; absent where the media types of a request say it. */
  readonly serialization?: Serialization;
  /** Hears what comes to inboxes that were listened for. */
  onNotification: NotificationHandler;
  /** Rejects with an error of the connection; an answer that does not come is waited for until `over`. */
  ask(cseId: string, request: RequestMessage, signal: AbortSignal): Promise<RouteResult>;
  /**
   * What URLs of inboxes begin with; undefined where the target cannot send to any. `host`: the name by which it reaches this
   * machine; undefined where it is not known to.
   */
  origin(host: string | undefined): Promise<string | undefined>;
  /** For an inbox, by its path without the slash before it. */
  listen(path: string): Promise<void>;
  /** What comes over the connection of this originator is for the inbox; absent where a wire has none of its own. */
  hearOver?(originator: string, path: string): void;
  /** What of a request as any client sends it this wire cannot carry, and why; where it is absent, all but one JSON object with an identifier. */
  cannotSay?(request: RequestMessage): string | undefined;
  /** A line for sh that asks the same. */
  line(target: TargetDescription, request: RequestMessage): string;
  close(): Promise<void>;
}

interface Binding {
  readonly wire: WireName;
  /** An optional package, by its name. */
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

/** All that a target may have. */
export const schemes: readonly string[] = ['http', 'https', ...bindings.keys()];

export const bindingOf = (url: string): Binding | undefined =>
  bindings.get(/^[a-z]+/.exec(url.toLowerCase())?.[0] ?? '');

/** Undefined for a target that is reached over HTTP. Loads what the binding needs for those who name one; rejects with a UsageError. */
export async function routeTo(dialect: string, options: RouteOptions): Promise<Route | undefined> {
  const { url, serialization } = options;
  if (dialect === 'documented' && serialization === 'cbor')
    throw new UsageError('what is documented is JSON; in CBOR the standard is judged, by --dialect onem2m');
  const binding = bindingOf(url);
  if (binding === undefined) return undefined;
  const { wire, needs } = binding;
  if (dialect === 'documented') {
    throw new UsageError(
      `"${url}": what is documented is an HTTP interface; over ${wire} the standard is judged, by --dialect onem2m`,
    );
  }
  return binding.open(options).catch(orPackage(`a target over ${wire}`, needs));
}

/** Of what was to be loaded for somebody who asks for it: the package that it lacks, in a UsageError. */
export const orPackage =
  (what: string, needs: string) =>
  (error: unknown): never => {
    const isMissing = (error as { code?: unknown }).code === 'ERR_MODULE_NOT_FOUND';
    throw isMissing ? new UsageError(`${what} needs the package ${needs}: npm install ${needs}`) : error;
  };
