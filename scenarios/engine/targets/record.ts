import type { Exchange, SentRequest } from '../result.ts';
import { shownHeaders } from '../secrets.ts';
import type { RequestMessage } from './target.ts';

/** Longest body kept in a result, in characters. */
const longestText = 64 * 1024;

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
  if (answer === undefined || answer.body.length <= longestText) return exchange;
  const body = `${answer.body.slice(0, longestText)}… (${answer.body.length} characters)`;
  return { ...exchange, answer: { ...answer, body } };
}

function shortened(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(0, longestText)).toString('utf8');
  return bytes.length <= longestText ? text : `${text}… (${bytes.length} bytes)`;
}
