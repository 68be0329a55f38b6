/** What the standard says of which members of a group are reached, and what becomes of the group, broken. */

import type { Resource } from '../../core/resource.ts';
import type { Fault, Wrap } from '../fault.ts';
import { isSuccess } from '../vocabulary/asked.ts';
import { handling } from '../vocabulary/blocks.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { type Arrival, arrivalOf, giving, refusedAs, updating } from '../vocabulary/standard-exchanges.ts';
import {
  type FanOut,
  fanningOut,
  membersOf,
  reachingFirst,
  servedWithMembers,
  type WhichFanOut,
} from '../vocabulary/standard-fan-out.ts';

const always: WhichFanOut = () => true;

/** What is done besides when something was deleted at the members. */
const afterDeleting = (
  which: WhichFanOut,
  act: (group: Resource, arrival: Arrival, members: readonly string[]) => void,
): Wrap =>
  handling(async (request, service, core) => {
    const arrival = arrivalOf(request, core, (one) => service.handle(one));
    const { addressed } = arrival;
    const members = addressed === undefined ? [] : membersOf(addressed);
    const meant = fanningOut((fanOut) => fanOut.method === 'DELETE' && which(fanOut))(arrival);
    const answer = await service.handle(request);
    if (meant && isSuccess(answer) && addressed !== undefined) act(addressed, arrival, members);
    return answer;
  });

/** After an update of its members a group reaches the former ones. */
const formerMembers: Wrap = (service, core) => {
  const former = new Map<string, readonly string[]>();
  const toFormer = servedWithMembers(
    () => true,
    ({ group }) => former.get(group.id),
  )(service, core);
  return handling(async (request) => {
    const arrival = arrivalOf(request, core, (one) => toFormer.handle(one));
    const { addressed } = arrival;
    const before = addressed === undefined ? [] : membersOf(addressed);
    const answer = await toFormer.handle(request);
    const changed = updating('m2m:grp')(arrival) && giving('mid')(arrival) && isSuccess(answer);
    if (changed && addressed !== undefined) former.set(addressed.id, before);
    return answer;
  })(service, core);
};

export const fanOutEffects: readonly Fault[] = [
  breaking(
    'std.fan-out.suffix.done',
    'first-only',
    'What is created behind fopt and a path is created at the first member only; the others are answered for.',
    reachingFirst(({ method, rest }) => method === 'POST' && rest !== ''),
  ),
  breaking(
    'std.fan-out.suffix.member-stays',
    'deleted',
    'What is deleted behind fopt and a path is deleted together with the members.',
    afterDeleting(
      ({ rest }) => rest !== '',
      (_group, { core }, members) => {
        for (const to of members) core.perform({ operation: 'delete', to });
      },
    ),
  ),
  breaking(
    'std.fan-out.group-stays',
    'deleted',
    'A group is deleted together with its members.',
    afterDeleting(
      ({ rest }) => rest === '',
      ({ id }, { core }) => core.perform({ operation: 'delete', to: id }),
    ),
  ),
  breaking(
    'std.fan-out.delete.members-leave',
    'listed',
    'Members that were deleted by what is sent to fopt are still listed by the group.',
    afterDeleting(
      ({ rest }) => rest === '',
      (group, _arrival, members) => {
        group.values = { ...group.values, mid: members };
      },
    ),
  ),
  breaking(
    'std.fan-out.delete.virtual-stays',
    'leaves',
    'What is deleted at fopt leaves the group without members, virtual ones or not.',
    afterDeleting(
      ({ rest }) => rest === '',
      (group) => {
        group.values = { ...group.values, mid: [] };
      },
    ),
  ),
  breaking(
    'std.fan-out.nested',
    'left-out',
    'Groups among the members are left out where there are others.',
    servedWithMembers(
      ({ members }) => members.some((one) => !one.endsWith('/fopt')),
      ({ members }) => members.filter((one) => !one.endsWith('/fopt')),
    ),
  ),
  breaking(
    'std.fan-out.nested.itself',
    'its-members',
    'Of a group that is a member without fopt the members are reached.',
    servedWithMembers(always, membersOfGroups),
  ),
  breaking(
    'std.fan-out.no-members',
    'not-found',
    'What is sent to a group without members is refused with 4004.',
    refusedAs({ status: 404, code: 4004 }, 4109),
  ),
  breaking(
    'std.fan-out.members-changed',
    'former',
    'After an update of its members a group reaches the former ones.',
    formerMembers,
  ),
];

function membersOfGroups({ core, members }: FanOut): readonly string[] | undefined {
  const isGroup = (id: string) => core.tree.byId(id)?.type.root === 'm2m:grp';
  return members.some(isGroup) ? members.map((one) => (isGroup(one) ? `${one}/fopt` : one)) : undefined;
}
