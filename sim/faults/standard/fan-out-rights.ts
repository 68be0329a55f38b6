/** What the standard says of who reaches the members of a group, and how often, broken. */

import type { HttpRequest } from '../../dialects/http-message.ts';
import type { Fault, Wrap } from '../fault.ts';
import { handling } from '../vocabulary/blocks.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { refused } from '../vocabulary/changed-answers.ts';
import { withHeaders } from '../vocabulary/changed-requests.ts';
import {
  type Arrival,
  arrivalOf,
  asAdministrator,
  insteadOfRefusing,
  originatorOf,
  rejecting,
} from '../vocabulary/standard-exchanges.ts';
import { changingResponses, fanningOut, type WhichFanOut } from '../vocabulary/standard-fan-out.ts';

const noPrivilege = { status: 403, code: 4103 };

const always: WhichFanOut = () => true;

const hasMemberPolicy =
  (expected: boolean) =>
  (arrival: Arrival): boolean =>
    fanningOut(({ group }) => (group.values.macp !== undefined) === expected)(arrival);

const rights: readonly Fault[] = [
  breaking(
    'std.fan-out.rights.members-allow',
    'creator-only',
    'Nobody but its creator changes anything through the fan-out of a group with macp.',
    rejecting(
      noPrivilege,
      (arrival) => arrival.about.method !== 'GET' && !createdBy(arrival) && hasMemberPolicy(true)(arrival),
    ),
  ),
  breaking(
    'std.fan-out.rights.members-refuse',
    'anybody',
    'Everybody reaches the members of a group with macp.',
    insteadOfRefusing(noPrivilege.code, hasMemberPolicy(true), asAdministrator),
  ),
  breaking(
    'std.fan-out.rights.group-allows',
    'creator-only',
    'Nobody but its creator reaches the members of a group without macp.',
    rejecting(noPrivilege, (arrival) => !createdBy(arrival) && hasMemberPolicy(false)(arrival)),
  ),
  breaking(
    'std.fan-out.rights.group-refuses',
    'anybody',
    'Everybody reaches the members of a group without macp.',
    insteadOfRefusing(noPrivilege.code, hasMemberPolicy(false), asAdministrator),
  ),
  breaking(
    'std.fan-out.rights.member',
    'left-out',
    'A member that does not allow what is asked of it is left out of the answer.',
    changingResponses(always, (responses) => responses.filter(({ rsc }) => rsc !== noPrivilege.code)),
  ),
];

function createdBy(arrival: Arrival): boolean {
  const { addressed } = arrival;
  return [addressed?.creator, addressed?.parent?.values.aei].includes(originatorOf(arrival));
}

const fanOutIdentifier = 'x-m2m-gid';

/** A request with a group request identifier that has come before is refused, whatever it is about. */
const onceForAll: Wrap = (service, core) => {
  const seen = new Map<string, string>();
  return handling(async (request) => {
    const { about } = arrivalOf(request, core, (one) => service.handle(one));
    const identifier = request.headers[fanOutIdentifier];
    const before = identifier === undefined ? undefined : seen.get(identifier);
    if (identifier !== undefined && before === undefined) seen.set(identifier, about.path);
    return before !== undefined && before !== about.path ? refused(403, 4104, request) : service.handle(request);
  })(service, core);
};

const identifiers: readonly Fault[] = [
  breaking(
    'std.fan-out.identifier.repeated',
    'done',
    'A request with a group request identifier that has reached the resource before is done again.',
    insteadOfRefusing(4104, ({ request }) => request.headers[fanOutIdentifier] !== undefined, unidentified),
  ),
  breaking(
    'std.fan-out.identifier.another-resource',
    'refused',
    'A request with a group request identifier that came to another resource is refused with 4104.',
    onceForAll,
  ),
];

function unidentified({ request }: Arrival): HttpRequest {
  return withHeaders(request, { [fanOutIdentifier]: undefined });
}

export const fanOutRights: readonly Fault[] = [...rights, ...identifiers];
