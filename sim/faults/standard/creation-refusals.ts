/** What the standard says of creating, broken: what is refused. */

import { BAD_REQUEST, CONFLICT, INVALID_CHILD_RESOURCE_TYPE, NOT_FOUND, NOT_IMPLEMENTED } from '../../core/status.ts';
import { readTimestamp } from '../../dialects/timestamp.ts';
import type { Fault } from '../fault.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { jsonBytes } from '../vocabulary/bytes.ts';
import { withHeaders } from '../vocabulary/changed-requests.ts';
import {
  codingAs,
  describingOtherwise,
  doingAllTheSame,
  failure,
  hasCriteria,
  overlooking,
  refusingWith,
  rewriting,
  withoutCriteria,
} from '../vocabulary/standard-changes.ts';
import { all, creates, gives, type Which } from '../vocabulary/standard-wanted.ts';

const container = creates('m2m:cnt');

const labelledWith =
  (pattern: RegExp): Which =>
  ({ request }) =>
    pattern.test(request.headers['content-type'] ?? '');

/** The kind that the content-type names. */
const numbered = (ty: number) => labelledWith(new RegExp(`ty=${ty}\\b`));

const withCriteria = all(creates(), hasCriteria);

const passed =
  (name: string): Which =>
  ({ sent, core }) => {
    const time = sent?.attributes[name];
    const moment = typeof time === 'string' ? readTimestamp(time) : undefined;
    return moment !== undefined && moment < core.services.ports.clock.now();
  };

/** Takes away what the kind has not. */
const unknownLeftOut = rewriting(container, ({ request, sent, core }) => {
  const known = core.configuration.kinds.find(({ root }) => root === 'm2m:cnt')?.attributes;
  const kept = Object.entries(sent?.attributes ?? {}).filter(([name]) => known?.[name] !== undefined);
  return { ...request, body: jsonBytes({ 'm2m:cnt': Object.fromEntries(kept) }) };
});

/** The kind of the content counts, and not the one that the Content-Type names. */
const believingTheRoot = rewriting(container, ({ request }) => {
  const { 'content-type': label = '' } = request.headers;
  return withHeaders(request, { 'content-type': label.replace(/ty=(9|23)\b/, 'ty=3') });
});

const believingTheNumber = rewriting(all(creates('m2m:grp'), numbered(3)), ({ request, sent }) => ({
  ...request,
  body: jsonBytes({ 'm2m:cnt': sent?.attributes }),
}));

export const creationRefusals: readonly Fault[] = [
  breaking(
    'std.create.name-shape',
    'dash',
    'For a slash in a name there is a dash.',
    describingOtherwise(all(creates(), gives('rn')), ({ rn, ...rest }) => ({
      ...rest,
      rn: typeof rn === 'string' ? rn.replaceAll('/', '-') : rn,
    })),
  ),
  breaking(
    'std.create.name-shape',
    'conflict',
    'A container whose name has a slash is refused with 4105.',
    codingAs(
      all(container, ({ sent }) => String(sent?.attributes.rn).includes('/')),
      BAD_REQUEST,
      CONFLICT,
    ),
  ),
  breaking(
    'std.create.et-passed',
    'taken',
    'An expiration time that has passed is not looked at on creation.',
    overlooking(all(creates(), passed('et')), 'et'),
  ),
  breaking(
    'std.create.et-passed',
    'conflict',
    'A create with an expiration time that has passed is refused with 4105.',
    codingAs(all(creates(), passed('et')), BAD_REQUEST, CONFLICT),
  ),
  breaking(
    'std.create.unknown-attribute',
    'left-out',
    'Attributes that containers have not are left out when one is created.',
    unknownLeftOut,
  ),
  breaking(
    'std.create.unknown-attribute',
    'not-implemented',
    'An attribute nosuchattribute of a new container is refused with 5001.',
    codingAs(all(container, gives('nosuchattribute')), BAD_REQUEST, NOT_IMPLEMENTED),
  ),
  breaking(
    'std.create.read-only',
    'creation-time',
    'A creation time that is given on creation is not looked at.',
    overlooking(all(creates(), gives('ct')), 'ct'),
  ),
  breaking(
    'std.create.read-only',
    'identifier',
    'A resource identifier that is given on creation is not looked at.',
    overlooking(all(creates(), gives('ri')), 'ri'),
  ),
  breaking(
    'std.create.wrong-type',
    'label-alone',
    'Labels that are one text are taken as a list with it.',
    describingOtherwise(all(creates(), gives('lbl')), ({ lbl, ...rest }) => ({
      ...rest,
      lbl: typeof lbl === 'string' ? [lbl] : lbl,
    })),
  ),
  breaking(
    'std.create.wrong-type',
    'time',
    'An expiration time that is no time is not looked at on creation.',
    describingOtherwise(all(creates(), gives('et')), ({ et, ...rest }) => ({
      ...rest,
      et: typeof et === 'string' && !/^\d/.test(et) ? undefined : et,
    })),
  ),
  breaking(
    'std.create.wrong-child',
    'bad-request',
    'An access control policy below a container is refused with 4000.',
    codingAs(creates('m2m:acp'), INVALID_CHILD_RESOURCE_TYPE, BAD_REQUEST),
  ),
  breaking(
    'std.create.wrong-child',
    'conflict',
    'A node below an application entity is refused with 4105.',
    codingAs(creates('m2m:nod'), INVALID_CHILD_RESOURCE_TYPE, CONFLICT),
  ),
  breaking(
    'std.create.wrong-root',
    'root-counts',
    'Content that is a container is taken as one where the Content-Type names the number of groups or of subscriptions.',
    believingTheRoot,
  ),
  breaking(
    'std.create.wrong-root',
    'number-counts',
    'Content below the root of groups is taken as a container where the Content-Type names that number.',
    believingTheNumber,
  ),
  breaking(
    'std.create.unknown-kind',
    'fails',
    'A kind with the number 99999 is refused with 5000.',
    refusingWith(all(creates(), numbered(99999)), failure),
  ),
  breaking(
    'std.create.unknown-kind',
    'not-found',
    'A kind with the number 99999 is refused with 4004.',
    refusingWith(all(creates(), numbered(99999)), NOT_FOUND),
  ),
  breaking(
    'std.create.not-implemented',
    'wrong-child',
    'A schedule is refused with 4108.',
    refusingWith(all(creates(), numbered(18)), INVALID_CHILD_RESOURCE_TYPE),
  ),
  breaking(
    'std.create.not-found',
    'bad-request',
    'A create below what is not there is refused with 4000.',
    codingAs(creates(), NOT_FOUND, BAD_REQUEST),
  ),
  breaking(
    'std.create.filter-criteria',
    'conflict',
    'A create with filter criteria is refused with 4105.',
    refusingWith(withCriteria, CONFLICT),
  ),
  breaking(
    'std.create.filter-criteria.nothing-created',
    'created',
    'A create with filter criteria is refused, and done.',
    doingAllTheSame(withCriteria, withoutCriteria),
  ),
];
