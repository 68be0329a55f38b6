/** Members of a group whose CSE could not be reached are examined as soon as it can (TS-0004, clause 7.4.13.2.1). */
import { isRemote } from '../core/local-resource.ts';
import type { Resource } from '../core/resource.ts';
import type { Services } from '../core/services.ts';
import { CseError } from '../core/status.ts';
import { type Demands, type Examined, examine, mixed } from './group-consistency.ts';
import { askRemote, type Kind, membersOf } from './group-members.ts';

const firstPause = 5000;
const longestPause = 60_000;

/** By group, what its `mid` was when its watch began: another one ends the watch. */
const watched = new WeakMap<Resource, unknown>();

export function watchUnreachable(
  group: Resource,
  demandsOf: (values: Resource['values']) => Demands,
  services: Services,
): void {
  const { mid } = group.values;
  watched.set(group, mid);
  const isCurrent = () => services.tree.holds(group) && watched.get(group) === mid && group.values.mtv === false;
  const look = async (pause: number): Promise<void> => {
    if (!isCurrent()) return;
    const kinds = await kindsOf(mid as readonly string[], services);
    if (!isCurrent()) return;
    if (kinds !== undefined) settle(group, kinds, demandsOf(group.values), services);
    if (isCurrent()) again(Math.min(2 * pause, longestPause));
  };
  const again = (pause: number) => services.ports.clock.schedule(pause, () => look(pause));
  again(firstPause);
}

/** Undefined when a member has refused to say what it is. */
async function kindsOf(
  mid: readonly string[],
  services: Services,
): Promise<ReadonlyMap<string, Kind | undefined> | undefined> {
  const remote = mid.filter((member) => isRemote(member, services.configuration));
  try {
    return await askRemote(remote, services);
  } catch (error) {
    if (error instanceof CseError) return undefined;
    services.ports.onError(error);
    return undefined;
  }
}

function settle(
  group: Resource,
  kinds: ReadonlyMap<string, Kind | undefined>,
  demands: Demands,
  services: Services,
): void {
  const examined = outcome(group, kinds, demands, services);
  if (examined === undefined) {
    services.tree.remove(group);
    return;
  }
  if (!examined.validated) return;
  const mid = examined.members.map(({ called }) => called);
  group.values = { ...group.values, mid, mtv: true, ...(examined.becomesMixed && { mt: mixed }) };
  services.notifier.changedHere(group, ['mid', 'mtv', 'mt']);
}

/** Undefined when the group is to be given up. */
function outcome(
  group: Resource,
  kinds: ReadonlyMap<string, Kind | undefined>,
  demands: Demands,
  services: Services,
): Examined | undefined {
  try {
    return examine(membersOf(group.values.mid as readonly string[], services, kinds), demands);
  } catch (error) {
    if (error instanceof CseError) return undefined;
    throw error;
  }
}
