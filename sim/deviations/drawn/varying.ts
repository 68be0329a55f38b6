/** Variations of answers: another spelling, unspecified parts, and being busy. */
import type { CseConfiguration, DialectCodec } from '../../core/configuration.ts';
import type { Limits } from '../../core/limits.ts';
import type { ResourceType } from '../../core/resource-type.ts';
import { isObject, jsonIn } from '../../dialects/body.ts';
import type { HttpRequest, HttpResponse, HttpService } from '../../dialects/http-message.ts';
import { foundIn } from '../vocabulary/messages.ts';
import { partsOf, type Variation, wayOf } from './variation.ts';

/** The service of a CSE with its answers varied, the last one outermost. */
export function varying(service: HttpService, variations: readonly Variation[]): HttpService {
  if (variations.length === 0) return service;
  const busy = busyAt(wayOf(variations, 'busy'));
  const found = wayOf(variations, 'discovery');
  return {
    async handle(request) {
      // The requested wait is in a header of HTTP.
      const isOverHttp = request.wire === undefined || request.wire === 'http';
      let answer = (isOverHttp ? busy() : undefined) ?? (await service.handle(request));
      if (found !== undefined) answer = await ordered(answer, found, request, service);
      return variations.map(partsOf).reduce((varied, [what, how]) => {
        const way = Object.hasOwn(ways, what) ? ways[what] : undefined;
        return way?.(varied, how, request) ?? varied;
      }, answer);
    },
    refuse: (error) => service.refuse(error),
  };
}

/** Requests served between two refusals. */
const busyInterval = 250;

/** Called once for each request. */
function busyAt(way: string | undefined): () => HttpResponse | undefined {
  let served = 0;
  const isBusy = () => (way === 'one 503' ? served === busyInterval : served % busyInterval === 0);
  return () => {
    served += 1;
    if (way === undefined || !isBusy()) return undefined;
    const after = way === '429 with a date' ? new Date(Date.now() + 1000).toUTCString() : '1';
    return { status: way === 'one 503' ? 503 : 429, headers: { 'Retry-After': after }, body: '' };
  };
}

/** The found addresses in another order, of which `lim` and `ofst` select the same part. */
async function ordered(
  answer: HttpResponse,
  order: string,
  request: HttpRequest,
  service: HttpService,
): Promise<HttpResponse> {
  const part = foundIn(answer.body);
  if (part === undefined) return answer;
  const whole = request.target.replace(/(?<=[?&])(lim|ofst)=[^&]*&?/g, '').replace(/[?&]$/, '');
  const all =
    (whole === request.target ? part : foundIn((await service.handle({ ...request, target: whole })).body)) ?? part;
  const start = Math.max(0, all.indexOf(part[0] ?? ''));
  const again = order === 'reversed' ? all.toReversed() : all.toSorted();
  return { ...answer, body: JSON.stringify({ 'm2m:uril': again.slice(start, start + part.length) }) };
}

type Varied = (answer: HttpResponse, how: string, request: HttpRequest) => HttpResponse;
type Headers = HttpResponse['headers'];

/** Variations of an answer; others are made elsewhere. */
const ways: Readonly<Record<string, Varied>> = {
  keys: (answer, how) => rewritten(answer, (value) => JSON.stringify(reordered(value, how))),
  'white space': (answer, how) =>
    rewritten(answer, (value, body) => {
      if (how === 'around') return ` \r\n${body}\n\t `;
      return JSON.stringify(value, undefined, how === 'tabs' ? '\t' : 3);
    }),
  escapes: (answer, how) => rewritten(answer, (_value, body) => escaped(body, how)),
  headers: (answer, how) => ({ ...answer, headers: headersAs(answer.headers, how) }),
  'child list': (answer, _how, { target }) =>
    /[?&](?:lim|ofst)=/.test(target)
      ? answer
      : rewritten(answer, (value) =>
          JSON.stringify(value, (name, inner) => (name === 'ch' && Array.isArray(inner) ? inner.toReversed() : inner)),
        ),
};

/** The answer with another text of its JSON. */
function rewritten(answer: HttpResponse, write: (value: unknown, body: string) => string): HttpResponse {
  const { body } = answer;
  if (typeof body !== 'string' || body === '') return answer;
  const value = jsonIn(body);
  return value === undefined ? answer : { ...answer, body: write(value, body) };
}

/** Reorders the members of each object, at any depth. */
export function reordered(value: unknown, how: string): unknown {
  if (Array.isArray(value)) return value.map((one) => reordered(one, how));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, reordered(inner, how)] as const);
  return Object.fromEntries(how === 'reversed' ? entries.reverse() : entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const hexadecimal = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Within texts only: JSON has none of these outside. */
function escaped(body: string, what: string): string {
  if (what === 'slashes') return body.replaceAll('/', '\\/');
  const letters = what === 'letters' ? /(?<=[a-z]{3})[a-z](?=[a-z"])/g : /[^\0-\x7f]/g;
  return body.replace(/"(?:[^"\\]|\\.)*"/g, (text) =>
    text.includes('\\') ? text : text.replace(letters, hexadecimal),
  );
}

function headersAs(headers: Headers, how: string): Headers {
  if (how === 'added') return { ...headers, 'X-Request-Trace': '00-4bf92f', Via: '1.1 gate' };
  const change = (name: string) => (how === 'in lower case' ? name.toLowerCase() : name.toUpperCase());
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [change(name), value]));
}

// Other choices where the CSE is free.

/** `ownLimits` stay as they are. */
export function varied(
  configuration: CseConfiguration,
  variations: readonly Variation[],
  ownLimits: Partial<Limits> = {},
): CseConfiguration {
  const way = (what: string) => wayOf(variations, what);
  const lifetime = way('lifetime') === 'an hour' ? 3600 : 31_536_000;
  return {
    ...configuration,
    ...(way('lifetime') && { limits: { ...configuration.limits, lifetime, longestLifetime: lifetime, ...ownLimits } }),
    // Resolution of times.
    ...(way('times') === 'in milliseconds' && { timeStep: 1000 }),
    ...(way('fractions') && { dialect: { ...configuration.dialect, write: shortening(configuration.dialect.write) } }),
    types: variedTypes(configuration.types, way('identifiers') === 'other prefixes', way('names')),
  };
}

function variedTypes(
  types: readonly ResourceType[],
  prefixes: boolean,
  names: string | undefined,
): readonly ResourceType[] {
  if (!prefixes && names === undefined) return types;
  // The form of names is specified for content instances.
  const isFreelyNamed = ({ root }: ResourceType) => root === 'm2m:ae' || root === 'm2m:cnt';
  return types.map((type) => ({
    ...type,
    ...(prefixes && { prefix: `x-${type.longName}.` }),
    ...(names !== undefined && isFreelyNamed(type) && { longName: names === 'short' ? 'r' : 'made-up_here' }),
  }));
}

type RandomText = (length: number) => string;

/** The random texts for identifiers and names. */
export function variedRandomText(randomText: RandomText, variations: readonly Variation[]): RandomText {
  const way = wayOf(variations, 'identifiers');
  if (way === 'long') return (length) => randomText(4 * length);
  if (way === 'with dots and dashes') return (length) => `.${randomText(length - 4)}-${randomText(3)}_`;
  return randomText;
}

const shortening =
  (write: DialectCodec['write']): DialectCodec['write'] =>
  (type, value) => {
    const written = write(type, value);
    return type === 'timestamp' && typeof written === 'string' ? written.replace(/,?0+$/, shortened) : written;
  };

/** Zeros of the whole seconds stay. */
function shortened(zeros: string, at: number, whole: string): string {
  return zeros.startsWith(',') || whole.lastIndexOf(',', at) >= 0 ? '' : zeros;
}
