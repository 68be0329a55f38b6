/** Parameters and filter criteria of a primitive to and from the query of an HTTP request (TS-0009, clause 6.2.2.2). */
import { isObject } from './body.ts';

/** By short parameter names. */
export type PrimitiveParameters = Readonly<Record<string, unknown>>;
export type QueryPair = readonly [string, string];

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Parameters with numeric values. */
const numeric = words('rcn drt fu ty sts stb sza szb lvl lim ofst fo cfs chty pty');
/** Request parameters in the query; the rest of it is filter criteria. */
const inQuery = words('rcn drt rp da rids tids ltids tqi');
const criteria = words(
  'crb cra ms us sts stb exb exa lbl clbl palb lbq ty chty pty sza szb cty fu lim smf fo cfs cfq lvl ofst arp gq ops gmty geom gsf sqi',
);
const manyOf = words('lbl clbl palb ty chty pty cty rids tids');
/** Criteria on attribute values: of the resource, of its children, of its parent. */
const valued = [
  ['atr', ''],
  ['catr', 'c.'],
  ['patr', 'p.'],
] as const;

/** The query parameters of a request. */
export function queryOf(primitive: PrimitiveParameters): QueryPair[] {
  const { fc, rt } = primitive;
  const pairs: QueryPair[] = [];
  for (const name of inQuery) {
    if (primitive[name] !== undefined) pairs.push(...pairsOf(name, primitive[name], name === 'rids'));
  }
  if (rt !== undefined) pairs.push(...pairsOf('rt', isObject(rt) ? rt.rtv : rt));
  if (isObject(fc)) pairs.push(...Object.entries(fc).flatMap(([name, value]) => criterionPairs(name, value)));
  return pairs;
}

function criterionPairs(name: string, value: unknown): QueryPair[] {
  const prefix = valued.find(([one]) => one === name)?.[1];
  if (prefix === undefined || !Array.isArray(value)) return pairsOf(name, value);
  return value.filter(isObject).map(({ nm, val }) => [`${prefix}${String(nm)}`, String(val)]);
}

function pairsOf(name: string, value: unknown, asWords = false): QueryPair[] {
  if (value === undefined) return [];
  const texts = [value].flat().map(String);
  return asWords ? [[name, texts.join(' ')]] : texts.map((text) => [name, text]);
}

/** The parameters of a query, notification targets, and the content, which for a partial retrieve is in the query too. */
export function fromQuery(query: string, targets: string | undefined, content: unknown): PrimitiveParameters {
  const fc: Record<string, unknown> = {};
  const parameters: Record<string, unknown> = {};
  let pc = content;
  for (const [name, value] of new URLSearchParams(query)) {
    if (name === 'rt') continue;
    if (name === 'atrl') pc = { 'm2m:atrl': value.split(/[\s,]+/) };
    else if (inQuery.has(name)) put(parameters, name, value);
    else if (criteria.has(name)) put(fc, name, value);
    else putValued(fc, name, value);
  }
  const [rtv] = new URLSearchParams(query).getAll('rt').map(Number);
  const nu = targets?.split('&');
  const rt = rtv === undefined && nu === undefined ? undefined : withoutUndefined({ rtv, nu });
  return withoutUndefined({ ...parameters, rt, fc: Object.keys(fc).length > 0 ? fc : undefined, pc });
}

function put(into: Record<string, unknown>, name: string, text: string): void {
  const value = numeric.has(name) && /^\d+$/.test(text) ? Number(text) : text;
  const before = Object.hasOwn(into, name) ? into[name] : undefined;
  if (manyOf.has(name) || before !== undefined) into[name] = [...[before ?? []].flat(), value];
  else into[name] = value;
}

function putValued(fc: Record<string, unknown>, name: string, val: string): void {
  const [, prefix = '', nm = name] = /^([cp]\.)(.*)$/s.exec(name) ?? [];
  const field = valued.find(([, one]) => one === prefix)?.[0] ?? 'atr';
  fc[field] = [...[fc[field] ?? []].flat(), { nm, val }];
}

export const withoutUndefined = (all: PrimitiveParameters): Record<string, unknown> =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
