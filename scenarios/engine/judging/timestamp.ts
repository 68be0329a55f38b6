import { headersOf } from '../basics/body.ts';
import { memoized } from '../basics/memoize.ts';
import type { Dialect } from '../grammar/dialects.ts';
import type { TimestampForm } from '../grammar/grammar-step.ts';
import type { Exchange } from '../results/exchange.ts';

/** Microseconds since 1970-01-01T00:00:00Z. */
export type Instant = bigint;

const documentedShape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}[+-]\d{2}:\d{2}$/;
const anyShape = /^(\d{4})-?(\d{2})-?(\d{2})[T ](\d{2}):?(\d{2}):?(\d{2})(?:[.,](\d{1,9}))?(Z|[+-]\d{2}:?\d{2})?$/;

/** YYYY-MM-DDTHH:MM:SS.ffffff+00:00 (section "Wire conventions"), and a date that exists. */
export function isDocumentedTimestamp(value: unknown): boolean {
  return typeof value === 'string' && documentedShape.test(value) && parseTimestamp(value) !== undefined;
}

/** Characters of the longest timestamp. */
const longest = 35;

/**
 * Reads every form in use; a missing zone is UTC. Undefined for any other text, and for unreal dates. Memoized, as the timestamps
 * of a resource recur in each representation.
 */
export const parseTimestamp = memoized(readAnew, { most: 1_000, longest });

function readAnew(text: string): Instant | undefined {
  const match = text.length > longest ? null : anyShape.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] = match;
  const written = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const date = new Date(`${written}Z`);
  const isReal = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(written);
  const offset = offsetOf(zone);
  if (!isReal || offset === undefined) return undefined;
  return BigInt(date.getTime() - offset * 60_000) * 1000n + BigInt(fraction.padEnd(6, '0').slice(0, 6));
}

/** Minutes east of UTC. */
function offsetOf(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(-2));
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

/** Writes an instant, in UTC, in one of the forms that a client may send. */
export function writeTimestamp(instant: Instant, form: TimestampForm): string {
  const roundUp = form === 'to the second, rounded up';
  const exact = roundUp ? ((instant + 999_999n) / 1_000_000n) * 1_000_000n : instant;
  const seconds = new Date(Number(exact / 1000n)).toISOString().slice(0, 19);
  const fraction = String(exact % 1_000_000n).padStart(6, '0');
  const basic = `${seconds.replace(/[-:]/g, '')},${fraction}`;
  const forms: Record<TimestampForm, string> = {
    'as documented': `${seconds}.${fraction}+00:00`,
    'with a space': `${seconds.replace('T', ' ')}.${fraction}+00:00`,
    basic: `${basic}+0000`,
    'basic without zone': basic,
    'without zone': `${seconds}.${fraction}`,
    'with Z': `${seconds}.${fraction}Z`,
    'to the second, rounded up': `${seconds}+00:00`,
  };
  return forms[form];
}

/** Milliseconds that a clock may be off without notice; Date has whole seconds only (RFC 9110 6.6.1). */
const tolerance = 5000;

/** Milliseconds by which the target's clock is ahead, according to its answer; 0 if unknown or within the tolerance. */
export function clockAhead({ answer }: Exchange, now = Date.now()): number {
  const headers = headersOf(answer);
  const original = parseTimestamp(headers.get('x-m2m-ot') ?? '');
  const reported = original === undefined ? Date.parse(headers.get('date') ?? '') : Number(original / 1000n);
  const ahead = reported - now;
  return Number.isFinite(ahead) && Math.abs(ahead) > tolerance ? ahead : 0;
}

/** An expiration time so many milliseconds from now, as the dialect writes it (TS-0004 6.3.3, m2m:timestamp). */
export function expirationIn(milliseconds: number, dialect: Dialect, now = Date.now()): string {
  const instant = BigInt(Math.round(now + milliseconds)) * 1000n;
  if (dialect === 'documented') return writeTimestamp(instant, 'as documented');
  return writeTimestamp(instant, 'basic without zone').split(',', 1)[0] ?? '';
}
