/** Consistency of an answer over CoAP (TS-0008), by the facts of its binding. */

import { isObject } from '../../engine/basics/body.ts';
import type { Check } from '../../engine/grammar/grammar-check.ts';
import { viewOf } from '../../engine/judging/answer.ts';
import type { SeenExchange } from '../observation/seen-exchange.ts';
import type { Judgement } from './judgements.ts';

/** Table 6.2.4-1, without 1000, which has no code, and 2000, whose code depends on the operation. */
const codes: Readonly<Record<string, readonly number[]>> = {
  '2.01': [1001, 1002, 2001],
  '2.02': [2002],
  '2.04': [1002, 2004],
  '4.00': [4000, 4102, 4104, 4110, 4123, 4124, 4143, 5106, 5219, 5220, 6010, 6022, 6023, 6024, 6028, 6029],
  '4.02': [4120, 4122],
  '4.03': [
    ...[4101, 4103, 4105, 4106, 4107, 4108, 4109, 4111, 4112, 4113, 4114, 4115, 4116, 4117, 4126, 4127],
    ...[5105, 5203, 5205, 5208, 5214, 5215, 5218, 5222],
  ],
  '4.04': [4004, 4118, 4119, 4121, 5103, 5107, 6003, 6005],
  '4.05': [4005],
  '4.06': [5207],
  '4.15': [4015],
  '5.00': [5000, 5204, 5209, 5210, 5211, 5212, 5216, 5217, 5221, 6020, 6021, 6025, 6026],
  '5.01': [4001, 4125, 5001, 5206],
  '5.04': [4008, 6030, 6031],
};

const isNotification = ({ exchange, request }: SeenExchange): boolean =>
  exchange.request.method === 'POST' && !/;\s*ty=/.test(request.headers.get('content-type') ?? '');

/** Undefined if the table has no entry. */
function codesOf(status: number, seen: SeenExchange): string[] | undefined {
  if (status === 2000) {
    if (seen.exchange.request.method === 'GET') return ['2.05'];
    return isNotification(seen) ? ['2.04'] : undefined;
  }
  const fitting = Object.entries(codes).flatMap(([code, statuses]) => (statuses.includes(status) ? [code] : []));
  return fitting.length === 0 ? undefined : fitting;
}

const ofTable: Judgement = (seen) => {
  const status = seen.exchange.wire?.rsc;
  const fitting = typeof status === 'number' ? codesOf(status, seen) : undefined;
  return fitting && { wire: { code: { 'one of': fitting } } };
};

/** The form of other than CSE-relative addresses is not specified; the ending is the same. */
function located(address: unknown): Check | undefined {
  if (typeof address !== 'string' || !/^[\w./~-]{1,200}$/.test(address)) return undefined;
  const isWhole = !address.startsWith('/');
  return { wire: { location: isWhole ? address : { 'ends with': address.slice(address.lastIndexOf('/') + 1) } } };
}

const ofCreation: Judgement = ({ exchange }) => {
  const { root, attributes, rsc } = viewOf(exchange);
  return root === 'm2m:rce' && rsc === 2001 ? located(attributes?.uri) : undefined;
};

const isAccepted = ({ exchange }: SeenExchange): boolean => {
  const { rsc } = viewOf(exchange);
  return rsc === 1001 || rsc === 1002;
};

const ofRequest: Judgement = (seen) => {
  const { body } = viewOf(seen.exchange);
  // 2.04: there is no request resource (clause 6.3.2).
  if (!isAccepted(seen) || seen.exchange.wire?.code !== '2.01') return undefined;
  return (isObject(body) ? located(body['m2m:uri']) : undefined) ?? { wire: { location: { is: 'present' } } };
};

const separateAnswer: Judgement = (seen) =>
  isAccepted(seen) ? { wire: { type: { 'one of': ['ACK', 'CON'] } } } : undefined;

const emptyAnswer: Judgement = (seen) =>
  isNotification(seen) && viewOf(seen.exchange).rsc === 2000 ? { wire: { media: 'none' } } : undefined;

export const ofCoap: Readonly<Record<string, Judgement>> = {
  'the CoAP code fits the response status code': ofTable,
  'the location is the address in the content': ofCreation,
  'the location is the address of the request resource': ofRequest,
  'a separate response that accepts is confirmable': separateAnswer,
  'the response to a notification is empty': emptyAnswer,
};
