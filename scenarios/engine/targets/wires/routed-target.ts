/** A CSE over another serialization or binding: requests are the primitives of the HTTP ones (TS-0008, TS-0010 and TS-0020). */

import { headerOf, isObject } from '../../basics/body.ts';
import type { Serialization } from '../../grammar/dialects.ts';
import { methodOfNone } from '../../messages/primitive.ts';
import { bodyText, serialize, textIn } from '../../messages/serialization.ts';
import {
  type AnyRequest,
  isExactBytes,
  type RawMessage,
  type RequestMessage,
  socketless,
  type Target,
  type Way,
} from '../../messages/target.ts';
import { escapedPath, withUsual } from '../../messages/wire.ts';
import type { Exchange, WireName } from '../../results/exchange.ts';
import { inTime } from '../exchanging/deadline.ts';
import { failureOf, timeoutFailure } from '../exchanging/failure.ts';
import { inSlot, type LoadLimits } from '../exchanging/load-limits.ts';
import { recordedMessage, timedExchange } from '../exchanging/record.ts';
import type { UrlTargetOptions } from '../exchanging/url.ts';
import type { Route, RouteResult } from './route.ts';

interface RoutedTargetOptions
  extends Pick<UrlTargetOptions, 'timeout' | 'startedAt' | 'description' | 'headers'>,
    LoadLimits {
  readonly route: Route;
}

export function routedTarget(options: RoutedTargetOptions): Target {
  const { description, route } = options;
  const refusal = (request: AnyRequest, way: Way = {}) =>
    objection(request, way, route) ??
    (isExactBytes(request) ? undefined : route.cannotAddress?.(description.cseId, request));
  return socketless({ description, objection: refusal }, (request) =>
    // The limit of connections applies to requests here.
    inSlot(options, async () => {
      await options.pace?.turn();
      return exchange({ ...request, headers: withUsual(request.headers, options.headers) }, options);
    }),
  );
}

/** Why a primitive cannot express a request. */
function objection(request: AnyRequest, way: Way, route: Route): string | undefined {
  const { wire, serialization = 'json' } = route;
  if (isExactBytes(request) || way.over !== undefined)
    return `this is about connections of HTTP, but the target is reached over ${wire}`;
  // Primitives can carry the number of an invalid operation.
  const methods = route.cannotCarry === undefined ? [...operations, methodOfNone] : operations;
  if (!isPlain(request, methods) || !isDecodable(request.path)) return ofHttp(wire);
  const names = request.headers.map(([name]) => name.toLowerCase());
  if (new Set(names).size < names.length || !names.every((name) => expressible.test(name))) return ofHttp(wire);
  if (route.cannotCarry !== undefined) return route.cannotCarry(request);
  if (!names.includes('x-m2m-ri')) return `over ${wire} each request needs an identifier, which its answer repeats`;
  const isOwn = (type: string) => type.includes(serialization) || type.includes('*');
  if (!valuesOf(request, 'accept').every(isOwn)) return `over ${wire} an answer has the serialization of its request`;
  return isOneObject(request, serialization) ? undefined : `${wire} carries one JSON object here`;
}

const ofHttp = (wire: WireName) => `only HTTP can express this, but the target is reached over ${wire}`;

const operations: readonly string[] = ['POST', 'GET', 'PUT', 'DELETE'];

/** An ordinary request, with one of these methods. */
function isPlain(request: RequestMessage | RawMessage, methods: readonly string[]): boolean {
  const isMethod = methods.includes(request.method);
  if (!('version' in request)) return isMethod;
  return isMethod && request.version === '1.1' && request.addHost && request.addContentLength;
}

const expressible = /^(x-m2m-.*|accept|content-type)$/s;

const valuesOf = ({ headers }: RequestMessage, header: string): string[] =>
  headers.flatMap(([name, value]) => (name.toLowerCase() === header ? [value] : []));

function isOneObject(request: RequestMessage, serialization: Serialization): boolean {
  const { body } = request;
  if (body === undefined || body.length === 0) return true;
  return isJson(bodyText(request)) && valuesOf(request, 'content-type').every((type) => type.includes(serialization));
}

function isJson(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

function isDecodable(path: string): boolean {
  try {
    const { pathname } = new URL(path, 'http://target');
    return (
      path.startsWith('/') && !path.startsWith('//') && !path.includes('#') && decodeURIComponent(pathname) !== '/'
    );
  } catch {
    return false;
  }
}

function exchange(original: RequestMessage | RawMessage, options: RoutedTargetOptions): Promise<Exchange> {
  const { route, description, startedAt } = options;
  const request = { ...original, path: escapedPath(original.path) };
  const line = () => route.line(description, request);
  return timedExchange(startedAt, recordedMessage(request), () => answerInTime(route, request, options), line);
}

/** No clause demands an answer to an invalid operation. */
const noOperation = { kind: 'interrupted', message: 'an invalid operation needs no answer' } as const;

async function answerInTime(
  route: Route,
  request: RequestMessage,
  { description, timeout }: RoutedTargetOptions,
): Promise<RouteResult> {
  const over = new AbortController();
  try {
    const result = await inTime(route.ask(description.cseId, request, over.signal), timeout);
    return result ?? { failure: request.method === methodOfNone ? noOperation : timeoutFailure(timeout) };
  } catch (error) {
    const message = `${route.wire} cannot be used: ${error instanceof Error ? error.message : String(error)}`;
    return { failure: failureOf(error) ?? { kind: 'unreachable', message } };
  } finally {
    over.abort();
  }
}

/** A sentence about a target. */
export const noCbor = 'it does not speak CBOR';

/** Converts JSON requests to a target to CBOR. Its `objection` rejects those that would change their meaning. */
export function cborTarget(target: Target): Target {
  return {
    ...target,
    objection: (request, way) => {
      const converted = toCbor(request);
      return typeof converted === 'string' ? converted : target.objection(converted, way);
    },
    send: async (request, way) => {
      const converted = toCbor(request);
      if (typeof converted === 'string') throw new TypeError(converted);
      return target.send(converted, way);
    },
  };
}

const ofText = 'this is about JSON as a text, but requests to the target are in CBOR';

/** The request in CBOR, for both directions, or why that is impossible. Other media types stay unchanged. */
function toCbor(request: AnyRequest): AnyRequest | string {
  if (isExactBytes(request)) return request;
  const { body, headers: headerList } = request;
  const headers = headerList.map(
    ([name, value]) =>
      [name, /^(accept|content-type)$/i.test(name) ? value.replaceAll(json, '$1cbor') : value] as const,
  );
  const isJson = (headerOf(headerList, 'content-type') ?? '').search(json) >= 0;
  if (body === undefined || body.length === 0 || !isJson) return { ...request, headers };
  const content = sameInCbor(bodyText(request));
  return content === undefined ? ofText : { ...request, headers, body: content };
}

const json = /(application\/(?:[\w.-]+\+)?)json\b/g;

/** Undefined for invalid JSON, and for JSON that would change on the way, beside white space. */
function sameInCbor(text: string): Uint8Array | undefined {
  try {
    const value = JSON.parse(text);
    const whole = JSON.stringify(value);
    const content = serialize(value, 'cbor');
    const isSame = whole === text || whole === text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
    return isSame && textIn(content, 'application/cbor') === whole ? content : undefined;
  } catch {
    return undefined;
  }
}
