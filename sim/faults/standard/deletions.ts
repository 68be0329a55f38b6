/** What the standard says of deleting, broken. */

import { BAD_REQUEST, CONFLICT, DELETED, NOT_FOUND, OK } from '../../core/status.ts';
import type { Fault, Wrap } from '../fault.ts';
import { isSuccess } from '../vocabulary/asked.ts';
import { handling } from '../vocabulary/blocks.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { refused } from '../vocabulary/changed-answers.ts';
import {
  asIf,
  codingAs,
  doingAllTheSame,
  hasCriteria,
  pretending,
  withoutCriteria,
} from '../vocabulary/standard-changes.ts';
import { byIdentifier, byPath, childrenOf, haunting, targetOf } from '../vocabulary/standard-remains.ts';
import { all, asks, creates, deletes, Exchange, type Which } from '../vocabulary/standard-wanted.ts';

/** The name of a container that was deleted is taken for other containers. */
const namesTaken: Wrap = (service, core) => {
  const taken = new Set<string>();
  return handling(async (request) => {
    const exchange = new Exchange(request, core);
    const { path, target, sent } = exchange;
    const leaves = deletes('m2m:cnt')(exchange) ? target?.path : undefined;
    const wanted = creates('m2m:cnt')(exchange) ? `${target?.path}/${sent?.attributes.rn}` : path;
    if (taken.has(wanted)) return refused(CONFLICT.http, CONFLICT.code, request);
    const answer = await service.handle(request);
    if (leaves !== undefined && isSuccess(answer)) taken.add(leaves);
    return answer;
  })(service, core);
};

const conditional = all(deletes('m2m:cnt'), hasCriteria);

const containerWith = (rcn: string) => all(deletes('m2m:cnt'), asks('rcn', rcn));
const parentThere: Which = ({ above }) => above !== undefined;

const besideAnother: Which = ({ target }) => {
  const beside = [...(target?.parent?.children?.values() ?? [])].filter(({ type }) => type.root === 'm2m:cnt');
  return target?.parent?.type.root === 'm2m:ae' && target.modified === target.created && beside.length > 1;
};

export const deletions: readonly Fault[] = [
  breaking(
    'std.container.delete',
    'ok',
    'The delete of a container that stands below an application entity beside another container and has never been modified is answered with 2000.',
    codingAs(all(deletes('m2m:cnt'), besideAnother), DELETED, OK),
  ),
  breaking(
    'std.content-instance.delete',
    'ok',
    'The delete of a content instance by its own path is answered with 2000.',
    codingAs(
      all(deletes('m2m:cin'), ({ about }) => !about.virtual),
      DELETED,
      OK,
    ),
  ),
  breaking(
    'std.delete.gone',
    'answered',
    'A polling channel that was deleted is still answered to who reads its path.',
    haunting(targetOf(deletes('m2m:pch')), byPath),
  ),
  breaking(
    'std.delete.not-found',
    'bad-request',
    'A delete of what is not there, where its parent is, is refused with 4000.',
    codingAs(all(deletes(), parentThere), NOT_FOUND, BAD_REQUEST),
  ),
  breaking(
    'std.delete.not-found',
    'done',
    'A delete of what is not there, where its parent is, is answered as done.',
    pretending(
      all(deletes(), parentThere, ({ target }) => target === undefined),
      DELETED,
    ),
  ),
  breaking(
    'std.delete.subtree',
    'answered',
    'Polling channels below an application entity that was deleted are still answered by their identifiers.',
    haunting(childrenOf(deletes('m2m:ae'), 'm2m:pch'), byIdentifier),
  ),
  breaking(
    'std.delete.subtree',
    'bad-request',
    'A delete of what stood below something that was deleted is refused with 4000.',
    codingAs(
      all(deletes(), ({ above }) => above === undefined),
      NOT_FOUND,
      BAD_REQUEST,
    ),
  ),
  breaking('std.delete.name-free', 'taken', 'No container gets the name of a container that was deleted.', namesTaken),
  breaking(
    'std.delete.rcn.default',
    'attributes',
    'The delete of a container without rcn answers its attributes.',
    asIf(
      all(deletes('m2m:cnt'), ({ query }) => !query.has('rcn')),
      'rcn',
      '1',
    ),
  ),
  breaking(
    'std.delete.rcn.1',
    'nothing',
    'The delete of a container with rcn 1 answers nothing.',
    asIf(containerWith('1'), 'rcn', '0'),
  ),
  breaking(
    'std.delete.rcn.refused',
    'address',
    'The delete of a container with rcn 2 is done, and answers nothing.',
    asIf(containerWith('2'), 'rcn', '0'),
  ),
  breaking(
    'std.delete.rcn.refused',
    'conflict',
    'The delete of a container with rcn 9 is refused with 4105.',
    codingAs(containerWith('9'), BAD_REQUEST, CONFLICT),
  ),
  breaking(
    'std.delete.conditional.not-met',
    'done',
    'The delete of a container with filter criteria is answered as done, and nothing is deleted.',
    pretending(conditional, DELETED),
  ),
  breaking(
    'std.delete.conditional.kept',
    'deleted',
    'A container is deleted whether filter criteria are met or not, and the delete refused where they are not.',
    doingAllTheSame(conditional, withoutCriteria),
  ),
];
