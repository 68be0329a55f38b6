import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UsageError } from '../files/diagnostics.ts';
import type { Inbox as InboxSettings } from '../grammar/grammar.ts';
import { Inbox, type Reply } from './inbox.ts';
import { readBody, receivedRequest } from './received.ts';
import { Silence } from './silence.ts';
import { now, since } from './target.ts';

export interface InboxesOptions {
  /** The name or address, in brackets for IPv6, by which the target reaches the harness; 127.0.0.1 when absent. */
  readonly host?: string;
  /** `now()` at the start of the run. */
  readonly startedAt: number;
  /** Nobody listens: a target in this process gives its notifications to `deliver`. */
  readonly wireless?: true;
}

/** What a target in this process sends. */
interface Delivered {
  readonly method: string;
  /** Path. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

/** Milliseconds for a whole request. */
const patience = 10_000;
/** Each may hold a request that is being read. */
const mostConnections = 250;

/** Where the target sends notifications to: one listener for a run, opened when the first scenario needs it. */
export class Inboxes {
  /** Of the target that sends here. */
  readonly silence = new Silence();
  readonly #options: InboxesOptions;
  readonly #inboxes = new Map<string, Inbox>();
  #opening: Promise<Listener> | undefined;
  #used = false;

  constructor(options: InboxesOptions) {
    this.#options = options;
  }

  /** Whether anything has come at all. */
  get used(): boolean {
    return this.#used;
  }

  /** Fresh inboxes by their names, at paths that no other scenario has. Rejects with a UsageError when it cannot listen. */
  async open(scenario: string, wanted: Readonly<Record<string, InboxSettings>>): Promise<OpenInboxes> {
    const inboxes = new Map<string, Inbox>();
    if (Object.keys(wanted).length === 0) return new OpenInboxes(inboxes, () => {});
    const origins = await this.#origins();
    for (const [name, settings] of Object.entries(wanted)) {
      const path = `/${scenario}/${name}`;
      const url = `${settings.answers === 'closed' ? origins.closed : origins.open}${path}`;
      const inbox = new Inbox(url, settings);
      inboxes.set(name, inbox);
      this.#inboxes.set(path, inbox);
    }
    return new OpenInboxes(inboxes, () => {
      for (const name of inboxes.keys()) this.#inboxes.delete(`/${scenario}/${name}`);
    });
  }

  /** Where it listens, and where nobody does. */
  async #origins(): Promise<Readonly<Record<'open' | 'closed', string>>> {
    const { host = '127.0.0.1', wireless } = this.#options;
    if (wireless) return { open: 'http://inbox.in-process', closed: 'http://closed.in-process' };
    this.#opening ??= this.#listen();
    const { port, closedPort } = await this.#opening;
    return { open: `http://${host}:${port}`, closed: `http://${host}:${closedPort}` };
  }

  /** A request without a wire, and its answer; undefined where none is given. */
  deliver({ method, target, headers, body = '' }: Delivered): OutgoingReply | undefined {
    const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
    const at = since(this.#options.startedAt, now());
    const received = { method, path: target, headers: Object.entries(headers), ...(text !== '' && { body: text }), at };
    const reply = new KeptReply();
    this.#used = true;
    this.#inboxes.get(/^\/[^/?]+\/[^/?]+/.exec(target)?.[0] ?? '')?.take(received, reply);
    return reply.answer;
  }

  async close(): Promise<void> {
    for (const inbox of this.#inboxes.values()) inbox.close();
    const listener = await this.#opening?.catch(() => undefined);
    if (listener === undefined) return;
    listener.server.closeAllConnections();
    await new Promise((resolve) => listener.server.close(resolve));
  }

  async #listen(): Promise<Listener> {
    const where = addressFor(this.#options.host);
    const server = createServer({ requestTimeout: patience, headersTimeout: patience }, (request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
    server.maxConnections = mostConnections;
    const port = await listening(server, where);
    server.on('error', () => {});
    server.on('clientError', (_error, socket) => socket.destroy());
    return { server, port, closedPort: await portOfNobody(where) };
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on('error', () => {});
    response.on('error', () => {});
    const body = await readBody(request);
    const received = receivedRequest(request, body, this.#options.startedAt);
    this.#used = true;
    const inbox = this.#inboxes.get(/^\/[^/?]+\/[^/?]+/.exec(received.path)?.[0] ?? '');
    if (inbox !== undefined) return inbox.take(received, response);
    response.writeHead(404, { 'X-M2M-RSC': '4004' });
    response.end();
  }
}

interface OutgoingReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An answer that is looked at instead of sent. */
class KeptReply implements Reply {
  answer: OutgoingReply | undefined;

  writeHead(status: number, headers: Readonly<Record<string, string>>): void {
    const names = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    this.answer = { status, headers: Object.fromEntries(names), body: '' };
  }

  end(): void {}

  destroy(): void {
    this.answer = undefined;
  }
}

interface Listener {
  readonly server: Server;
  readonly port: number;
  readonly closedPort: number;
}

/** The inboxes of one scenario. */
export class OpenInboxes {
  readonly #inboxes: ReadonlyMap<string, Inbox>;
  readonly #forget: () => void;

  constructor(inboxes: ReadonlyMap<string, Inbox>, forget: () => void) {
    this.#inboxes = inboxes;
    this.#forget = forget;
  }

  get(name: string): Inbox | undefined {
    return this.#inboxes.get(name);
  }

  urls(): Array<readonly [string, string]> {
    return [...this.#inboxes].map(([name, { url }]) => [name, url]);
  }

  close(): void {
    for (const inbox of this.#inboxes.values()) inbox.close();
    this.#forget();
  }
}

/** What to listen at, so that no other machine than one that is to send can: undefined stands for every address. */
function addressFor(host = '127.0.0.1'): string | undefined {
  if (host === '[::1]') return '::1';
  return /^127(\.\d+){3}$/.test(host) ? host : undefined;
}

async function listening(server: Server, where: string | undefined): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    const failed = ({ message }: Error) =>
      reject(new UsageError(`the harness cannot listen for notifications: ${message}`));
    server.once('error', failed);
    server.listen(0, where, () => {
      server.off('error', failed);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}

/** A port that was free a moment ago. */
async function portOfNobody(where: string | undefined): Promise<number> {
  const server = createServer();
  const port = await listening(server, where);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
