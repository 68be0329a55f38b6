/** The operations on the kinds of resources that others tell of, each answered with another code of success. */

import type { Fault, Wrap } from '../fault.ts';
import { isSuccess } from '../vocabulary/asked.ts';
import { handling } from '../vocabulary/blocks.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { recoded } from '../vocabulary/changed-answers.ts';
import { answeredWith, arrivalOf, creating, reading, removing, type When } from '../vocabulary/standard-exchanges.ts';

interface Kind {
  readonly id: string;
  readonly called: string;
  readonly root: string;
}

const kinds: readonly Kind[] = [
  { id: 'subscription', called: 'subscription', root: 'm2m:sub' },
  { id: 'group', called: 'group', root: 'm2m:grp' },
  { id: 'polling-channel', called: 'polling channel', root: 'm2m:pch' },
  { id: 'time-series', called: 'time series', root: 'm2m:ts' },
  { id: 'time-series-instance', called: 'time series instance', root: 'm2m:tsi' },
];

const withoutQuery =
  (when: When): When =>
  (arrival) =>
    arrival.about.query.size === 0 && when(arrival);

/** What was given a name by a request without a query is read with another code. */
const readAs =
  (root: string): Wrap =>
  (service, core) => {
    const named = new Set<string>();
    return handling(async (request) => {
      const arrival = arrivalOf(request, core, (one) => service.handle(one));
      const { rn } = withoutQuery(creating(root))(arrival) ? (arrival.given?.attributes ?? {}) : {};
      if (rn !== undefined) named.add(`${arrival.about.path}/${rn}`);
      const answer = await service.handle(request);
      const meant = withoutQuery(reading(root))(arrival) && named.has(arrival.about.path) && isSuccess(answer);
      return meant ? recoded(answer, 200, 2004) : answer;
    })(service, core);
  };

const created = ({ id, called, root }: Kind): Fault =>
  breaking(
    `std.${id}.create`,
    'updated',
    `The creation of a ${called} by a request without a query is answered with 2004.`,
    answeredWith(200, 2004, withoutQuery(creating(root))),
  );

const read = ({ id, called, root }: Kind): Fault =>
  breaking(
    `std.${id}.retrieve`,
    'updated',
    `A ${called} that was created with a name and without a query is answered with 2004 when it is read.`,
    readAs(root),
  );

const removed = ({ id, called, root }: Kind): Fault =>
  breaking(
    `std.${id}.delete`,
    'ok',
    `The deletion of a ${called} is answered with 2000.`,
    answeredWith(200, 2000, withoutQuery(removing(root))),
  );

export const kindsThatTell: readonly Fault[] = [
  ...kinds.map(created),
  ...kinds.filter(({ id }) => id !== 'time-series-instance').map(read),
  ...kinds.filter(({ id }) => id !== 'time-series').map(removed),
];
