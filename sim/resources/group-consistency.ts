/** Whether the members of a group are what its `mt` and `spty` say, and what is done when they are not (`csy`, TS-0001 clause 9.6.13). */
import { isRemote } from '../core/local-resource.ts';
import type { Resource } from '../core/resource.ts';
import type { Services } from '../core/services.ts';
import { CseError, unlessRefused } from '../core/status.ts';
import { askRemote, type Member, type MemberType, membersOf } from './group-members.ts';

/** `memberType` of a group of whatever. */
export const mixed = 0;

/** `consistencyStrategy` of TS-0004. */
export const strategies = { abandonMember: 1, abandonGroup: 2, setMixed: 3 } as const;

export function checkNumber(count: number, most: number): void {
  if (count <= most) return;
  throw new CseError('MAX_NUMBER_OF_MEMBER_EXCEEDED', `The group has ${count} members, more than the ${most} of mnm.`);
}

/**
 * The attributes that follow from what the members are: those of another kind are left out unless `csy` says otherwise; `mt` is there
 * when the group has become one of mixed members. Throws a CseError (GROUP_MEMBER_TYPE_INCONSISTENT) where the strategy is to have no
 * such group.
 */
export function examine(members: readonly Member[], { mt, spty, csy }: Resource['values']) {
  // False when there are members of which something should be known, and nothing is yet.
  const mtv = mt === mixed || members.every(({ kind }) => kind !== undefined);
  const isStranger = ({ kind }: Member) => kind !== undefined && mt !== mixed && !conforms(kind, mt, spty);
  const stranger = members.find(isStranger);
  if (stranger !== undefined && csy === strategies.abandonGroup) {
    throw new CseError(
      'GROUP_MEMBER_TYPE_INCONSISTENT',
      `The member ${stranger.called} is not of the kind that mt ${mt}${spty === undefined ? '' : ' and spty'} asks for.`,
    );
  }
  const becomesMixed = stranger !== undefined && csy === strategies.setMixed;
  const kept = becomesMixed ? members : members.filter((member) => !isStranger(member));
  const mid = kept.map(({ called }) => called);
  return { mid, mtv, ...(becomesMixed && { mt: mixed }) };
}

function conforms(kind: MemberType, mt: unknown, spty: unknown): boolean {
  if (kind.ty !== undefined && kind.ty !== mt) return false;
  const wanted = specialization(spty);
  return wanted === undefined || kind.specialization === undefined || specialization(kind.specialization) === wanted;
}

/** `{"cnd": …}`, `{"mgd": …}`, or the value alone. */
function specialization(value: unknown): unknown {
  const { cnd, mgd } = (typeof value === 'object' && value !== null ? value : {}) as { cnd?: unknown; mgd?: unknown };
  return cnd ?? mgd ?? (typeof value === 'object' ? undefined : value);
}

// Members whose CSE could not be reached are examined as soon as it can (TS-0004, clause 7.4.13.2.1).

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
function settle(group: Resource, kinds: ReadonlyMap<string, MemberType | undefined>, services: Services): void {
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
