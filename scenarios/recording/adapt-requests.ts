/** Adapts requests for replay: their originators, times, and the addresses of the recorded application. */

import { isObject, listOf } from '../engine/basics/body.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import { inboxTargetName, inboxUrlName } from '../engine/grammar/names.ts';
import { viewOf, viewOfRequest } from '../engine/judging/answer.ts';
import { parseTimestamp } from '../engine/judging/timestamp.ts';
import type { HeaderList } from '../engine/messages/target.ts';
import { placeholder } from './placeholders.ts';
import type { ProxyEntry } from './proxy.ts';
import { addressAttributes, type ProxiedNotification } from './relay.ts';

type Attributes = Readonly<Record<string, unknown>>;

/** Headers of the standard binding that hold a time, or milliseconds (TS-0009 6.4.12 to 6.4.14). */
const timed = /^x-m2m-(ret|rst|oet)$/;

/** A time relative to that of the request; other texts stay. */
function relativeTime(text: string, at: number): string {
  const instant = parseTimestamp(text);
  if (instant === undefined) return text;
  const seconds = Math.round((Number(instant / 1000n) - at) / 1000);
  return placeholder(`now${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}s`);
}

/** Headers, with names in lower case, with times relative to that of the request. */
export function relativeHeaders(headers: HeaderList, at: number): HeaderList {
  const isTime = (name: string, value: string) => timed.test(name) && !/^\d+$/.test(value);
  return headers.map(([name, value]) => [name, isTime(name, value) ? relativeTime(value, at) : value] as const);
}

/** Replaces notification targets by inboxes of the scenario. */
export class Listeners {
  readonly #names = new Map<string, string>();
  /** Keys of application entities by name: a URL, or else their identifier. */
  readonly #points = new Map<string, string>();
  readonly #notified: ReadonlySet<string>;

  constructor(passed: readonly ProxyEntry[], notified: readonly ProxiedNotification[]) {
    for (const one of passed) {
      const { root, attributes } = viewOfRequest(one.request);
      const { aei } = viewOf(one).attributes ?? {};
      if (root !== 'm2m:ae' || typeof aei !== 'string') continue;
      const point = listOf(attributes?.poa).map(String).find(isUrl);
      for (const name of [aei, attributes?.rn]) this.#points.set(String(name), this.#keyOf(point ?? aei));
    }
    this.#notified = new Set(notified.map(({ url }) => this.#keyOf(url)));
  }

  /** Such as `inbox1`, in the order of their first use. */
  get inboxes(): Record<string, object> {
    return Object.fromEntries([...this.#names.values()].map((name) => [name, {}]));
  }

  /** The inbox for this target. */
  inboxOf(url: string): string | undefined {
    return this.#names.get(this.#keyOf(url));
  }

  /** The attributes with a relative expiration time, and inboxes for URLs. */
  adapted(attributes: Attributes, at: number): Attributes {
    return Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => {
        if (name === 'et' && typeof value === 'string') return [name, relativeTime(value, at)];
        return [name, addressAttributes.has(name) ? this.#inboxFor(value) : value];
      }),
    );
  }

  #inboxFor(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#inboxFor(one));
    if (isObject(value) || typeof value !== 'string') return value;
    const key = this.#keyOf(value);
    // A notification to an identifier may go to a point of access.
    if (!isUrl(value) && (isUrl(key) || !this.#notified.has(key))) return value;
    const name = this.#names.get(key) ?? `inbox${this.#names.size + 1}`;
    this.#names.set(key, name);
    return placeholder(isUrl(value) ? inboxUrlName(name) : inboxTargetName(name));
  }

  /** The same key for all forms of a target: a topic at any server, or an application entity. */
  #keyOf(address: string): string {
    // The serialization (`?ct=json`, TS-0004, clause 7.5.1.2.2) is no part of a topic.
    if (isUrl(address)) return address.replace(/^mqtts?:\/\/[^/]*([^?]*).*$/, 'mqtt://$1');
    // A level of a topic has colons for slashes (TS-0010, clause 6.4.2).
    const name = address.split(/[/:]/).at(-1) ?? address;
    return this.#points.get(name) ?? name;
  }
}

const isUrl = (text: string): boolean => /^(https?|mqtts?|wss?|coaps?):\/\//.test(text);

/** Recorded originators as actors of the scenario. */
export class Actors {
  readonly #names = new Map<string, string>();
  readonly #registering = new Set<string>();
  readonly #admin: string | undefined;

  constructor(passed: readonly ProxyEntry[], dialect: Dialect, admin: string | undefined) {
    this.#admin = admin;
    for (const { request } of passed) {
      const { headers, root, attributes } = viewOfRequest(request);
      const originator = headers.get('x-m2m-origin');
      if (originator === undefined || originator === '' || originator === admin) continue;
      if (!this.#names.has(originator)) this.#names.set(originator, `app${this.#names.size + 1}`);
      const registers = request.method === 'POST' && root === 'm2m:ae' && attributes !== undefined;
      if (registers) this.#registering.add(originator);
    }
    if (dialect === 'onem2m' && this.#names.size === 0) this.#names.set('C', 'app1');
  }

  get any(): boolean {
    return this.#names.size > 0;
  }

  /** The actor with this originator; undefined for none. */
  nameOf(originator: string | undefined): string | undefined {
    if (originator === undefined || originator === '') return undefined;
    return originator === this.#admin ? 'admin' : this.#names.get(originator);
  }

  /**
   * Originators that register get a unique one, so that runs do not conflict. All others stay the same, as those in certificates must.
   */
  definitions(): Record<string, object> {
    const entries = [...this.#names].map(([originator, name]) => {
      const own = this.#registering.has(originator) && /^C[^/]*$/.test(originator);
      return [name, { registered: false, originator: own ? `C${placeholder('name')}-${name}` : originator }] as const;
    });
    return Object.fromEntries(entries);
  }

  /** Placeholders for originators within requests. */
  literals(): Array<readonly [text: string, name: string]> {
    return [...this.#names].map(([originator, name]) => [originator, placeholder(`${name}.originator`)]);
  }
}
