/** Requests that are answered later, and the results that are sent. */

import type { OutgoingRequest } from '../../dialects/outgoing-message.ts';
import type { Fault } from '../fault.ts';
import type { Attributes } from '../vocabulary/asked.ts';
import { withQuery } from '../vocabulary/blocks.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { recoded, withBody } from '../vocabulary/changed-answers.ts';
import { changingSent, isPointOfAccess } from '../vocabulary/changed-notifications.ts';
import { withHeaders } from '../vocabulary/changed-requests.ts';
import { isObject, jsonIn } from '../vocabulary/representations.ts';
import {
  type Arrival,
  afterwards,
  beforehand,
  creating,
  originatorOf,
  refusedAs,
  rejecting,
} from '../vocabulary/standard-exchanges.ts';

type WrapSender = NonNullable<Fault['wrapSender']>;

const wants =
  (type: number) =>
  ({ about }: Pick<Arrival, 'about'>) =>
    about.query.get('rt') === String(type);

/** A response type is taken for another one, or for none. */
const takingFor = (type: number, instead: number | undefined) =>
  beforehand(({ request, about, serve }) => {
    if (!wants(type)({ about })) return undefined;
    return serve(
      withQuery(request, (query) => (instead === undefined ? query.delete('rt') : query.set('rt', String(instead)))),
    );
  });

const accepted: readonly Fault[] = [
  breaking('std.request.blocking', 'synchronous', 'rt 3 is taken for rt 1.', takingFor(3, 1)),
  breaking(
    'std.request.synchronous',
    'without-address',
    'With rt 1 the address of the request is not told.',
    afterwards((exchange) =>
      wants(1)(exchange) && exchange.answer.status === 202 ? withBody(exchange.answer, {}) : undefined,
    ),
  ),
  breaking('std.request.synchronous', 'at-once', 'rt 1 is taken for rt 3.', takingFor(1, 3)),
  breaking(
    'std.request.asynchronous',
    'ok',
    'With rt 2 the status of the answer is 200, with the code 2000.',
    afterwards((exchange) =>
      wants(2)(exchange) && exchange.answer.status === 202 ? recoded(exchange.answer, 200, 2000) : undefined,
    ),
  ),
  breaking('std.request.no-response', 'answered', 'rt 5 is taken for rt 3.', takingFor(5, 3)),
  breaking(
    'std.request.unknown-type',
    'ignored',
    'A value that rt does not have is not looked at.',
    beforehand(({ request, about, serve }) =>
      about.query.has('rt') && !/^[1-5]$/.test(about.query.get('rt') ?? '')
        ? serve(withQuery(request, (query) => query.delete('rt')))
        : undefined,
    ),
  ),
  breaking(
    'std.request.flexible',
    'refused',
    'rt 4 is refused with 4000.',
    rejecting({ status: 400, code: 4000 }, wants(4)),
  ),
  breaking(
    'std.request.create',
    'bad-request',
    'Who creates an m2m:req is told 4000 in place of 4005.',
    refusedAs({ status: 400, code: 4000 }, 4005, creating('m2m:req')),
  ),
];

/** What the `m2m:rsp` in a request holds, if it has one. */
function resultIn({ body }: OutgoingRequest): Attributes | undefined {
  const value = jsonIn(body ?? '');
  return isObject(value) && isObject(value['m2m:rsp']) ? value['m2m:rsp'] : undefined;
}

/** Other results than those that are due; undefined leaves one as it is. */
const changingResults = (change: (result: Attributes, isOfEntity: boolean) => Attributes | undefined) =>
  changingSent((request, baseUrl, core) => {
    const result = resultIn(request);
    const changed = result && change(result, isPointOfAccess(`${baseUrl}${request.target}`, core));
    return changed && { ...request, body: JSON.stringify({ 'm2m:rsp': changed }) };
  });

/** Results that are not sent, and taken as answered. */
const withholding =
  (when: (result: Attributes) => boolean): WrapSender =>
  (sender) => ({
    send: async (baseUrl, request, signal) => {
      const result = resultIn(request);
      if (result === undefined || !when(result)) return sender.send(baseUrl, request, signal);
      return { status: 200, headers: { 'x-m2m-rsc': '2000' }, body: '' };
    },
  });

/** Other targets for what is answered with rt 2; undefined for the same. */
const targeting = (change: (targets: string | undefined, arrival: Arrival) => string | undefined) =>
  beforehand((arrival) => {
    const { request, serve } = arrival;
    const targets = wants(2)(arrival) ? change(request.headers['x-m2m-rtu'], arrival) : undefined;
    return targets === undefined ? undefined : serve(withHeaders(request, { 'x-m2m-rtu': targets }));
  });

const isFailure = ({ rsc }: Attributes) => Number(rsc) >= 4000;

const sent: readonly Fault[] = [
  breaking(
    'std.request.asynchronous.answer',
    'unidentified',
    'A result lacks rqi, where it does not go to a point of access of an application entity.',
    {
      wrapSender: changingResults(({ rqi, ...result }, isOfEntity) => (isOfEntity ? { ...result, rqi } : result)),
    },
  ),
  breaking(
    'std.request.asynchronous.originator',
    'nowhere',
    'With rt 2 and no target the result is sent nowhere.',
    targeting((targets) => targets ?? 'http://127.0.0.1:9'),
  ),
  breaking(
    'std.request.asynchronous.each-target',
    'first-only',
    'With rt 2 the result goes to the first target only.',
    targeting((targets) => targets?.split('&', 1)[0]),
  ),
  breaking(
    'std.request.asynchronous.targets-only',
    'originator-too',
    'With rt 2 and one target the result goes to the originator, too.',
    targeting((targets, arrival) =>
      targets === undefined || targets.includes('&') ? undefined : `${targets}&${entityOf(arrival)}`,
    ),
  ),
  breaking('std.request.asynchronous.failure', 'not-sent', 'A result that is a refusal is not sent.', {
    wrapSender: withholding(isFailure),
  }),
  breaking('std.request.asynchronous.from', 'originator', 'A result is sent in the name of whom it is for.', {
    wrapSender: changingSent((request) => {
      const result = resultIn(request);
      return result && { ...request, headers: { ...request.headers, 'X-M2M-Origin': String(result.to) } };
    }),
  }),
];

/** The originator, as a target that is an application entity. */
const entityOf = (arrival: Arrival) => `/${arrival.core.configuration.cseId}/${originatorOf(arrival)}`;

export const laterAnswers: readonly Fault[] = [...accepted, ...sent];
