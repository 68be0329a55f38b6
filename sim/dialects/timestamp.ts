/** Timestamps on the wire. The core keeps microseconds since 1970 UTC. */
import { microsecondsPerSecond } from '../core/numbers.ts';
import type { DialectName } from '../core/resource-type.ts';

export const timestampForms =
  /^(\d{4})-?(\d{2})-?(\d{2})[T ](\d{2}):?(\d{2}):?(\d{2})(?:[.,](\d+))?(?:(Z)|([+\- ])(\d{2})(?::?(\d{2}))?)?$/i;

/** Cache of written seconds: most timestamps in an answer are of the same few. */
const maxCachedSeconds = 512;

/** A new resource has the same time as ct and lt. */
const lastWritten = { microseconds: Number.NaN, text: '' };

/** `2017-03-02T16:12:53.350093+00:00` */
export function writeTimestamp(microseconds: number): string {
  if (microseconds === lastWritten.microseconds) return lastWritten.text;
  const second = Math.floor(microseconds / microsecondsPerSecond);
  const fraction = microseconds - second * microsecondsPerSecond;
  lastWritten.microseconds = microseconds;
  lastWritten.text = `${writeSecond(second)}.${String(microsecondsPerSecond + fraction).slice(1)}+00:00`;
  return lastWritten.text;
}

/** `20170302T161253,350093`, the form of TS-0004, clause 6.3.3. */
export function writeBasicTimestamp(microseconds: number): string {
  const second = Math.floor(microseconds / microsecondsPerSecond);
  const fraction = microseconds - second * microsecondsPerSecond;
  return `${writeBasicSecond(second)},${String(microsecondsPerSecond + fraction).slice(1)}`;
}

/** In the form of a dialect. */
export function writeTimestampIn(dialect: DialectName, microseconds: number): string {
  return dialect === 'onem2m' ? writeBasicTimestamp(microseconds) : writeTimestamp(microseconds);
}

const writeSecond = memoized((second) => new Date(second * 1000).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length));
const writeBasicSecond = memoized((second) => writeSecond(second).replace(/[-:]/g, ''));

function memoized(write: (second: number) => string): (second: number) => string {
  const written = new Map<number, string>();
  return (second) => {
    const known = written.get(second);
    if (known !== undefined) return known;
    if (written.size >= maxCachedSeconds) written.clear();
    const text = write(second);
    written.set(second, text);
    return text;
  };
}

/**
 * Reads every form of ISO 8601 date and time with seconds: `T` or a space, basic or extended, with or without fraction and
 * zone (UTC by default). A space before the offset is an unescaped plus sign in a query. Undefined for other texts.
 */
export function readTimestamp(text: string): number | undefined {
  const match = timestampForms.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const seconds = Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
  const date = new Date(seconds * 1000);
  const isValid =
    date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  const offset = offsetMinutes(match[9], match[10], match[11]);
  if (!isValid || offset === undefined || year < 100) return undefined;
  const microseconds = Number((match[7] ?? '').slice(0, 6).padEnd(6, '0'));
  return (seconds - offset * 60) * microsecondsPerSecond + microseconds;
}

function offsetMinutes(sign: string | undefined, hours = '0', minutes = '0'): number | undefined {
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
