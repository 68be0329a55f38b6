/** A CSE behind an MQTT server: requests are the primitives that the HTTP ones stand for (TS-0010, clause 6.5). */

import { isObject } from '../basics/body.ts';
import type { Dialect } from '../grammar/dialects.ts';
import { escapedPath } from '../messages/encode.ts';
import { levelOf, primitiveOf, spRelative } from '../messages/primitive.ts';
import { shellWord } from '../messages/shell.ts';
import { shownHeaders } from '../messages/shown.ts';
import {
  type AnyRequest,
  isExactBytes,
  now,
  type RawMessage,
  type RequestMessage,
  since,
  socketless,
  type Target,
  type Way,
} from '../messages/target.ts';
import { withUsual } from '../messages/wire.ts';
import type { Exchange } from '../results/exchange.ts';
import { inTime } from './deadline.ts';
import { failureOf, timeoutFailure } from './failure.ts';
import type { MqttRoute } from './mqtt-route.ts';
import { recordedMessage } from './record.ts';
import type { UrlTargetOptions } from './url.ts';

interface MqttTargetOptions extends Pick<UrlTargetOptions, 'timeout' | 'startedAt' | 'description' | 'headers'> {
  readonly route: MqttRoute;
  readonly dialect: Dialect;
}

export function mqttTarget(options: MqttTargetOptions): Target {
  const { description, dialect } = options;
  return socketless({ description, objection: (request, way = {}) => objection(request, way, dialect) }, (request) =>
    exchange({ ...request, headers: withUsual(request.headers, options.headers) }, options),
  );
}

/** What a primitive cannot say. */
function objection(request: AnyRequest, way: Way, dialect: Dialect): string | undefined {
  if (isExactBytes(request) || way.over !== undefined || way.alone) return ofConnections;
  if (!isPlain(request) || !isDecodable(request.path)) return ofHttp;
  const names = request.headers.map(([name]) => name.toLowerCase());
  if (new Set(names).size < names.length || !names.every(isSaid)) return ofHttp;
  if (dialect === 'onem2m' && !names.includes('x-m2m-ri')) return unidentified;
  if (!valuesOf(request, 'accept').every((type) => /json|\*/.test(type))) return otherwiseWritten;
  return isOneObject(request) ? undefined : noObject;
}

const ofHttp = 'only HTTP can say this, and the target is reached over MQTT';
const ofConnections = 'this is about connections of HTTP, and the target is reached over MQTT';
const unidentified = 'over MQTT each request has an identifier, by which its answer is known';
const otherwiseWritten = 'over MQTT an answer is written as its request is';
const noObject = 'what MQTT carries here is one JSON object';

/** As any client sends it. */
function isPlain(request: RequestMessage | RawMessage): boolean {
  const isMethod = ['POST', 'GET', 'PUT', 'DELETE'].includes(request.method);
  if (!('version' in request)) return isMethod;
  return isMethod && request.version === '1.1' && request.addHost && request.addContentLength;
}

const isSaid = (name: string): boolean => name.startsWith('x-m2m-') || ['accept', 'content-type'].includes(name);

const valuesOf = ({ headers }: RequestMessage, wanted: string): string[] =>
  headers.flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value] : []));

function isOneObject(request: RequestMessage): boolean {
  const { body } = request;
  if (body === undefined || body.length === 0) return true;
  return isJson(body) && valuesOf(request, 'content-type').every((type) => /json/.test(type));
}

function isJson(body: Uint8Array): boolean {
  try {
    return isObject(JSON.parse(Buffer.from(body).toString('utf8')));
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

async function exchange(given: RequestMessage | RawMessage, options: MqttTargetOptions): Promise<Exchange> {
  const { route, description, startedAt } = options;
  const request = { ...given, path: escapedPath(given.path) };
  const started = now();
  const result = await answered(route, request, options);
  return {
    request: recordedMessage(request),
    ...result,
    ...{ at: since(startedAt, started), took: since(started) },
    get curl() {
      return publishLine(description, request);
    },
  };
}

async function answered(
  route: MqttRoute,
  request: RequestMessage,
  { description, timeout }: MqttTargetOptions,
): Promise<Pick<Exchange, 'answer' | 'failure'>> {
  const over = new AbortController();
  try {
    const answer = await inTime(route.ask(description.cseId, request, over.signal), timeout);
    return answer === undefined ? { failure: timeoutFailure(timeout) } : { answer };
  } catch (error) {
    const message = `the MQTT server cannot be used: ${error instanceof Error ? error.message : String(error)}`;
    return { failure: failureOf(error) ?? { kind: 'unreachable', message } };
  } finally {
    over.abort();
  }
}

/** A line for sh that publishes the same primitive. */
function publishLine({ url, cseId }: Target['description'], request: RequestMessage): string {
  const { hostname, port } = new URL(url);
  const primitive = primitiveOf({ ...request, headers: shownHeaders(request.headers) });
  const from = levelOf(spRelative(String(primitive.fr ?? 'cselab'), cseId));
  const topic = ['-t', `/oneM2M/req/${from}/${cseId}/json`];
  const words = [
    'mosquitto_pub',
    '-h',
    hostname,
    '-p',
    port || '1883',
    '-q',
    '1',
    ...topic,
    '-m',
    JSON.stringify(primitive),
  ];
  return words.map(shellWord).join(' ');
}
