/**
 * The route to a target over WebSocket (TS-0020): a connection for each originator, which the target may use for requests as well,
 * and a listener for points of access and URLs.
 */

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ClientOptions, WebSocket, WebSocketServer } from 'ws';
import type { Serialization } from '../../grammar/dialects.ts';
import { maskedHeaders, printfFormat, shellWord } from '../../messages/display.ts';
import { primitiveOf } from '../../messages/primitive.ts';
import { serialize } from '../../messages/serialization.ts';
import type { RequestMessage } from '../../messages/target.ts';
import { tlsOptions } from '../../messages/tls.ts';
import type { TargetDescription } from '../../results/result.ts';
import { RouteError } from '../exchanging/failure.ts';
import { AccessPoints } from './access-points.ts';
import type { NotificationHandler, Route, RouteOptions, RouteResult } from './route.ts';
import { UnsolicitedMessages } from './unsolicited.ts';
import { largest, subprotocolOf, WsSession } from './ws-session.ts';

/** Milliseconds for a connection. */
const connectTimeout = 4_000;
/** Kept connections, beside those for notifications. */
const mostConnections = 64;

export class WsRoute implements Route {
  readonly wire = 'WebSocket';
  readonly serialization: Serialization;
  /** Called for requests to inboxes with a listener. */
  onNotification: NotificationHandler = () => undefined;
  readonly #options: RouteOptions;
  /** By originator, the most recently used last. */
  readonly #sessions = new Map<string, Promise<WsSession>>();
  /** Originators whose connections have to stay for notifications. */
  readonly #notified = new Set<string>();
  readonly #inboxes = new Set<string>();
  /** The target may use an existing connection instead. */
  readonly #points = new AccessPoints();
  readonly #unsolicited = new UnsolicitedMessages({ mayRepeat: false });
  #origin = '';
  #listener: WebSocketServer | undefined;

  constructor(options: RouteOptions) {
    this.#options = options;
    this.serialization = options.serialization ?? 'json';
  }

  async ask(_cseId: string, request: RequestMessage, signal: AbortSignal): Promise<RouteResult> {
    const primitive = { rqi: randomBytes(9).toString('base64url'), ...primitiveOf(request) };
    const { rqi, fr, pc } = primitive as { readonly rqi: string; readonly fr?: string; readonly pc?: unknown };
    const session = await this.#sessionOf(fr ?? '');
    this.#points.note([fr ?? ''], pc, this.#origin, (path) => this.#inboxes.has(path.slice(1)));
    return session.ask(rqi, primitive, signal);
  }

  /** Opens a listener for inboxes, if the target can connect to this machine. */
  async origin(host: string | undefined): Promise<string | undefined> {
    if (host === undefined) return undefined;
    const where = host === '[::1]' ? '::1' : /^127(\.\d+){3}$/.test(host) ? host : undefined;
    const listener = new WebSocketServer({
      ...{ port: 0, maxPayload: largest, perMessageDeflate: false, clientTracking: true },
      ...(where !== undefined && { host: where }),
      handleProtocols: (offered) => this.#subprotocols.find((one) => offered.has(one)) ?? false,
      // Other paths have no listener; deployed CSEs may name the receiver in the request alone.
      verifyClient: ({ req }: { readonly req: IncomingMessage }) =>
        req.url === '/' || this.#inboxes.has((req.url ?? '').slice(1)),
    });
    this.#listener = listener;
    listener.on('error', () => {});
    // Two nodes share one connection (TS-0020, clause 5.2): its requests may be for another inbox than its handshake.
    listener.on('connection', (socket, { url = '/' }) =>
      this.#sessionOn(socket, (to) => (url === '/' || this.#inboxes.has(to.slice(1)) ? to : url)),
    );
    await once(listener, 'listening');
    this.#origin = `ws://${host}:${(listener.address() as AddressInfo).port}`;
    return this.#origin;
  }

  /** Subprotocols for connections of the target, which may know JSON alone. */
  get #subprotocols(): readonly string[] {
    return [this.serialization, 'json' as const].map(subprotocolOf);
  }

  async listen(path: string): Promise<void> {
    this.#inboxes.add(path);
  }

  receiveOver(originator: string, path: string): void {
    this.#points.set(originator, path);
    this.#notified.add(originator);
  }

  /** Sends the same primitive over a new connection. */
  line({ url }: TargetDescription, request: RequestMessage): string {
    const primitive = primitiveOf({ ...request, headers: maskedHeaders(request.headers) });
    const inCbor = this.serialization === 'cbor';
    const own = ['-n1', ...(inCbor ? ['-b'] : []), '--protocol', subprotocolOf(this.serialization)];
    const flags = [...own, ...(this.#options.trust.insecure ? ['-k'] : [])];
    const origin = primitive.fr === undefined ? [] : ['-H', `X-M2M-Origin: ${String(primitive.fr)}`];
    const websocat = ['websocat', ...flags, ...origin, url].map(shellWord).join(' ');
    const message = inCbor ? printfFormat(serialize(primitive, 'cbor')) : `%s ${shellWord(JSON.stringify(primitive))}`;
    return `printf ${message} | ${websocat}`;
  }

  async close(): Promise<void> {
    const sessions = await Promise.all([...this.#sessions.values()].map((one) => one.catch(() => undefined)));
    await Promise.all(sessions.map((session) => session?.close()));
    const listener = this.#listener;
    if (listener === undefined) return;
    for (const socket of listener.clients) socket.terminate();
    await new Promise((resolve) => listener.close(resolve));
  }

  #sessionOf(originator: string): Promise<WsSession> {
    const known = this.#sessions.get(originator);
    const session = known ?? this.#connect(originator);
    this.#sessions.delete(originator);
    this.#sessions.set(originator, session);
    if (known === undefined) {
      const forget = () => void (this.#sessions.get(originator) === session && this.#sessions.delete(originator));
      session.then((one) => one.closed).then(forget, forget);
      this.#closeIdle();
    }
    return session;
  }

  #closeIdle(): void {
    const others = [...this.#sessions].filter(([originator]) => !this.#notified.has(originator));
    for (const [originator, session] of others.slice(0, -mostConnections)) {
      this.#sessions.delete(originator);
      session.then((one) => one.closeWhenIdle()).catch(() => {});
    }
  }

  #connect(originator: string): Promise<WsSession> {
    const { url, trust, own } = this.#options;
    const subprotocol = subprotocolOf(this.serialization);
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(url, [subprotocol], {
        ...{ handshakeTimeout: connectTimeout, maxPayload: largest, perMessageDeflate: false },
        // No clause demands it, but without it a deployed CSE accepts registrations only.
        ...(originator !== '' && isHeaderText(originator) && { headers: { 'X-M2M-Origin': originator } }),
        ...(url.startsWith('wss:') && (tlsOptions(trust, own, undefined) as ClientOptions)),
      });
      const session = this.#sessionOn(socket, () => this.#points.pathOf(originator));
      socket.once('upgrade', ({ headers }) => {
        session.handshake = { subprotocol: headers['sec-websocket-protocol'] ?? 'none' };
        // The library would close a connection that a rule has to check.
        headers['sec-websocket-protocol'] = subprotocol;
      });
      socket.once('open', () => resolve(session));
      socket.once('error', (error: NodeJS.ErrnoException) => reject(error.code ? error : refusal(error)));
    });
  }

  #sessionOn(socket: WebSocket, inboxOf: (to: string) => string | undefined): WsSession {
    const onNotification: NotificationHandler = (request) => this.onNotification(request);
    return new WsSession(socket, { unsolicited: this.#unsolicited, inboxOf, onNotification });
  }
}

const refusal = ({ message }: Error) => new RouteError('malformed', `the WebSocket connection failed: ${message}`);

/** RFC 9110, clause 5.5. */
const isHeaderText = (text: string): boolean => /^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/.test(text);
