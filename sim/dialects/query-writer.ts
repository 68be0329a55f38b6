/** The query of a request that this CSE sends: what `readQuery` reads. */
import type { RequestPrimitive } from '../core/primitive.ts';
import type { DialectName } from '../core/resource-type.ts';
import { parameters } from './query.ts';
import { moment } from './query-readers.ts';
import { writeBasicTimestamp, writeTimestamp } from './timestamp.ts';

const microsecondsPerSecond = 1_000_000;

/** Without a question mark; empty when there is nothing to say. */
export function writeQuery(request: RequestPrimitive, dialect: DialectName): string {
  const pairs: [string, string][] = [];
  const { filterCriteria = {} } = request;
  for (const [name, { part, field, read, words }] of Object.entries(parameters)) {
    const source = (part === 'criteria' ? filterCriteria : request) as Readonly<Record<string, unknown>>;
    const value = source[field];
    if (value === undefined) continue;
    if (name === 'rp') pairs.push([name, `PT${Number(value) / microsecondsPerSecond}S`]);
    else if (words) pairs.push([name, (value as readonly string[]).join(' ')]);
    else for (const one of [value].flat()) pairs.push([name, read === moment ? time(Number(one), dialect) : String(one)]);
  }
  const { attributes = [], childAttributes = [], parentAttributes = [] } = filterCriteria;
  for (const [name, value] of attributes) pairs.push([name, value]);
  for (const [name, value] of childAttributes) pairs.push([`c.${name}`, value]);
  for (const [name, value] of parentAttributes) pairs.push([`p.${name}`, value]);
  return pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
}

function time(microseconds: number, dialect: DialectName): string {
  return dialect === 'onem2m' ? writeBasicTimestamp(microseconds) : writeTimestamp(microseconds);
}
