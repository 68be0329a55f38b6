/** The query of a request that this CSE sends: what `readQuery` reads. */
import { microsecondsPerSecond } from '../core/numbers.ts';
import type { RequestPrimitive } from '../core/primitive.ts';
import type { DialectName } from '../core/resource-type.ts';
import { type Parameter, parameters } from './query.ts';
import { lasting, moment } from './query-readers.ts';
import { writeTimestampIn } from './timestamp.ts';

/** Without a question mark; empty when there is nothing to say. */
export function writeQuery(request: RequestPrimitive, dialect: DialectName): string {
  const { filterCriteria = {} } = request;
  const sources: Record<Parameter['part'], Readonly<Record<string, unknown>>> = {
    criteria: { ...filterCriteria },
    request: { ...request },
  };
  const pairs = Object.entries(parameters).flatMap(([name, parameter]) => {
    const value = sources[parameter.part][parameter.field];
    return value === undefined ? [] : texts(value, parameter, dialect).map((text) => [name, text] as const);
  });
  const { attributes = [], childAttributes = [], parentAttributes = [] } = filterCriteria;
  const others = [
    ...attributes,
    ...childAttributes.map(([name, value]) => [`c.${name}`, value] as const),
    ...parentAttributes.map(([name, value]) => [`p.${name}`, value] as const),
  ];
  return [...pairs, ...others].map(([name, text]) => `${name}=${encodeURIComponent(text)}`).join('&');
}

/** One text for each time that the parameter stands in the query. */
function texts(value: unknown, { read, words }: Parameter, dialect: DialectName): string[] {
  if (words) return [(value as readonly string[]).join(' ')];
  if (read === lasting) return [`PT${Number(value) / microsecondsPerSecond}S`];
  if (read === moment) return [writeTimestampIn(dialect, Number(value))];
  return [value].flat().map(String);
}
