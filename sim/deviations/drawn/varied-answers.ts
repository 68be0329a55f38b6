/** The same answer in other words, and what no source says of an answer. */

import type { HttpRequest, HttpResponse } from '../../dialects/http-message.ts';
import { isObject, jsonIn } from '../vocabulary/messages.ts';
import type { Variation, WaysOf } from './variation-rows.ts';

type Varied<How> = (answer: HttpResponse, how: How, request: HttpRequest) => HttpResponse;
type Headers = HttpResponse['headers'];

/** What becomes of an answer; what is not here is made elsewhere. */
const ways: { readonly [What in AnswerWay]: Varied<WaysOf<What>> } = {
  keys: (answer, how) => rewritten(answer, (value) => JSON.stringify(reordered(value, how))),
  space: (answer, how) =>
    rewritten(answer, (value, body) => {
      if (how === 'around') return ` \r\n${body}\n\t `;
      return JSON.stringify(value, undefined, how === 'tabs' ? '\t' : 3);
    }),
  escapes: (answer, how) => rewritten(answer, (_value, body) => escaped(body, how)),
  header: (answer, how) => ({ ...answer, headers: headersAs(answer.headers, how) }),
  type: (answer, how, request) => ({ ...answer, headers: typed(answer.headers, how, request) }),
  children: (answer, _how, { target }) =>
    /[?&](?:lim|ofst)=/.test(target)
      ? answer
      : rewritten(answer, (value) =>
          JSON.stringify(value, (name, inner) => (name === 'ch' && Array.isArray(inner) ? inner.toReversed() : inner)),
        ),
  additional: (answer) => rewritten(answer, (value) => JSON.stringify(extended(value))),
};

type AnswerWay = 'keys' | 'space' | 'escapes' | 'header' | 'type' | 'children' | 'additional';

/** The answer as a variation has it; as it was, where the variation is made elsewhere. */
export function variedAnswer(answer: HttpResponse, variation: Variation, request: HttpRequest): HttpResponse {
  const [what, how] = Object.entries(variation)[0] as [string, never];
  return Object.hasOwn(ways, what) ? (ways[what as AnswerWay] as Varied<never>)(answer, how, request) : answer;
}

/** With another text of the JSON that an answer holds. */
function rewritten(answer: HttpResponse, write: (value: unknown, body: string) => string): HttpResponse {
  const { body } = answer;
  if (typeof body !== 'string' || body === '') return answer;
  const value = jsonIn(body);
  return value === undefined ? answer : { ...answer, body: write(value, body) };
}

function reordered(value: unknown, how: 'reversed' | 'sorted'): unknown {
  if (Array.isArray(value)) return value.map((one) => reordered(one, how));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, reordered(inner, how)] as const);
  return Object.fromEntries(how === 'reversed' ? entries.reverse() : entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const hexadecimal = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Within texts only: outside of them JSON has none of these. */
function escaped(body: string, what: WaysOf<'escapes'>): string {
  if (what === 'slashes') return body.replaceAll('/', '\\/');
  const letters = what === 'letters' ? /(?<=[a-z]{3})[a-z](?=[a-z"])/g : /[^\0-\x7f]/g;
  return body.replace(/"(?:[^"\\]|\\.)*"/g, (text) =>
    text.includes('\\') ? text : text.replace(letters, hexadecimal),
  );
}

/** Each resource that is shown with something that nobody knows. */
function extended(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isObject(inner) && typeof inner.ri === 'string' ? { ...inner, hints: [{ kept: 'here' }] } : inner,
    ]),
  );
}

function headersAs(headers: Headers, how: WaysOf<'header'>): Headers {
  if (how === 'added') return { ...headers, 'X-Request-Trace': '00-4bf92f', Via: '1.1 gate' };
  const change = (name: string) => (how === 'in lower case' ? name.toLowerCase() : name.toUpperCase());
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [change(name), value]));
}

const ofJson = ['application/json', 'application/vnd.onem2m-res+json'];

function typed(headers: Headers, how: WaysOf<'type'>, { headers: { accept } }: HttpRequest): Headers {
  const change = (type: string) => {
    if (how === 'with a charset') return `${type};charset=utf-8`;
    const isFree = accept === undefined || accept.includes('*/*');
    return isFree && ofJson.includes(type) ? (ofJson.find((one) => one !== type) ?? type) : type;
  };
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      name.toLowerCase() === 'content-type' ? change(value) : value,
    ]),
  );
}
