/** What the standard says of la and ol, broken. */

import type { Resource } from '../../core/resource.ts';
import { BAD_REQUEST, CONFLICT, DELETED, NOT_FOUND, OK, OPERATION_NOT_ALLOWED, UPDATED } from '../../core/status.ts';
import type { HttpResponse } from '../../dialects/http-message.ts';
import type { Fault, Wrap } from '../fault.ts';
import { isSuccess } from '../vocabulary/asked.ts';
import { changingDiscoveries, elsewhere, handling } from '../vocabulary/blocks.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { noBytes } from '../vocabulary/bytes.ts';
import { codeOf } from '../vocabulary/changed-answers.ts';
import {
  answering,
  codingAs,
  describingOtherwise,
  done,
  failure,
  pretending,
  readingOf,
  rewriting,
} from '../vocabulary/standard-changes.ts';
import { byPath, haunting, targetOf } from '../vocabulary/standard-remains.ts';
import { all, creates, Exchange, type Which } from '../vocabulary/standard-wanted.ts';

type End = 'la' | 'ol';

const at =
  (method: string, end: End): Which =>
  (exchange) =>
    exchange.method === method && exchange.path.endsWith(`/${end}`);

/** The content instance beside the one at this end. */
function besideEnd(end: End, instances: Resource['instances']): Resource | undefined {
  const ordered = [...(instances ?? [])];
  return end === 'la' ? ordered.at(-2) : ordered[1];
}

/** Of three or more, the second one from this end is answered. */
const secondOne = (end: End) =>
  rewriting(at('GET', end), ({ request, above }) => {
    const second = (above?.instances?.size ?? 0) > 2 ? besideEnd(end, above?.instances) : undefined;
    return second && elsewhere(request, `/${second.path}`);
  });

/** What was deleted by the name of this end is still answered by that name, until another is created. */
const stillAtEnd =
  (end: End): Wrap =>
  (service, core) => {
    const ghosts = new Map<string, HttpResponse>();
    return handling(async (request) => {
      const exchange = new Exchange(request, core);
      const { path } = exchange;
      if (creates('m2m:cin')(exchange)) ghosts.delete(`${path}/${end}`);
      const ghost = at('DELETE', end)(exchange) ? await service.handle(readingOf(request, path)) : undefined;
      const answer = await service.handle(request);
      if (ghost !== undefined && isSuccess(answer)) ghosts.set(path, ghost);
      return (request.method === 'GET' ? ghosts.get(path) : undefined) ?? answer;
    })(service, core);
  };

const called = (end: End): Which => all(creates('m2m:cnt'), ({ sent }) => sent?.attributes.rn === end);

const named = { la: 'latest', ol: 'oldest' } as const;

function faultsOf(end: End): Fault[] {
  const requirement = `std.${named[end]}`;
  return [
    breaking(
      `${requirement}.retrieve`,
      'second',
      `Of three content instances or more ${end} answers the second one from its end.`,
      secondOne(end),
    ),
    breaking(
      `${requirement}.retrieve.none`,
      'bad-request',
      `Reading ${end} of an empty container is refused with 4000.`,
      codingAs(at('GET', end), NOT_FOUND, BAD_REQUEST),
    ),
    breaking(
      `${requirement}.retrieve.none`,
      'empty',
      `Reading ${end} of an empty container is answered with 2000, and without content.`,
      answering(at('GET', end), (answer, { request }) =>
        codeOf(answer) === NOT_FOUND.code ? done(request, OK) : undefined,
      ),
    ),
    breaking(
      `${requirement}.update`,
      'bad-request',
      `An update of ${end} is refused with 4000.`,
      codingAs(at('PUT', end), OPERATION_NOT_ALLOWED, BAD_REQUEST),
    ),
    breaking(
      `${requirement}.delete`,
      'ok',
      `A delete of ${end} is answered with 2000.`,
      codingAs(at('DELETE', end), DELETED, OK),
    ),
    breaking(
      `${requirement}.delete.gone`,
      'answered',
      `A content instance that was deleted by the name ${end} is still answered to who reads its path.`,
      haunting(targetOf(at('DELETE', end)), byPath),
    ),
    breaking(
      `${requirement}.delete.next`,
      'answered',
      `A content instance that was deleted by the name ${end} is still answered to who reads ${end}, until another is created.`,
      stillAtEnd(end),
    ),
    breaking(
      `${requirement}.delete.none`,
      'done',
      `A delete of ${end} of an empty container is answered as done.`,
      answering(at('DELETE', end), (answer, { request }) =>
        codeOf(answer) === NOT_FOUND.code ? done(request, DELETED) : undefined,
      ),
    ),
    breaking(
      `${requirement}.delete.none`,
      'not-allowed',
      `A delete of ${end} of an empty container is refused with 4005.`,
      codingAs(at('DELETE', end), NOT_FOUND, OPERATION_NOT_ALLOWED),
    ),
    breaking(
      `${requirement}.reserved`,
      'another',
      `A container that wants to be called ${end} is called ${end}_.`,
      describingOtherwise(called(end), (attributes) => ({ ...attributes, rn: `${end}_` })),
    ),
    breaking(
      `${requirement}.reserved`,
      'fails',
      `A container that wants to be called ${end} is answered with 5000.`,
      codingAs(called(end), CONFLICT, failure),
    ),
  ];
}

const listed = (end: End): Wrap =>
  changingDiscoveries((found, { path }, core) => {
    const exchange = new Exchange({ method: 'GET', target: path, headers: {}, body: noBytes }, core);
    return (exchange.target?.instances?.size ?? 0) > 0 ? [...found, `${exchange.target?.path}/${end}`] : undefined;
  });

export const latestAndOldest: readonly Fault[] = [
  ...faultsOf('la'),
  breaking(
    'std.latest.update',
    'done',
    'An update of la is answered as done, and nothing is changed.',
    pretending(at('PUT', 'la'), UPDATED),
  ),
  ...faultsOf('ol'),
  breaking(
    'std.virtual.not-discovered',
    'la',
    'A discovery below a container that holds content instances finds la, too.',
    listed('la'),
  ),
  breaking(
    'std.virtual.not-discovered',
    'ol',
    'A discovery below a container that holds content instances finds ol, too.',
    listed('ol'),
  ),
];
