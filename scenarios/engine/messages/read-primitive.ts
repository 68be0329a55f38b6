/** Converts request primitives of others to HTTP: the inverse of `primitiveOf`. */

import { isObject, listOf } from '../basics/body.ts';
import type { SentRequest } from '../results/exchange.ts';
import { primitiveHeaders } from './primitive.ts';

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
