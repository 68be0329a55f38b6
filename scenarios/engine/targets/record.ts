import type { Exchange, ReceivedRequest, SentRequest } from '../exchange.ts';
import { shownHeaders } from '../secrets.ts';
import type { RequestMessage } from './target.ts';

/** Longest body kept in a result, in characters. */
const longestText = 64 * 1024;
/** So many notifications of a step are kept in a result, and characters of their bodies. */
const mostShown = { requests: 20, characters: 4 * longestText };

export function recordedMessage({ method, path, headers, body }: RequestMessage): SentRequest {
  const request = { method, path, headers: shownHeaders(headers) };
  return body === undefined ? request : { ...request, body: shortened(body) };
}

/** Exact bytes: what could be the request line is shown as method and path. */
export function recordedBytes(bytes: Uint8Array): SentRequest {
  const firstLine = Buffer.from(bytes.subarray(0, 2048)).toString('latin1').split(/\r?\n/)[0] ?? '';
  const [method = '', path = ''] = /^[A-Za-z]+ \S+( |$)/.test(firstLine) ? firstLine.split(' ') : [];
  return { method, path, headers: [], body: shortened(bytes), exactBytes: true };
}

/** An exchange as results keep it: checks see the whole answer, a report its beginning. */
export function recordedExchange(exchange: Exchange): Exchange {
  const { answer } = exchange;
  return answer === undefined ? exchange : { ...exchange, answer: { ...answer, body: beginning(answer.body) } };
}

/** A request of the target as results keep it. */
export function recordedRequest(request: ReceivedRequest): ReceivedRequest {
  return request.body === undefined ? request : { ...request, body: beginning(request.body) };
}

/** The first of what came, as results keep it: a target that sends much does not fill the memory of a run. */
export function recordedNotifications(requests: readonly ReceivedRequest[]): ReceivedRequest[] {
  const shown: ReceivedRequest[] = [];
  let room = mostShown.characters;
  for (const request of requests.slice(0, mostShown.requests).map(recordedRequest)) {
    room -= request.body?.length ?? 0;
    if (room < 0) break;
    shown.push(request);
  }
  return shown;
}

function beginning(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText)}… (${text.length} characters)`;
}

function shortened(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(0, longestText)).toString('utf8');
  return bytes.length <= longestText ? text : `${text}… (${bytes.length} bytes)`;
}
