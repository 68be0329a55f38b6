import type { InboxBlock as InboxSettings } from '../grammar/grammar.ts';
import { maskedHeaders } from '../messages/display.ts';
import { bodyText } from '../messages/serialization.ts';
import { now, type RequestLimits, since } from '../messages/target.ts';
import type { ReceivedRequest } from '../results/exchange.ts';
import { recordedBytes } from './exchanging/record.ts';
import { closedPort, immediateReply, type MaybeReply, type Reply } from './harness-server.ts';
import { HarnessInbox, Silence } from './inbox.ts';
import { type InboxListener, type MalformedRequest, openListener } from './inbox-listener.ts';
import type { Route } from './wires/route.ts';

interface InboxesOptions extends Pick<RequestLimits, 'startedAt'> {
  /** The name or address, in brackets for IPv6, by which the target reaches the harness; 127.0.0.1 when absent. */
  readonly host?: string;
  /** No listener: a target in this process calls `deliver`, any other is polled. */
  readonly wireless?: true;
  /** The target sends to URLs or topics below `origin`, which `route` listens to. */
  readonly origin?: string;
  readonly route?: Pick<Route, 'onNotification' | 'listen' | 'receiveOver'>;
}

/** A request of a target in this process. */
type Delivered = Pick<Reply, 'headers'> & { method: string; target: string; body?: Uint8Array | string };

/** Receives notifications of the target. Each inbox has a port of its own, so that even malformed requests find it. */
export class Inboxes {
  /** Of the target. */
  readonly silence = new Silence();
  readonly #options: InboxesOptions;
  readonly #inboxes = new Map<string, HarnessInbox>();
  /** Listeners of finished scenarios are reused, so that late requests are answered. */
  readonly #free: InboxListener[] = [];
  readonly #listeners: InboxListener[] = [];
  #closed: ReturnType<typeof closedPort> | undefined;
  /** Whether anything has come. */
  used = false;

  constructor(options: InboxesOptions) {
    this.#options = options;
    if (options.route !== undefined) options.route.onNotification = (request) => this.deliver(request);
  }

  /** Whether the target is known to be able to send here; else inboxes poll. */
  get listens(): boolean {
    return !this.#options.wireless || this.#options.origin !== undefined;
  }

  /** Whether the target can send over connections of originators. */
  get connects(): boolean {
    return this.#options.route?.receiveOver !== undefined;
  }

  /** Assigns the connection of an originator to an inbox. */
  receiveOver(originator: string, inbox: HarnessInbox): void {
    this.#options.route?.receiveOver?.(originator, new URL(inbox.url).pathname);
  }

  /** New inboxes by name, at paths unique to the scenario. Rejects with a UsageError when it cannot listen. */
  async open(scenario: string, requested: Readonly<Record<string, InboxSettings>>): Promise<OpenInboxes> {
    const inboxes = new Map<string, HarnessInbox>();
    const inUse: InboxListener[] = [];
    for (const [name, settings] of Object.entries(requested)) {
      const { inbox, listener } = await this.#open(`/${scenario}/${name}`, settings);
      if (listener !== undefined) inUse.push(listener);
      inboxes.set(name, inbox);
    }
    const close = () => {
      for (const [name, inbox] of inboxes) {
        inbox.close();
        this.#inboxes.delete(`/${scenario}/${name}`);
      }
      for (const listener of inUse.splice(0)) {
        listener.inbox = undefined;
        this.#free.push(listener);
      }
    };
    return { byName: inboxes, close };
  }

  async #open(path: string, settings: InboxSettings) {
    const closed = settings.answers === 'closed';
    const listener = closed || this.#options.wireless ? undefined : await this.#listener();
    const inbox = new HarnessInbox(`${await this.#origin(closed, listener)}${path}`, settings);
    if (!closed) await this.#options.route?.listen(path.slice(1));
    if (listener !== undefined) listener.inbox = inbox;
    this.#inboxes.set(path, inbox);
    return { inbox, listener };
  }

  async #origin(closed: boolean, listener: InboxListener | undefined): Promise<string> {
    const { host = '127.0.0.1', wireless, origin } = this.#options;
    // Host and port alone may identify a point of access, over CoAP (TS-0008, clause 6.2.2.3) and over a WebSocket that serves
    // two nodes for everything (TS-0020, clause 5.2), so that nobody must listen there.
    const { protocol = '', hostname } = origin === undefined ? {} : new URL(origin);
    if (closed && ['coap:', 'ws:'].includes(protocol)) return `${protocol}//${hostname}:${await this.#closedPort()}`;
    if (origin !== undefined) return origin;
    if (wireless) return closed ? 'http://closed.in-process' : 'http://inbox.in-process';
    return `http://${host}:${listener?.port ?? (await this.#closedPort())}`;
  }

  async #closedPort(): Promise<number> {
    this.#closed ??= closedPort(addressFor(this.#options.host));
    return (await this.#closed).port;
  }

  async #listener(): Promise<InboxListener> {
    const free = this.#free.shift();
    if (free !== undefined) return free;
    const { host, startedAt } = this.#options;
    const listener = await openListener(
      { where: addressFor(host), startedAt, onRequest: (request) => this.#serve(request) },
      (request, inbox) => this.#takeMalformed(request, inbox),
    );
    this.#listeners.push(listener);
    return listener;
  }

  /** Delivers a request without a wire; undefined where it is not answered. */
  deliver({ method, target, headers, body = '' }: Delivered): (Reply & { readonly body: string }) | undefined {
    const headerList = Object.entries(headers);
    const text = typeof body === 'string' ? body : bodyText({ headers: headerList, body });
    const at = this.elapsed();
    const received = { method, path: target, headers: headerList, ...(text !== '' && { body: text }), at };
    this.used = true;
    const inbox = this.#at(target);
    // Without an answer, a late request for a finished scenario would hold up others on the wire.
    const nobody = this.#options.route === undefined ? undefined : notFound;
    const reply = immediateReply(inbox === undefined ? nobody : inbox.receive(received));
    if (reply === undefined) return undefined;
    const names = Object.entries(reply.headers).map(([name, value]) => [name.toLowerCase(), value]);
    return { status: reply.status, headers: Object.fromEntries(names), body: '' };
  }

  /** Milliseconds since the start of the run. */
  elapsed(): number {
    return since(this.#options.startedAt, now());
  }

  async close(): Promise<void> {
    for (const inbox of this.#inboxes.values()) inbox.close();
    void this.#closed?.then(({ close }) => close());
    await Promise.all(this.#listeners.splice(0).map((listener) => listener.close()));
  }

  /** Read leniently, and shown verbatim. */
  #takeMalformed({ bytes, method, path, headers, body }: MalformedRequest, inbox?: HarnessInbox): MaybeReply {
    this.used = true;
    const at = this.elapsed();
    const read = { method, path, headers: maskedHeaders(headers), ...(body !== '' && { body }), at };
    return inbox?.receive(read, { ...recordedBytes(bytes), at });
  }

  #serve(received: ReceivedRequest): MaybeReply {
    this.used = true;
    const inbox = this.#at(received.path);
    return inbox === undefined ? notFound : inbox.receive(received);
  }

  #at(path: string): HarnessInbox | undefined {
    return this.#inboxes.get(/^\/[^/?]+\/[^/?]+/.exec(path)?.[0] ?? '');
  }
}

const notFound: Reply = { status: 404, headers: { 'X-M2M-RSC': '4004' } };

/** The inboxes of one scenario. */
export interface OpenInboxes {
  readonly byName: ReadonlyMap<string, HarnessInbox>;
  readonly close: () => void;
}

/** The address to listen on, as narrow as possible; undefined: every address. */
function addressFor(host = '127.0.0.1'): string | undefined {
  if (host === '[::1]') return '::1';
  return /^127(\.\d+){3}$/.test(host) ? host : undefined;
}
