/** What the standard says of the targets of subscriptions and of how notifications are counted, broken. */
import type { Cse } from '../../core/cse.ts';
import type { Resource } from '../../core/resource.ts';
import { NOT_FOUND } from '../../core/status.ts';
import type { HttpResponse } from '../../dialects/http-message.ts';
import { UnreachableError } from '../../dialects/outgoing-message.ts';
import type { Fault, Wrap } from '../fault.ts';
import type { Attributes } from '../vocabulary/asked.ts';
import { handling } from '../vocabulary/blocks.ts';
import { codeOf, withBody } from '../vocabulary/changed-answers.ts';
import { changingNotifications, signalIn, subscriptionOf } from '../vocabulary/changed-notifications.ts';
import { describedIn, isObject } from '../vocabulary/representations.ts';
import { broken, brokenSending, readingOf, showing } from '../vocabulary/standard-changes.ts';
import { all, creates, Exchange, readsWhole, type Which } from '../vocabulary/standard-wanted.ts';

type WrapSender = NonNullable<Fault['wrapSender']>;

const isEvent = ({ nev }: Attributes) => isObject(nev);

/** Events of subscriptions that name a target in this form are not sent. */
const unsentTo = (isMeant: (target: string, core: Cse) => boolean): WrapSender =>
  changingNotifications(({ signal, request }, core) => {
    const { nu } = (isEvent(signal) ? subscriptionOf(signal, core)?.values : undefined) ?? {};
    const isUnsent = Array.isArray(nu) && nu.some((target) => typeof target === 'string' && isMeant(target, core));
    return isUnsent ? undefined : request;
  });

const countsDown = (subscription: Resource | undefined) => subscription?.values.exc !== undefined;

/** What reaches nobody is taken as sent where it is counted. */
const countingAttempts: WrapSender = (sender, core) => ({
  send: async (baseUrl, request, abort) => {
    const signal = signalIn(request);
    if (signal === undefined || !countsDown(subscriptionOf(signal, core))) return sender.send(baseUrl, request, abort);
    try {
      return await sender.send(baseUrl, request, abort);
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
      return { status: 200, headers: { 'x-m2m-rsc': '2000' }, body: '' };
    }
  },
});

const reading = readsWhole('m2m:sub');

/** Subscriptions that count down are read with the number that was given on creation. */
const neverDown: Wrap = (service, core) => {
  const given = new Map<unknown, unknown>();
  return handling(async (request) => {
    const exchange = new Exchange(request, core);
    const answer = await service.handle(request);
    const shown = describedIn(answer.body);
    if (shown?.root !== 'm2m:sub') return answer;
    const { ri, exc } = shown.attributes;
    if (creates('m2m:sub')(exchange)) given.set(ri, exc);
    if (!reading(exchange) || given.get(ri) === undefined) return answer;
    return withBody(answer, { 'm2m:sub': { ...shown.attributes, exc: given.get(ri) } });
  })(service, core);
};

/** A subscription that counts down is still answered, as it was created, when it has gone. */
const stillThere: Wrap = (service, core) => {
  const created = new Map<string, HttpResponse>();
  return handling(async (request) => {
    const exchange = new Exchange(request, core);
    const { path, sent } = exchange;
    const answer = await service.handle(request);
    if (creates('m2m:sub')(exchange) && codeOf(answer) === 2001 && sent?.attributes.exc !== undefined) {
      const at = `${path}/${describedIn(answer.body)?.attributes.rn}`;
      created.set(at, await service.handle(readingOf(request, at)));
    }
    const gone = request.method === 'GET' && codeOf(answer) === NOT_FOUND.code;
    return (gone ? created.get(path) : undefined) ?? answer;
  })(service, core);
};

/** The last of those that are counted is not sent. */
const withoutLast: WrapSender = changingNotifications(({ signal, request }, core) => {
  const subscription = isEvent(signal) ? subscriptionOf(signal, core) : undefined;
  return subscription?.values.exc === 1 ? undefined : request;
});

/** Nothing has happened yet to what is subscribed to. */
const untouched: Which = ({ target }) => target?.parent?.stateTag === 0;
const isCounting: Which = ({ target }) => countsDown(target);

export const targets: readonly Fault[] = [
  brokenSending(
    'std.target.cse-relative',
    'unsent',
    'No event is sent of a subscription with a target that is a CSE-relative identifier.',
    unsentTo((target) => /^[^/:]+$/.test(target)),
  ),
  brokenSending(
    'std.target.sp-relative',
    'unsent',
    'No event is sent of a subscription with a target that is the identifier of an application entity of this CSE with that of the CSE before it.',
    unsentTo((target, { configuration }) => target.startsWith(`/${configuration.cseId}/`)),
  ),
  brokenSending(
    'std.target.absolute',
    'unsent',
    'No event is sent of a subscription with a target that is an absolute identifier.',
    unsentTo((target) => target.startsWith('//')),
  ),
  brokenSending(
    'std.target.structured',
    'unsent',
    'No event is sent of a subscription with a target that is a path of names from the CSE base down.',
    unsentTo((target, { configuration }) => target.startsWith(`${configuration.base}/`)),
  ),
  brokenSending(
    'std.target.other-cse',
    'unsent',
    'No event is sent of a subscription with a target at another CSE.',
    unsentTo((target, { configuration }) => /^\/[^/]/.test(target) && !target.startsWith(`/${configuration.cseId}/`)),
  ),
  broken(
    'std.counter.begins',
    'one-fewer',
    'A subscription with exc that is read before anything happens to what it is about has one less.',
    showing(all(reading, isCounting, untouched), (attributes) => {
      attributes.exc = Number(attributes.exc) - 1;
    }),
  ),
  broken(
    'std.counter.down',
    'as-given',
    'A subscription that is read tells the exc with which it was created.',
    neverDown,
  ),
  broken(
    'std.counter.zero',
    'answered',
    'A subscription that was created with exc is still answered at its path when it has gone.',
    stillThere,
  ),
  brokenSending(
    'std.counter.last',
    'unsent',
    'The last notification that exc allows is not sent, and counted.',
    withoutLast,
  ),
  brokenSending(
    'std.counter.sent',
    'taken-as-sent',
    'A notification of a subscription with exc that reaches nobody is taken as sent.',
    countingAttempts,
  ),
];
