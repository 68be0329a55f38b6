import { dataOf, headersOf, isObject, jsonOf } from '../basics/body.ts';
import { defined } from '../basics/defined.ts';
import { writeTimestamp } from '../judging/timestamp.ts';
import { type CseNames, resolveAddress } from '../messages/address.ts';
import type { ReceivedRequest, SentRequest } from '../results/exchange.ts';
import type { TargetDescription } from '../results/result.ts';
import { Waiters } from './exchanging/deadline.ts';
import { type HarnessServer, type ListenOptions, listen, type Reply } from './harness-server.ts';
import type { SimulatedBackendChoice } from './url-choice.ts';

export interface SimulatedBackendOptions
  extends CseNames,
    Pick<ListenOptions, 'tls' | 'startedAt'>,
    Pick<SimulatedBackendChoice, 'port' | 'interface' | 'label'> {
  /** Whether the gateway certainly registers here; a live one may not. */
  readonly certain: boolean;
}

type Attributes = Readonly<Record<string, unknown>>;

/**
 * The harness as the backend CSE: keeps every request, and simulates as much as a registering gateway needs: its CSE base, and
 * the remote CSEs below it.
 */
export class SimulatedBackend {
  readonly description: TargetDescription;
  readonly label: string | undefined;
  readonly log = new RequestLog();
  readonly #certain: boolean;
  readonly #close: HarnessServer['close'];
  #waited = false;
  /** By name below the base. */
  readonly #registrations = new Map<string, Attributes>();
  #count = 0;

  private constructor({ authority, close }: HarnessServer, options: SimulatedBackendOptions) {
    const { base, cseId, spId, tls, certain, label } = options;
    this.description = { kind: 'simulated', url: `${tls ? 'https' : 'http'}://${authority}`, base, cseId, spId };
    this.label = label;
    this.#certain = certain;
    this.#close = close;
  }

  /** Rejects with a UsageError when it cannot listen there. */
  static async listen(options: SimulatedBackendOptions): Promise<SimulatedBackend> {
    const { port, interface: where = '127.0.0.1', tls, startedAt } = options;
    const onRequest = (request: ReceivedRequest) => {
      backend.log.add(request);
      return backend.#reply(request);
    };
    const opened = await listen({ purpose: `as the backend at port ${port}`, port, where, tls, startedAt, onRequest });
    opened.server.on('clientError', (_error, socket) => socket.destroy());
    const backend = new SimulatedBackend(opened, options);
    return backend;
  }

  /** Whether a registration is expected: certainly, or because the target has sent something. */
  get expected(): boolean {
    return this.#certain || this.log.used;
  }

  /** Whether the first wait was in vain, so that further waits are pointless. */
  get waitedInVain(): boolean {
    return this.#waited && !this.log.used;
  }

  /** Waits so many milliseconds for the first request of a gateway. */
  async waitForGateway(within: number, signal = new AbortController().signal): Promise<void> {
    await this.log.next(() => true, { from: 0, within, signal });
    this.#waited = true;
  }

  async close(): Promise<void> {
    this.log.close();
    await this.#close();
  }

  /** Answers sensibly, as it is not the backend that is checked. */
  #reply(request: SentRequest): Reply {
    const { headers, ...reply } = this.#answer(request);
    return { ...reply, headers: { ...headers, ...defined({ 'X-M2M-RI': headersOf(request).get('x-m2m-ri') }) } };
  }

  #answer({ method, path, body = '' }: SentRequest): Reply {
    const name = this.#nameIn(path);
    if (name === '' && method === 'GET') return reply(200, '2000', { 'm2m:cb': this.#base() });
    if (name === '' && method === 'POST') return this.#register(body);
    // A gateway may address a registration by its identifier as well.
    const known = [...this.#registrations].find(([key, { ri }]) => key === name || ri === name);
    if (known === undefined) return notFound;
    if (method === 'GET') return reply(200, '2000', { 'm2m:csr': known[1] });
    if (method === 'PUT') return this.#update(known, body);
    if (method !== 'DELETE') return notFound;
    this.#registrations.delete(known[0]);
    return reply(200, '2002', { 'm2m:csr': known[1] });
  }

  #register(body: string): Reply {
    const csr = csrIn(body);
    if (csr === undefined) return noRegistration;
    if (this.#registrations.size >= most.registrations) return notFound;
    const ri = `csr${this.#count}`;
    this.#count += 1;
    const name = typeof csr.rn === 'string' && csr.rn !== '' ? csr.rn : ri;
    const at = documented(Date.now());
    const made = { ...withoutEmpty(csr), rn: name, ri, ty: 16, pi: 'cb0', ct: at, lt: at };
    this.#registrations.set(name, made);
    return reply(201, '2001', { 'm2m:csr': made }, { 'Content-Location': `/${this.description.cseId}/${ri}` });
  }

  #update([name, before]: readonly [string, Attributes], body: string): Reply {
    const csr = csrIn(body);
    if (csr === undefined) return noRegistration;
    const after = { ...before, ...withoutEmpty(csr), lt: documented(Date.now()) };
    this.#registrations.set(name, after);
    return reply(200, '2004', { 'm2m:csr': after });
  }

  #base(): Attributes {
    const { base, cseId } = this.description;
    const at = documented(0);
    return { ri: 'cb0', rn: base, ty: 5, csi: `/${cseId}`, cst: 1, srt: [2, 3, 4, 5, 16], poa: [], ct: at, lt: at };
  }

  /** The name below the base, or below the CSE, from any form of address; empty for the base itself. */
  #nameIn(path: string): string | undefined {
    const { cseId, segments } = resolveAddress(path, this.description);
    const [first = '', second = '', ...more] = segments;
    if (more.length > 0 || cseId !== this.description.cseId) return undefined;
    if (first === '' || first === this.description.base) return second;
    return second === '' ? first : undefined;
  }
}

/** Limits: further requests are ignored, and further registrations are errors. */
const most = { requests: 10_000, registrations: 1000 };

/** The received requests, in order, and the waiters for one. */
export class RequestLog {
  readonly #requests: ReceivedRequest[] = [];
  readonly #waiters = new Waiters();

  /** Whether any request came. */
  get used(): boolean {
    return this.#requests.length > 0;
  }

  add(request: ReceivedRequest): void {
    if (this.#requests.length >= most.requests) return;
    this.#requests.push(request);
    this.#waiters.wake();
  }

  /**
   * The first fitting request from position `from` (0 is the first) on, as soon as it is there. Undefined after so many milliseconds, on
   * abort, and when the log is closed.
   */
  next(
    fits: (request: ReceivedRequest) => boolean,
    { from, ...until }: { readonly from: number; readonly within: number; readonly signal: AbortSignal },
  ): Promise<{ readonly request: ReceivedRequest; readonly index: number } | undefined> {
    let index = from;
    return this.#waiters.wait(() => {
      for (let request = this.#requests[index]; request !== undefined; request = this.#requests[++index])
        if (fits(request)) return { request, index };
      return undefined;
    }, until);
  }

  /** Nothing comes any more. */
  close(): void {
    this.#waiters.close();
  }
}

function reply(status: number, code: string, content: unknown, headers: Reply['headers'] = {}): Reply {
  const all = { 'X-M2M-RSC': code, 'Content-Type': 'application/vnd.onem2m-res+json', ...headers };
  return { status, headers: all, body: JSON.stringify(content) };
}

const noRegistration = reply(400, '4000', { 'm2m:dbg': 'Only m2m:csr is taken here.' });
const notFound = reply(404, '4004', { 'm2m:dbg': 'There is nothing at this address.' });

/** Deployed gateways send every existing attribute; null and empty lists mean nothing. */
function withoutEmpty(attributes: Attributes): Attributes {
  const isGiven = ([, value]: [string, unknown]) => value !== null && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(attributes).filter(isGiven));
}

/** Milliseconds since 1970 UTC in the documented form. */
function documented(milliseconds: number): string {
  return writeTimestamp(BigInt(milliseconds) * 1000n, 'as documented');
}

function csrIn(body: string): Attributes | undefined {
  const csr = dataOf(jsonOf(body))['m2m:csr'];
  return isObject(csr) ? csr : undefined;
}
