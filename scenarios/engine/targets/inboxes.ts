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
  /** Nobody listens: a target in this process gives its notifications to `deliver`, any other has them fetched. */
  readonly wireless?: true;
  /** The target publishes to topics below this URL, and they are listened to by this route. */
  readonly origin?: string;
  readonly route?: Pick<Route, 'onNotification' | 'listen' | 'hearOver'>;
}

/** What a target in this process sends to a path. */
type Delivered = Pick<Reply, 'headers'> & { method: string; target: string; body?: Uint8Array | string };

/** Where the target sends notifications to. Each inbox has a port to itself, so that even what is malformed finds it. */
export class Inboxes {
  /** Of the target that sends here. */
  readonly silence = new Silence();
  readonly #options: InboxesOptions;
  readonly #inboxes = new Map<string, HarnessInbox>();
  /** Those of scenarios that are over serve those to come, so that what comes late is answered. */
  readonly #free: InboxListener[] = [];
  readonly #listeners: InboxListener[] = [];
  #closed: ReturnType<typeof closedPort> | undefined;
  /** Whether anything has come at all. */
  used = false;

  constructor(options: InboxesOptions) {
    this.#options = options;
    if (options.route !== undefined) options.route.onNotification = (request) => this.deliver(request);
  }

  /** Whether the target can send here, as far as is known: else an inbox has what it fetches itself. */
  get listens(): boolean {
    return !this.#options.wireless || this.#options.origin !== undefined;
  }

  /** Whether who asks the target can be asked over the same connection. */
  get connects(): boolean {
    return this.#options.route?.hearOver !== undefined;
  }

  /** What comes over the connection of this originator is for the inbox. */
  hearOver(originator: string, inbox: HarnessInbox): void {
    this.#options.route?.hearOver?.(originator, new URL(inbox.url).pathname);
  }

  /** Fresh inboxes by their names, at paths that no other scenario has. Rejects with a UsageError when it cannot listen. */
  async open(scenario: string, requested: Readonly<Record<string, InboxSettings>>): Promise<OpenInboxes> {
    const inboxes = new Map<string, HarnessInbox>();
    const inUse: InboxListener[] = [];
    for (const [name, settings] of Object.entries(requested)) {
      const path = `/${scenario}/${name}`;
      const closed = settings.answers === 'closed';
      const listener = closed || this.#options.wireless ? undefined : await this.#listener();
      const inbox = new HarnessInbox(`${await this.#origin(closed, listener)}${path}`, settings);
      if (!closed) await this.#options.route?.listen(path.slice(1));
      if (listener !== undefined) {
        listener.inbox = inbox;
        inUse.push(listener);
      }
      inboxes.set(name, inbox);
      this.#inboxes.set(path, inbox);
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

  async #origin(closed: boolean, listener: InboxListener | undefined): Promise<string> {
    const { host = '127.0.0.1', wireless, origin } = this.#options;
    // Host and port of a point of access alone may say who is asked, over CoAP (TS-0008, clause 6.2.2.3) and over a WebSocket that
    // serves two nodes for everything (TS-0020, clause 5.2), so that nobody must listen there.
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

  /** A request without a wire, and its answer; undefined where none is given. */
  deliver({ method, target, headers, body = '' }: Delivered): (Reply & { readonly body: string }) | undefined {
    const headerList = Object.entries(headers);
    const text = typeof body === 'string' ? body : bodyText({ headers: headerList, body });
    const at = this.elapsed();
    const received = { method, path: target, headers: headerList, ...(text !== '' && { body: text }), at };
    this.used = true;
    const inbox = this.#at(target);
    // Who sends over a wire for a scenario that is over would wait for an answer, and others wait behind that.
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

  /** Read as what it was meant to be, and shown as it came. */
  #takeMalformed(
    { bytes, method, path, headers, body }: MalformedRequest,
    inbox: HarnessInbox | undefined,
  ): MaybeReply {
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

/** What to listen at, so that no other machine than one that is to send can: undefined stands for every address. */
function addressFor(host = '127.0.0.1'): string | undefined {
  if (host === '[::1]') return '::1';
  return /^127(\.\d+){3}$/.test(host) ? host : undefined;
}
