/** One WebSocket connection (TS-0020), opened here or by the peer: requests and answers go both ways over it. */

import { applicationEntityType, operationNumbers } from '../../core/numbers.ts';
import type { Cse } from '../../core/operations/cse.ts';
import { isObject } from '../../dialects/body.ts';
import { writeCbor } from '../../dialects/cbor.ts';
import type { HttpRequest, HttpService } from '../../dialects/http-message.ts';
import { type OutgoingAnswer, type OutgoingRequest, UnreachableError } from '../../dialects/outgoing-message.ts';
import { asHttpRequest, asRequest, type MessageOrigin } from '../../dialects/serialized-primitive.ts';
import type { MessageDetour, MessageDetourFor } from '../detour.ts';
import {
  type AnsweredPrimitive,
  AwaitedAnswers,
  type Carriage,
  carriageOf,
  type Format,
  type ReadPrimitive,
  readPrimitive,
  responseTo,
  writtenBy,
} from '../whole-primitives.ts';

/** By the names of subprotocols (TS-0020, table 6.2.2.9-1). XML is not supported. */
export const formats: ReadonlyMap<string, Format> = new Map([
  ['oneM2M.json', 'json'],
  ['oneM2M.cbor', 'cbor'],
]);

/** What carries the messages of a connection: a socket, or an intercepted one. */
export interface WsLink {
  readonly format: Format;
  readonly isOpen: boolean;
  /** As text where the format is JSON, in one frame, unless the carriage differs. */
  send(payload: string | Uint8Array, carriage?: Carriage): void;
  close(code: number): void;
  /** Ends it without a closing handshake. */
  cut(): void;
  /** The same by a TCP reset, where there is TCP. */
  reset?: (() => void) | undefined;
}

/** The CSE that answers requests, and sends its own. */
export interface ConnectedCse {
  readonly http: HttpService;
  readonly core: Pick<Cse, 'configuration'>;
}

interface ConnectionOptions {
  /** The peer, as error messages name it. */
  readonly where: string;
  readonly cse: () => ConnectedCse;
  /** Milliseconds for a request with its answer. */
  readonly timeout: number;
  /** The peer, as far as the network knows. */
  readonly from?: Pick<HttpRequest, 'peer' | 'address'>;
  readonly onError: (error: unknown) => void;
  /** How the wire disturbs a request and its answer. */
  readonly detour?: MessageDetourFor | undefined;
  /** An entity of this identifier was served over the connection. */
  readonly onServed: (identifier: string) => void;
  readonly onEnd: () => void;
}

export class WsConnection {
  readonly #link: WsLink;
  readonly #options: ConnectionOptions;
  readonly #awaited: AwaitedAnswers;
  readonly #from: MessageOrigin;
  #pending = 0;
  /** The code of a close that waits for answers. */
  #closeCode: number | undefined;

  constructor(link: WsLink, options: ConnectionOptions) {
    this.#link = link;
    this.#options = options;
    this.#awaited = new AwaitedAnswers(options.where, options.timeout);
    this.#from = { ...options.from, wire: 'ws' };
  }

  /** Called when it was closed. */
  end(): void {
    this.#awaited.end('the connection was closed');
    this.#options.onEnd();
  }

  /** Rejects with an UnreachableError. */
  async ask(request: OutgoingRequest, signal?: AbortSignal): Promise<OutgoingAnswer> {
    const primitive = asRequest(request);
    const { rqi } = primitive;
    const failure = typeof rqi === 'string' ? 'the connection is closed' : unidentified;
    if (typeof rqi !== 'string' || !this.isOpen) throw new UnreachableError(`${this.#options.where}: ${failure}`);
    const answered = this.#awaited.to(rqi, signal);
    this.#carry(primitive, request.carried);
    return answered;
  }

  get isOpen(): boolean {
    return this.#link.isOpen;
  }

  /** By a closing handshake (TS-0020, clause 6.3), when pending requests are answered (clause 6.5). */
  close(code: number): void {
    this.#closeCode = code;
    if (this.#pending === 0) this.#link.close(code);
  }

  cut(): void {
    this.#link.cut();
  }

  /** Reads a message that arrived. */
  receive(payload: Uint8Array, isBinary: boolean): void {
    const { format } = this.#link;
    // The opcode belongs to the format (TS-0020, table 6.2.2.9-1).
    if (isBinary !== (format === 'cbor')) {
      this.#link.close(unsupportedData);
      return;
    }
    const primitive = readPrimitive(payload, format);
    // A response has a status code, and no operation (TS-0020, annex A.1).
    if (isObject(primitive.response) && primitive.response.rsc !== undefined) {
      this.#awaited.settle(primitive.response);
      return;
    }
    this.#pending++;
    try {
      const answering = this.#answer(primitive);
      if (answering === undefined) this.#answered();
      else answering.catch(this.#options.onError).finally(() => this.#answered());
    } catch (error) {
      this.#options.onError(error);
      this.#answered();
    }
  }

  #answered(): void {
    this.#pending--;
    if (this.#closeCode !== undefined) this.close(this.#closeCode);
  }

  /** Undefined where it is answered already. */
  #answer(primitive: ReadPrimitive): Promise<void> | undefined {
    const { cse, detour: detourFor } = this.#options;
    const { http: service, core } = cse();
    const { cseId, dialect } = core.configuration;
    const message = asHttpRequest(primitive.request, dialect.name, this.#from);
    const detour = message && detourFor?.(message);
    const isServed = detour?.isServed !== false;
    const response = isServed ? responseTo(primitive, { service, message, identifier: `/${cseId}` }) : undefined;
    if (response instanceof Promise) return response.then((late) => this.#deliver(late, primitive, detour));
    this.#deliver(response, primitive, detour);
    return undefined;
  }

  #deliver(
    response: AnsweredPrimitive | undefined,
    { request }: ReadPrimitive,
    detour: MessageDetour | undefined,
  ): void {
    const { format } = this.#link;
    if (response !== undefined) {
      const served = servedBy(request, response);
      if (served !== undefined) this.#options.onServed(served);
    }
    if (detour !== undefined) this.#divert(detour, response);
    else if (response?.carried !== undefined) this.#carry(response.primitive, response.carried);
    else if (response !== undefined) this.#send(response.serialized(format));
  }

  /** Hands it to what disturbs the wire. */
  #divert(detour: MessageDetour, response: AnsweredPrimitive | undefined): void {
    const serialized = response?.serialized(this.#link.format);
    detour.take(typeof serialized === 'string' ? utf8.encode(serialized) : serialized, {
      write: (payload) => {
        if (response?.carried === undefined) this.#send(payload);
        else this.#carry(response.primitive, response.carried);
      },
      reset: () => (this.#link.reset ? this.#link.reset() : this.cut()),
      end: () => this.cut(),
    });
  }

  #written(primitive: unknown): Uint8Array {
    return this.#link.format === 'cbor' ? writeCbor(primitive) : utf8.encode(JSON.stringify(primitive));
  }

  /** Sends it with the deviation applied, if any. */
  #carry(primitive: AnsweredPrimitive['primitive'], carried: string | undefined): void {
    const carriage = carriageOf(carried);
    for (const one of writtenBy(carriage, primitive, (message) => this.#written(message))) this.#send(one, carriage);
  }

  #send(payload: string | Uint8Array, carriage?: Carriage): void {
    if (this.isOpen) this.#link.send(payload, carriage);
  }
}

const utf8 = new TextEncoder();
const unidentified = 'over WebSocket an answer is known by the request identifier alone, and there is none';
/** RFC 6455, clause 7.4.1. */
const unsupportedData = 1003;

/**
 * The entity whose requests go over the connection from now on, since one of its own was granted over it (TS-0020, clause 6.4). One that
 * registers may get its identifier with the answer.
 */
function servedBy(request: unknown, response: AnsweredPrimitive): string | undefined {
  if (!isObject(request) || !(Number(response.parameters.rsc) < 3000)) return undefined;
  const { fr, op, ty } = request;
  if (op === operationNumbers.create && ty === applicationEntityType) {
    const { content } = response;
    const registered = isObject(content) ? content['m2m:ae'] : undefined;
    if (isObject(registered) && typeof registered.aei === 'string') return registered.aei;
  }
  return typeof fr === 'string' && fr.length > 1 ? fr : undefined;
}
