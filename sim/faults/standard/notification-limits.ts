/** What the standard says of batches, counters, rates and statistics of subscriptions, broken. */

import type { Cse } from '../../core/cse.ts';
import type { HttpResponse } from '../../dialects/http-message.ts';
import { UnreachableError } from '../../dialects/outgoing-message.ts';
import type { Fault, Wrap } from '../fault.ts';
import { type Attributes, isSuccess } from '../vocabulary/asked.ts';
import { handling } from '../vocabulary/blocks.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { signalIn, subscriptionOf } from '../vocabulary/changed-notifications.ts';
import { isObject } from '../vocabulary/representations.ts';
import {
  afterwards,
  arrivalOf,
  creating,
  exchangeOf,
  reading,
  removing,
  without,
} from '../vocabulary/standard-exchanges.ts';
import {
  aggregateIn,
  doublingAggregates,
  ofSubscriptions,
  regathering,
  sharing,
  subscribingOtherwise,
  subscriptionOfAll,
  subscriptionsTo,
  tellBesides,
  withholding,
} from '../vocabulary/standard-notifications.ts';
import { rememberingShown, showing, tellingFromThenOn } from '../vocabulary/standard-shown.ts';

type Parts = readonly Attributes[];

/** `num` of the subscription of a batch. */
function wantedNumber(parts: Parts, core: Cse): number | undefined {
  const { bn } = subscriptionOfAll(parts, core)?.values ?? {};
  return isObject(bn) && typeof bn.num === 'number' ? bn.num : undefined;
}

const isLatestOnly = (parts: Parts, core: Cse) => subscriptionOfAll(parts, core)?.values.ln === true;

/** Whether a batch is sent because it has so many notifications, and not because its time has passed. */
const isFull = (parts: Parts, core: Cse) => parts.length === wantedNumber(parts, core);

const batches: readonly Fault[] = [
  breaking(
    'std.batch.held-back',
    'singly-besides',
    'A subscription with bn is told of each created child at once besides.',
    afterwards((exchange) => {
      const { addressed, core, shown, answer } = exchange;
      if (!isSuccess(answer) || shown === undefined || !creating()(exchange)) return undefined;
      const rep = { [shown.root]: shown.attributes };
      for (const one of subscriptionsTo(addressed, 3)) {
        if (one.values.bn !== undefined) tellBesides(core, one, { nev: { net: 3, rep } });
      }
      return undefined;
    }),
  ),
  breaking(
    'std.batch.number',
    'twice',
    'A batch of more than two that has the number of bn is sent twice.',
    doublingAggregates((parts, core) => parts.length > 2 && isFull(parts, core)),
  ),
  breaking(
    'std.batch.duration',
    'twice',
    'A batch that is sent because its time has passed is sent twice.',
    doublingAggregates((parts, core) => !isLatestOnly(parts, core) && !isFull(parts, core)),
  ),
  breaking(
    'std.batch.content',
    'last-left-out',
    'A batch that is sent because its time has passed lacks the last of its notifications.',
    regathering((parts, core) => (parts.length > 1 && !isFull(parts, core) ? parts.slice(0, -1) : undefined)),
  ),
  breaking(
    'std.batch.whole',
    'without-subscription',
    'The notifications of a batch do not name their subscription.',
    regathering((parts) => parts.map((one) => without(one, 'sur'))),
  ),
  breaking('std.batch.next', 'first-only', 'Only the first batch of a subscription is sent.', firstBatchOnly()),
  breaking(
    'std.batch.duration.default',
    'none',
    'A bn without a time is shown without one.',
    tellingFromThenOn(({ given, shown }) => {
      const { bn } = given?.root === 'm2m:sub' && shown?.root === 'm2m:sub' ? given.attributes : {};
      return isObject(bn) && bn.dur === undefined ? { bn } : undefined;
    }),
  ),
  breaking(
    'std.latest-notify.one',
    'twice',
    'With latestNotify the notification for a batch is sent twice.',
    doublingAggregates(isLatestOnly),
  ),
  breaking(
    'std.latest-notify.last',
    'first',
    'With latestNotify the first notification of a batch is sent.',
    firstOfBatch(),
  ),
];

function firstBatchOnly(): Pick<Fault, 'wrapSender'> {
  return {
    wrapSender: (sender) => {
      const sent = new Set<unknown>();
      return {
        send: async (baseUrl, request, signal) => {
          const [first] = aggregateIn(request) ?? [];
          if (first !== undefined && sent.has(first.sur))
            return { status: 200, headers: { 'x-m2m-rsc': '2000' }, body: '' };
          if (first !== undefined) sent.add(first.sur);
          return sender.send(baseUrl, request, signal);
        },
      };
    },
  };
}

/** The targets of subscriptions whose latestNotify was taken away. */
const latestWanted = sharing(() => new Set<string>());

function firstOfBatch(): Pick<Fault, 'wrap' | 'wrapSender'> {
  return {
    wrap: subscribingOtherwise((attributes, _method, core) => {
      if (attributes.ln !== true || attributes.bn === undefined) return undefined;
      latestWanted(core).add(JSON.stringify(attributes.nu));
      return without(attributes, 'ln');
    }),
    ...regathering((parts, core) => {
      const { nu } = subscriptionOfAll(parts, core)?.values ?? {};
      return latestWanted(core).has(JSON.stringify(nu)) ? parts.slice(0, 1) : undefined;
    }),
  };
}

/** A subscription that has gone without being deleted is still answered to who reads its path. */
const outlivingItsCounter: Wrap = (service, core) => {
  const known = new Map<string, HttpResponse>();
  return handling(async (request) => {
    const arrival = arrivalOf(request, core, (one) => service.handle(one));
    const answer = await service.handle(request);
    const { about, shown } = exchangeOf(arrival, answer);
    const { rn, exc } = shown?.root === 'm2m:sub' ? shown.attributes : {};
    if (creating('m2m:sub')(arrival) && exc !== undefined) known.set(`${about.path}/${rn}`, answer);
    if (removing('m2m:sub')(arrival)) known.delete(about.path);
    const former = about.method === 'GET' && answer.status === 404 ? known.get(about.path) : undefined;
    if (former === undefined) return answer;
    return { ...former, status: 200, headers: { ...former.headers, 'X-M2M-RSC': '2000' } };
  })(service, core);
};

/** `exc` in what is shown of a subscription, as it is and as it was when it was first shown. */
const counting = (count: (now: number, first: number) => number): Wrap =>
  rememberingShown('m2m:sub', (attributes, before) =>
    typeof attributes.exc === 'number' && typeof before.exc === 'number'
      ? { ...attributes, exc: count(attributes.exc, before.exc) }
      : attributes,
  );

/** That a target could not be reached is taken as a success where the notification is counted. */
const countingAttempts: Pick<Fault, 'wrapSender'> = {
  wrapSender: (sender, core) => ({
    send: async (baseUrl, request, abort) => {
      try {
        return await sender.send(baseUrl, request, abort);
      } catch (error) {
        const { exc } = subscriptionOf(signalIn(request) ?? {}, core)?.values ?? {};
        if (exc === undefined || !(error instanceof UnreachableError)) throw error;
        return { status: 200, headers: { 'x-m2m-rsc': '2000' }, body: '' };
      }
    },
  }),
};

const counters: readonly Fault[] = [
  breaking(
    'std.counter.begins',
    'one-less',
    'The expiration counter is shown one too low as long as nothing is notified.',
    counting((now, first) => (now === first ? now - 1 : now)),
  ),
  breaking(
    'std.counter.down',
    'by-two',
    'The expiration counter goes down by two for each notification, by what is shown of it.',
    counting((now, first) => first - 2 * (first - now)),
  ),
  breaking(
    'std.counter.zero',
    'still-read',
    'A subscription whose expiration counter has come to zero is still answered to who reads it.',
    outlivingItsCounter,
  ),
  breaking(
    'std.counter.last',
    'not-sent',
    'The notification with which the expiration counter comes to zero is not sent.',
    withholding(ofSubscriptions(({ exc }) => exc === 1)),
  ),
  breaking(
    'std.counter.sent',
    'attempts',
    'Notifications that reach nobody are counted by the expiration counter and given up.',
    countingAttempts,
  ),
];

const rates: readonly Fault[] = [
  breaking(
    'std.rate-limit.within',
    'ignored',
    'What rateLimit says is not looked at.',
    subscribingOtherwise((attributes) => (attributes.rl === undefined ? undefined : without(attributes, 'rl'))),
  ),
  breaking(
    'std.rate-limit.later',
    'dropped',
    'No more notifications are ever sent than mnn of rateLimit.',
    droppingTheRest(),
  ),
  breaking(
    'std.statistics.counted',
    'answers-not',
    'The statistics of a subscription do not count answers.',
    withStatistics((entry) => ({ ...entry, rsr: 0 })),
  ),
  breaking(
    'std.statistics.target',
    'not-named',
    'The statistics of a subscription do not name the target.',
    withStatistics((entry) => without(entry, 'tg')),
  ),
];

function droppingTheRest(): Pick<Fault, 'wrapSender'> {
  const sent = sharing(() => new Map<unknown, number>());
  return withholding(({ signal }, core) => {
    const { rl } = subscriptionOf(signal, core)?.values ?? {};
    if (!isObject(rl) || signal.nev === undefined) return false;
    const before = sent(core).get(signal.sur) ?? 0;
    sent(core).set(signal.sur, before + 1);
    return before >= Number(rl.mnn);
  });
}

function withStatistics(change: (entry: Attributes) => Attributes): Wrap {
  return showing(reading('m2m:sub'), (attributes) => ({
    ...attributes,
    ...(Array.isArray(attributes.nsi) && { nsi: attributes.nsi.map(change) }),
  }));
}

export const notificationLimits: readonly Fault[] = [...batches, ...counters, ...rates];
