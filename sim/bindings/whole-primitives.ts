/** Shared by bindings that carry whole primitives (TS-0010, TS-0020): reads and answers requests, and matches answers to requests. */

import { CseError } from '../core/status.ts';
import { isObject, jsonIn } from '../dialects/body.ts';
import { cborIn, writeCbor } from '../dialects/cbor.ts';
import { type HttpRequest, type HttpResponse, type HttpService, WrittenAnswer } from '../dialects/http-message.ts';
import { type OutgoingAnswer, UnreachableError } from '../dialects/outgoing-message.ts';
import { asAnswer, contentOf, responseParametersIn } from '../dialects/serialized-primitive.ts';

export type Format = 'json' | 'cbor';

/** A request or a response; without a root it is read as both. */
export interface ReadPrimitive {
  /** It is below its root, and so is its answer. */
  readonly wrapped: boolean;
  readonly request: unknown;
  readonly response: unknown;
}

/** Deployed entities write a primitive bare, as the bindings show it, or below its root. */
export function readPrimitive(payload: Uint8Array, format: Format): ReadPrimitive {
  const value = format === 'cbor' ? cborIn(payload) : jsonIn(payload);
  if (!isObject(value)) return { wrapped: false, request: undefined, response: undefined };
  const { 'm2m:rqp': request, 'm2m:rsp': response } = value;
  return { wrapped: request !== undefined, request: request ?? value, response: response ?? value };
}

interface AnswerContext {
  readonly service: HttpService;
  /** CSE-ID, as `/cse`. */
  readonly identifier: string;
  /** The request as one of HTTP; undefined where it is none. */
  readonly message: HttpRequest | undefined;
}

/** A response primitive to be sent. */
export class AnsweredPrimitive {
  /** All but its content. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly #wrapped: boolean;
  readonly #answer: HttpResponse;

  /** `wrapped`: below its root. */
  constructor(parameters: Readonly<Record<string, unknown>>, answer: HttpResponse, wrapped: boolean) {
    this.parameters = parameters;
    this.#answer = answer;
    this.#wrapped = wrapped;
  }

  /** How a deviation sends it wrongly. */
  get carried(): string | undefined {
    return this.#answer.carried;
  }

  get content(): unknown {
    return contentOf(this.#answer.body);
  }

  get primitive(): Readonly<Record<string, unknown>> {
    const { content: pc } = this;
    const primitive = pc === undefined ? this.parameters : { ...this.parameters, pc };
    return this.#wrapped ? { 'm2m:rsp': primitive } : primitive;
  }

  serialized(format: Format): string | Uint8Array {
    if (format === 'cbor') return writeCbor(this.primitive);
    if (!WrittenAnswer.isJson(this.#answer)) return JSON.stringify(this.primitive);
    // JSON is neither parsed nor written once more.
    const { body } = this.#answer;
    const parameters = JSON.stringify(this.parameters);
    const text = body === '' ? parameters : `${parameters.slice(0, -1)},"pc":${body}}`;
    return this.#wrapped ? `{"m2m:rsp":${text}}` : text;
  }
}

type Response = AnsweredPrimitive | undefined;

/**
 * The response primitive to a request primitive, in the same turn if its service answers so; undefined where the request wants none.
 * `refusal` says why it is not read.
 */
export function responseTo(
  request: ReadPrimitive,
  { service, identifier, message }: AnswerContext,
  refusal = notPrimitive,
): Response | Promise<Response> {
  if (message === undefined) {
    return responseOf(service.refuse(new CseError('BAD_REQUEST', refusal)), request, identifier);
  }
  const answer = service.handle(message);
  if (!(answer instanceof Promise)) return responseOf(answer, request, identifier);
  return answer.then((late) => responseOf(late, request, identifier));
}

function responseOf(answer: HttpResponse, { request, wrapped }: ReadPrimitive, identifier: string): Response {
  const parameters = responseParametersIn(answer);
  if (parameters === undefined) return undefined;
  if (isObject(request)) {
    const { rqi, fr: to } = request;
    if (typeof rqi === 'string') parameters.rqi ??= rqi;
    if (typeof to === 'string') parameters.to = to;
  }
  parameters.fr = identifier;
  return new AnsweredPrimitive(parameters, answer, wrapped);
}

const notPrimitive = 'This is no request primitive: a JSON object with op (1 to 5), to, fr and rqi.';

/** Pending requests, by their identifiers. */
export class AwaitedAnswers {
  readonly #waiting = new Map<string, (answer: OutgoingAnswer | UnreachableError) => void>();
  readonly #peer: string;
  readonly #timeout: number;

  /** `peer` begins messages; `timeout` is in milliseconds for each. */
  constructor(peer: string, timeout: number) {
    this.#peer = peer;
    this.#timeout = timeout;
  }

  /** The answer to a request. Rejects with an UnreachableError when none comes in time. */
  to(identifier: string, signal: AbortSignal | undefined): Promise<OutgoingAnswer> {
    return new Promise((resolve, reject) => {
      const settle = (answer: OutgoingAnswer | UnreachableError): void => {
        clearTimeout(late);
        signal?.removeEventListener('abort', stop);
        this.#waiting.delete(identifier);
        if (answer instanceof UnreachableError) reject(answer);
        else resolve(answer);
      };
      const stop = () => settle(this.#failure('nobody waits for the answer any more'));
      const late = setTimeout(() => settle(this.#failure(`no answer within ${this.#timeout / 1000} s`)), this.#timeout);
      signal?.addEventListener('abort', stop);
      this.#waiting.set(identifier, settle);
    });
  }

  /** An answer without a pending request is ignored. */
  settle(response: unknown): void {
    const identifier = isObject(response) ? response.rqi : undefined;
    const answer = asAnswer(response);
    if (typeof identifier === 'string' && answer !== undefined) this.#waiting.get(identifier)?.(answer);
  }

  fail(identifier: string, error: UnreachableError): void {
    this.#waiting.get(identifier)?.(error);
  }

  /** No more answers come. */
  end(reason: string): void {
    for (const settle of [...this.#waiting.values()]) settle(this.#failure(reason));
  }

  #failure(reason: string): UnreachableError {
    return new UnreachableError(`${this.#peer}: ${reason}`);
  }
}

// How a CSE sends a message wrongly, or differently, over MQTT and WebSocket, by the terms of deviations and variations.

type Primitive = Readonly<Record<string, unknown>>;

export interface Carriage {
  /** Where it is published instead (MQTT). */
  readonly topic?: (topic: string) => string;
  /** What is sent instead, one message each: a primitive, or a text. */
  readonly messages?: (primitive: Primitive) => ReadonlyArray<Primitive | string>;
  /** The server retains it (MQTT). */
  readonly retained?: true;
  /** It goes in frames of the other opcode (WebSocket). */
  readonly otherFrames?: true;
  /** It goes in two frames (WebSocket). */
  readonly inPieces?: true;
}

const utf8 = new TextEncoder();
const levels = /(req|resp)\/([^/]+)\/([^/]+)(\/[^/]*)?$/;
const changed = (change: (primitive: Primitive) => Primitive | string): Carriage => ({
  messages: (primitive) => [change(primitive)],
});
const without = (name: string) => changed(({ [name]: _gone, ...rest }) => rest);
const asText = (name: string) => changed((primitive) => ({ ...primitive, [name]: String(primitive[name]) }));

const carriages: ReadonlyMap<string, Carriage> = new Map(
  Object.entries<Carriage>({
    'to another receiver': { topic: (topic) => topic.replace(levels, '$1/$2/$3-2$4') },
    'to another originator': { topic: (topic) => topic.replace(levels, '$1/$2-2/$3$4') },
    'to swapped levels': { topic: (topic) => topic.replace(levels, '$1/$3/$2$4') },
    'where requests go': { topic: (topic) => topic.replace(levels, 'req/$3/$2$4') },
    'with identifiers as they are': { topic: (topic) => topic.replace(levels, (all) => all.replaceAll(':', '/')) },
    'without the slash before it': { topic: (topic) => topic.replace(/^\//, '') },
    'without a format': { topic: (topic) => topic.replace(levels, '$1/$2/$3') },
    'with a format that is none': { topic: (topic) => topic.replace(levels, '$1/$2/$3/text') },
    'to be kept': { retained: true },
    'in other frames': { otherFrames: true },
    'in two frames': { inPieces: true },
    'with another identifier': changed((primitive) => ({ ...primitive, rqi: `${String(primitive.rqi)}-2` })),
    'with an identifier in capitals': changed((primitive) => ({
      ...primitive,
      rqi: String(primitive.rqi).toUpperCase(),
    })),
    'without an identifier': without('rqi'),
    'without a code': without('rsc'),
    'with a code that is a text': asText('rsc'),
    'below a root': changed((primitive) => ({ [primitive.op === undefined ? 'm2m:rsp' : 'm2m:rqp']: primitive })),
    'as no JSON': changed((primitive) => JSON.stringify(primitive).replaceAll('"', "'")),
    'as a list': changed((primitive) => JSON.stringify([primitive])),
    'cut short': changed((primitive) => JSON.stringify(primitive).slice(0, -1)),
    'two in a message': changed((primitive) => JSON.stringify(primitive).repeat(2)),
    'and again otherwise': { messages: (primitive) => [primitive, { ...primitive, rsc: 5000 }] },
    'and again': { messages: (primitive) => [primitive, primitive] },
    'without an operation': without('op'),
    'with an operation that is a text': asText('op'),
    'without an originator': without('fr'),
    'without an address': without('to'),
  }),
);

export const carriageOf = (carried: string | undefined): Carriage => carriages.get(carried ?? '') ?? {};

/** The messages that a primitive becomes. */
export function writtenBy(
  { messages = (primitive) => [primitive] }: Carriage,
  primitive: Primitive,
  bytesOf: (message: Primitive) => Uint8Array,
): Uint8Array[] {
  return messages(primitive).map((one) => (typeof one === 'string' ? utf8.encode(one) : bytesOf(one)));
}
