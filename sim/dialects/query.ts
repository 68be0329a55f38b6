/** The query of a request, both ways: request parameters and filter criteria (TS-0009, clause 6.2.2.2). */
import type { FilterCriteria } from '../core/filter-criteria.ts';
import type { RequestPrimitive } from '../core/primitive.ts';
import type { DialectName } from '../core/resource-type.ts';
import { CseError } from '../core/status.ts';
import {
  contentQuery,
  count,
  lifespan,
  moment,
  oneOf,
  position,
  type QueryContext,
  type Reader,
  text,
  textsOf,
  truth,
} from './query-readers.ts';

export interface QueryRules extends QueryContext {
  /** In the standard `+` separates values of a list (TS-0009, clause 6.2.2.2), otherwise it is a space. */
  readonly dialect: DialectName;
  /** Short names of all attributes, which can be criteria. */
  readonly attributes: ReadonlySet<string>;
}

type QueryParts = Pick<
  RequestPrimitive,
  | ('resultContent' | 'desiredIdentifierResultType' | 'filterCriteria' | 'attributeList')
  | ('responseType' | 'resultPersistence' | 'roles')
>;

export interface Parameter {
  /** Where the value goes. */
  readonly part: 'request' | 'criteria';
  readonly field: string;
  readonly read: Reader;
  /** True if the parameter may be repeated; the values are alternatives. */
  readonly repeatable?: boolean;
  /** True for several names in one value. */
  readonly words?: boolean;
}

const criterion = (field: keyof FilterCriteria, read: Reader): Parameter => ({ part: 'criteria', field, read });
const criteria = (field: keyof FilterCriteria, read: Reader): Parameter => ({
  ...criterion(field, read),
  repeatable: true,
});
const request = (field: keyof QueryParts, read: Reader): Parameter => ({ part: 'request', field, read });

export const queryParameters: Readonly<Record<string, Parameter>> = {
  fu: criterion('filterUsage', oneOf(1, 2)),
  lbl: criteria('labels', text),
  ty: criteria('resourceTypes', count),
  cty: criteria('contentTypes', text),
  crb: criterion('createdBefore', moment),
  cra: criterion('createdAfter', moment),
  ms: criterion('modifiedSince', moment),
  us: criterion('unmodifiedSince', moment),
  sts: criterion('stateTagSmaller', count),
  stb: criterion('stateTagBigger', count),
  exb: criterion('expireBefore', moment),
  exa: criterion('expireAfter', moment),
  sza: criterion('sizeAbove', count),
  szb: criterion('sizeBelow', count),
  lvl: criterion('level', position),
  lim: criterion('limit', count),
  ofst: criterion('offset', position),
  fo: criterion('filterOperation', oneOf(1, 2, 3)),
  cfs: criterion('contentSyntax', oneOf(1)),
  cfq: criterion('contentQuery', contentQuery),
  arp: criterion('applyRelativePath', text),
  chty: criteria('childResourceTypes', count),
  clbl: criteria('childLabels', text),
  pty: criteria('parentResourceTypes', count),
  palb: criteria('parentLabels', text),
  rcn: request('resultContent', count),
  drt: request('desiredIdentifierResultType', oneOf(1, 2)),
  rt: request('responseType', oneOf(1, 2, 3, 4, 5)),
  rp: request('resultPersistence', lifespan),
  atrl: { ...request('attributeList', text), repeatable: true, words: true },
  rids: { ...request('roles', text), repeatable: true, words: true },
};

/** Criteria on attributes of the resource, of its children, of its parent. */
const attributeFields = { '': 'attributes', 'c.': 'childAttributes', 'p.': 'parentAttributes' } as const;

/** Parameters of unsupported features of the standard: semantics, locations, tokens. */
const notImplemented: ReadonlySet<string> = new Set([
  ...['smf', 'sqi', 'lbq', 'gmty', 'geom', 'gsf'],
  ...['tids', 'ltids', 'tqi'],
]);

const lenient: QueryRules = { dialect: 'documented', attributes: new Set(), now: () => 0 };

/** The parameters in a query. Throws a CseError for an unknown, repeated or malformed one. */
export function readQuery(query: string, rules: QueryRules = lenient): QueryParts {
  const read: ReadParts = { criteria: {}, request: {} };
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const encoded = equals < 0 ? '' : pair.slice(equals + 1);
    const parameter = Object.hasOwn(queryParameters, name) ? queryParameters[name] : undefined;
    if (parameter === undefined) readOther(name, encoded, rules, read.criteria);
    else readKnown(name, parameter, encoded, rules, read);
  }
  const { criteria: filterCriteria, request: parts } = read;
  if ('contentSyntax' in filterCriteria && !('contentQuery' in filterCriteria)) {
    throw new CseError('BAD_REQUEST', 'cfs is the syntax of cfq, which is missing.');
  }
  return Object.keys(filterCriteria).length > 0 ? { ...parts, filterCriteria } : parts;
}

type ReadParts = Readonly<Record<Parameter['part'], Record<string, unknown>>>;

/** `encoded` is as in the query. */
function readKnown(name: string, parameter: Parameter, encoded: string, rules: QueryRules, read: ReadParts): void {
  const { field, part, repeatable } = parameter;
  const before = read[part][field];
  if (before !== undefined && !repeatable) throw new CseError('BAD_REQUEST', `The query has ${name} twice.`);
  const values = valuesOf(parameter, encoded, rules).map((value) => {
    if (value === '') throw new CseError('BAD_REQUEST', `${name} must not be empty.`);
    return parameter.read(value, name, rules);
  });
  read[part][field] = repeatable ? [...((before as unknown[] | undefined) ?? []), ...values] : values[0];
}

function valuesOf({ repeatable, words }: Parameter, encoded: string, { dialect }: QueryRules): string[] {
  if (words) return decode(encoded).split(/[\s,]+/);
  if (repeatable && dialect === 'onem2m') return encoded.split('+').map(decode);
  return [decode(encoded)];
}

function readOther(name: string, encoded: string, rules: QueryRules, criteria: Record<string, unknown>): void {
  const [, prefix = '', attribute = ''] = /^([cp]\.)?(.*)$/s.exec(name) ?? [];
  if (rules.attributes.has(attribute)) {
    const field = attributeFields[prefix as keyof typeof attributeFields];
    criteria[field] = [...((criteria[field] as unknown[] | undefined) ?? []), [attribute, decode(encoded)]];
  } else if (name === 'da') {
    // Delivery aggregation permits delivering each request by itself, as here.
    truth(decode(encoded), name, rules);
  } else if (notImplemented.has(name)) {
    throw new CseError('NOT_IMPLEMENTED', `The query parameter ${name} is not implemented here.`);
  } else throw new CseError('BAD_REQUEST', `${JSON.stringify(name)} is not a query parameter.`);
}

function decode(encoded: string): string {
  if (!/[%+]/.test(encoded)) return encoded;
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    throw new CseError('BAD_REQUEST', `The query has broken percent-encoding: ${JSON.stringify(encoded)}.`);
  }
}

/** The query of an outgoing request: without a question mark, and empty without parameters. */
export function writeQuery(request: RequestPrimitive, dialect: DialectName): string {
  const { filterCriteria = {} } = request;
  const sources: Record<Parameter['part'], Readonly<Record<string, unknown>>> = {
    criteria: { ...filterCriteria },
    request: { ...request },
  };
  const pairs = Object.entries(queryParameters).flatMap(([name, { part, field, read, words }]) => {
    const value = sources[part][field];
    if (value === undefined) return [];
    const texts = textsOf(value, read, dialect);
    return (words ? [texts.join(' ')] : texts).map((text) => [name, text] as const);
  });
  const others = Object.entries(attributeFields).flatMap(([prefix, field]) =>
    (filterCriteria[field] ?? []).map(([name, value]) => [`${prefix}${name}`, value] as const),
  );
  return [...pairs, ...others].map(([name, text]) => `${name}=${encodeURIComponent(text)}`).join('&');
}
