/** What the standard says of the headers of answers and of HTTP statuses, broken. */

import {
  BAD_REQUEST,
  CONFLICT,
  CREATED,
  DELETED,
  INVALID_CHILD_RESOURCE_TYPE,
  NOT_ACCEPTABLE,
  NOT_FOUND,
  OK,
  OPERATION_NOT_ALLOWED,
  ORIGINATOR_HAS_ALREADY_REGISTERED,
  ORIGINATOR_HAS_NO_PRIVILEGE,
  SECURITY_ASSOCIATION_REQUIRED,
  UPDATED,
} from '../../core/status.ts';
import type { HttpResponse } from '../../dialects/http-message.ts';
import type { Fault } from '../fault.ts';
import { isSuccess } from '../vocabulary/asked.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { labelled, withoutHeaders } from '../vocabulary/changed-answers.ts';
import { answering, done, statusAs } from '../vocabulary/standard-changes.ts';
import { all, asks, creates, deletes, reads, readsWhole, updates, type Which } from '../vocabulary/standard-wanted.ts';

const reading = readsWhole('m2m:cnt');
const creating = creates('m2m:cnt');

type Headers = HttpResponse['headers'];

/** Other headers of the successful answers to these requests. */
const labelling = (which: Which, headers: (was: Headers) => Headers) =>
  answering(which, (answer) => (isSuccess(answer) ? labelled(answer, headers(answer.headers)) : undefined));

const without = (which: Which, name: string, isMeant: (answer: HttpResponse) => boolean = isSuccess) =>
  answering(which, (answer) => (isMeant(answer) ? withoutHeaders(answer, name) : undefined));

const isRefusal = (answer: HttpResponse) => !isSuccess(answer);

/** A container that has been modified, beside another. */
const modified: Which = ({ target }) => {
  const beside = [...(target?.parent?.children?.values() ?? [])].filter(({ type }) => type.root === 'm2m:cnt');
  return target !== undefined && target.modified !== target.created && beside.length > 1;
};

const noMethod: Which = ({ method }) => method === 'PATCH';

export const answerHeaders: readonly Fault[] = [
  breaking(
    'std.headers.ri',
    'cut',
    'A request identifier that ends with two numbers, each behind a dash, comes back without the last one where a container is read.',
    labelling(reading, ({ 'X-M2M-RI': ri = '' }) => ({ 'X-M2M-RI': ri.replace(/(?<=-\d+)-\d+$/, '') })),
  ),
  breaking(
    'std.headers.ri.refusal',
    'missing',
    'A read that is refused is answered without a request identifier.',
    without(reads(), 'X-M2M-RI', isRefusal),
  ),
  breaking(
    'std.headers.rvi',
    'missing',
    'A container is read without a release version in the answer.',
    without(reading, 'X-M2M-RVI'),
  ),
  breaking(
    'std.headers.rvi',
    'name',
    'A container is read with Rel3 as the release version in the answer.',
    labelling(reading, () => ({ 'X-M2M-RVI': 'Rel3' })),
  ),
  breaking(
    'std.headers.rsc',
    'missing',
    'The delete of a container that has been modified, and stands beside another, is answered without X-M2M-RSC.',
    without(all(deletes('m2m:cnt'), modified), 'X-M2M-RSC'),
  ),
  breaking(
    'std.headers.content-location',
    'parent',
    'Content-Location of a container that was created leads to its parent.',
    labelling(
      all(creating, ({ query }) => query.size === 0),
      ({ 'Content-Location': location = '' }) => ({ 'Content-Location': location.replace(/\/[^/]*$/, '') }),
    ),
  ),
  breaking(
    'std.headers.content-location.told',
    'missing',
    'A container that is created with rcn 2 is answered without Content-Location.',
    without(all(creating, asks('rcn', '2')), 'Content-Location'),
  ),
  breaking(
    'std.headers.ot',
    'of-http',
    'The time in X-M2M-OT is written as in the header Date where a container is read.',
    labelling(reading, () => ({ 'X-M2M-OT': 'Sat, 21 Nov 2026 16:40:23 GMT' })),
  ),
  breaking(
    'std.headers.answer-type',
    'text',
    'A container is read in text/plain.',
    labelling(reading, () => ({ 'Content-Type': 'text/plain; charset=utf-8' })),
  ),
  breaking(
    'std.headers.answer-type',
    'unsaid',
    'A container is read without Content-Type in the answer.',
    without(reading, 'Content-Type'),
  ),
  breaking('std.http.2000', '203', 'A container is read with status 203.', statusAs(reading, OK, 203)),
  breaking(
    'std.http.2001',
    '200',
    'The create of a container is answered with status 200.',
    statusAs(creating, CREATED, 200),
  ),
  breaking(
    'std.http.2002',
    '204',
    'The delete of a container is answered with status 204.',
    statusAs(deletes('m2m:cnt'), DELETED, 204),
  ),
  breaking(
    'std.http.2004',
    '201',
    'The update of a container is answered with status 201.',
    statusAs(updates('m2m:cnt'), UPDATED, 201),
  ),
  breaking(
    'std.http.4000',
    '422',
    'The create of a container that is refused with 4000 has status 422.',
    statusAs(creating, BAD_REQUEST, 422),
  ),
  breaking(
    'std.http.4004',
    '410',
    'A read that is refused with 4004 has status 410.',
    statusAs(reads(), NOT_FOUND, 410),
  ),
  breaking(
    'std.http.4005',
    '403',
    'An update that is refused with 4005 has status 403.',
    statusAs(updates(), OPERATION_NOT_ALLOWED, 403),
  ),
  breaking(
    'std.http.4103',
    '401',
    'A read that is refused with 4103 has status 401.',
    statusAs(reads(), ORIGINATOR_HAS_NO_PRIVILEGE, 401),
  ),
  breaking(
    'std.http.4105',
    '400',
    'The create of a container that is refused with 4105 has status 400.',
    statusAs(creating, CONFLICT, 400),
  ),
  breaking(
    'std.http.4108',
    '400',
    'The create of a content instance that is refused with 4108 has status 400.',
    statusAs(creates('m2m:cin'), INVALID_CHILD_RESOURCE_TYPE, 400),
  ),
  breaking(
    'std.http.5207',
    '413',
    'The create of a content instance that is refused with 5207 has status 413.',
    statusAs(creates('m2m:cin'), NOT_ACCEPTABLE, 413),
  ),
  breaking(
    'std.http.refused-registration',
    '409',
    'A registration that is refused with 4117 has status 409.',
    statusAs(creates('m2m:ae'), ORIGINATOR_HAS_ALREADY_REGISTERED, 409),
  ),
  breaking(
    'std.http.refused-registration',
    '401',
    'A registration that is refused with 4107 has status 401.',
    statusAs(creates('m2m:ae'), SECURITY_ASSOCIATION_REQUIRED, 401),
  ),
  breaking(
    'std.http.unknown-method',
    'done',
    'PATCH is answered as a retrieve that was done, and nothing is done.',
    answering(noMethod, (_, { request }) => done(request, OK)),
  ),
  breaking(
    'std.http.unknown-method',
    'fails',
    'PATCH is answered with status 500.',
    answering(noMethod, (answer) => ({ ...answer, status: 500 })),
  ),
];
