/** Members of a group whose CSE could not be reached are examined as soon as it can (TS-0004, clause 7.4.13.2.1). */
import { isRemote } from '../core/local-resource.ts';
import type { Resource } from '../core/resource.ts';
import type { Services } from '../core/services.ts';
import { CseError, unlessRefused } from '../core/status.ts';
import { examine } from './group-consistency.ts';
import { askRemote, type Kind, membersOf } from './group-members.ts';

const firstPause = 5000;
const longestPause = 60_000;

/** By group, what its `mid` was when its watch began: another one ends the watch. */
const watched = new WeakMap<Resource, unknown>();

export function watchUnreachable(group: Resource, services: Services): void {
  const { mid } = group.values;
  watched.set(group, mid);
  const isCurrent = () => services.tree.holds(group) && watched.get(group) === mid && group.values.mtv === false;
  const look = async (pause: number): Promise<void> => {
    if (!isCurrent()) return;
    const remote = (mid as readonly string[]).filter((member) => isRemote(member, services.configuration));
    // Undefined when a member has refused to say what it is.
    const kinds = await unlessRefused(askRemote(remote, services), services.ports);
    if (!isCurrent()) return;
    if (kinds !== undefined) settle(group, kinds, services);
    if (isCurrent()) again(Math.min(2 * pause, longestPause));
  };
  const again = (pause: number) => services.ports.clock.schedule(pause, () => look(pause));
  again(firstPause);
}

/** The group that is to have no strangers is given up where there is one. */
function settle(group: Resource, kinds: ReadonlyMap<string, Kind | undefined>, services: Services): void {
  try {
    const listed = membersOf(group.values.mid as readonly string[], services, kinds);
    const examined = examine(listed, group.values);
    if (!examined.mtv) return;
    group.values = { ...group.values, ...examined };
  } catch (error) {
    if (!(error instanceof CseError)) throw error;
    services.tree.remove(group);
    return;
  }
  services.notifier.changedHere(group, ['mid', 'mtv', 'mt']);
}
