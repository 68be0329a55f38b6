/** Reads messages of one primitive each, as over MQTT and WebSocket, even if malformed. */

import { dataOf, headerOf, isObject, jsonOf } from '../../basics/body.ts';
import type { Serialization } from '../../grammar/dialects.ts';
import { answerOf, notificationOf } from '../../messages/primitive.ts';
import { contentText, serializationIn } from '../../messages/serialization.ts';
import type { WireFacts } from '../../results/exchange.ts';
import type { NotificationHandler, RouteResult } from './route.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface WholeMessage {
  /** How it can be read; XML is not distinguished from garbage. */
  readonly payload: 'JSON' | 'CBOR' | 'no object in JSON or CBOR';
  /** That of its answer. */
  readonly serialization: Serialization;
  /** In JSON. */
  readonly text: string;
  /** The root around it, if any: deployed entities send primitives with or without one. */
  readonly root?: string;
  /** Without the root; empty for anything but an object. */
  readonly request: Fields;
  readonly response: Fields;
}

export function readWhole(bytes: Uint8Array): WholeMessage {
  const serialization = serializationIn(bytes);
  const text = contentText(bytes);
  const value = jsonOf(text);
  if (!isObject(value)) return { payload: 'no object in JSON or CBOR', serialization, text, request: {}, response: {} };
  const { 'm2m:rqp': request, 'm2m:rsp': response } = value;
  const root = response !== undefined ? 'm2m:rsp' : request !== undefined ? 'm2m:rqp' : undefined;
  const read = { request: dataOf(request ?? value), response: dataOf(response ?? value) };
  return { payload: payloadIn(serialization), serialization, text, ...(root && { root }), ...read };
}

/** The expected payload of a serialization. */
export const payloadIn = (serialization: string) => (serialization === 'cbor' ? 'CBOR' : 'JSON');

/** Whether it is a request: it has an operation, or the content of a notification. */
export function isRequest({ request: { op, rsc, pc } }: WholeMessage): boolean {
  return op !== undefined || (rsc === undefined && isObject(pc) && Object.hasOwn(pc, 'm2m:sgn'));
}

/** Characters of a text among the facts. */
const longest = 300;

/** Parameters as facts, without content, and shortened. */
function parametersIn(primitive: Fields, names: readonly string[]): Record<string, unknown> {
  const entries = names.flatMap((name) => {
    const value = Object.hasOwn(primitive, name) ? primitive[name] : undefined;
    if (value === undefined) return [];
    const isShort = JSON.stringify(value).length <= longest;
    return [[name, isShort ? value : `${JSON.stringify(value).slice(0, longest)}…`] as const];
  });
  return Object.fromEntries(entries);
}

/** Facts of a request of the target. */
export const requestFacts = ({ request, payload }: Pick<WholeMessage, 'request' | 'payload'>) => ({
  payload,
  ...parametersIn(request, ['op', 'fr', 'to', 'rqi', 'rvi']),
});

/** The answer of an inbox to a notification; undefined for none, and for other requests. */
export function replyTo({ request, serialization }: WholeMessage, onNotification: NotificationHandler, target: string) {
  const notification = notificationOf(request, serialization);
  if (notification === undefined) return undefined;
  const { headers, body } = notification;
  const reply = onNotification({ method: 'POST', target, headers: Object.fromEntries(headers), body });
  if (reply === undefined) return undefined;
  const { rqi, rvi } = request;
  return { rsc: Number(headerOf(Object.entries(reply.headers), 'x-m2m-rsc')), rqi, rvi };
}

/** The answer in a response, or why there is none. Also accepts a code as text. */
export function routeResult({ response, payload, serialization, root }: WholeMessage, facts: WireFacts): RouteResult {
  const { rsc } = response;
  const code = typeof rsc === 'string' && /^\d{4}$/.test(rsc) ? Number(rsc) : rsc;
  const answer = answerOf({ ...response, rsc: code }, serialization);
  const wire = { ...facts, payload, ...(root && { root }), ...parametersIn(response, ['rqi', 'rsc']) } as WireFacts;
  if (answer !== undefined) return { answer, wire };
  const message = payload.startsWith('no') ? `the answer is ${payload}` : 'the answer has no response status code';
  return { failure: { kind: 'malformed', message }, wire };
}
