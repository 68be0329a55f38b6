/**
 * Primitives serialized as a whole (TS-0004, clauses 6.4 and 8), as in MQTT and WebSocket, from and to messages
 * of the HTTP binding, so that wrappers of a service or a sender see one form of message, whatever the wire.
 */

import { operationNumbers } from '../core/numbers.ts';
import type { DialectName } from '../core/resource-type.ts';
import { statuses, statusOf } from '../core/status.ts';
import { inLowerCase, isObject, jsonIn } from './body.ts';
import { cborIn } from './cbor.ts';
import { type HttpRequest, type HttpResponse, methodOf } from './http-message.ts';
import type { OutgoingAnswer, OutgoingRequest } from './outgoing-message.ts';
import { fromQuery, type PrimitiveParameters, type QueryPair, queryOf, withoutUndefined } from './primitive-query.ts';
import { pathOf } from './target.ts';

/** Parameters that HTTP has in headers (TS-0009, clause 6.4), with their header names. */
class HeaderTable {
  readonly #rows: ReadonlyArray<readonly [name: string, header: string]>;
  /** In lower case, and as written. */
  readonly #byHeader: ReadonlyMap<string, string>;

  constructor(rows: Readonly<Record<string, string>>) {
    this.#rows = Object.entries(rows).map(([name, header]) => [name, header.toLowerCase()]);
    this.#byHeader = new Map(
      Object.entries(rows).flatMap(([name, header]) =>
        [header, header.toLowerCase()].map((key) => [key, name] as const),
      ),
    );
  }

  /** Names of its parameters, and whether each is a number. */
  get parameters(): ReadonlyArray<readonly [name: string, isNumber: boolean]> {
    return this.#rows.map(([name]) => [name, numeric.has(name)]);
  }

  /** Texts of parameters by HTTP header. */
  textsIn(primitive: PrimitiveParameters): Record<string, string> {
    const texts: Record<string, string> = {};
    for (const [name, header] of this.#rows) {
      const value = primitive[name];
      if (value !== undefined) texts[header] = String(value);
    }
    return texts;
  }

  parametersIn(headers: Readonly<Record<string, string | undefined>>): Record<string, unknown> {
    const parameters: Record<string, unknown> = {};
    for (const header in headers) {
      const text = headers[header];
      const name = this.#byHeader.get(header) ?? this.#byHeader.get(header.toLowerCase());
      if (name !== undefined && text !== undefined) parameters[name] = numeric.has(name) ? Number(text) : text;
    }
    return parameters;
  }
}

const numeric: ReadonlySet<string> = new Set(['rsc', 'cts', 'cto', 'ec']);
const shared = {
  ...{ rqi: 'X-M2M-RI', rvi: 'X-M2M-RVI', ot: 'X-M2M-OT' },
  ...{ rset: 'X-M2M-RST', ec: 'X-M2M-EC', vsi: 'X-M2M-VSI' },
};
export const ofRequests = new HeaderTable({
  ...{ ...shared, fr: 'X-M2M-Origin', rqet: 'X-M2M-RET', oet: 'X-M2M-OET', gid: 'X-M2M-GID' },
});
export const ofResponses = new HeaderTable({ ...shared, rsc: 'X-M2M-RSC', cts: 'X-M2M-CTS', cto: 'X-M2M-CTO' });

const methods: ReadonlyMap<unknown, string> = new Map(
  Object.entries(operationNumbers).map(([operation, number]) => [number, methodOf[operation as keyof typeof methodOf]]),
);
const byMethod: ReadonlyMap<string, number> = new Map(
  Object.entries(methodOf)
    .filter(([operation]) => operation !== 'notify')
    .map(([operation, method]) => [method, operationNumbers[operation as keyof typeof operationNumbers]]),
);

const utf8 = new TextEncoder();

/** What a binding knows of the sender. */
export type MessageOrigin = Pick<HttpRequest, 'peer' | 'address' | 'wire'>;

/** A request primitive as an HTTP request; undefined without an operation or an encodable address. */
export function asHttpRequest(
  primitive: unknown,
  dialect: DialectName,
  from: MessageOrigin = {},
): HttpRequest | undefined {
  if (!isObject(primitive)) return undefined;
  const { op, to, pc, rt } = primitive;
  const method = methods.get(op);
  if (method === undefined || typeof to !== 'string') return undefined;
  const names = op === operationNumbers.retrieve && isObject(pc) ? pc['m2m:atrl'] : undefined;
  const query = queryOf(primitive);
  // The content of a partial retrieve names attributes, which HTTP has in the query (TS-0004, clause 7.4.2; TS-0009, 6.2.2.2).
  if (Array.isArray(names)) query.push(['atrl', names.join(' ')]);
  const target = targetOf(to, query);
  if (target === undefined) return undefined;
  const headers = ofRequests.textsIn(primitive);
  const nu = isObject(rt) ? rt.nu : undefined;
  if (Array.isArray(nu)) headers['x-m2m-rtu'] = nu.join('&');
  if (pc === undefined || Array.isArray(names)) return { method, target, headers, body: nothing, ...from };
  headers['content-type'] = contentType(dialect, primitive.ty);
  return { method, target, headers, body: utf8.encode(JSON.stringify(pc)), ...from };
}

const nothing = new Uint8Array(0);

function contentType(dialect: DialectName, ty: unknown): string {
  const media = dialect === 'onem2m' ? 'application/json' : 'application/vnd.onem2m-res+json';
  return ty === undefined ? media : `${media};ty=${String(ty)}`;
}

/** The parameters of a response primitive, without its content; undefined where the request wants no response. */
export function responseParametersIn({ headers }: HttpResponse): Record<string, unknown> | undefined {
  const parameters = ofResponses.parametersIn(headers);
  return parameters.rsc === undefined ? undefined : parameters;
}

/** An outgoing request as a primitive. For a point of access, its receiver replaces the address. */
export function asRequest({ method, target, headers, body, receiver }: OutgoingRequest): PrimitiveParameters {
  const lower = inLowerCase(headers);
  const content = body === undefined ? undefined : contentOf(body);
  const ty = /;\s*ty=(\d+)/.exec(lower['content-type'] ?? '')?.[1];
  const isNotification = method === 'POST' && ty === undefined;
  const { to, query } = readPath(target);
  return {
    op: isNotification ? operationNumbers.notify : byMethod.get(method),
    to: receiver ?? to,
    ...ofRequests.parametersIn(lower),
    ...withoutUndefined({ ty: ty === undefined ? undefined : Number(ty) }),
    ...fromQuery(receiver === undefined ? query : '', lower['x-m2m-rtu'], content),
  };
}

/** A response primitive as an HTTP answer; undefined unless one. */
export function asAnswer(primitive: unknown): OutgoingAnswer | undefined {
  if (!isObject(primitive) || !Number.isInteger(primitive.rsc)) return undefined;
  const code = Number(primitive.rsc);
  const { http } = statusOf(code, code < 3000 ? statuses.OK.http : code < 5000 ? 400 : 500);
  const { pc } = primitive;
  const type = pc === undefined ? {} : { 'content-type': 'application/json' };
  return {
    status: http,
    headers: { ...ofResponses.textsIn(primitive), ...type },
    body: pc === undefined ? '' : JSON.stringify(pc),
  };
}

/** Undefined for lone surrogates, which UTF-8 cannot encode. */
function targetOf(to: string, query: readonly QueryPair[]): string | undefined {
  if (query.length === 0 && unescaped.test(to)) return pathOf(to);
  try {
    const path = pathOf(to.split('/').map(encodeURIComponent).join('/'));
    const written = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
    return written === '' ? path : `${path}?${written}`;
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** Needs no percent-encoding. */
const unescaped = /^[\w.!~*'()/-]*$/;

/** The inverse of `pathOf`. */
function readPath(target: string): { readonly to: string; readonly query: string } {
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  const [, marked = '', rest = ''] = /^\/([~_]\/)?(.*)$/s.exec(path) ?? [];
  const before = marked === '_/' ? '//' : marked === '~/' ? '/' : '';
  return { to: before + rest.split('/').map(decodeURIComponent).join('/'), query };
}

/** The value of a body in JSON or CBOR; undefined without one. */
export const contentOf = (body: string | Uint8Array): unknown =>
  jsonIn(body) ?? (typeof body === 'string' ? undefined : cborIn(body));
