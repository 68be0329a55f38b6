/** What the standard says of time series and their instances, broken. */

import type { Fault, Wrap } from '../fault.ts';
import { isSuccess } from '../vocabulary/asked.ts';
import { elsewhere, handling } from '../vocabulary/blocks.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { withBody } from '../vocabulary/changed-answers.ts';
import {
  type Arrival,
  arrivalOf,
  beforehand,
  creating,
  describedAs,
  exchangeOf,
  giving,
  lettingPass,
  reading,
  refusedAs,
  rejecting,
  removing,
  updating,
  type When,
  without,
} from '../vocabulary/standard-exchanges.ts';
import { showing, tellingFromThenOn } from '../vocabulary/standard-shown.ts';

const series = 'm2m:ts';
const instance = 'm2m:tsi';
const badRequest = 4000;
const notAllowed = { status: 405, code: 4005 };

const created = creating(series);
const updated = updating(series);

const createdWith =
  (...names: readonly string[]): When =>
  (arrival) =>
    created(arrival) && giving(...names)(arrival);

const updatedWith =
  (...names: readonly string[]): When =>
  (arrival) =>
    updated(arrival) && giving(...names)(arrival);

/** The new interval is shorter than the one that was. */
const isShorter: When = (arrival) =>
  updatedWith('pei')(arrival) && Number(arrival.given?.attributes.pei) < Number(arrival.addressed?.values.pei);

/** A limit that is given with a time series is not kept. */
const withoutLimit = (name: string) =>
  beforehand((arrival) =>
    createdWith(name)(arrival) ? arrival.serve(describedAs(arrival, (given) => without(given, name))) : undefined,
  );

/** Answers what the other end of a time series leads to. */
const otherEnd = (end: string, instead: string) =>
  beforehand(({ request, about, addressed, serve }: Arrival) =>
    about.method === 'GET' && about.path.endsWith(`/${end}`) && addressed?.type.root === instance
      ? serve(elsewhere(request, about.path.replace(/[^/]+$/, instead)))
      : undefined,
  );

/** What was deleted of a series is counted in its bytes. */
const stillCountingDeleted: Wrap = (service, core) => {
  const deleted = new Map<string, number>();
  return handling(async (request) => {
    const arrival = arrivalOf(request, core, (one) => service.handle(one));
    const { addressed } = arrival;
    const size = Number(addressed?.values.cs ?? 0);
    const answer = await service.handle(request);
    const { parent } = addressed ?? {};
    if (removing(instance)(arrival) && isSuccess(answer) && parent !== undefined) {
      deleted.set(parent.id, (deleted.get(parent.id) ?? 0) + size);
    }
    const { shown } = exchangeOf(arrival, answer);
    const more = reading(series)(arrival) && addressed !== undefined ? deleted.get(addressed.id) : undefined;
    if (shown === undefined || more === undefined) return answer;
    return withBody(answer, { [series]: { ...shown.attributes, cbs: Number(shown.attributes.cbs) + more } });
  })(service, core);
};

const ofSeries: readonly Fault[] = [
  breaking(
    'std.time-series.counters',
    'empty-hidden',
    'A time series that holds nothing does not show cni.',
    showing(reading(series), (attributes) => (attributes.cni === 0 ? without(attributes, 'cni') : attributes)),
  ),
  breaking(
    'std.time-series.update',
    'longer-interval-ignored',
    'An update to a longer interval is answered with the former one.',
    showing(
      (exchange) => updatedWith('pei')(exchange) && Number(exchange.given?.attributes.pei) > 1000,
      (attributes) => ({ ...attributes, pei: 1000 }),
    ),
  ),
  breaking(
    'std.time-series.tolerance',
    'left-out',
    'A time series with a tolerance of more than half of its interval is created without the tolerance.',
    lettingPass(
      (exchange) => createdWith('pei', 'peid')(exchange) && !giving('mdd')(exchange),
      (attributes) => without(attributes, 'peid'),
    ),
  ),
  breaking(
    'std.time-series.tolerance.follows',
    'stays',
    'After an update to an interval of less than a second that chooses no tolerance this is shown as 500 milliseconds.',
    tellingFromThenOn((exchange) => {
      const { given } = exchange;
      const shorter = updatedWith('pei')(exchange) && Number(given?.attributes.pei) < 1000;
      return shorter && !giving('peid')(exchange) ? { peid: 500 } : undefined;
    }),
  ),
  breaking(
    'std.time-series.detection.timer',
    'not-detecting-instead',
    'A time series that looks for missing data without mdt is created as one that does not look for it.',
    lettingPass(
      (exchange) => createdWith('mdd')(exchange) && !giving('mdt')(exchange),
      (attributes) => without(attributes, 'mdd'),
    ),
  ),
  breaking(
    'std.time-series.detection.timer-after-tolerance',
    'not-detecting-instead',
    'A time series whose mdt is not greater than its tolerance is created as one that does not look for missing data.',
    lettingPass(createdWith('mdd', 'mdt', 'peid'), (attributes) => without(attributes, 'mdd', 'mdt')),
  ),
  breaking(
    'std.time-series.detection.settings-stay',
    'another-code',
    'An update of mdt while missing data is looked for is refused with 4005.',
    refusedAs(notAllowed, badRequest, (one) => updatedWith('mdt')(one) && !giving('mdd')(one)),
  ),
  breaking(
    'std.time-series.detection.changed-alone',
    'another-code',
    'An update of mdd together with mdt is refused with 4005.',
    refusedAs(notAllowed, badRequest, updatedWith('mdt', 'mdd')),
  ),
  breaking(
    'std.time-series.detection.ends',
    'shown-on',
    'The answer to an update that ends the search for missing data still shows mdd as true.',
    showing(
      (exchange) => updatedWith('mdd')(exchange) && exchange.given?.attributes.mdd === false,
      (attributes) => ({ ...attributes, mdd: true }),
    ),
  ),
  breaking(
    'std.time-series.update.shorter',
    'refused',
    'An update to a shorter interval is refused with 4000.',
    rejecting({ status: 400, code: badRequest }, isShorter),
  ),
];

const kept: readonly Fault[] = [
  breaking(
    'std.time-series.counted',
    'two-bytes-each',
    'A time series that holds one instance counts two bytes for each of its characters.',
    showing(reading(series), (attributes) =>
      attributes.cni === 1 && Number(attributes.cbs) < 3
        ? { ...attributes, cbs: 2 * Number(attributes.cbs) }
        : attributes,
    ),
  ),
  breaking(
    'std.time-series.shrinks',
    'deleted-counted',
    'cbs of a time series still counts instances that were deleted.',
    stillCountingDeleted,
  ),
  breaking(
    'std.time-series.mni',
    'not-looked-at',
    'A time series with mni holds more instances than that.',
    withoutLimit('mni'),
  ),
  breaking(
    'std.time-series.mbs.too-large',
    'not-looked-at',
    'A time series with mbs takes instances that are larger than that.',
    withoutLimit('mbs'),
  ),
  breaking('std.time-series.latest', 'oldest', 'la of a time series is the oldest instance.', otherEnd('la', 'ol')),
  breaking('std.time-series.oldest', 'latest', 'ol of a time series is the latest instance.', otherEnd('ol', 'la')),
];

const ofInstances: readonly Fault[] = [
  breaking(
    'std.time-series-instance.kept',
    'time-of-arrival',
    'dgt of an instance is shown as the time at which it was created.',
    showing(
      ({ shown }) => shown?.root === instance,
      (attributes) => ({ ...attributes, dgt: attributes.ct }),
    ),
  ),
  breaking(
    'std.time-series-instance.without-dgt',
    'time-of-arrival',
    'An instance without dgt is created with a time of the CSE.',
    lettingPass(
      (exchange) => creating(instance)(exchange) && !giving('dgt')(exchange),
      (attributes) => ({ ...attributes, dgt: '20260101T000000' }),
    ),
  ),
  breaking(
    'std.time-series-instance.same-dgt',
    'bad-request',
    'A second instance of the same time is refused with 4000.',
    refusedAs({ status: 400, code: badRequest }, 4105, creating(instance)),
  ),
  breaking(
    'std.time-series-instance.update',
    'bad-request',
    'An update of an instance of a time series is refused with 4000.',
    refusedAs({ status: 400, code: badRequest }, notAllowed.code, updating(instance)),
  ),
];

export const timeSeries: readonly Fault[] = [...ofSeries, ...kept, ...ofInstances];
