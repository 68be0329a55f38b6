/** Reads and writes the values of request parameters, in headers and in the query. */

import { ContentQueryError, readContentQuery } from '../core/content-query.ts';
import { millisecondsOf } from '../core/duration.ts';
import { microsecondsPerMillisecond, microsecondsPerSecond } from '../core/numbers.ts';
import type { DialectName } from '../core/resource-type.ts';
import { CseError } from '../core/status.ts';
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
export const momentOrDelay: Reader<number> = (value, name, { now }) => {
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

export function malformed(name: string, value: string, expected: string): never {
  throw new CseError('BAD_REQUEST', `${name} must be ${expected}, not ${JSON.stringify(value)}.`);
}

/** The inverse of reading: one text for each element of a list. */
export function textsOf(value: unknown, read: unknown, dialect: DialectName): readonly string[] {
  return [value].flat().map((one) => {
    if (read === lifespan) return `PT${Number(one) / microsecondsPerSecond}S`;
    return read === moment || read === momentOrDelay ? writeTimestampIn(dialect, Number(one)) : String(one);
  });
}
