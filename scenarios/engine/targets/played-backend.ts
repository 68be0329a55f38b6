import type { CseNames } from '../../safety/address.ts';
import { defined } from '../defined.ts';
import { dataOf, isObject, jsonOf } from '../judging/body.ts';
import { writeTimestamp } from '../judging/timestamp.ts';
import type { SentRequest } from '../messages/exchange.ts';
import type { TargetDescription } from '../result.ts';
import { type HarnessServer, type Hearing, listen, type Reply } from './harness-server.ts';
import { RequestLog } from './request-log.ts';
import type { PlayBackendChoice } from './url-choice.ts';

export interface PlayedBackendOptions
  extends CseNames,
    Pick<Hearing, 'tls' | 'startedAt'>,
    Pick<PlayBackendChoice, 'port' | 'interface' | 'label'> {
  /** Whether the gateway certainly registers here; a live one is only asked to. */
  readonly certain: boolean;
}

/** The harness in the place of the backend CSE: takes registrations and keeps every request that comes. */
export class PlayedBackend {
  readonly description: TargetDescription;
  readonly label: string | undefined;
  readonly #certain: boolean;
  readonly log = new RequestLog();
  readonly #close: HarnessServer['close'];
  #waited = false;

  private constructor({ address: { address, port, family }, close }: HarnessServer, options: PlayedBackendOptions) {
    const { base, cseId, spId, tls, certain, label } = options;
    this.#close = close;
    this.#certain = certain;
    this.label = label;
    const host = family === 'IPv6' ? `[${address}]` : address;
    this.description = { kind: 'played', url: `${tls ? 'https' : 'http'}://${host}:${port}`, base, cseId, spId };
  }

  /** Rejects with a UsageError when it cannot listen there. */
  static async listen(options: PlayedBackendOptions): Promise<PlayedBackend> {
    const { port, interface: where = '127.0.0.1', tls, startedAt } = options;
    const resources = new PlayedResources(options);
    const purpose = `as the backend at port ${port}`;
    const heard: Hearing['heard'] = (request) => {
      played.log.add(request);
      return resources.answer(request);
    };
    const server = await listen({ purpose, port, where, tls, startedAt, heard });
    server.server.on('clientError', (_error, socket) => socket.destroy());
    const played = new PlayedBackend(server, options);
    return played;
  }

  /** Whether the target is to register here: certainly, or because it has sent something at least. */
  get expected(): boolean {
    return this.#certain || this.log.used;
  }

  /** Whether nothing came in the time that a gateway was given, so that there is nothing more to wait for. */
  get waitedInVain(): boolean {
    return this.#waited && !this.log.used;
  }

  /** Gives a gateway so many milliseconds to send its first request. */
  async waitForGateway(within: number, signal = new AbortController().signal): Promise<void> {
    await this.log.next(() => true, { from: 0, within, signal });
    this.#waited = true;
  }

  async close(): Promise<void> {
    this.log.close();
    await this.#close();
  }
}

type Attributes = Readonly<Record<string, unknown>>;

/** So many registrations are kept; more are taken for a mistake of the gateway. */
const most = 1000;

/**
 * As much of a backend as a gateway needs that registers: its CSE base, and the remote CSEs below it. Answers as sensibly as
 * it can, since it is not the backend that is judged.
 */
class PlayedResources {
  readonly #identity: CseNames;
  /** By name below the base. */
  readonly #registrations = new Map<string, Attributes>();
  #count = 0;

  constructor(identity: CseNames) {
    this.#identity = identity;
  }

  answer(request: SentRequest): Reply {
    const { status, code, content, location } = this.#result(request);
    const identifier = request.headers.find(([name]) => name.toLowerCase() === 'x-m2m-ri')?.[1];
    return {
      status,
      headers: {
        'X-M2M-RSC': code,
        ...defined({ 'X-M2M-RI': identifier, 'Content-Location': location }),
        ...(content !== undefined && { 'Content-Type': 'application/vnd.onem2m-res+json' }),
      },
      body: content === undefined ? '' : JSON.stringify(content),
    };
  }

  #result({ method, path, body = '' }: SentRequest): Result {
    const name = this.#nameIn(path);
    if (name === '' && method === 'GET') return { status: 200, code: '2000', content: { 'm2m:cb': this.#base() } };
    if (name === '' && method === 'POST') return this.#register(body);
    const known = name === undefined ? undefined : this.#find(name);
    if (known === undefined) return notFound;
    if (method === 'GET') return { status: 200, code: '2000', content: { 'm2m:csr': known[1] } };
    if (method === 'PUT') return this.#update(known, body);
    if (method !== 'DELETE') return notFound;
    this.#registrations.delete(known[0]);
    return { status: 200, code: '2002', content: { 'm2m:csr': known[1] } };
  }

  #register(body: string): Result {
    const given = csrIn(body);
    if (given === undefined) return noRegistration;
    if (this.#registrations.size >= most) return notFound;
    const ri = `csr${this.#count}`;
    this.#count += 1;
    const name = typeof given.rn === 'string' && given.rn !== '' ? given.rn : ri;
    const at = documented(Date.now());
    const made = { ...meant(given), rn: name, ri, ty: 16, pi: 'cb0', ct: at, lt: at };
    this.#registrations.set(name, made);
    return { status: 201, code: '2001', content: { 'm2m:csr': made }, location: `/${this.#identity.cseId}/${ri}` };
  }

  #update([name, before]: readonly [string, Attributes], body: string): Result {
    const given = csrIn(body);
    if (given === undefined) return noRegistration;
    const after = { ...before, ...meant(given), lt: documented(Date.now()) };
    this.#registrations.set(name, after);
    return { status: 200, code: '2004', content: { 'm2m:csr': after } };
  }

  #base(): Attributes {
    const { base, cseId } = this.#identity;
    const at = documented(0);
    return { ri: 'cb0', rn: base, ty: 5, csi: `/${cseId}`, cst: 1, srt: [2, 3, 4, 5, 16], poa: [], ct: at, lt: at };
  }

  /** A gateway may name a registration by its identifier as well. */
  #find(name: string): readonly [string, Attributes] | undefined {
    return [...this.#registrations].find(([key, { ri }]) => key === name || ri === name);
  }

  /** What stands below the base, or below the CSE, in any form of address; empty for the base itself. */
  #nameIn(path: string): string | undefined {
    const { base, cseId, spId } = this.#identity;
    const [bare = ''] = path.split('?');
    const ways = [`/_/${spId}/${cseId}/`, `/~/${cseId}/`, '/'];
    const rest = ways.filter((way) => bare.startsWith(way)).map((way) => bare.slice(way.length))[0];
    const [first, second = '', ...more] = (rest ?? '').replace(/\/+$/, '').split('/');
    if (first === undefined || more.length > 0) return undefined;
    if (first === '' || first === base) return decoded(second);
    return second === '' ? decoded(first) : undefined;
  }
}

interface Result {
  readonly status: number;
  readonly code: string;
  readonly content?: unknown;
  readonly location?: string;
}

const noRegistration: Result = { status: 400, code: '4000', content: { 'm2m:dbg': 'Only m2m:csr is taken here.' } };
const notFound: Result = { status: 404, code: '4004', content: { 'm2m:dbg': 'There is nothing at this address.' } };

/** Deployed gateways send every attribute that exists; null and empty lists say nothing. */
function meant(attributes: Attributes): Attributes {
  const said = ([, value]: [string, unknown]) => value !== null && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(attributes).filter(said));
}

/** Milliseconds since 1970 UTC in the documented form. */
function documented(milliseconds: number): string {
  return writeTimestamp(BigInt(milliseconds) * 1000n, 'as documented');
}

function csrIn(body: string): Attributes | undefined {
  const csr = dataOf(jsonOf(body))['m2m:csr'];
  return isObject(csr) ? csr : undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
