/** Criteria for expected requests, and how a received one differs. */

import { closest } from 'fastest-levenshtein';
import { inLowerCase, isObject } from '../dialects/body.ts';
import type { Wire } from '../dialects/http-message.ts';
import type { JournalEntry, JournalOperation } from './entry.ts';
import { notificationsIn, type ReceivedNotification } from './notification.ts';

/**
 * An expected part: the same value, a text that matches a RegExp, a value that a function accepts, an object with at
 * least these members, a list with exactly these items.
 */
export type Expected =
  | string
  | number
  | boolean
  | null
  | RegExp
  | ((value: never) => boolean)
  | readonly Expected[]
  | { readonly [name: string]: Expected };

/** Criteria for a notification; only present ones are checked. */
export interface NotificationCriteria {
  /** Path and query of the target URL. */
  readonly target?: string | RegExp;
  /** X-M2M-Origin. */
  readonly originator?: string | RegExp;
  /** `sur`: the subscription, in the CSE's address form. */
  readonly subscription?: string | RegExp;
  /** `net`: 1 update, 2 deletion, 3 creation of a child, 4 deletion of a child, 5 retrieval of a missing child … */
  readonly eventType?: number;
  readonly isVerification?: boolean;
  readonly isDeletion?: boolean;
  /** Root key of the representation: `m2m:cin`. */
  readonly root?: string;
  /** Attributes of the resource in it. */
  readonly attributes?: Expected;
  /** Content of the content instance in it, decoded by its marker. */
  readonly content?: Expected;
}

/** Criteria for a request; only present ones are checked. */
export interface RequestCriteria {
  readonly method?: string;
  readonly operation?: JournalOperation;
  /** Without the query, as sent: `/onem2m/App/temperature`; the leading slash may be left out. */
  readonly path?: string | RegExp;
  readonly query?: { readonly [name: string]: Expected };
  /** X-M2M-Origin. */
  readonly originator?: string | RegExp;
  /** The wire that carried it. */
  readonly wire?: Wire;
  /** W3C trace id, shared by all requests that one request causes. */
  readonly traceId?: string;
  /** Root key of the body: `m2m:cin`. */
  readonly root?: string;
  readonly headers?: { readonly [name: string]: Expected };
  /** Attributes below the root key, `{ con: '21.0' }`; or the whole body, `{ 'm2m:cin': { con: '21.0' } }`. */
  readonly body?: Expected;
  /** Content of a content instance, or of the one in a notification, decoded by its marker. */
  readonly content?: Expected;
  /** A notification in it; `m2m:agn` has several. */
  readonly notification?: NotificationCriteria;
  /** HTTP status of the answer. */
  readonly status?: number;
  /** Response status code of the answer, such as 2001. */
  readonly code?: number;
}

/** A part of a request that differs from what was expected. */
export interface Mismatch {
  /** `method`, `path`, `body.con` … */
  readonly part: string;
  readonly expected: unknown;
  /** Undefined where the request has none. */
  readonly actual: unknown;
}

const notificationNames: Readonly<Record<keyof NotificationCriteria, true>> = {
  ...{ target: true, originator: true, subscription: true, eventType: true, isVerification: true },
  ...{ isDeletion: true, root: true, attributes: true, content: true },
};

const requestNames: Readonly<Record<keyof RequestCriteria, true>> = {
  ...{ method: true, operation: true, path: true, query: true, originator: true, wire: true, traceId: true },
  ...{ root: true, headers: true, body: true, content: true, notification: true, status: true, code: true },
};

/** Throws a TypeError for an unknown criterion: nothing meets it, so that "no such request" would always hold. */
export function checkCriteria(criteria: RequestCriteria): void {
  checkNames(criteria, Object.keys(requestNames));
  checkNames(criteria.notification ?? {}, Object.keys(notificationNames));
}

function checkNames(criteria: object, known: string[]): void {
  const unknown = Object.keys(criteria).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(`There is no criterion "${unknown}"; the nearest is "${closest(unknown, known)}".`);
}

/** Empty when the request matches. */
export function differencesOf(entry: JournalEntry, criteria: RequestCriteria): Mismatch[] {
  const { path, body, headers, notification, ...others } = criteria;
  const parts: Record<string, unknown> = {
    method: entry.method,
    operation: entry.operation,
    query: entry.query,
    originator: entry.originator,
    wire: entry.wire,
    ...('traceId' in criteria && { traceId: entry.traceId }),
    root: entry.root,
    status: entry.answer?.status,
    code: entry.answer?.code,
    ...('content' in criteria && { content: entry.content }),
  };
  const differences = Object.entries(others).flatMap(([part, expected]) => compare(part, expected, parts[part]));
  if (path !== undefined) differences.push(...compare('path', absolute(path), entry.path));
  if (headers !== undefined) differences.push(...compare('headers', inLowerCase(headers), entry.headers));
  if (body !== undefined) differences.push(...compare('body', body, isWhole(body) ? entry.json : entry.attributes));
  if (notification !== undefined) differences.push(...nearestNotification(entry, notification).differences);
  return differences;
}

/** The notification in a request that differs least. */
export function nearestNotification(entry: JournalEntry, criteria: NotificationCriteria) {
  const [
    nearest = { found: undefined, differences: [{ part: 'notification', expected: criteria, actual: undefined }] },
  ] = notificationsIn({ ...entry.raw, target: entry.target, at: entry.at })
    .map((found) => ({ found, differences: notificationDifferences(found, criteria) }))
    .sort((one, other) => one.differences.length - other.differences.length);
  return nearest;
}

const notificationDifferences = (found: ReceivedNotification, criteria: NotificationCriteria) =>
  compare('notification', criteria, found);

const absolute = (path: string | RegExp) => (typeof path !== 'string' || path.startsWith('/') ? path : `/${path}`);

/** Whether a body has a root key, which contains a colon unlike attributes. */
const isWhole = (body: Expected) => isObject(body) && Object.keys(body).some((name) => name.includes(':'));

function compare(part: string, expected: unknown, actual: unknown): Mismatch[] {
  if (expected === undefined) return [];
  if (Array.isArray(expected)) return compareLists(part, expected, actual);
  if (!isPattern(expected) && isObject(expected)) return compareMembers(part, expected, actual);
  return fits(expected, actual) ? [] : [{ part, expected, actual }];
}

const isPattern = (expected: unknown) => expected instanceof RegExp || typeof expected === 'function';

function fits(expected: unknown, actual: unknown): boolean {
  if (expected instanceof RegExp) return actual !== undefined && new RegExp(expected).test(String(actual));
  if (typeof expected === 'function') return Boolean(expected(actual));
  return Object.is(expected, actual);
}

function compareMembers(part: string, expected: Readonly<Record<string, unknown>>, actual: unknown): Mismatch[] {
  if (!isObject(actual)) return [{ part, expected, actual }];
  return Object.entries(expected).flatMap(([name, value]) => compare(`${part}.${name}`, value, actual[name]));
}

function compareLists(part: string, expected: readonly unknown[], actual: unknown): Mismatch[] {
  if (!Array.isArray(actual) || actual.length !== expected.length) return [{ part, expected, actual }];
  return expected.flatMap((item, at) => compare(`${part}[${at}]`, item, actual[at]));
}
