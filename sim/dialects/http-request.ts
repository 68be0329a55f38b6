/** From HTTP requests to request primitives (TS-0009, clause 6.2 and 6.4). */

import type { Clock, CseConfiguration } from '../core/configuration.ts';
import { applicationEntityType } from '../core/numbers.ts';
import type { Operation, RequestPrimitive } from '../core/primitive.ts';
import { typeTableOf } from '../core/requested-type.ts';
import type { DialectName } from '../core/resource-type.ts';
import { CseError } from '../core/status.ts';
import { readCbor } from './cbor.ts';
import type { HttpRequest } from './http-message.ts';
import { type ContentType, isCbor, mediaTypes } from './media-type.ts';
import { type QueryRules, readQuery } from './query.ts';
import { readHeaders } from './query-readers.ts';
import { readJson } from './strict-json.ts';
import type { RequestTarget } from './target.ts';

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Root keys of POST bodies that notify instead of creating a resource. */
const notifications: ReadonlySet<string> = new Set(['m2m:sgn', 'm2m:agn', 'm2m:rsp']);

export class RequestReader {
  readonly #dialect: DialectName;
  readonly #releases: readonly string[];
  readonly #rules: QueryRules;

  constructor({ dialect, releases, types }: CseConfiguration, clock: Clock) {
    this.#dialect = dialect.name;
    this.#releases = releases;
    this.#rules = {
      ...{ dialect: dialect.name, attributes: typeTableOf(types).attributes },
      now() {
        return clock.now();
      },
    };
  }

  /** `operation` is that of the method. Throws a CseError for what is missing or malformed. */
  read(request: HttpRequest, operation: Operation, { to, query, attribute }: RequestTarget): RequestPrimitive {
    const { headers } = request;
    const isStandard = this.#dialect === 'onem2m';
    if (isStandard) this.#checkIdentified(headers);
    const carriesContent = operation === 'create' || operation === 'update';
    const media = mediaTypes[this.#dialect];
    const type = carriesContent ? media.read(headers['content-type'], headers['content-encoding']) : undefined;
    if (isStandard) checkOriginator(headers, operation, type);
    if (to === '' && operation !== 'create')
      throw new CseError('NOT_FOUND', 'There is no resource at /; the tree starts at its CSE base.');
    const primitive: Writable<RequestPrimitive> =
      query === '' ? { operation, to } : { operation, to, ...this.#readQuery(query, operation) };
    readHeaders(headers, this.#rules, primitive);
    if (attribute !== undefined)
      primitive.attributeList = [...(primitive.attributeList ?? []), ...attribute.split('+')];
    if (request.address !== undefined) primitive.address = request.address;
    if (request.peer?.uris !== undefined) primitive.authenticated = true;
    if (type !== undefined) this.#readBody(request.body, type, primitive);
    else if (isStandard && /;\s*ty\s*=/i.test(headers['content-type'] ?? '')) {
      throw new CseError('BAD_REQUEST', tyIsForCreates);
    }
    return primitive;
  }

  #readQuery(query: string, operation: Operation) {
    const parts = readQuery(query, this.#rules);
    if (this.#dialect === 'documented') return parts;
    if (operation === 'create' && parts.filterCriteria !== undefined) {
      throw new CseError('BAD_REQUEST', 'A create has no filter criteria.');
    }
    if (operation !== 'retrieve' && parts.attributeList !== undefined) {
      throw new CseError('BAD_REQUEST', 'Attributes to be shown (atrl) are for a retrieve.');
    }
    return parts;
  }

  #readBody(body: Uint8Array, { type, resourceType }: ContentType, primitive: Writable<RequestPrimitive>): void {
    const isStandard = this.#dialect === 'onem2m';
    const creates = primitive.operation === 'create';
    // Base64 text: `gaps`, row 24.
    const content = readContent(body, primitive.operation, isCbor(type) ? 'cbor' : 'json', !isStandard && creates);
    primitive.content = content;
    if (creates && notifications.has(Object.keys(content)[0] ?? '') && !(isStandard && resourceType !== undefined)) {
      primitive.operation = 'notify';
      return;
    }
    if (isStandard) checkResourceType(resourceType, creates);
    if (resourceType !== undefined) primitive.resourceType = resourceType;
  }

  #checkIdentified(headers: HttpRequest['headers']): void {
    const { 'x-m2m-ri': identifier, 'x-m2m-rvi': release } = headers;
    if (!identifier) throw new CseError('BAD_REQUEST', 'X-M2M-RI is required.');
    // TS-0004, clause 7.3.2.1: a request without a release is one of release 1.
    if (this.#releases.includes(release || '1')) return;
    const possible = this.#releases.join(', ');
    if (!release) throw new CseError('BAD_REQUEST', `X-M2M-RVI is required: ${possible}.`);
    throw new CseError(
      'RELEASE_VERSION_NOT_SUPPORTED',
      `X-M2M-RVI ${JSON.stringify(release)} is not supported; it can be ${possible}.`,
    );
  }
}

/** An AE that requests an identifier has none yet (TS-0004, clause 7.4.5.2.1). */
function checkOriginator(headers: HttpRequest['headers'], operation: Operation, type: ContentType | undefined): void {
  if (headers['x-m2m-origin'] || (operation === 'create' && type?.resourceType === applicationEntityType)) return;
  throw new CseError('BAD_REQUEST', 'X-M2M-Origin is required except to create an AE.');
}

const tyIsForCreates = 'ty in the Content-Type is for creates only.';

/** TS-0009, clause 6.4.3: `ty` is present in create requests only. */
function checkResourceType(resourceType: number | undefined, creates: boolean): void {
  if (creates === (resourceType !== undefined)) return;
  const message = creates ? 'A create needs ty in the Content-Type, as in application/json;ty=3.' : tyIsForCreates;
  throw new CseError('BAD_REQUEST', message);
}

// The body of a request: JSON, CBOR, or the base64 text of a whole JSON document, which becomes a content instance.
const utf8 = new TextDecoder('utf-8', { fatal: true });
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The object in the body; throws a CseError for anything else. */
function readContent(body: Uint8Array, operation: Operation, format: 'json' | 'cbor', acceptsBase64: boolean): object {
  if (body.length === 0) throw new CseError('BAD_REQUEST', `A ${operation} needs a body.`);
  const text = format === 'cbor' ? '' : decodeUtf8(body);
  if (text === undefined) throw new CseError('BAD_REQUEST', 'The body is not UTF-8.');
  const read = format === 'cbor' ? readCbor(body) : readJson(text);
  if ('value' in read && typeof read.value === 'object' && read.value !== null) return read.value;
  const instance = acceptsBase64 ? readBase64Document(text) : undefined;
  if (instance !== undefined) return instance;
  throw new CseError('BAD_REQUEST', 'problem' in read ? read.problem : 'The body must be an object.');
}

/** Line breaks, as inserted by command-line encoders, are ignored. */
function readBase64Document(text: string): object | undefined {
  const encoded = text.replace(/[\r\n]+/g, '').trim();
  if (encoded === '' || !base64.test(encoded)) return undefined;
  const document = decodeUtf8(Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0)));
  if (document === undefined || 'problem' in readJson(document)) {
    throw new CseError('BAD_REQUEST', 'The body is base64 text, but what it encodes is not a JSON document.');
  }
  return { 'm2m:cin': { con: encoded, cnf: 'application/json:1' } };
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
