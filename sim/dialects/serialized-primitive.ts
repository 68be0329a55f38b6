/**
 * Primitives that are serialized whole (TS-0004, clauses 6.4 and 8), as MQTT and WebSocket carry them, from and to the messages
 * of the HTTP binding: what is put around a service or a sender sees one kind of message, whatever the wire.
 */

import { operationNumbers } from '../core/numbers.ts';
import type { DialectName } from '../core/resource-type.ts';
import { statuses, statusOf } from '../core/status.ts';
import { inLowerCase, isObject, jsonIn } from './body.ts';
import { cborIn } from './cbor.ts';
import { type HttpRequest, type HttpResponse, methodOf } from './http-message.ts';
import type { OutgoingAnswer, OutgoingRequest } from './outgoing-message.ts';
import { pathOf } from './target.ts';

/** By short names of parameters. */
type Parameters = Readonly<Record<string, unknown>>;

/** Parameters of both kinds of primitives that are headers of HTTP (TS-0009, clause 6.4). */
const shared = [
  ['rqi', 'x-m2m-ri'],
  ['rvi', 'x-m2m-rvi'],
  ['ot', 'x-m2m-ot'],
  ['rset', 'x-m2m-rst'],
  ['ec', 'x-m2m-ec'],
  ['vsi', 'x-m2m-vsi'],
] as const;
const ofRequests = [
  ...shared,
  ['fr', 'x-m2m-origin'],
  ['rqet', 'x-m2m-ret'],
  ['oet', 'x-m2m-oet'],
  ['gid', 'x-m2m-gid'],
] as const;
const ofResponses = [...shared, ['rsc', 'x-m2m-rsc'], ['cts', 'x-m2m-cts'], ['cto', 'x-m2m-cto']] as const;

/** Those whose values are numbers. */
const numeric: ReadonlySet<string> = new Set([
  ...[
    'rsc',
    'cts',
    'cto',
    'ec',
    'rcn',
    'drt',
    'fu',
    'ty',
    'sts',
    'stb',
    'sza',
    'szb',
    'lvl',
    'lim',
    'ofst',
    'fo',
    'cfs',
  ],
  ...['chty', 'pty'],
]);
/** Parameters of a request that the query of HTTP holds; the rest of it is filter criteria (TS-0009, clause 6.2.2.2). */
const inQuery: readonly string[] = ['rcn', 'drt', 'rp', 'da', 'rids', 'tids', 'ltids', 'tqi'];
const criteria: ReadonlySet<string> = new Set([
  ...[
    'crb',
    'cra',
    'ms',
    'us',
    'sts',
    'stb',
    'exb',
    'exa',
    'lbl',
    'clbl',
    'palb',
    'lbq',
    'ty',
    'chty',
    'pty',
    'sza',
    'szb',
  ],
  ...['cty', 'fu', 'lim', 'smf', 'fo', 'cfs', 'cfq', 'lvl', 'ofst', 'arp', 'gq', 'ops', 'gmty', 'geom', 'gsf', 'sqi'],
]);
const manyOf: ReadonlySet<string> = new Set(['lbl', 'clbl', 'palb', 'ty', 'chty', 'pty', 'cty', 'rids', 'tids']);
/** Attributes that have to have a value: of the resource, of its children, of its parent. */
const valued = [
  ['atr', ''],
  ['catr', 'c.'],
  ['patr', 'p.'],
] as const;

const methods: ReadonlyMap<unknown, string> = new Map(
  Object.entries(operationNumbers).map(([operation, number]) => [number, methodOf[operation as keyof typeof methodOf]]),
);
const byMethod: ReadonlyMap<string, number> = new Map(
  Object.entries(methodOf)
    .filter(([operation]) => operation !== 'notify')
    .map(([operation, method]) => [method, operationNumbers[operation as keyof typeof operationNumbers]]),
);

const utf8 = new TextEncoder();

/** A request primitive as an HTTP request; undefined for what is none, since it names no operation or no address. */
export function asHttpRequest(primitive: unknown, dialect: DialectName): HttpRequest | undefined {
  if (!isObject(primitive)) return undefined;
  const { op, to, pc, ty } = primitive;
  const method = methods.get(op);
  if (method === undefined || typeof to !== 'string') return undefined;
  const { query, content } = op === operationNumbers.retrieve ? partial(pc) : { query: [], content: pc };
  const media = dialect === 'onem2m' ? 'application/json' : 'application/vnd.onem2m-res+json';
  const headers: Record<string, string | undefined> = {
    ...textsIn(primitive, ofRequests),
    ...targetsIn(primitive.rt),
    ...(content !== undefined && { 'content-type': ty === undefined ? media : `${media};ty=${String(ty)}` }),
  };
  return {
    method,
    target: targetOf(to, [...queryOf(primitive), ...query]),
    headers,
    body: content === undefined ? new Uint8Array(0) : utf8.encode(JSON.stringify(content)),
  };
}

/** An HTTP answer as a response primitive; undefined where none is to be sent, since the request asked for none. */
export function asResponse(
  { headers, body }: HttpResponse,
  between: { to?: unknown; fr?: string },
): Parameters | undefined {
  const lower = inLowerCase(headers);
  if (lower['x-m2m-rsc'] === undefined) return undefined;
  const content = contentOf(body);
  return { ...parametersIn(lower, ofResponses), ...given({ ...between, pc: content }) };
}

/** A request that is to be sent, as a primitive. Its receiver stands for an address where it is sent to a point of access. */
export function asRequest({ method, target, headers, body, receiver }: OutgoingRequest): Parameters {
  const lower = inLowerCase(headers);
  const content = body === undefined ? undefined : contentOf(body);
  const ty = /;\s*ty=(\d+)/.exec(lower['content-type'] ?? '')?.[1];
  const isNotification = method === 'POST' && ty === undefined;
  const { to, query } = readPath(target);
  return {
    op: isNotification ? operationNumbers.notify : byMethod.get(method),
    to: receiver ?? to,
    ...parametersIn(lower, ofRequests),
    ...given({ ty: ty === undefined ? undefined : Number(ty) }),
    ...fromQuery(receiver === undefined ? query : '', lower['x-m2m-rtu'], content),
  };
}

/** A response primitive as an HTTP answer; undefined for what is none. */
export function asAnswer(primitive: unknown): OutgoingAnswer | undefined {
  if (!isObject(primitive) || !Number.isInteger(primitive.rsc)) return undefined;
  const code = Number(primitive.rsc);
  const { http } = statusOf(code, code < 3000 ? statuses.OK.http : code < 5000 ? 400 : 500);
  const { pc } = primitive;
  const type = pc === undefined ? {} : { 'content-type': 'application/json' };
  return {
    status: http,
    headers: { ...textsIn(primitive, ofResponses), ...type },
    body: pc === undefined ? '' : JSON.stringify(pc),
  };
}

/** The content of a partial retrieve names attributes, which HTTP has in the query (TS-0004, clause 7.4.2; TS-0009, 6.2.2.2). */
function partial(pc: unknown): { readonly query: Pair[]; readonly content: unknown } {
  const names = isObject(pc) ? pc['m2m:atrl'] : undefined;
  return Array.isArray(names) ? { query: [['atrl', names.join(' ')]], content: undefined } : { query: [], content: pc };
}

type Pair = readonly [string, string];

function queryOf(primitive: Parameters): Pair[] {
  const { fc, rt } = primitive;
  const wanted = isObject(rt) ? rt.rtv : rt;
  return [
    ...inQuery.flatMap((name) => pairsOf(name, primitive[name], name === 'rids')),
    ...pairsOf('rt', wanted),
    ...Object.entries(isObject(fc) ? fc : {}).flatMap(([name, value]) => criterionPairs(name, value)),
  ];
}

function criterionPairs(name: string, value: unknown): Pair[] {
  const prefix = valued.find(([one]) => one === name)?.[1];
  if (prefix === undefined || !Array.isArray(value)) return pairsOf(name, value);
  return value.filter(isObject).map(({ nm, val }) => [`${prefix}${String(nm)}`, String(val)]);
}

function pairsOf(name: string, value: unknown, asWords = false): Pair[] {
  if (value === undefined) return [];
  const texts = [value].flat().map(String);
  return asWords ? [[name, texts.join(' ')]] : texts.map((text) => [name, text]);
}

function targetOf(to: string, query: readonly Pair[]): string {
  const path = pathOf(to.split('/').map(encodeURIComponent).join('/'));
  const written = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  return written === '' ? path : `${path}?${written}`;
}

function targetsIn(rt: unknown): Record<string, string> {
  const nu = isObject(rt) ? rt.nu : undefined;
  return Array.isArray(nu) ? { 'x-m2m-rtu': nu.join('&') } : {};
}

/** What `pathOf` has written, back. */
function readPath(target: string): { readonly to: string; readonly query: string } {
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  const [, marked = '', rest = ''] = /^\/([~_]\/)?(.*)$/s.exec(path) ?? [];
  const before = marked === '_/' ? '//' : marked === '~/' ? '/' : '';
  return { to: before + rest.split('/').map(decodeURIComponent).join('/'), query };
}

function fromQuery(query: string, targets: string | undefined, content: unknown): Parameters {
  const fc: Record<string, unknown> = {};
  const parameters: Record<string, unknown> = {};
  let pc = content;
  for (const [name, value] of new URLSearchParams(query)) {
    if (name === 'rt') continue;
    if (name === 'atrl') pc = { 'm2m:atrl': value.split(/[\s,]+/) };
    else if (inQuery.includes(name)) put(parameters, name, value);
    else if (criteria.has(name)) put(fc, name, value);
    else putValued(fc, name, value);
  }
  const rt = new URLSearchParams(query).get('rt');
  const nu = targets?.split('&');
  const wanted = rt === null && nu === undefined ? undefined : given({ rtv: rt === null ? undefined : Number(rt), nu });
  return given({ ...parameters, rt: wanted, fc: Object.keys(fc).length > 0 ? fc : undefined, pc });
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

/** Texts of parameters by the headers in which HTTP has them. */
function textsIn(primitive: Parameters, table: ReadonlyArray<readonly [string, string]>): Record<string, string> {
  const present = table.filter(([name]) => Object.hasOwn(primitive, name) && primitive[name] !== undefined);
  return Object.fromEntries(present.map(([name, header]) => [header, String(primitive[name])]));
}

function parametersIn(
  headers: Readonly<Record<string, string>>,
  table: ReadonlyArray<readonly [string, string]>,
): Record<string, unknown> {
  const known = new Map(Object.entries(headers));
  const present = table.flatMap(([name, header]) => {
    const text = known.get(header);
    return text === undefined ? [] : [[name, numeric.has(name) ? Number(text) : text] as const];
  });
  return Object.fromEntries(present);
}

const contentOf = (body: string | Uint8Array): unknown =>
  jsonIn(body) ?? (typeof body === 'string' ? undefined : cborIn(body));

const given = (all: Parameters): Record<string, unknown> =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
