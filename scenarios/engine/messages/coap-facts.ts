/** Facts of a CoAP message about its binding (TS-0008; RFC 7252), under the names that rules use, even if it is malformed. */

import { isObject, jsonOf } from '../basics/body.ts';
import { type CoapPacket, type CoapParts, mediaTypeOf, numberIn, valuesOf } from './coap-message.ts';
import { serializationOf, textIn } from './serialization.ts';

type Facts = Readonly<Record<string, string | number | readonly string[]>>;

/** Textual parameters, by their names in a primitive. */
const texts = [
  ['fr', '279'],
  ['rqi', '283'],
  ['rvi', '271'],
  ['ot', '259'],
] as const;
/** Options that occur once (table 6.2.2.4.0-1; RFC 7252, table 4). */
const once = /^(\d+|Content-Format|Max-Age)$/;
/** Characters of a text among the facts. */
const longest = 300;

/** Of an answer or a request. */
export function factsIn({ code, options, payload }: CoapParts): Facts {
  const parameters = texts.flatMap(([fact, option]) =>
    valuesOf(options, option)
      .slice(0, 1)
      .map((value) => [fact, String(value).slice(0, longest)] as const),
  );
  const [format] = valuesOf(options, 'Content-Format').map(numberIn);
  const names = options.map(({ name }) => name).filter((name) => once.test(name));
  const repeated = [...new Set(names.filter((name, at) => names.indexOf(name) < at))];
  const location = valuesOf(options, 'Location-Path').map(String).join('/');
  return {
    code,
    media: mediaOf(payload, format),
    ...Object.fromEntries(parameters),
    ...(format !== undefined && { format }),
    ...(location !== '' && { location: location.slice(0, longest) }),
    ...(repeated.length > 0 && { repeated }),
    ...statusIn(options),
  };
}

/** Of a message from the target. */
export const typeOf = ({ ack, reset, confirmable }: Pick<CoapPacket, 'ack' | 'reset' | 'confirmable'>): string =>
  ack ? 'ACK' : reset ? 'RST' : confirmable ? 'CON' : 'NON';

/** Facts of a notification request; it needs no resource type (clause 6.2.1). */
export function factsOfRequest(request: CoapParts): Facts {
  const [type] = valuesOf(request.options, '267').map(numberIn);
  const [format] = valuesOf(request.options, 'Content-Format').map(numberIn);
  const content = jsonOf(textIn(request.payload, mediaTypeOf(format)));
  const [root] = isObject(content) ? Object.keys(content) : [];
  const path = valuesOf(request.options, 'Uri-Path').map(String).join('/').slice(0, longest);
  return { ...factsIn(request), path, ...(type !== undefined && { ty: type }), ...(root !== undefined && { root }) };
}

/** Whether the payload is of the declared type; for XML only that it is no JSON. */
function mediaOf(payload: Buffer, format: number | undefined): string {
  if (payload.length === 0) return 'none';
  if (format === undefined) return 'not said';
  const type = mediaTypeOf(format);
  const isJson = /^\s*[[{]/.test(textIn(payload, type).slice(0, 100));
  return (type?.endsWith('json') || serializationOf(type) === 'cbor') === isJson ? 'as said' : 'another';
}

/** A number of two octets; any other value is shown as a text. */
function statusIn(options: CoapParts['options']): Facts {
  const [value] = valuesOf(options, '307');
  if (value === undefined) return {};
  return { rsc: value.length <= 2 ? numberIn(value) : String(value).slice(0, longest) };
}
