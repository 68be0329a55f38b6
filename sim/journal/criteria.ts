/** Which request somebody expects, and how one that came differs from it. */

import { isObject } from '../dialects/body.ts';
import type { Wire } from '../dialects/http-message.ts';
import type { JournalEntry, JournalOperation } from './entry.ts';
import { notificationsIn, type ReceivedNotification } from './notification.ts';

/**
 * What a part is expected to be: the same value, a text that a RegExp finds, whatever a function says yes to, an object with at
 * least these members, a list with just these items.
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

/** Only what is said of a notification is looked at. */
export interface NotificationCriteria {
  /** Path and query of the URL to which it goes. */
  readonly target?: string | RegExp;
  /** X-M2M-Origin. */
  readonly originator?: string | RegExp;
  /** `sur`: the subscription, in the form in which the CSE writes addresses. */
  readonly subscription?: string | RegExp;
  /** `net`: 1 update, 2 deletion, 3 creation of a child, 4 deletion of a child, 5 retrieval of what is not there … */
  readonly eventType?: number;
  readonly isVerification?: boolean;
  readonly isDeletion?: boolean;
  /** Root key of the representation: `m2m:cin`. */
  readonly root?: string;
  /** Attributes of the resource that it is about. */
  readonly attributes?: Expected;
  /** Content of the content instance that it is about, decoded by its marker. */
  readonly content?: Expected;
}

/** Only what is said of a request is looked at. */
export interface RequestCriteria {
  readonly method?: string;
  readonly operation?: JournalOperation;
  /** Without the query, as it was sent: `/onem2m/App/temperature`; the slash at the beginning may be left out. */
  readonly path?: string | RegExp;
  readonly query?: { readonly [name: string]: Expected };
  /** X-M2M-Origin. */
  readonly originator?: string | RegExp;
  /** By which it came, or was sent. */
  readonly wire?: Wire;
  /** W3C trace id: what follows from one request has its id. */
  readonly traceId?: string;
  /** Root key of the body: `m2m:cin`. */
  readonly root?: string;
  /** Names in lower case. */
  readonly headers?: { readonly [name: string]: Expected };
  /** Attributes below the root key, `{ con: '21.0' }`; or the whole body, `{ 'm2m:cin': { con: '21.0' } }`. */
  readonly body?: Expected;
  /** Content of a content instance, or of the one that a notification is about, decoded by its marker. */
  readonly content?: Expected;
  /** One of the notifications in it, of which `m2m:agn` gathers several. */
  readonly notification?: NotificationCriteria;
  /** HTTP status of the answer. */
  readonly status?: number;
  /** Response status code of the answer, such as 2001. */
  readonly code?: number;
}

/** A part of a request that is not as it was expected. */
export interface Mismatch {
  /** `method`, `path`, `body.con` … */
  readonly part: string;
  readonly expected: unknown;
  /** Undefined where the request has nothing there. */
  readonly actual: unknown;
}

/** Empty when the request is the one that was expected. */
export function differencesOf(entry: JournalEntry, criteria: RequestCriteria): Mismatch[] {
  const { path, body, notification, ...others } = criteria;
  const parts: Record<string, unknown> = {
    method: entry.method,
    operation: entry.operation,
    query: entry.query,
    originator: entry.originator,
    wire: entry.wire,
    ...('traceId' in criteria && { traceId: entry.traceId }),
    root: entry.root,
    headers: entry.headers,
    status: entry.answer?.status,
    code: entry.answer?.code,
    ...('content' in criteria && { content: entry.content }),
  };
  const differences = Object.entries(others).flatMap(([part, expected]) => compare(part, expected, parts[part]));
  if (path !== undefined) differences.push(...compare('path', absolute(path), entry.path));
  if (body !== undefined) differences.push(...compare('body', body, isWhole(body) ? entry.json : entry.attributes));
  if (notification !== undefined) differences.push(...nearestNotification(entry, notification).differences);
  return differences;
}

/** Of the notifications in a request the one that differs least. */
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

/** A body with its root key, which no attribute looks like. */
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
