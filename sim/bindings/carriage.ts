/** How a CSE sends a message wrongly, or differently, over MQTT and WebSocket, by the terms of deviations and variations. */

type Primitive = Readonly<Record<string, unknown>>;

export interface Carriage {
  /** Where it is published instead (MQTT). */
  readonly topic?: (topic: string) => string;
  /** What is sent instead, one message each: a primitive, or a text. */
  readonly messages?: (primitive: Primitive) => ReadonlyArray<Primitive | string>;
  /** The server retains it (MQTT). */
  readonly retained?: true;
  /** It goes in frames of the other opcode (WebSocket). */
  readonly otherFrames?: true;
  /** It goes in two frames (WebSocket). */
  readonly inPieces?: true;
}

const utf8 = new TextEncoder();
const levels = /(req|resp)\/([^/]+)\/([^/]+)(\/[^/]*)?$/;
const changed = (change: (primitive: Primitive) => Primitive | string): Carriage => ({
  messages: (primitive) => [change(primitive)],
});
const without = (name: string) => changed(({ [name]: _gone, ...rest }) => rest);
const asText = (name: string) => changed((primitive) => ({ ...primitive, [name]: String(primitive[name]) }));

const carriages: ReadonlyMap<string, Carriage> = new Map(
  Object.entries<Carriage>({
    'to another receiver': { topic: (topic) => topic.replace(levels, '$1/$2/$3-2$4') },
    'to another originator': { topic: (topic) => topic.replace(levels, '$1/$2-2/$3$4') },
    'to swapped levels': { topic: (topic) => topic.replace(levels, '$1/$3/$2$4') },
    'where requests go': { topic: (topic) => topic.replace(levels, 'req/$3/$2$4') },
    'with identifiers as they are': { topic: (topic) => topic.replace(levels, (all) => all.replaceAll(':', '/')) },
    'without the slash before it': { topic: (topic) => topic.replace(/^\//, '') },
    'without a format': { topic: (topic) => topic.replace(levels, '$1/$2/$3') },
    'with a format that is none': { topic: (topic) => topic.replace(levels, '$1/$2/$3/text') },
    'to be kept': { retained: true },
    'in other frames': { otherFrames: true },
    'in two frames': { inPieces: true },
    'with another identifier': changed((primitive) => ({ ...primitive, rqi: `${String(primitive.rqi)}-2` })),
    'with an identifier in capitals': changed((primitive) => ({
      ...primitive,
      rqi: String(primitive.rqi).toUpperCase(),
    })),
    'without an identifier': without('rqi'),
    'without a code': without('rsc'),
    'with a code that is a text': asText('rsc'),
    'below a root': changed((primitive) => ({ [primitive.op === undefined ? 'm2m:rsp' : 'm2m:rqp']: primitive })),
    'as no JSON': changed((primitive) => JSON.stringify(primitive).replaceAll('"', "'")),
    'as a list': changed((primitive) => JSON.stringify([primitive])),
    'cut short': changed((primitive) => JSON.stringify(primitive).slice(0, -1)),
    'two in a message': changed((primitive) => JSON.stringify(primitive).repeat(2)),
    'and again otherwise': { messages: (primitive) => [primitive, { ...primitive, rsc: 5000 }] },
    'and again': { messages: (primitive) => [primitive, primitive] },
    'without an operation': without('op'),
    'with an operation that is a text': asText('op'),
    'without an originator': without('fr'),
    'without an address': without('to'),
  }),
);

export const carriageOf = (carried: string | undefined): Carriage => carriages.get(carried ?? '') ?? {};

/** The messages that a primitive becomes. */
export function writtenBy(
  { messages = (primitive) => [primitive] }: Carriage,
  primitive: Primitive,
  bytesOf: (message: Primitive) => Uint8Array,
): Uint8Array[] {
  return messages(primitive).map((one) => (typeof one === 'string' ? utf8.encode(one) : bytesOf(one)));
}
