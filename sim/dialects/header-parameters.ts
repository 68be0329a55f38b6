/** Request parameters that stand in headers (TS-0009, clause 6.4), both ways. */
import type { RequestPrimitive } from '../core/primitive.ts';
import type { DialectName } from '../core/resource-type.ts';
import type { HttpRequest } from './http-message.ts';
import { type Arrival, malformed, momentOrDelay, type Reader, text } from './query-readers.ts';
import { readTimestamp, writeBasicTimestamp, writeTimestamp } from './timestamp.ts';

type Headers = HttpRequest['headers'];

type HeaderParts = Pick<
  RequestPrimitive,
  | ('from' | 'requestIdentifier' | 'releaseVersionIndicator' | 'notificationTargets' | 'originatingTimestamp')
  | ('requestExpiration' | 'resultExpiration' | 'operationExecutionTime' | 'eventCategory' | 'vendorInformation')
  | 'groupRequestIdentifier'
>;

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

const time: Reader<string> = (value, name) =>
  readTimestamp(value) === undefined ? malformed(name, value, 'a time such as 20300101T000000') : value;

/** TS-0004, clause 6.3.4.2.19: immediate, best effort, latest, and what users define. */
const category: Reader<number> = (value, name) => {
  const number = /^\d{1,3}$/.test(value) ? Number(value) : Number.NaN;
  if ((number >= 2 && number <= 4) || number >= 100) return number;
  return malformed(name, value, '2, 3, 4 or a number from 100 to 999');
};

/** Values that contain `&` themselves cannot be told from two (TS-0009, clause 6.4.11). */
const targets: Reader<readonly string[]> = (value) =>
  value.split('&').flatMap((target) => (target.trim() === '' ? [] : [target.trim()]));

const seldom: readonly (readonly [
  header: string,
  field: keyof HeaderParts,
  read: Reader<string | number | readonly string[]>,
])[] = [
  ['x-m2m-rtu', 'notificationTargets', targets],
  ['x-m2m-ot', 'originatingTimestamp', time],
  ['x-m2m-ret', 'requestExpiration', momentOrDelay],
  ['x-m2m-rst', 'resultExpiration', momentOrDelay],
  ['x-m2m-oet', 'operationExecutionTime', momentOrDelay],
  ['x-m2m-ec', 'eventCategory', category],
  ['x-m2m-vsi', 'vendorInformation', text],
  ['x-m2m-gid', 'groupRequestIdentifier', text],
];

/** Puts what the headers say into the primitive. A malformed one is a CseError. */
export function readHeaders(headers: Headers, arrival: Arrival, primitive: Writable<HeaderParts>): void {
  if (headers['x-m2m-origin'] !== undefined) primitive.from = headers['x-m2m-origin'];
  if (headers['x-m2m-ri'] !== undefined) primitive.requestIdentifier = headers['x-m2m-ri'];
  if (headers['x-m2m-rvi'] !== undefined) primitive.releaseVersionIndicator = headers['x-m2m-rvi'];
  for (const [header, field, read] of seldom) {
    const value = headers[header];
    if (value !== undefined) Object.assign(primitive, { [field]: read(value, header.toUpperCase(), arrival) });
  }
}

/** The headers of a request that this CSE sends, spelled as in TS-0009: some receivers look for just that. */
export function writeHeaders(request: RequestPrimitive, dialect: DialectName): Record<string, string> {
  const { from, requestIdentifier, releaseVersionIndicator, notificationTargets, eventCategory } = request;
  const { vendorInformation, groupRequestIdentifier, originatingTimestamp } = request;
  const moment = (microseconds: number | undefined) =>
    microseconds === undefined ? undefined : written(microseconds, dialect);
  const headers: Record<string, string | undefined> = {
    'X-M2M-Origin': from,
    'X-M2M-RI': requestIdentifier,
    'X-M2M-RVI': releaseVersionIndicator,
    'X-M2M-RTU': notificationTargets?.join('&'),
    'X-M2M-OT': originatingTimestamp,
    'X-M2M-RET': moment(request.requestExpiration),
    'X-M2M-RST': moment(request.resultExpiration),
    'X-M2M-OET': moment(request.operationExecutionTime),
    'X-M2M-EC': eventCategory?.toString(),
    'X-M2M-VSI': vendorInformation,
    'X-M2M-GID': groupRequestIdentifier,
  };
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(given);
}

function written(microseconds: number, dialect: DialectName): string {
  return dialect === 'onem2m' ? writeBasicTimestamp(microseconds) : writeTimestamp(microseconds);
}
