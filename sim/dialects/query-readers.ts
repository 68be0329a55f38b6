/** Reads and writes the values of request parameters, in headers and in the query. */

import { ContentQueryError, readContentQuery } from '../core/content-query.ts';
import { microsecondsPerMillisecond, microsecondsPerSecond, millisecondsOf } from '../core/numbers.ts';
import type { RequestPrimitive } from '../core/primitive.ts';
import type { DialectName } from '../core/resource-type.ts';
import { CseError } from '../core/status.ts';
import { readTrace, traceHeaders } from '../core/trace-context.ts';
import type { HttpRequest } from './http-message.ts';
import { readTimestamp, writeTimestampIn } from './timestamp.ts';

export interface QueryContext {
  /** Time of arrival: microseconds since 1970 UTC. */
  readonly now: () => number;
}

/** Throws a CseError for a malformed value of the parameter `name`. */
export type Reader<T = string | number> = (text: string, name: string, context: QueryContext) => T;

export const text: Reader<string> = (value) => value;

export const count: Reader<number> = (value, name) => {
  const number = /^\d{1,15}$/.test(value) ? Number(value) : undefined;
  return number ?? malformed(name, value, 'a non-negative integer');
};

export const position: Reader<number> = (value, name, context) => {
  const number = count(value, name, context);
  return number !== 0 ? number : malformed(name, value, 'a positive integer');
};

export const moment: Reader<number> = (value, name) =>
  readTimestamp(value) ?? malformed(name, value, 'an ISO 8601 date and time');

/**
 * Microseconds since 1970 UTC, from a time or milliseconds after arrival (TS-0004, `m2m:absRelTimestamp`), which clients also write
 * with a fraction, or as a duration.
 */
const momentOrDelay: Reader<number> = (value, name, { now }) => {
  const delay = /^[+-]?\d{1,14}(\.\d+)?$/.test(value) ? Number(value) : millisecondsOf(value);
  if (delay !== undefined) return now() + Math.round(delay * microsecondsPerMillisecond);
  return readTimestamp(value) ?? malformed(name, value, 'a time, a duration, or milliseconds from now');
};

/** A lifetime in microseconds: a duration, or until a time as above. */
export const lifespan: Reader<number> = (value, name, context) => {
  const milliseconds = millisecondsOf(value);
  if (milliseconds !== undefined) return milliseconds * microsecondsPerMillisecond;
  const until = /^\d{1,14}$/.test(value) || readTimestamp(value) !== undefined;
  if (!until) malformed(name, value, 'a duration such as PT1M, a time, or milliseconds from now');
  return momentOrDelay(value, name, context) - context.now();
};

/** The query itself, if well-formed. */
export const contentQuery: Reader<string> = (value, name) => {
  try {
    readContentQuery(value);
  } catch (error) {
    if (!(error instanceof ContentQueryError)) throw error;
    throw new CseError('BAD_REQUEST', `${name} cannot be read: ${error.message}.`);
  }
  return value;
};

/** Its `allowed` are the values. */
export const oneOf = (...allowed: number[]): Reader<number> & { readonly allowed: readonly number[] } => {
  const read: Reader<number> = (value, name) =>
    allowed.find((candidate) => String(candidate) === value) ?? malformed(name, value, `one of ${allowed.join(', ')}`);
  return Object.assign(read, { allowed });
};

export const truth: Reader<string> = (value, name) =>
  value === 'true' || value === 'false' ? value : malformed(name, value, 'true or false');

function malformed(name: string, value: string, expected: string): never {
  throw new CseError('BAD_REQUEST', `${name} must be ${expected}, not ${JSON.stringify(value)}.`);
}

/** The inverse of reading: one text for each element of a list. */
export function textsOf(value: unknown, read: unknown, dialect: DialectName): readonly string[] {
  return [value].flat().map((one) => {
    if (read === lifespan) return `PT${Number(one) / microsecondsPerSecond}S`;
    return read === moment || read === momentOrDelay ? writeTimestampIn(dialect, Number(one)) : String(one);
  });
}

// Request parameters in headers (TS-0009, clause 6.4), both ways.

type Headers = HttpRequest['headers'];

type HeaderParts = Pick<
  RequestPrimitive,
  | ('from' | 'requestIdentifier' | 'releaseVersionIndicator' | 'notificationTargets' | 'originatingTimestamp')
  | ('requestExpiration' | 'resultExpiration' | 'operationExecutionTime' | 'eventCategory' | 'vendorInformation')
  | 'groupRequestIdentifier'
>;

type Parts = HeaderParts & Pick<RequestPrimitive, 'trace'>;

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

const time: Reader<string> = (value, name) =>
  readTimestamp(value) === undefined ? malformed(name, value, 'a time such as 20300101T000000') : value;

/** TS-0004, clause 6.3.4.2.19: immediate, best effort, latest, and user-defined ones. */
const category: Reader<number> = (value, name) => {
  const number = /^\d{1,3}$/.test(value) ? Number(value) : Number.NaN;
  if ((number >= 2 && number <= 4) || number >= 100) return number;
  return malformed(name, value, '2, 3, 4 or a number from 100 to 999');
};

/** A value that contains `&` cannot be distinguished from two (TS-0009, clause 6.4.11). */
const targets: Reader<readonly string[]> = (value) =>
  value.split('&').flatMap((target) => (target.trim() === '' ? [] : [target.trim()]));

type Row = readonly [header: string, field: keyof HeaderParts, read: Reader<string | number | readonly string[]>];

/** Spelled as in TS-0009, since some receivers are case-sensitive. */
const rows: readonly Row[] = [
  ['X-M2M-Origin', 'from', text],
  ['X-M2M-RI', 'requestIdentifier', text],
  ['X-M2M-RVI', 'releaseVersionIndicator', text],
  ['X-M2M-RTU', 'notificationTargets', targets],
  ['X-M2M-OT', 'originatingTimestamp', time],
  ['X-M2M-RET', 'requestExpiration', momentOrDelay],
  ['X-M2M-RST', 'resultExpiration', momentOrDelay],
  ['X-M2M-OET', 'operationExecutionTime', momentOrDelay],
  ['X-M2M-EC', 'eventCategory', category],
  ['X-M2M-VSI', 'vendorInformation', text],
  ['X-M2M-GID', 'groupRequestIdentifier', text],
];

export const requestHeaders: readonly string[] = rows.map(([name]) => name);

const byName: ReadonlyMap<string, Row> = new Map(rows.map((row) => [row[0].toLowerCase(), row]));

/** Adds the header parameters to the primitive. Throws a CseError for a malformed one, except of a trace, which is then left out. */
export function readHeaders(headers: Headers, context: QueryContext, primitive: Writable<Parts>): void {
  const parts: Partial<Record<keyof HeaderParts, unknown>> = primitive;
  for (const name in headers) {
    const value = headers[name];
    const row = value !== undefined && name.startsWith('x-m2m-') ? byName.get(name) : undefined;
    if (row !== undefined && value !== undefined) parts[row[1]] = row[2](value, row[0], context);
  }
  const trace = readTrace(headers);
  if (trace !== undefined) primitive.trace = trace;
}

/** The headers of a request that this CSE sends. */
export function writeHeaders(request: RequestPrimitive, dialect: DialectName): Record<string, string> {
  const headers: Record<string, string> = request.trace ? traceHeaders(request.trace) : {};
  for (const [header, field, read] of rows) {
    const value = request[field];
    if (value !== undefined) headers[header] = textsOf(value, read, dialect).join('&');
  }
  return headers;
}
