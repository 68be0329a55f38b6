/** How a CSE sends a message wrongly, or differently, over CoAP, by the terms of deviations and variations. */

import { type CoapContent, type CoapMessage, uint, writeMessage } from './message.ts';
import { formatOf } from './numbers.ts';

interface CoapCarriage {
  /** Changes its code, options or payload. */
  readonly content?: (content: CoapContent) => CoapContent;
  /** Changes how it is matched: its token and message identifier. */
  readonly message?: (message: CoapMessage) => CoapMessage;
  /** The bits of the version (RFC 7252, clause 3). */
  readonly version?: number;
  /** The request is forgotten, so that the same message is performed again. */
  readonly forgets?: true;
  /** The answer to a confirmable request comes after the acknowledgement. */
  readonly separate?: true;
}

const [originator, type, time, release, identifier, status] = ['279', '267', '259', '271', '283', '307'] as const;

const without = (name: string): CoapCarriage => ({
  content: ({ options, ...rest }) => ({ ...rest, options: options.filter((one) => one.name !== name) }),
});
const changed = (name: string, change: (value: Buffer) => Buffer): CoapCarriage => ({
  content: ({ options, ...rest }) => ({
    ...rest,
    options: options.map((one) => (one.name === name ? { name, value: change(one.value) } : one)),
  }),
});
const longer = (name: string, more: string) => changed(name, (value) => Buffer.concat([value, Buffer.from(more)]));
const coded = (code: (before: string) => string): CoapCarriage => ({
  content: (content) => ({ ...content, code: code(content.code) }),
});
const numberOf = (mediaType: string) => uint(formatOf(mediaType) ?? 0);

/** Another one, whichever it is. */
const another = (code: string, first: string, second: string): string => (code === first ? second : first);
const sameClass = (code: string): string =>
  code < '4'
    ? another(code, '2.04', '2.05')
    : code < '5'
      ? another(code, '4.00', '4.04')
      : another(code, '5.00', '5.01');

const carriages: ReadonlyMap<string, CoapCarriage> = new Map(
  Object.entries<CoapCarriage>({
    'with another code': coded(sameClass),
    'with a code of another class': coded((code) => (code < '4' ? '4.00' : code < '5' ? '5.00' : '4.00')),
    'without a status code': without(status),
    'with a status code that is a text': changed(status, (value) => Buffer.from(String(value.readUInt16BE()))),
    'without an identifier': without(identifier),
    'with another identifier': longer(identifier, '-2'),
    'with an identifier in capitals': changed(identifier, (value) => Buffer.from(String(value).toUpperCase())),
    'with an option twice': {
      content: ({ options, ...rest }) => ({
        ...rest,
        options: [...options, ...options.filter(({ name }) => name === identifier)],
      }),
    },
    'with a long release': longer(release, '.0.0'),
    'with a time to the microsecond': longer(time, ',123456'),
    'without a content format': without('Content-Format'),
    'with the content format of CBOR': changed('Content-Format', () => numberOf('application/cbor')),
    'with the content format of a resource': changed('Content-Format', () =>
      numberOf('application/vnd.onem2m-res+json'),
    ),
    'without a location': without('Location-Path'),
    'with another token': { message: (message) => ({ ...message, token: Buffer.from(message.token).fill(1) }) },
    'without a token': { message: (message) => ({ ...message, token: Buffer.alloc(0) }) },
    'with another message identifier': {
      message: (message) => ({ ...message, messageId: (message.messageId + 1) % 65_536 }),
    },
    'of another version': { version: 2 },
    'and forgotten': { forgets: true },
    'after the acknowledgement': { separate: true },
    'to be kept for an hour': changed('Max-Age', () => uint(3600)),
    'by another method': coded(() => '0.03'),
    'with a resource type': {
      content: ({ options, ...rest }) => ({ ...rest, options: [...options, { name: type, value: uint(4) }] }),
    },
    'without an originator': without(originator),
    'to a whole URL': {
      content: ({ options, ...rest }) => ({
        ...rest,
        options: [
          ...['coap:', '', 'inbox'].map((part) => ({ name: 'Uri-Path', value: Buffer.from(part) })),
          ...options,
        ],
      }),
    },
  }),
);

const carriageOf = (carried: string | undefined): CoapCarriage => carriages.get(carried ?? '') ?? {};

/** The content of a request, with the deviation applied, if any. */
export function carriedContent<Content extends CoapContent>(content: Content, carried: string | undefined): Content {
  const { content: change } = carriageOf(carried);
  return change === undefined ? content : { ...content, ...change(content) };
}

/** The datagram of a message, with the deviation applied, if any. */
export function carriedDatagram(message: CoapMessage, carried: string | undefined): Buffer {
  const { message: change, version = 1 } = carriageOf(carried);
  const content = carriedContent(message, carried);
  const datagram = writeMessage(change === undefined ? content : change(content));
  if (version !== 1) datagram.writeUInt8((datagram.readUInt8() & 0x3f) | (version << 6));
  return datagram;
}

export const isForgotten = (carried: string | undefined): boolean => carriageOf(carried).forgets === true;
export const isSeparate = (carried: string | undefined): boolean => carriageOf(carried).separate === true;
