/**
 * Converts between the HTTP-like messages of the harness and serialized primitives (TS-0004, clauses 6.4 and 8.4), as in MQTT.
 * Shares no code with the simulator, so that no error of it excuses itself.
 */
import { headerOf, isObject, listOf } from '../basics/body.ts';
import type { Serialization } from '../grammar/dialects.ts';
import type { ReceivedAnswer, SentRequest } from '../results/exchange.ts';
import { bodyText } from './serialization.ts';
import type { HeaderList, RequestMessage } from './target.ts';

/** Short names (TS-0004, table 8.2.2-1) by HTTP header. */
const names: ReadonlyMap<string, string> = new Map([
  ['x-m2m-ri', 'rqi'],
  ['x-m2m-rvi', 'rvi'],
  ['x-m2m-origin', 'fr'],
  ['x-m2m-ot', 'ot'],
  ['x-m2m-ret', 'rqet'],
  ['x-m2m-rst', 'rset'],
  ['x-m2m-oet', 'oet'],
  ['x-m2m-ec', 'ec'],
  ['x-m2m-vsi', 'vsi'],
  ['x-m2m-gid', 'gid'],
  ['x-m2m-rsc', 'rsc'],
  ['x-m2m-cts', 'cts'],
  ['x-m2m-cto', 'cto'],
]);
const operations: ReadonlyMap<string, number> = new Map([
  ['POST', 1],
  ['GET', 2],
  ['PUT', 3],
  ['DELETE', 4],
]);
const notify = 5;
/** No operation has this number (TS-0004, table 6.3.4.2.5-1). */
const noOperation = 99;

/** Of a request with a resource type or without; a POST without one is a notification. */
export const operationOf = (method: string, type: string | undefined): number =>
  method === 'POST' && type === undefined ? notify : (operations.get(method) ?? noOperation);

/** A method without an operation. */
export const methodOfNone = 'PATCH';

/** Parameters in the HTTP query beside the filter criteria. */
const queryParameters: ReadonlySet<string> = new Set(['rcn', 'drt', 'rp', 'da', 'ltids', 'tqi']);
/** Parameters with several names in one value. */
const words: ReadonlySet<string> = new Set(['rids', 'tids']);
/** Criteria whose value is a list, even with one element. */
const lists: ReadonlySet<string> = new Set(['lbl', 'ty', 'cty', 'chty', 'clbl', 'pty', 'palb']);
const criteria: ReadonlySet<string> = new Set([
  ...lists,
  ...['crb', 'cra', 'ms', 'us', 'sts', 'stb', 'exb', 'exa', 'sza', 'szb', 'fu', 'lim', 'ofst', 'lvl', 'fo', 'arp'],
  ...['cfs', 'cfq', 'smf', 'lbq', 'ops', 'gq', 'gmty', 'geom', 'gsf', 'sqi'],
]);
/** Parameters whose values are numbers if they look like one. */
const numeric: ReadonlySet<string> = new Set(
  'rcn drt ec rsc cts cto ty chty pty fu lim ofst lvl fo cfs sts stb sza szb'.split(' '),
);

type Fields = Record<string, unknown>;

/** Accepts everything: callers object beforehand to what a primitive cannot express. */
export function primitiveOf({ method, path, headers, body }: RequestMessage): Fields {
  const [address = '', query = ''] = path.split(/\?(.*)/s);
  const type = /;\s*ty=(\d+)/.exec(headerOf(headers, 'content-type') ?? '')?.[1];
  const fields: Fields = {
    op: operationOf(method, type),
    to: addressOf(address),
    ...primitiveFields(headers),
  };
  if (type !== undefined) fields.ty = Number(type);
  if (body !== undefined && body.length > 0) fields.pc = JSON.parse(bodyText({ headers, body }));
  return { ...fields, ...fromQuery(new URLSearchParams(query), headerOf(headers, 'x-m2m-rtu')) };
}

/** The fields of a primitive from HTTP headers. */
export const primitiveFields = (headers: HeaderList): Fields =>
  Object.fromEntries(
    headers.flatMap(([header, text]) => {
      const name = names.get(header.toLowerCase());
      return name === undefined ? [] : [[name, readAs(name, text)]];
    }),
  );

/** Undefined for anything but a response primitive. */
export function answerOf(primitive: unknown, serialization: Serialization = 'json'): ReceivedAnswer | undefined {
  if (!isObject(primitive) || !Number.isInteger(primitive.rsc)) return undefined;
  const { rsc, pc } = primitive;
  const headers = primitiveHeaders(primitive);
  if (pc === undefined) return { status: statusOf(Number(rsc)), headers, body: '' };
  return {
    status: statusOf(Number(rsc)),
    headers: [...headers, ['content-type', `application/${serialization}`]],
    body: JSON.stringify(pc),
  };
}

/** A notification from the target, as it would come over HTTP; undefined for any other primitive. */
export function notificationOf(
  primitive: unknown,
  serialization: Serialization = 'json',
): { readonly headers: HeaderList; readonly body: string } | undefined {
  if (!isObject(primitive) || primitive.op !== notify) return undefined;
  const { pc } = primitive;
  return {
    headers: [...primitiveHeaders(primitive), ['content-type', `application/${serialization}`]],
    body: JSON.stringify(pc ?? null),
  };
}

/** HTTP status of a code (TS-0009, table 6.3.2-1), exact for the codes that matter to callers. */
export function statusOf(code: number): number {
  if (code < 2000) return 202;
  if (code < 3000) return code === 2001 ? 201 : 200;
  if (code === 4004 || code === 5103) return 404;
  if (code === 4103) return 403;
  if (code === 4105) return 409;
  return code < 5000 ? 400 : 500;
}

/** `/x` is CSE-relative, `/~/x` SP-relative and `/_/x` absolute (TS-0009, clause 6.2.2.1). */
function addressOf(path: string): string {
  const [, mark = '', rest = ''] = /^\/([~_]\/)?(.*)$/s.exec(path) ?? [];
  return (mark === '' ? '' : mark === '~/' ? '/' : '//') + rest.split('/').map(decodeURIComponent).join('/');
}

function fromQuery(query: URLSearchParams, targets: string | undefined): Fields {
  const [fields, fc]: [Fields, Fields] = [{}, {}];
  for (const name of new Set(query.keys())) {
    const texts = query.getAll(name);
    if (name === 'atrl') fields.pc = { 'm2m:atrl': wordsOf(texts) };
    else if (words.has(name)) fields[name] = wordsOf(texts);
    else if (queryParameters.has(name)) fields[name] = valueIn(name, texts);
    else if (criteria.has(name)) fc[name] = valueIn(name, texts);
    else if (name !== 'rt') add(fc, name, texts);
  }
  if (Object.keys(fc).length > 0) fields.fc = fc;
  const rtv = query.get('rt');
  const rt = { ...(rtv !== null && { rtv: Number(rtv) }), ...(targets !== undefined && { nu: targets.split('&') }) };
  return Object.keys(rt).length > 0 ? { ...fields, rt } : fields;
}

const wordsOf = (texts: readonly string[]): string[] => texts.flatMap((text) => text.split(/[\s,]+/));

function valueIn(name: string, texts: readonly string[]): unknown {
  const values = texts.map((text) => readAs(name, text));
  return values.length > 1 || lists.has(name) ? values : values[0];
}

/** Attribute filters: `c.` prefixes those of children, `p.` those of the parent. */
function add(fields: Fields, name: string, values: readonly string[]): void {
  const key = name.startsWith('c.') ? 'catr' : name.startsWith('p.') ? 'patr' : 'atr';
  const nm = key === 'atr' ? name : name.slice(2);
  fields[key] = [...[fields[key] ?? []].flat(), ...values.map((val) => ({ nm, val }))];
}

const readAs = (name: string, text: string): unknown => (numeric.has(name) && /^\d+$/.test(text) ? Number(text) : text);

/** The HTTP headers of a primitive. */
export function primitiveHeaders(primitive: Readonly<Fields>): Array<[string, string]> {
  return [...names].flatMap(([header, name]): Array<[string, string]> => {
    const value = Object.hasOwn(primitive, name) ? primitive[name] : undefined;
    return value === undefined || value === null ? [] : [[header, String(value)]];
  });
}

/** Whether messages beside HTTP carry the header. */
export const isParameter = (header: string): boolean => names.has(header.toLowerCase());

/** As a level of a topic (TS-0010, clause 6.4.2). */
export const levelOf = (identifier: string): string =>
  identifier.replace(/^\/\//, ':').replace(/^\//, '').replaceAll('/', ':');

/** SP-relative form of an AE-ID (TS-0001, clause 7.2). */
export const spRelative = (originator: string, cseId: string): string =>
  /^[S/]/.test(originator) ? originator : `/${cseId}/${originator}`;

// Converts request primitives of others to HTTP: the inverse of `primitiveOf`.

const methods: readonly string[] = ['', 'POST', 'GET', 'PUT', 'DELETE'];
/** Parameters in the HTTP query beside the filter criteria (TS-0009, table 6.2.2.2-1). */
const parameters = ['rcn', 'drt', 'rp', 'da', 'ltids', 'tqi', 'rids', 'tids'] as const;
/** Attribute filters, and the prefix of their names. */
const attributes = [
  ['atr', ''],
  ['catr', 'c.'],
  ['patr', 'p.'],
] as const;

/** Undefined for anything but a request, and for notifications, which a CSE sends itself. */
export function requestFrom(primitive: Readonly<Record<string, unknown>>): SentRequest | undefined {
  const { op, to, ty, pc, rt } = primitive;
  const method = methods[Number(op)];
  if (!method || typeof to !== 'string') return undefined;
  const query = new URLSearchParams(queryOf(primitive)).toString();
  const { nu } = isObject(rt) ? rt : {};
  const body = pc === undefined || namesIn(pc) !== undefined ? undefined : JSON.stringify(pc);
  const type = ty === undefined ? 'application/json' : `application/json;ty=${String(ty)}`;
  return {
    method,
    path: pathOf(to) + (query === '' ? '' : `?${query}`),
    headers: [
      ...primitiveHeaders(primitive),
      ...(Array.isArray(nu) ? [['x-m2m-rtu', nu.join('&')] as const] : []),
      ['accept', 'application/json'],
      ...(body === undefined && ty === undefined ? [] : [['content-type', type] as const]),
    ],
    ...(body !== undefined && { body }),
  };
}

function queryOf({ fc, rt, pc, ...others }: Readonly<Record<string, unknown>>): string[][] {
  const criteria = Object.entries(isObject(fc) ? fc : {});
  const names = namesIn(pc);
  return [
    ...parameters.flatMap((name) => pairsOf(name, others[name])),
    ...criteria.flatMap(([name, value]) => {
      const before = attributes.find(([one]) => one === name)?.[1];
      if (before === undefined) return pairsOf(name, value);
      return [value].flat().flatMap((one) => (isObject(one) ? pairsOf(`${before}${String(one.nm)}`, one.val) : []));
    }),
    ...(isObject(rt) ? pairsOf('rt', rt.rtv) : []),
    ...(names === undefined ? [] : [['atrl', names.join(' ')]]),
  ];
}

const pairsOf = (name: string, value: unknown): string[][] =>
  value === undefined || value === null ? [] : [value].flat().map((one) => [name, String(one)]);

/** Names of attributes to read, which are in the HTTP query. */
const namesIn = (content: unknown): readonly unknown[] | undefined =>
  isObject(content) && 'm2m:atrl' in content ? listOf(content['m2m:atrl']) : undefined;

/** CSE-relative, SP-relative and absolute (TS-0009, clause 6.2.2.1). */
function pathOf(to: string): string {
  const [, mark = '', rest = ''] = /^(\/{0,2})(.*)$/s.exec(to) ?? [];
  return ['/', '/~/', '/_/'][mark.length] + rest.split('/').map(encodeURIComponent).join('/');
}
