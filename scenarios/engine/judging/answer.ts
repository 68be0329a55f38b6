import { headersOf, innerOf, isObject, jsonOf, onlyKey } from '../basics/body.ts';
import { getOrAdd } from '../basics/memoize.ts';
import { ownValue } from '../basics/own-value.ts';
import type { NotificationKind } from '../grammar/grammar-step.ts';
import { escaped } from '../messages/display.ts';
import type { Exchange, ReceivedRequest, SentRequest, TlsFacts, WireFacts } from '../results/exchange.ts';
import type { QuestionResult } from '../results/result.ts';

/** An answer as seen by checks and captures. Absent parts are undefined. */
export interface AnswerView {
  readonly status?: number | undefined;
  /** X-M2M-RSC, if it is a number. */
  readonly rsc?: number | undefined;
  /** By name in lower case; values of repeated headers are joined with a comma. */
  readonly headers: ReadonlyMap<string, string>;
  /** JSON value, or the text when it is not JSON. */
  readonly body?: unknown;
  readonly root?: string | undefined;
  /** The object below the only key of the body. */
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
  /** Paths of a discovery result. */
  readonly found?: readonly unknown[] | undefined;
  readonly connection?: 'open' | 'closed' | undefined;
  readonly tls?: TlsFacts | undefined;
  readonly wire?: WireFacts | undefined;
  /** The target's request to the harness; the other members are then those of that request. */
  readonly request?: Pick<SentRequest, 'method' | 'path'>;
  /** The answer of a person. */
  readonly personAnswer?: string | undefined;
  /** The notifications of an inbox. */
  readonly notifications?: readonly NotificationView[] | undefined;
  /** Whether a check of the step counts them, so that no other check reports missing ones. */
  readonly counted?: boolean;
}

/** A view of nothing. */
export const emptyView: AnswerView = { headers: new Map() };

/** Cached, as bodies may be long. */
const views = new WeakMap<Exchange, AnswerView>();

export function viewOf(exchange: Exchange): AnswerView {
  return getOrAdd(views, exchange, () => {
    const { answer, connection, tls, wire } = exchange;
    const content = contentOf(answer);
    const codes = { status: answer?.status, rsc: codeIn(content.headers) };
    return { ...codes, ...content, found: foundIn(content.body), connection, tls, wire };
  });
}

function contentOf(message: Partial<Pick<SentRequest, 'headers' | 'body'>> = {}) {
  const { headers = [], body: text = '' } = message;
  const body = jsonOf(text);
  return { headers: headersOf({ headers }), body, root: onlyKey(body), attributes: innerOf(body) };
}

function codeIn(headers: ReadonlyMap<string, string>): number | undefined {
  const code = headers.get('x-m2m-rsc');
  return code !== undefined && /^\d{1,9}$/.test(code) ? Number(code) : undefined;
}

const requestViews = new WeakMap<SentRequest, AnswerView>();

/** Captures read attributes and headers of a request like those of an answer. */
export function viewOfRequest(request: SentRequest): AnswerView {
  return getOrAdd(requestViews, request, () => ({ ...contentOf(request), request }));
}

export function isSuccess(exchange: Exchange): boolean {
  const status = exchange.answer?.status ?? 0;
  return status >= 200 && status < 300;
}

/** Without a connection, the request shows nothing about the target's behaviour. */
export function neverArrived({ failure }: Exchange): boolean {
  return failure?.kind === 'refused' || failure?.kind === 'unreachable' || failure?.kind === 'interrupted';
}

const accidental = new Set(['refused', 'reset', 'closed']);

/** Nothing came back. A truncated or late answer is something else: it shows what the target does. */
export function isLost({ failure }: Exchange): boolean {
  return failure !== undefined && accidental.has(failure.kind);
}

/** What checks look at. */
export interface AnswerObservation {
  readonly view: AnswerView;
  /** In a few words. */
  readonly summary: string;
  readonly success: boolean;
  /** Why no answer came, if none did. */
  readonly noAnswer?: string;
  /** Why it shows nothing about the target. */
  readonly unreached?: string;
}

export function observationOf(exchange: Exchange): AnswerObservation {
  const { answer, failure } = exchange;
  const summary = summaryOf(exchange);
  return {
    view: viewOf(exchange),
    summary,
    success: isSuccess(exchange),
    ...(answer === undefined && { noAnswer: summary }),
    ...(neverArrived(exchange) && { unreached: harnessSees(`the target could not be reached: ${failure?.message}`) }),
  };
}

/** Of a person; without an answer, or with "cannot tell", it shows nothing. */
export function observationOfAnswer({ answer, by, question }: QuestionResult): AnswerObservation {
  if (answer !== undefined)
    return { view: { ...emptyView, personAnswer: answer }, summary: `answered "${escaped(answer)}"`, success: true };
  const noAnswer = `${by === undefined ? 'nobody answered' : `${by} cannot tell`}: ${question}`;
  return { view: emptyView, summary: noAnswer, noAnswer, success: false };
}

/** Stands in for an answer: what this side of the connection saw, not a verdict on an answer. */
function harnessSees(what: string): string {
  return `harness sees: ${escaped(what)}`;
}

/** Such as `404, RSC 4004`, or why no answer came. */
export function summaryOf(exchange: Exchange): string {
  if (exchange.answer === undefined) return harnessSees(exchange.failure?.message ?? 'nothing came');
  const code = headersOf(exchange.answer).get('x-m2m-rsc');
  return code === undefined ? String(exchange.answer.status) : `${exchange.answer.status}, RSC ${escaped(code)}`;
}

/** The shape of a discovery result is a gap: `{"m2m:uril": …}` or the list alone, as a JSON list or as text with spaces. */
function foundIn(body: unknown): readonly unknown[] | undefined {
  const list = isObject(body) ? body['m2m:uril'] : body;
  if (Array.isArray(list)) return list;
  if (typeof list !== 'string') return undefined;
  const paths = list.split(/\s+/).filter((path) => path !== '');
  return isObject(body) || paths.every((path) => path.includes('/')) ? paths : undefined;
}

/** Whether the answer to a deletion leaves its effect open: not found, or a failure of the target. */
export function leavesOpen({ answer }: Exchange): boolean {
  const status = answer?.status ?? 0;
  return isMissing(status) || status >= 500;
}

/** Whether a status says that the resource does not exist. */
export function isMissing(status: number | undefined): boolean {
  return status === 404 || status === 410;
}

/** A notification as seen by checks. Absent parts are undefined. */
export interface NotificationView {
  /** `other`: not a notification of the standard. */
  readonly kind: NotificationKind | 'other';
  readonly event: unknown;
  /** The only key of the representation; where there is none, that of the body. */
  readonly root: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>> | undefined;
  readonly subscription: unknown;
  readonly creator: unknown;
  readonly path: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: unknown;
  /** The first line, if it is no well-formed HTTP request. */
  readonly malformed: string | undefined;
}

/** Reads a request to an inbox (TS-0004 7.5.1.2, 7.5.1.1); `malformed` is its text if it is no HTTP. */
export function viewOfNotification(request: ReceivedRequest, malformed?: string): NotificationView {
  const body = jsonOf(request.body ?? '');
  const root = onlyKey(body);
  const inner = objectIn(body, root);
  const single = root === 'm2m:agn' ? firstOf(inner?.['m2m:sgn']) : root === 'm2m:sgn' ? inner : undefined;
  const event = objectIn(single, 'nev');
  const representation = single === undefined ? body : event?.rep;
  return {
    kind: kindOf(root, single),
    event: event?.net,
    root: onlyKey(representation),
    attributes: objectIn(representation, onlyKey(representation)),
    subscription: single?.sur,
    creator: single?.cr,
    path: request.path,
    headers: headersOf(request),
    body,
    malformed: malformed?.split(/\r?\n/)[0],
  };
}

function kindOf(root: string | undefined, single: Fields | undefined): NotificationView['kind'] {
  if (root === 'm2m:agn') return 'aggregate';
  if (root === 'm2m:rsp') return 'response';
  if (single === undefined) return 'other';
  if (single.vrq === true) return 'verification';
  if (single.sud === true) return 'deletion';
  return single.nev === undefined ? 'other' : 'event';
}

type Fields = Readonly<Record<string, unknown>>;

function firstOf(list: unknown): Fields | undefined {
  const first: unknown = Array.isArray(list) ? list[0] : undefined;
  return isObject(first) ? first : undefined;
}

function objectIn(value: unknown, key: string | undefined): Fields | undefined {
  const inner = key !== undefined && isObject(value) ? ownValue(value, key) : undefined;
  return isObject(inner) ? inner : undefined;
}
