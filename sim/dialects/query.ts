/** The query of a request: result content, discovery and filter criteria (TS-0009, clause 6.2.2.2). */
import type { FilterCriteria } from '../core/discover.ts';
import type { RequestPrimitive } from '../core/primitive.ts';
import { BAD_REQUEST, CseError } from '../core/status.ts';
import { readTimestamp } from './timestamp.ts';

type Reader = (text: string, name: string) => string | number;

interface Parameter {
  readonly field: string;
  readonly read: Reader;
  /** True when the parameter may be repeated; the values are alternatives. */
  readonly repeatable?: boolean;
}

interface Criterion extends Parameter {
  readonly field: keyof FilterCriteria;
}

const text: Reader = (value) => value;
const count: Reader = (value, name) => {
  const number = /^\d{1,15}$/.test(value) ? Number(value) : undefined;
  return number ?? malformed(name, value, 'a non-negative integer');
};
const position: Reader = (value, name) => {
  const number = count(value, name);
  return number !== 0 ? number : malformed(name, value, 'a positive integer');
};
const moment: Reader = (value, name) => readTimestamp(value) ?? malformed(name, value, 'an ISO 8601 date and time');
const oneOf =
  (...allowed: number[]): Reader =>
  (value, name) =>
    allowed.find((candidate) => String(candidate) === value) ?? malformed(name, value, `one of ${allowed.join(', ')}`);

const criteria: Readonly<Record<string, Criterion>> = {
  fu: { field: 'filterUsage', read: oneOf(1, 2) },
  lbl: { field: 'labels', read: text, repeatable: true },
  ty: { field: 'resourceTypes', read: count, repeatable: true },
  cty: { field: 'contentTypes', read: text, repeatable: true },
  crb: { field: 'createdBefore', read: moment },
  cra: { field: 'createdAfter', read: moment },
  ms: { field: 'modifiedSince', read: moment },
  us: { field: 'unmodifiedSince', read: moment },
  sts: { field: 'stateTagSmaller', read: count },
  stb: { field: 'stateTagBigger', read: count },
  exb: { field: 'expireBefore', read: moment },
  exa: { field: 'expireAfter', read: moment },
  sza: { field: 'sizeAbove', read: count },
  szb: { field: 'sizeBelow', read: count },
  lvl: { field: 'level', read: position },
  lim: { field: 'limit', read: count },
  ofst: { field: 'offset', read: position },
  fo: { field: 'filterOperation', read: oneOf(1, 2, 3) },
};

const others: Readonly<Record<string, Parameter & { readonly field: keyof QueryParts }>> = {
  rcn: { field: 'resultContent', read: count },
  drt: { field: 'desiredIdentifierResultType', read: oneOf(1, 2) },
};

/** What the query says of a request. An unknown, repeated or malformed parameter is a CseError. */
export function readQuery(query: string): QueryParts {
  const filter: Record<string, unknown> = {};
  const parts: Record<string, unknown> = {};
  const seen = new Set<string>();
  for (const [name, value] of parameters(query)) {
    const isCriterion = Object.hasOwn(criteria, name);
    const parameter = isCriterion ? criteria[name] : Object.hasOwn(others, name) ? others[name] : undefined;
    if (parameter === undefined) throw new CseError(BAD_REQUEST, `${JSON.stringify(name)} is not a query parameter.`);
    if (seen.has(name) && !parameter.repeatable) throw new CseError(BAD_REQUEST, `The query has ${name} twice.`);
    seen.add(name);
    add(isCriterion ? filter : parts, parameter, name, value);
  }
  return Object.keys(filter).length > 0 ? { ...parts, filterCriteria: filter } : parts;
}

type QueryParts = Pick<RequestPrimitive, 'resultContent' | 'desiredIdentifierResultType' | 'filterCriteria'>;

function add(to: Record<string, unknown>, { field, repeatable, read }: Parameter, name: string, value: string): void {
  if (value === '') throw new CseError(BAD_REQUEST, `${name} must not be empty.`);
  const one = read(value, name);
  to[field] = repeatable ? [...((to[field] as unknown[] | undefined) ?? []), one] : one;
}

function* parameters(query: string): Generator<[string, string]> {
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    yield [decode(name), equals < 0 ? '' : decode(pair.slice(equals + 1))];
  }
}

function decode(encoded: string): string {
  if (!/[%+]/.test(encoded)) return encoded;
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    throw new CseError(BAD_REQUEST, `The query has broken percent-encoding: ${JSON.stringify(encoded)}.`);
  }
}

function malformed(name: string, value: string, expected: string): never {
  throw new CseError(BAD_REQUEST, `${name} must be ${expected}, not ${JSON.stringify(value)}.`);
}
