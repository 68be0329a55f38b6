/** Request parameters in headers (TS-0009, clause 6.4), both ways. */
import type { RequestPrimitive } from '../core/primitive.ts';
import type { DialectName } from '../core/resource-type.ts';
import { readTrace, traceHeaders } from '../core/trace-context.ts';
import type { HttpRequest } from './http-message.ts';
import { malformed, momentOrDelay, type QueryContext, type Reader, text, textsOf } from './query-readers.ts';
import { readTimestamp } from './timestamp.ts';

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
