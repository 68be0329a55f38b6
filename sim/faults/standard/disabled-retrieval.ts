/** What the standard says of containers whose content instances are not retrieved, broken. */

import { BAD_REQUEST, NOT_FOUND, OPERATION_NOT_ALLOWED, ORIGINATOR_HAS_NO_PRIVILEGE } from '../../core/status.ts';
import type { Fault, Wrap } from '../fault.ts';
import { handling } from '../vocabulary/blocks.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { codingAs, refusingThose, showingAs } from '../vocabulary/standard-changes.ts';
import { all, creates, Exchange, readsWhole, type Which } from '../vocabulary/standard-wanted.ts';

const reading = readsWhole('m2m:cnt');

const closed: Which = ({ target, above }) =>
  target?.parent?.values.disr === true || (target === undefined && above?.values.disr === true);
const atEnd =
  (name: string): Which =>
  ({ path }) =>
    path.endsWith(`/${name}`);
const byItsPath: Which = ({ about }) => !about.virtual;

const isRetrieve: Which = ({ method }) => method === 'GET';
const isDelete: Which = ({ method }) => method === 'DELETE';

/** What a container disables is refused with 4103. */
const otherRefusal = (...which: readonly Which[]) =>
  codingAs(all(...which, closed), OPERATION_NOT_ALLOWED, ORIGINATOR_HAS_NO_PRIVILEGE);

/** Served as if the container did not have disr. */
const inSpite = (which: Which): Wrap =>
  handling(async (request, service, core) => {
    const exchange = new Exchange(request, core);
    const container = which(exchange) && closed(exchange) ? exchange.target?.parent : undefined;
    if (container === undefined) return service.handle(request);
    const { values } = container;
    container.values = { ...values, disr: false };
    const answer = await service.handle(request);
    container.values = values;
    return answer;
  });

export const disabledRetrieval: readonly Fault[] = [
  breaking(
    'std.container.disr.kept',
    'text',
    'disr of a container that is read is a text.',
    showingAs(reading, 'disr', (disr) => (disr === undefined ? undefined : String(disr))),
  ),
  breaking(
    'std.container.disr.kept',
    'missing',
    'A container that is read lacks disr.',
    showingAs(reading, 'disr', () => undefined),
  ),
  breaking(
    'std.container.disr.create',
    'refused',
    'A container with disr takes no content instance: 4005.',
    refusingThose(
      all(creates('m2m:cin'), ({ target }) => target?.values.disr === true),
      OPERATION_NOT_ALLOWED,
    ),
  ),
  breaking(
    'std.container.disr.retrieve',
    'no-right',
    'Content instances that are not retrieved because of disr are refused with 4103 by their own paths.',
    otherRefusal(isRetrieve, byItsPath),
  ),
  breaking(
    'std.container.disr.retrieve',
    'served',
    'Content instances are retrieved by their own paths in spite of disr.',
    inSpite(all(isRetrieve, byItsPath)),
  ),
  breaking(
    'std.container.disr.latest',
    'no-right',
    'la that is not retrieved because of disr is refused with 4103.',
    otherRefusal(isRetrieve, atEnd('la')),
  ),
  breaking(
    'std.container.disr.latest',
    'served',
    'la is retrieved in spite of disr.',
    inSpite(all(isRetrieve, atEnd('la'))),
  ),
  breaking(
    'std.container.disr.oldest',
    'no-right',
    'ol that is not retrieved because of disr is refused with 4103.',
    otherRefusal(isRetrieve, atEnd('ol')),
  ),
  breaking(
    'std.container.disr.oldest',
    'not-found',
    'ol that is not retrieved because of disr is not found.',
    codingAs(all(isRetrieve, atEnd('ol'), closed), OPERATION_NOT_ALLOWED, NOT_FOUND),
  ),
  breaking(
    'std.container.disr.delete',
    'no-right',
    'Content instances that are not deleted because of disr are refused with 4103 by their own paths.',
    otherRefusal(isDelete, byItsPath),
  ),
  breaking(
    'std.container.disr.delete',
    'done',
    'Content instances are deleted by their own paths in spite of disr.',
    inSpite(all(isDelete, byItsPath)),
  ),
  breaking(
    'std.container.disr.latest-delete',
    'no-right',
    'la that is not deleted because of disr is refused with 4103.',
    otherRefusal(isDelete, atEnd('la')),
  ),
  breaking(
    'std.container.disr.oldest-delete',
    'no-right',
    'ol that is not deleted because of disr is refused with 4103.',
    otherRefusal(isDelete, atEnd('ol')),
  ),
  breaking(
    'std.container.disr.oldest-delete',
    'bad-request',
    'ol that is not deleted because of disr is refused with 4000.',
    codingAs(all(isDelete, atEnd('ol'), closed), OPERATION_NOT_ALLOWED, BAD_REQUEST),
  ),
];
