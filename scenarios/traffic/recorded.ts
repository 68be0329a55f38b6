import { z } from 'zod';
import type { CapturedExchange, NotifiedOver } from '../captures/captured.ts';
import { keptBody } from '../captures/exported.ts';
import { exchangesOver } from '../captures/primitive-pairing.ts';
import { headerOf, headersOf } from '../engine/basics/body.ts';
import { UsageError } from '../engine/basics/diagnostics.ts';
import { serializationIn, serializationOf, textIn } from '../engine/messages/serialization.ts';
import type { Exchange } from '../engine/results/exchange.ts';
import type { SourceLocation } from '../engine/results/result.ts';

/** A recorded exchange. `at` is in milliseconds since 1970 UTC. */
export interface RecordedExchange {
  readonly exchange: Exchange;
  readonly place: SourceLocation;
  /** Beginning and end, in one unit for the whole recording; Infinity if it did not end. */
  readonly from: number;
  readonly to: number;
  /** Number of the request at the CSE, if the recording has numbers. */
  readonly number?: number;
  /** Whether both bodies are complete. */
  readonly isWhole: boolean;
  /** Base URL of the receiver; absent in a journal of the CSE itself. */
  readonly origin?: string;
  /** Present for notifications; `origin` is then the receiver. */
  readonly notified?: NotifiedOver;
}

/** The sender in a journal of the CSE itself. */
export const itself = 'itself';

const otherForms = /\bxml\b/i;

/** Whether one side uses an unsupported serialization. */
export function isForeign({ request, answer }: Exchange): boolean {
  const headers = headersOf(request);
  const accepts = headers.get('accept') ?? '*/*';
  if (otherForms.test(`${headers.get('content-type')} ${accepts}`)) return true;
  return accepts.includes('*/') && otherForms.test(headersOf(answer).get('content-type') ?? '');
}

/** An error at a position in a recording. Shows nothing of its content, which may have secrets. */
export function unusable({ file, line, column }: SourceLocation, says: string): UsageError {
  return new UsageError(`${file}:${line}:${column}: ${says}`);
}

const HeaderList = z.array(z.object({ name: z.string(), value: z.string() }));

export const HarEntry = z.object({
  startedDateTime: z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'is no time'),
  /** Milliseconds. */
  time: z.number().nullish(),
  request: z.object({
    method: z.string().min(1),
    url: z.string().refine((text) => URL.canParse(text), 'is no URL'),
    headers: HeaderList,
    bodySize: z.number().optional(),
    postData: z.object({ text: z.string().optional(), encoding: z.string().optional() }).nullish(),
  }),
  response: z.object({
    /** 0 where none came. */
    status: z.int(),
    headers: HeaderList,
    content: z.object({ size: z.number().optional(), text: z.string().optional(), encoding: z.string().optional() }),
  }),
  _fromCache: z.string().nullish(),
  /** As Chromium has them: seconds since 1970 UTC, and opcodes of RFC 6455, clause 5.2. */
  _webSocketMessages: z
    .array(z.object({ type: z.string().optional(), time: z.number(), opcode: z.int(), data: z.string() }))
    .nullish(),
});
export type HarEntry = z.infer<typeof HarEntry>;

/** The number of the packet is the line. */
export function fromCapture({ packet, ...captured }: CapturedExchange, file: string): RecordedExchange {
  const { exchange, isWhole } = captured;
  return { ...captured, place: { file, line: packet, column: 1 }, isWhole: isWhole && !isForeign(exchange) };
}

/** The exchanges of an entry: one request, or all messages of a WebSocket. */
export function fromHar(entry: HarEntry, place: SourceLocation): RecordedExchange[] {
  const { _webSocketMessages: messages, request } = entry;
  if (messages == null) return [fromHarRequest(entry, place) ?? []].flat();
  const { protocol, host } = new URL(request.url);
  const sent = messages.map(({ type, time, opcode, data }) => {
    const payload = Buffer.from(data, opcode === 1 ? 'utf8' : 'base64');
    const isRead = opcode === 1 || serializationIn(payload) === 'cbor';
    return { at: time * 1000, payload: isRead ? payload : undefined, isOfClient: type !== 'receive' };
  });
  return exchangesOver(sent, `${protocol.replace('http', 'ws')}//${host}`).map(({ packet: _index, ...one }) => ({
    ...{ ...one, place, isWhole: one.isWhole && !isForeign(one.exchange) },
  }));
}

/** Undefined if it was not sent to a server. */
function fromHarRequest(entry: HarEntry, place: SourceLocation): RecordedExchange | undefined {
  const { startedDateTime, time, request, response } = entry;
  const { origin, pathname, search, protocol } = new URL(request.url);
  if (!/^https?:$/.test(protocol) || typeof entry._fromCache === 'string') return undefined;
  // Dates have milliseconds only.
  const at = Date.parse(startedDateTime) + Number(`0.${/\.\d{3}(\d+)/.exec(startedDateTime)?.[1] ?? 0}`);
  const took = Math.max(0, time ?? 0);
  const [sent, received] = [bytesOf(request.postData), bytesOf(response.content)];
  const { body: sentText, ...requestHead } = messageOf(request.headers, sent);
  const exchange: Exchange = {
    request: {
      ...{ method: request.method, path: pathname + search, ...requestHead },
      ...(sent.length > 0 && { body: sentText }),
    },
    ...(response.status > 0 && { answer: { status: response.status, ...messageOf(response.headers, received) } }),
    ...{ at, took, curl: '' },
  };
  // Some writers omit or cut long bodies.
  const isKept = sent.length >= (request.bodySize ?? 0) && received.length >= (response.content.size ?? 0);
  return { exchange, place, from: at, to: at + took, isWhole: isKept && !isForeign(exchange), origin };
}

/** With HTTP/2, names such as `:path` are no headers. */
function messageOf(list: z.infer<typeof HeaderList>, body: Buffer) {
  const headers = list.filter(({ name }) => !name.startsWith(':')).map(({ name, value }) => [name, value] as const);
  return { headers, body: textIn(body, headerOf(headers, 'content-type')) };
}

function bytesOf(body: HarEntry['request']['postData']): Buffer {
  const { text = '', encoding } = body ?? {};
  return Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8');
}

const HeaderMap = z.record(z.string(), z.string());

export const RecordedEntry = z.object({
  number: z.int().positive().optional(),
  /** Number of the last request received before this answer. */
  until: z.int().positive().optional(),
  /** Microseconds since 1970 UTC. */
  at: z.number(),
  method: z.string().min(1),
  target: z.string().startsWith('/'),
  /** Receiver of a request of the CSE itself. */
  to: z.string().optional(),
  certificate: z.array(z.string()).optional(),
  headers: HeaderMap,
  body: z.string().default(''),
  answer: z.object({ status: z.int(), headers: HeaderMap, body: z.string().default('') }).optional(),
  problem: z.string().optional(),
  milliseconds: z.number().nonnegative().optional(),
});
export type RecordedEntry = z.infer<typeof RecordedEntry>;

/** Undefined for requests of the CSE itself other than notifications, which show how others answer. */
export function fromJournal(entry: RecordedEntry, place: SourceLocation): RecordedExchange | undefined {
  const { number, until, to, answer } = entry;
  const exchange = exchangeOf(entry);
  const { at, took } = exchange;
  // A notification has no number, which counts only requests to the CSE.
  const sent = { exchange, place, from: at, to: at + took, isWhole: true, notified: { sender: itself } };
  if (to !== undefined) return isNotification(exchange.request) ? { ...sent, origin: to } : undefined;
  const isOver = answer !== undefined || entry.problem !== undefined;
  // Clocks of tests may stand still; numbers of requests are as good.
  const span =
    number !== undefined && until !== undefined
      ? { from: number, to: until + 0.5 }
      : { from: at, to: isOver ? at + took : Number.POSITIVE_INFINITY };
  return { exchange, place, ...span, isWhole: !isForeign(exchange), ...(number !== undefined && { number }) };
}

export const isNotification = ({ method, body = '' }: Exchange['request']): boolean =>
  method === 'POST' && /^\s*\{\s*"m2m:(sgn|agn)"/.test(body);

/** A journal has binary content, such as CBOR, as Base64. */
function keptIn({ headers, body }: Pick<RecordedEntry, 'headers' | 'body'>) {
  const list = Object.entries(headers);
  const type = headerOf(list, 'content-type');
  const text = serializationOf(type) === 'cbor' ? textIn(Buffer.from(body, 'base64'), type) : body;
  return { headers: list, ...(text !== '' && { body: text }) };
}

/** The exchange of an entry in a journal. */
export function exchangeOf({ number, until, at, milliseconds = 0, ...entry }: RecordedEntry): Exchange {
  const { method, target, headers, body, answer, certificate, problem } = entry;
  return {
    request: { method, path: target, ...keptIn({ headers, body }) },
    ...(answer && { answer: { status: answer.status, body: '', ...keptIn(answer) } }),
    ...(problem !== undefined && { failure: { kind: 'closed', message: problem } }),
    ...(certificate && { certificate: certificate.join(' ') }),
    at: at / 1000,
    took: until !== undefined && until === number ? 0 : milliseconds,
    curl: '',
  };
}

/** Whether a report has cut a body. */
export function isCut({ request, answer }: Exchange): boolean {
  return [request.body, answer?.body].some((body) => keptBody(body).isCut);
}
