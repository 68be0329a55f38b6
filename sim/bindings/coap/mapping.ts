/** Maps messages of CoAP to those of HTTP and back (TS-0008, clause 6.2), so that services and senders see one kind. */

import { operationNumbers } from '../../core/numbers.ts';
import type { Operation } from '../../core/primitive.ts';
import { statuses, statusOf } from '../../core/status.ts';
import { inLowerCase, jsonIn } from '../../dialects/body.ts';
import { cborIn } from '../../dialects/cbor.ts';
import { type HttpRequest, type HttpResponse, methodOf } from '../../dialects/http-message.ts';
import type { OutgoingAnswer, OutgoingRequest } from '../../dialects/outgoing-message.ts';
import { pathOf } from '../../dialects/target.ts';
import { carriedContent } from './coap-carriage.ts';
import { type CoapContent, type CoapOption, nothing, readUint, uint, valuesOf } from './message.ts';
import { formatOf, mediaTypeOf, methodCodes, optionRows, resourceTypeOption, responseCode } from './numbers.ts';

/** RFC 7252, clause 5.4.1: a request with an unknown critical option is refused. Options of the transfer itself are known, too. */
const known: ReadonlySet<string> = new Set([
  ...['Uri-Host', 'Uri-Port', 'Uri-Path', 'Uri-Query', 'Content-Format', 'Accept', 'Block1', 'Block2'],
  ...[resourceTypeOption, ...optionRows.map(([, option]) => option)],
]);
const elective: ReadonlySet<string> = new Set([
  ...['ETag', 'Observe', 'Location-Path', 'Max-Age', 'Hop-Limit', 'Location-Query', 'Size1', 'Size2', 'No-Response'],
]);
const repeatable: ReadonlySet<string> = new Set(['Uri-Path', 'Uri-Query']);
const methods: ReadonlyMap<string, string> = new Map([...methodCodes].map(([method, code]) => [code, method]));
const byOperation: ReadonlyMap<string, string> = new Map(
  Object.entries(operationNumbers).map(([operation, number]) => [`op=${number}`, methodOf[operation as Operation]]),
);

/** The code that refuses a request outside this binding; undefined for all others. */
export function refusalOf({ options }: CoapContent): string | undefined {
  const names = options.map(({ name }) => name);
  if (names.includes('Proxy-Uri') || names.includes('Proxy-Scheme')) return '5.05';
  const once = names.filter((name) => !repeatable.has(name) && !elective.has(name));
  const isKnown = names.every((name) => known.has(name) || elective.has(name) || Number(name) % 2 === 0);
  return isKnown && new Set(once).size === once.length ? undefined : '4.02';
}

export function asHttpRequest({ code, options, payload }: CoapContent, address: string): HttpRequest {
  const pairs = valuesOf(options, 'Uri-Query').map(String);
  const operation = code === methodCodes.get('POST') ? pairs.find((pair) => byOperation.has(pair)) : undefined;
  const path = valuesOf(options, 'Uri-Path').map((part) => encodeURIComponent(String(part)));
  const query = pairs.filter((pair) => pair !== operation).map(asPair);
  const [[format], [accept], [ty]] = ['Content-Format', 'Accept', resourceTypeOption].map((name) =>
    valuesOf(options, name).map(readUint),
  ) as [number[], number[], number[]];
  // The operation decides, where there is one, and the type where there is none (clause 6.2.1).
  const created = operation === `op=${operationNumbers.notify}` ? undefined : ty;
  const media = mediaTypeOf(format ?? formatOf('application/json') ?? 0);
  return {
    method: byOperation.get(operation ?? '') ?? methods.get(code) ?? `CoAP-${code}`,
    target: `/${path.join('/')}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    headers: {
      ...headersIn(options),
      ...(accept !== undefined && { accept: mediaTypeOf(accept) }),
      ...((created !== undefined || payload.length > 0) && {
        'content-type': created === undefined ? media : `${media};ty=${created}`,
      }),
    },
    body: payload,
    ...{ address, wire: 'coap' as const },
  };
}

/** Undefined where the request wants no response. `method` is the one of the mapped request. */
export function asResponse({ headers, body, carried }: HttpResponse, method: string): CoapContent | undefined {
  const lower = inLowerCase(headers);
  const status = lower['x-m2m-rsc'];
  if (status === undefined) return undefined;
  const payload = Buffer.from(body);
  const format = payload.length > 0 ? formatOf(lower['content-type'] ?? '') : undefined;
  // No cache may answer in place of the CSE (clause 6.4).
  const fresh = method === 'GET' ? [{ name: 'Max-Age', value: nothing }] : [];
  return {
    code: responseCode(Number(status), method),
    options: [
      ...optionsFor(lower),
      ...numbered('Content-Format', format),
      ...locationOf(Number(status), lower, payload),
      ...fresh,
    ],
    payload,
    ...(carried !== undefined && { carried }),
  };
}

/** A non-blocking request is a POST, with its operation in the query (clauses 6.2.1 and 6.3). */
export function asRequest({ method, target, headers, body, carried }: OutgoingRequest, host: string): CoapContent {
  const lower = inLowerCase(headers);
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  const pairs = query.split('&').filter(Boolean).map(decoded);
  const isBlocking = !pairs.some((pair) => /^rt=[124]$/.test(pair));
  const ty = /;\s*ty=(\d+)/.exec(lower['content-type'] ?? '')?.[1];
  const op = method === 'POST' && ty === undefined ? `op=${operationNumbers.notify}` : operationOf(method);
  const payload = body === undefined ? nothing : Buffer.from(body);
  const content = {
    code: methodCodes.get(isBlocking ? method : 'POST') ?? '0.02',
    options: [
      // An address is no Uri-Host: it is the destination anyway (RFC 7252, clause 6.4).
      ...(/[a-z]/i.test(host) && !host.includes(':') ? [text('Uri-Host', host)] : []),
      ...path
        .slice(1)
        .split('/')
        .map((part) => text('Uri-Path', decoded(part))),
      ...[...pairs, ...(isBlocking ? [] : [op])].map((pair) => text('Uri-Query', pair)),
      ...optionsFor(lower),
      ...numbered(resourceTypeOption, ty === undefined ? undefined : Number(ty)),
      ...numbered('Accept', formatOf(lower.accept ?? '')),
      ...numbered('Content-Format', payload.length > 0 ? formatOf(lower['content-type'] ?? '') : undefined),
    ],
    payload,
  };
  return carriedContent(content, carried);
}

const operationOf = (method: string): string => [...byOperation].find(([, one]) => one === method)?.[0] ?? '';

export function asAnswer({ code, options, payload }: CoapContent): OutgoingAnswer {
  const [format] = valuesOf(options, 'Content-Format').map(readUint);
  const headers = headersIn(options);
  const usual = code.startsWith('2') ? 200 : code === '4.03' ? 403 : code === '4.04' ? 404 : code < '5' ? 400 : 500;
  const type = format === undefined ? 'application/json' : mediaTypeOf(format);
  return {
    status: statusOf(Number(headers['x-m2m-rsc']), usual).http,
    headers: { ...headers, ...(payload.length > 0 && { 'content-type': type }) },
    body: type.endsWith('cbor') ? payload : payload.toString('utf8'),
  };
}

function headersIn(options: readonly CoapOption[]): Record<string, string> {
  const present = optionRows.flatMap(([header, option, isNumber]) =>
    valuesOf(options, option).map((value) => [header, isNumber ? String(readUint(value)) : String(value)] as const),
  );
  return Object.fromEntries(present);
}

function optionsFor(headers: Readonly<Record<string, string>>): CoapOption[] {
  const values = new Map(Object.entries(headers));
  return optionRows.flatMap(([header, option, isNumber]) => {
    const value = values.get(header);
    return value === undefined ? [] : isNumber ? numbered(option, Number(value)) : [text(option, inSeconds(value))];
  });
}

/** Options for times have 15 octets (table 6.2.2.4.0-1). */
const inSeconds = (value: string): string => (/^\d{8}T\d{6},\d+$/.test(value) ? value.slice(0, 15) : value);

const accepted: ReadonlySet<number> = new Set([
  statuses.ACCEPTED_FOR_NON_BLOCKING_SYNCH.code,
  statuses.ACCEPTED_FOR_NON_BLOCKING_ASYNCH.code,
]);

/** Of the created resource, or of the request resource of a result to come (clauses 6.2.3 and 6.3). */
function locationOf(status: number, headers: Readonly<Record<string, string>>, payload: Buffer): CoapOption[] {
  const path = accepted.has(status) ? requestIn(headers['content-type'] ?? '', payload) : headers['content-location'];
  const parts = path?.split('/').filter((part) => part !== '') ?? [];
  return parts.map((part) => text('Location-Path', decoded(part)));
}

function requestIn(mediaType: string, payload: Buffer): string | undefined {
  const { 'm2m:uri': uri } = Object(mediaType.includes('cbor') ? cborIn(payload) : jsonIn(payload));
  return typeof uri === 'string' ? pathOf(uri) : undefined;
}

const text = (name: string, value: string): CoapOption => ({ name, value: Buffer.from(value) });
const numbered = (name: string, value: number | undefined): CoapOption[] =>
  value === undefined || !Number.isSafeInteger(value) ? [] : [{ name, value: uint(value) }];

/** A plus stands between the values of a list, as in HTTP. */
function asPair(word: string): string {
  const [, name = word, value] = /^([^=]*)=(.*)$/s.exec(word) ?? [];
  const encoded = value === undefined ? '' : `=${encodeURIComponent(value).replaceAll('%2B', '+')}`;
  return encodeURIComponent(name) + encoded;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
