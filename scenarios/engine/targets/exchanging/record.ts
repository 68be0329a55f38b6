import { headerOf } from '../../basics/body.ts';
import { maskedHeaders, maskedPath, ownText } from '../../messages/display.ts';
import { bodyText, serializationOf } from '../../messages/serialization.ts';
import {
  type AnyRequest,
  type HeaderList,
  isExactBytes,
  now,
  type RequestMessage,
  since,
} from '../../messages/target.ts';
import type { Exchange, ReceivedRequest, SentRequest } from '../../results/exchange.ts';
import type { ScenarioResult, StepResult } from '../../results/result.ts';

/** Longest body kept in a result, in characters. */
const longestText = 64 * 1024;
/** Characters of the headers of one message that are kept in a result. */
const mostHeaders = 16 * 1024;
/** Notifications of a step that a result keeps, and characters of their bodies. */
const mostRecorded = { requests: 20, characters: 4 * longestText };

/** A request as sent. */
export function recordedSent(request: AnyRequest): SentRequest {
  return isExactBytes(request) ? recordedBytes(request.bytes) : recordedMessage(request);
}

export function recordedMessage({ method, path, headers, body }: RequestMessage): SentRequest {
  const request = { method, path: maskedPath(path), headers: maskedHeaders(headers) };
  if (body === undefined) return request;
  const isJson = serializationOf(headerOf(headers, 'content-type')) === 'json';
  return { ...request, body: isJson ? asText(body) : beginning(bodyText({ headers, body })) };
}

/** Exact bytes: a possible request line becomes method and path. */
export function recordedBytes(bytes: Uint8Array): SentRequest {
  const firstLine = Buffer.from(bytes.subarray(0, 2048)).toString('latin1').split(/\r?\n/)[0] ?? '';
  const [method = '', path = ''] = /^[A-Za-z]+ \S+( |$)/.test(firstLine) ? firstLine.split(' ') : [];
  return { method, path, headers: [], body: asText(bytes), exactBytes: true };
}

/**
 * Times a request, in a run that began at `startedAt`. Its command line is computed on demand: of very many exchanges hardly
 * any is shown.
 */
export async function timedExchange(
  startedAt: number,
  request: SentRequest,
  ask: () => Promise<Omit<Exchange, 'request' | 'at' | 'took' | 'curl'>>,
  line: () => string,
): Promise<Exchange> {
  const started = now();
  const response = await ask();
  return {
    request,
    ...response,
    ...{ at: since(startedAt, started), took: since(started) },
    get curl() {
      return line();
    },
  };
}

/** Shortens an exchange for results: checks see the whole answer, a report its beginning. `most` in characters. */
export function recordedExchange(
  exchange: Exchange,
  most: { readonly headers?: number; readonly body?: number } = {},
): Exchange {
  const { answer } = exchange;
  if (answer === undefined) return exchange;
  const { headers, body } = answer;
  return {
    ...exchange,
    answer: { ...answer, headers: firstHeaders(headers, most.headers), body: beginning(body, most.body) },
  };
}

/** Shortens the exchange of a step for results. */
export function recordedStep(step: StepResult, most?: Parameters<typeof recordedExchange>[1]): StepResult {
  return step.exchange === undefined ? step : { ...step, exchange: recordedExchange(step.exchange, most) };
}

/** Shortens a request of the target for results. */
export function recordedRequest(request: ReceivedRequest): ReceivedRequest {
  const { path, headers, body } = request;
  const kept = { ...request, path: maskedPath(path), headers: firstHeaders(headers) };
  return body === undefined ? kept : { ...kept, body: beginning(body) };
}

/** The first notifications, for results: a target that sends many must not fill the memory of a run. */
export function recordedNotifications(requests: readonly ReceivedRequest[]): ReceivedRequest[] {
  const recorded: ReceivedRequest[] = [];
  let remaining = mostRecorded.characters;
  for (const request of requests.slice(0, mostRecorded.requests).map(recordedRequest)) {
    remaining -= request.body?.length ?? 0;
    if (remaining < 0) break;
    recorded.push(request);
  }
  return recorded;
}

function beginning(text: string, most = longestText): string {
  return text.length <= most ? text : `${ownText(text.slice(0, most))}… (${text.length} characters)`;
}

/** The headers that are kept, and how many more there were. */
function firstHeaders(headers: HeaderList, most = mostHeaders): HeaderList {
  let remaining = most;
  const end = headers.findIndex(([name, value]) => {
    remaining -= name.length + value.length;
    return remaining < 0;
  });
  if (end < 0) return maskedHeaders(headers);
  const kept = maskedHeaders(headers.slice(0, end)).map(([name, value]) => [ownText(name), ownText(value)] as const);
  return [...kept, ['…', `${headers.length - end} more`]];
}

function asText(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(0, longestText)).toString('utf8');
  return bytes.length <= longestText ? text : `${text}… (${bytes.length} bytes)`;
}

/** Characters of answers that a run keeps unshortened, and of the headers and the body of each after that. */
const kept = { asRecorded: 32 * 1024 * 1024, shortened: { headers: 2048, body: 1024 } };

/** Keeps the results of a run from filling the memory: long answers are kept in full for a while only. */
export function keptText(characters = kept.asRecorded): (scenario: ScenarioResult) => ScenarioResult {
  let remaining = characters;
  return (scenario) => {
    const length = scenario.steps.reduce((sum, { exchange }) => sum + lengthOf(exchange), 0);
    if (length <= remaining) {
      remaining -= length;
      return scenario;
    }
    return { ...scenario, steps: scenario.steps.map((step) => recordedStep(step, kept.shortened)) };
  };
}

function lengthOf(exchange: Exchange | undefined): number {
  const { headers = [], body = '' } = exchange?.answer ?? {};
  return headers.reduce((sum, [name, value]) => sum + name.length + value.length, body.length);
}
