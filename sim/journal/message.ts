/** A request or an answer in a journal, kept raw and parsed on use. */

import { inLowerCase, isObject, jsonIn } from '../dialects/body.ts';
import { cborIn } from '../dialects/cbor.ts';
import { decodeContent } from '../dialects/content.ts';

export type Members = Readonly<Record<string, unknown>>;

/** The raw message. */
export interface MessageParts {
  /** Names in any case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string | Uint8Array;
}

export class JournalMessage {
  /** As on the wire. */
  readonly raw: MessageParts;
  #headers: Readonly<Record<string, string>> | undefined;
  #json: { readonly value: unknown } | undefined;

  constructor(raw: MessageParts) {
    this.raw = { headers: raw.headers, body: raw.body };
  }

  /** Names in lower case. */
  get headers(): Readonly<Record<string, string>> {
    this.#headers ??= inLowerCase(this.raw.headers);
    return this.#headers;
  }

  /** The body as a text; binary octets as base64, '' for none. */
  get body(): string {
    const { body } = this.raw;
    if (typeof body === 'string') return body;
    const octets = Buffer.from(body);
    const text = octets.toString('utf8');
    return Buffer.from(text).equals(octets) ? text : octets.toString('base64');
  }

  /** The value of a body in JSON or CBOR; undefined when it is neither. */
  get json(): unknown {
    this.#json ??= { value: this.#read() };
    return this.#json.value;
  }

  /** The root key of the body, such as `m2m:cin`; undefined unless it has exactly one. */
  get root(): string | undefined {
    const keys = Object.keys(asMembers(this.json));
    return keys.length === 1 ? keys[0] : undefined;
  }

  /** Attributes below the root key, by names as sent; empty when there are none. */
  get attributes(): Members {
    const { json, root } = this;
    return asMembers(root === undefined ? undefined : asMembers(json)[root]);
  }

  /** The content of a content instance, or of the one in a notification, decoded by its marker: a text, a JSON value or a Buffer. */
  get content(): unknown {
    return decodeContent(this.root === 'm2m:sgn' ? notified(this.attributes) : this.attributes);
  }

  #read(): unknown {
    const { body } = this.raw;
    const isCbor = typeof body !== 'string' && this.headers['content-type']?.includes('cbor');
    return isCbor ? cborIn(body) : jsonIn(this.body);
  }
}

/** The attributes of the resource in an event (TS-0004 7.5.1.1, nev.rep). */
export function notified({ nev }: Members): Members {
  const [below] = Object.values(asMembers(asMembers(nev).rep));
  return asMembers(below);
}

/** Empty for what is no object. */
export const asMembers = (value: unknown): Members => (isObject(value) ? value : {});
