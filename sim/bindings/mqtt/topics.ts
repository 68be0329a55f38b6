/** Topics of the MQTT binding (TS-0010, clauses 6.4.2 to 6.4.4 and 6.5.4), and the URLs with them (clause 6.6). */

import type { Format } from '../whole-primitives.ts';

/** `reg_req` is for entities without an identifier yet; its originator is the one shown to the broker (Credential-ID). */
type TopicKind = 'req' | 'resp' | 'reg_req' | 'reg_resp';

export interface Topic {
  /** What the path of a point of access puts before it (TS-0010, clause 6.6), without slashes at its ends; else ''. */
  readonly prefix: string;
  readonly kind: TopicKind;
  /** As in the topic: identifiers without a slash at the beginning, `:` for the others. */
  readonly originator: string;
  readonly receiver: string;
  readonly format: Format;
}

/** `/cse` and `/cse/CAE` as `cse` and `cse:CAE`; `//sp/cse` as `:sp:cse`. */
export function levelOf(identifier: string): string {
  return identifier.replace(/^\/\//, ':').replace(/^\//, '').replaceAll('/', ':');
}

export function topicOf({ prefix, kind, originator, receiver, format }: Topic): string {
  return `${prefix}/oneM2M/${kind}/${originator}/${receiver}/${format}`;
}

/** Undefined for a topic of another form; serializations other than JSON and CBOR are not supported. */
export function topicIn(text: string): Topic | undefined {
  const pattern = /^(.*)\/oneM2M\/(req|resp|reg_req|reg_resp)\/([^/]+)\/([^/]+)\/(json|cbor)$/;
  const [, prefix = '', kind, originator, receiver, format] = pattern.exec(text) ?? [];
  if (originator === undefined || receiver === undefined) return undefined;
  return { prefix, kind: kind as TopicKind, originator, receiver, format: format as Format };
}

/** The topic of the answer to a request. */
export function answerTopic(request: Topic): Topic {
  return { ...request, kind: request.kind === 'reg_req' ? 'reg_resp' : 'resp' };
}

/** The subscriptions of a receiver. */
export function filtersFor(identifier: string, prefix = ''): string[] {
  const own = levelOf(identifier);
  return [
    `${prefix}/oneM2M/req/+/${own}/#`,
    `${prefix}/oneM2M/reg_req/+/${own}/#`,
    `${prefix}/oneM2M/resp/${own}/+/#`,
    `${prefix}/oneM2M/reg_resp/${own}/+/#`,
  ];
}

/** Of the server: a URL without its path. */
export const addressOf = (url: string): string => {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
};

/** Without slashes at its ends. */
export const prefixOf = (url: string): string => decodeURIComponent(new URL(url).pathname).replace(/^\/+|\/+$/g, '');

/** The same text for the same server: with the port that is registered for its scheme (TS-0010, clause 6.6). */
export function serverOf(address: string): string {
  const { protocol, hostname, port } = new URL(address);
  const host = hostname === 'localhost' ? '127.0.0.1' : hostname.toLowerCase();
  return `${protocol}//${host}:${port || (protocol === 'mqtts:' ? 8883 : 1883)}`;
}

/** The whole path of a notification URI is the topic, without the slash before it. */
export function topicAt(target: string): string {
  const path = decodeURIComponent(target.replace(/[?#].*$/, '')).replace(/^\//, '');
  // Those of the binding begin with a slash, which deployed entities leave out here.
  return path.startsWith('oneM2M/') ? `/${path}` : path;
}
