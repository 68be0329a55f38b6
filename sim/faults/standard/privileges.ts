/** What the standard says of originators without the right, broken. */

import type { Fault } from '../fault.ts';
import { isSuccess } from '../vocabulary/asked.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { recoded } from '../vocabulary/changed-answers.ts';
import {
  afterwards,
  asAdministrator,
  creating,
  insteadOfRefusing,
  refusedAs,
  removing,
  updating,
} from '../vocabulary/standard-exchanges.ts';

const noPrivilege = 4103;

/** What was not to be deleted is deleted, and answered as refused. */
const deletedAnyway = afterwards(async (exchange) => {
  const { answer, code } = exchange;
  if (code !== noPrivilege || !removing()(exchange)) return undefined;
  const done = await exchange.serve(asAdministrator(exchange));
  return isSuccess(done) ? recoded(answer, answer.status, code) : undefined;
});

export const privileges: readonly Fault[] = [
  breaking(
    'std.privilege.create',
    'content-instances-by-all',
    'Everybody may create content instances, whatever the policies say.',
    insteadOfRefusing(noPrivilege, creating('m2m:cin'), asAdministrator),
  ),
  breaking(
    'std.privilege.create',
    'groups-by-all',
    'Everybody may create groups, whatever the policies say.',
    insteadOfRefusing(noPrivilege, creating('m2m:grp'), asAdministrator),
  ),
  breaking(
    'std.privilege.retrieve',
    'latest-by-all',
    'Everybody may read the latest content instance, whatever the policies say.',
    insteadOfRefusing(
      noPrivilege,
      ({ about }) => about.method === 'GET' && about.path.endsWith('/la'),
      asAdministrator,
    ),
  ),
  breaking(
    'std.privilege.update',
    'groups-by-all',
    'Everybody may update groups, whatever the policies say.',
    insteadOfRefusing(noPrivilege, updating('m2m:grp'), asAdministrator),
  ),
  breaking(
    'std.privilege.delete',
    'not-found',
    'Who may not delete a group is refused with 4004.',
    refusedAs({ status: 404, code: 4004 }, noPrivilege, removing('m2m:grp')),
  ),
  breaking(
    'std.privilege.delete.kept',
    'gone',
    'Who may not delete a resource is refused, and it is deleted.',
    deletedAnyway,
  ),
];
