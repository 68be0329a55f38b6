import type { HttpRequest, HttpResponse, HttpService } from '../dialects/http-message.ts';
import { isObject } from './shown.ts';
import type { Variation } from './variation.ts';

/** The service with its answers varied, the last one outermost. */
export function varying(service: HttpService, variations: readonly Variation[]): HttpService {
  if (variations.length === 0) return service;
  return {
    async handle(request) {
      let answer = await service.handle(request);
      for (const variation of variations)
        answer =
          'found' in variation
            ? await ordered(answer, variation.found, request, service)
            : varied(answer, variation, request.method);
      return answer;
    },
    refuse: (error) => service.refuse(error),
  };
}

type Order = 'reversed' | 'sorted';

/** With what was found in another order; what `lim` and `ofst` leave is the same part of it. */
async function ordered(
  answer: HttpResponse,
  order: Order,
  request: HttpRequest,
  service: HttpService,
): Promise<HttpResponse> {
  const part = listIn(answer);
  if (part === undefined) return answer;
  const whole = request.target.replace(/(?<=[?&])(lim|ofst)=[^&]*&?/g, '').replace(/[?&]$/, '');
  const all = (whole === request.target ? part : listIn(await service.handle({ ...request, target: whole }))) ?? part;
  const start = Math.max(0, all.indexOf(part[0]));
  const again = order === 'reversed' ? all.toReversed() : all.toSorted();
  return { ...answer, body: JSON.stringify({ 'm2m:uril': again.slice(start, start + part.length) }) };
}

function listIn({ body }: HttpResponse): readonly unknown[] | undefined {
  const value: unknown = typeof body === 'string' && body !== '' ? JSON.parse(body) : undefined;
  const list = isObject(value) ? value['m2m:uril'] : undefined;
  return Array.isArray(list) ? list : undefined;
}

type InAnswer = Exclude<Variation, { found: Order }>;

function varied(answer: HttpResponse, variation: InAnswer, method: string): HttpResponse {
  if ('header' in variation) return { ...answer, headers: headersAs(answer.headers, variation.header) };
  if ('type' in variation) return { ...answer, headers: withCharset(answer.headers) };
  if ('deleted' in variation)
    return method === 'DELETE' && answer.status === 200 ? deleted(answer, variation.deleted) : answer;
  const { body } = answer;
  if (typeof body !== 'string' || body === '') return answer;
  if ('escapes' in variation) return { ...answer, body: escaped(body, variation.escapes) };
  const value: unknown = JSON.parse(body);
  return { ...answer, body: written(value, variation, body) };
}

type InBody = Extract<Variation, { keys: string } | { space: string }>;

function written(value: unknown, variation: InBody, body: string): string {
  if ('keys' in variation) return JSON.stringify(reordered(value, variation.keys));
  if (variation.space === 'around') return ` \r\n${body}\n\t `;
  return JSON.stringify(value, undefined, variation.space === 'tabs' ? '\t' : 3);
}

function reordered(value: unknown, how: 'reversed' | 'sorted'): unknown {
  if (Array.isArray(value)) return value.map((one) => reordered(one, how));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, reordered(inner, how)] as const);
  return Object.fromEntries(how === 'reversed' ? entries.reverse() : entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const hexadecimal = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Within texts only: outside of them JSON has none of these. */
function escaped(body: string, what: Extract<Variation, { escapes: string }>['escapes']): string {
  if (what === 'slashes') return body.replaceAll('/', '\\/');
  const letters = what === 'letters' ? /(?<=[a-z]{3})[a-z](?=[a-z"])/g : /[^\0-\x7f]/g;
  return body.replace(/"(?:[^"\\]|\\.)*"/g, (text) =>
    text.includes('\\') ? text : text.replace(letters, hexadecimal),
  );
}

function headersAs(headers: HttpResponse['headers'], how: string): HttpResponse['headers'] {
  if (how === 'added') return { ...headers, 'X-Request-Trace': '00-4bf92f', Via: '1.1 gate' };
  const change = (name: string) => (how === 'in lower case' ? name.toLowerCase() : name.toUpperCase());
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [change(name), value]));
}

function withCharset(headers: HttpResponse['headers']): HttpResponse['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      name.toLowerCase() === 'content-type' ? `${value};charset=utf-8` : value,
    ]),
  );
}

function deleted(answer: HttpResponse, what: 'empty' | 'an object'): HttpResponse {
  if (what === 'an object') return { ...answer, body: '{}' };
  const { 'Content-Type': _label, ...headers } = answer.headers;
  return { ...answer, headers, body: '' };
}
