/** One WebSocket connection (TS-0020), opened here or by the other side: requests and answers go both ways over it. */

import type { RawData, WebSocket } from 'ws';
import type { CseIdentity } from '../../core/address.ts';
import { applicationEntityType, operationNumbers } from '../../core/numbers.ts';
import type { DialectName } from '../../core/resource-type.ts';
import { isObject } from '../../dialects/body.ts';
import { writeCbor } from '../../dialects/cbor.ts';
import type { HttpRequest, HttpService } from '../../dialects/http-message.ts';
import { type OutgoingAnswer, type OutgoingRequest, UnreachableError } from '../../dialects/outgoing-message.ts';
import { asHttpRequest, asRequest } from '../../dialects/serialized-primitive.ts';
import { answerBy, type MessageDetourFor, type MessageWire } from '../detour.ts';
import { AwaitedAnswers, type Format, readPrimitive, responseTo } from '../whole-primitives.ts';

/** By the names of subprotocols (TS-0020, table 6.2.2.9-1). XML is not spoken here. */
export const formats: ReadonlyMap<string, Format> = new Map([
  ['oneM2M.json', 'json'],
  ['oneM2M.cbor', 'cbor'],
]);

/** Who answers what comes, and asks what goes. */
export interface Speaker {
  readonly service: HttpService;
  readonly identity: CseIdentity & { readonly dialect: DialectName };
}

interface ConnectionOptions {
  /** As messages call the other side. */
  readonly where: string;
  readonly speaker: () => Speaker;
  /** Milliseconds for a request with its answer. */
  readonly timeout: number;
  /** Octets that may wait to be sent to who does not read. */
  readonly mostUnsent: number;
  /** Who it is at the other end, as far as the network knows. */
  readonly from?: Pick<HttpRequest, 'peer' | 'address'>;
  readonly onError: (error: unknown) => void;
  /** What becomes of a request and its answer, where the wire is disturbed. */
  readonly detour?: MessageDetourFor | undefined;
  /** Ends the connection by a TCP reset; it is only cut where nothing is given. */
  readonly reset?: (() => void) | undefined;
  /** An entity of this identifier was served over the connection. */
  readonly onServed: (identifier: string) => void;
}

export class WsConnection {
  readonly #socket: WebSocket;
  readonly #options: ConnectionOptions;
  readonly #format: Format;
  readonly #awaited: AwaitedAnswers;
  #answering = 0;
  /** The code of a close that waits for answers. */
  #leaving: number | undefined;
  /** Whether anything was heard since the last look. */
  #isHeard = true;

  constructor(socket: WebSocket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#format = formats.get(socket.protocol) ?? 'json';
    this.#awaited = new AwaitedAnswers(options.where, options.timeout);
    socket.on('message', (data, isBinary) => this.#take(data, isBinary));
    socket.on('pong', () => this.#hear());
    socket.on('close', () => this.#awaited.end('the connection was closed'));
    // It is followed by the close.
    socket.on('error', () => {});
  }

  /** Rejects with an UnreachableError. */
  async ask(request: OutgoingRequest, signal?: AbortSignal): Promise<OutgoingAnswer> {
    const primitive = asRequest(request);
    const { rqi } = primitive;
    const failure = typeof rqi === 'string' ? 'the connection is closed' : unidentified;
    if (typeof rqi !== 'string' || !this.isOpen) throw new UnreachableError(`${this.#options.where}: ${failure}`);
    const answered = this.#awaited.to(rqi, signal);
    this.#send(this.#written(primitive));
    return answered;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** Ends it where the other side has let the last one without an answer. */
  ping(): void {
    if (!this.#isHeard) this.#socket.terminate();
    else if (this.isOpen) this.#socket.ping();
    this.#isHeard = false;
  }

  /** By a closing handshake (TS-0020, clause 6.3), when what was asked is answered (clause 6.5). */
  close(code: number): void {
    this.#leaving = code;
    if (this.#answering === 0) this.#socket.close(code);
  }

  cut(): void {
    this.#socket.terminate();
  }

  #hear(): void {
    this.#isHeard = true;
  }

  #take(data: RawData, isBinary: boolean): void {
    this.#hear();
    // The opcode belongs to the format (TS-0020, table 6.2.2.9-1).
    if (isBinary !== (this.#format === 'cbor')) {
      this.#socket.close(unsupportedData);
      return;
    }
    const primitive = readPrimitive(data as Buffer, this.#format);
    // A response has a status code, and no operation (TS-0020, annex A.1).
    if (isObject(primitive.response) && primitive.response.rsc !== undefined) {
      this.#awaited.settle(primitive.response);
      return;
    }
    const { onError } = this.#options;
    this.#answering++;
    this.#answer(primitive)
      .catch(onError)
      .finally(() => {
        this.#answering--;
        if (this.#leaving !== undefined) this.close(this.#leaving);
      });
  }

  async #answer(primitive: ReturnType<typeof readPrimitive>): Promise<void> {
    const { speaker, from, onServed, detour } = this.#options;
    const { service, identity } = speaker();
    const { cseId, dialect } = identity;
    const answering = { service, dialect, identifier: `/${cseId}`, from: { ...from, wire: 'ws' as const } };
    const answer = async () => {
      const response = await responseTo(primitive, answering);
      if (response === undefined) return undefined;
      const shown = (response['m2m:rsp'] ?? response) as Readonly<Record<string, unknown>>;
      const served = servedBy(primitive.request, shown);
      if (served !== undefined) onServed(served);
      return this.#written(response);
    };
    const request = detour && asHttpRequest(primitive.request, dialect);
    await answerBy(request && detour?.({ ...request, wire: 'ws' }), answer, this.#wire);
  }

  readonly #wire: MessageWire = {
    write: (payload) => this.#send(payload),
    reset: () => (this.#options.reset ? this.#options.reset() : this.cut()),
    end: () => this.cut(),
  };

  #written(primitive: unknown): Uint8Array {
    return this.#format === 'cbor' ? writeCbor(primitive) : Buffer.from(JSON.stringify(primitive));
  }

  #send(payload: Uint8Array): void {
    if (!this.isOpen) return;
    this.#socket.send(payload, { binary: this.#format === 'cbor' });
    if (this.#socket.bufferedAmount > this.#options.mostUnsent) this.#socket.terminate();
  }
}

const unidentified = 'over WebSocket an answer is known by the request identifier alone, and there is none';
/** RFC 6455, clause 7.4.1. */
const unsupportedData = 1003;

/**
 * To whom requests go over the connection from now on: an entity whose request was granted over it (TS-0020, clause 6.4). Who
 * registers may learn only by the answer what it is called.
 */
function servedBy(request: unknown, response: Readonly<Record<string, unknown>>): string | undefined {
  if (!isObject(request) || !(Number(response.rsc) < 3000)) return undefined;
  const { fr, op, ty } = request;
  if (op === operationNumbers.create && ty === applicationEntityType) {
    const registered = isObject(response.pc) ? response.pc['m2m:ae'] : undefined;
    if (isObject(registered) && typeof registered.aei === 'string') return registered.aei;
  }
  return typeof fr === 'string' && fr.length > 1 ? fr : undefined;
}
