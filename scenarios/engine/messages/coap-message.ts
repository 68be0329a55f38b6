/**
 * Converts between CoAP messages (RFC 7252, clause 3; TS-0008, clause 6.2) and the HTTP-like messages of the harness.
 * Shares no code with the simulator, so that no error of it excuses itself.
 */

import { generate, type ParsedPacket, parse } from 'coap-packet';
import { headerOf } from '../basics/body.ts';
import type { ReceivedAnswer } from '../results/exchange.ts';

import { decoded } from './address.ts';
import { operationOf, statusOf } from './primitive.ts';
import { textIn } from './serialization.ts';
import type { HeaderList, RequestMessage } from './target.ts';

export interface Option {
  readonly name: string;
  readonly value: Buffer;
}

/** A request or a response without its transfer options. */
export interface CoapParts {
  readonly code: string;
  readonly options: readonly Option[];
  readonly payload: Buffer;
}

/** Options by the equivalent headers (TS-0008, table 6.2.2.4.0-1), numeric ones apart. */
const texts: ReadonlyMap<string, string> = new Map([
  ['x-m2m-origin', '279'],
  ['x-m2m-ri', '283'],
  ['x-m2m-rvi', '271'],
  ['x-m2m-ot', '259'],
  ['x-m2m-ret', '291'],
  ['x-m2m-rst', '295'],
  ['x-m2m-oet', '299'],
  ['x-m2m-rtu', '263'],
  ['x-m2m-gid', '311'],
  ['x-m2m-ati', '327'],
  ['x-m2m-vsi', '331'],
  ['x-m2m-gtm', '335'],
  ['x-m2m-aus', '339'],
  ['x-m2m-asri', '275'],
]);
const numbers: ReadonlyMap<string, string> = new Map([
  ['x-m2m-ec', '303'],
  ['x-m2m-rsc', '307'],
  ['x-m2m-cto', '319'],
  ['x-m2m-cts', '323'],
]);
const ofType = '267';

/** Content formats of answers (TS-0008, table 6.2.2.2-1). */
const formats: ReadonlyMap<string, number> = new Map([
  ['application/xml', 41],
  ['application/json', 50],
  ['application/cbor', 60],
  ['application/vnd.onem2m-res+json', 10_001],
  ['application/vnd.onem2m-ntfy+json', 10_003],
  ['application/vnd.onem2m-preq+json', 10_007],
  ['application/vnd.onem2m-prsp+json', 10_009],
  ['application/vnd.onem2m-res+cbor', 10_010],
  ['application/vnd.onem2m-ntfy+cbor', 10_011],
  ['application/vnd.onem2m-preq+cbor', 10_012],
  ['application/vnd.onem2m-prsp+cbor', 10_013],
]);

const methods: ReadonlyMap<string, string> = new Map([
  ['POST', '0.02'],
  ['GET', '0.01'],
  ['PUT', '0.03'],
  ['DELETE', '0.04'],
]);

export type CoapPacket = Omit<ParsedPacket, 'options'> & { readonly options: readonly Option[] };

/** Undefined for anything but a message, and for a truncated one, which the parser lets pass. */
export function packetIn(datagram: Buffer): CoapPacket | undefined {
  try {
    const packet = parse(datagram);
    if (packet.token.length > 8 || !generate(packet, 65_536).equals(datagram)) return undefined;
    return { ...packet, options: packet.options.map(({ name, value }) => ({ name: String(name), value })) };
  } catch {
    return undefined;
  }
}

/** Whether CoAP has a number for the media type, so that the request can be sent. */
export const isNumbered = (mediaType: string): boolean => formats.has(mediaTypeIn(mediaType));

export const mediaTypeOf = (format: number | undefined): string | undefined =>
  [...formats].find(([, number]) => number === format)?.[0];

export function requestIn({ method, path, headers, body }: RequestMessage): CoapParts {
  const [address = '', query = ''] = path.split(/\?(.*)/s);
  const words = query.split('&').filter(Boolean).map(decoded);
  const [type, accept] = [headerOf(headers, 'content-type'), headerOf(headers, 'accept')];
  const ty = /;\s*ty=(\d+)/.exec(type ?? '')?.[1];
  // A non-blocking request is a POST that names its operation (TS-0008, clause 6.2.1).
  const waits = !words.some((word) => /^rt=[124]$/.test(word));
  const operation = operationOf(method, ty);
  const payload = Buffer.from(body ?? []);
  return {
    code: (waits ? methods.get(method) : undefined) ?? '0.02',
    options: [
      ...address
        .slice(1)
        .split('/')
        .map((part) => option('Uri-Path', decodeURIComponent(part))),
      ...[...words, ...(waits ? [] : [`op=${operation}`])].map((word) => option('Uri-Query', word)),
      ...headers.flatMap(([name, value]) => optionsOf(name.toLowerCase(), value)),
      ...(ty === undefined ? [] : [option(ofType, Number(ty))]),
      ...(type === undefined || payload.length === 0 ? [] : formatOption('Content-Format', type)),
      ...(accept === undefined || accept.includes('*') ? [] : formatOption('Accept', accept)),
    ],
    payload,
  };
}

/** As it would come over HTTP; what only CoAP has is in extra headers. */
export function answerIn({ code, options, payload }: CoapParts): ReceivedAnswer {
  const headers = [...headersIn(options), ['coap-code', code] as const];
  const rsc = Number(headerOf(headers, 'x-m2m-rsc') ?? Number.NaN);
  return { status: statusBy(rsc, code), headers, body: textIn(payload, headerOf(headers, 'content-type')) };
}

/** A request from the target; undefined for any other message. */
export function notificationIn({ code, options, payload }: CoapParts) {
  const method = [...methods].find(([, one]) => one === code)?.[0];
  if (method === undefined) return undefined;
  const path = valuesOf(options, 'Uri-Path').map((part) => encodeURIComponent(String(part)));
  const query = valuesOf(options, 'Uri-Query').map(String).join('&');
  const target = `/${path.join('/')}${query === '' ? '' : `?${query}`}`;
  const headers = headersIn(options);
  const body = textIn(payload, headerOf(headers, 'content-type'));
  return { method, target, headers: Object.fromEntries(headers), body };
}

/** Why the request does not fit into options: they have at most 255 octets (RFC 7252, clause 5.10; TS-0008, table 6.2.2.4.0-1). */
export function optionLimits({ options }: CoapParts, headers: HeaderList): string | undefined {
  const isLong = options.some(({ name, value }) => value.length > (name === '335' ? 512 : 255));
  if (isLong) return 'an option of CoAP has at most 255 octets';
  const isKnown = headers.every(([name]) => /^(accept|content-type)$/i.test(name) || isOption(name.toLowerCase()));
  return isKnown ? undefined : 'CoAP has no option for this header';
}

const isOption = (header: string): boolean => texts.has(header) || numbers.has(header);

/** The path and query of a request, as in a URL. */
export function pathOf({ options }: CoapParts): string {
  const [path = [], query = []] = ['Uri-Path', 'Uri-Query'].map((name) => valuesOf(options, name).map(String));
  const words = query.map((word) => encodeURIComponent(word).replaceAll('%3D', '='));
  return `/${path.map(encodeURIComponent).join('/')}${words.length > 0 ? `?${words.join('&')}` : ''}`;
}

/** A part of a body (RFC 7959, clause 2.2). */
export interface BlockOption {
  readonly number: number;
  readonly more: boolean;
  /** Octets. */
  readonly size: number;
}
type BlockName = 'Block1' | 'Block2';

/** `none` for an invalid option. */
export function blockIn({ options }: Pick<CoapParts, 'options'>, name: BlockName): BlockOption | 'none' | undefined {
  const [value] = valuesOf(options, name);
  if (value === undefined) return undefined;
  const all = numberIn(value);
  if (value.length > 3 || all % 8 === 7) return 'none';
  return { number: Math.floor(all / 16), more: (all & 8) > 0, size: 2 ** ((all % 8) + 4) };
}

export const blockOption = (name: BlockName, { number, more, size }: BlockOption): Option =>
  option(name, number * 16 + (more ? 8 : 0) + Math.log2(size) - 4);

/** The answer of an inbox, with the code of its response status code, for those that inboxes use (TS-0008, table 6.2.4-1). */
export function replyIn(headers: Readonly<Record<string, string>>): CoapParts {
  const replyOptions = Object.entries(headers).flatMap(([name, value]) => optionsOf(name.toLowerCase(), value));
  const rsc = Number(headerOf(Object.entries(headers), 'x-m2m-rsc'));
  const code =
    rsc < 4000 ? '2.04' : rsc === 4004 ? '4.04' : rsc === 4103 || rsc === 5205 ? '4.03' : rsc < 5000 ? '4.00' : '5.00';
  return { code, options: replyOptions, payload: Buffer.alloc(0) };
}

/** By the response status code, else by the class of the code. */
function statusBy(rsc: number, code: string): number {
  if (!Number.isNaN(rsc)) return statusOf(rsc);
  return code.startsWith('2') ? 200 : Number(code.slice(0, 1)) * 100 + Number(code.slice(2));
}

export const valuesOf = (options: readonly Option[], optionName: string): Buffer[] =>
  options.filter(({ name }) => name === optionName).map(({ value }) => value);

export const numberIn = (value: Buffer): number => value.reduce((sum, octet) => sum * 256 + octet, 0);

export function option(name: string, value: string | number): Option {
  if (typeof value === 'string') return { name, value: Buffer.from(value) };
  const octets = value === 0 ? '' : value.toString(16);
  return { name, value: Buffer.from(octets.padStart(octets.length + (octets.length % 2), '0'), 'hex') };
}

export function optionsOf(header: string, value: string): Option[] {
  const [asText, asNumber] = [texts.get(header), numbers.get(header)];
  if (asText !== undefined) return [option(asText, value)];
  return asNumber === undefined ? [] : [option(asNumber, /^\d{1,9}$/.test(value) ? Number(value) : value)];
}

function headersIn(options: readonly Option[]): Array<readonly [string, string]> {
  const of = (names: ReadonlyMap<string, string>, read: (value: Buffer) => string) =>
    [...names].flatMap(([header, name]) => valuesOf(options, name).map((value) => [header, read(value)] as const));
  const [format] = valuesOf(options, 'Content-Format').map(numberIn);
  const type = mediaTypeOf(format) ?? `application/x-coap-${format}`;
  const location = valuesOf(options, 'Location-Path').map(String).join('/');
  return [
    ...of(texts, String),
    ...of(numbers, numberText),
    ...(format === undefined ? [] : [['content-type', type] as const]),
    ...(location === '' ? [] : [['content-location', `/${location}`] as const]),
  ];
}

/** Also reads a number written as text. */
const numberText = (value: Buffer): string =>
  /^\d{3,}$/.test(String(value)) ? String(value) : String(numberIn(value));

const mediaTypeIn = (header: string): string => header.split(/[;,]/)[0]?.trim().toLowerCase() ?? '';

export const formatOption = (name: string, header: string): Option[] => {
  const format = formats.get(mediaTypeIn(header));
  return format === undefined ? [] : [option(name, format)];
};
