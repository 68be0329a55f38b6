/** Whether the members of a group conform to its `mt` and `spty`, and what happens otherwise (`csy`, TS-0001 clause 9.6.13). */
import { isRemote } from '../core/address.ts';
import type { Resource } from '../core/resource.ts';
import type { Services } from '../core/services.ts';
import { CseError, unlessRefused } from '../core/status.ts';
import { askRemote, type Member, type MemberType, membersOf } from './group-members.ts';

/** `memberType` of a group with members of any type. */
export const mixed = 0;

/** `consistencyStrategy` of TS-0004. */
export const strategies = { abandonMember: 1, abandonGroup: 2, setMixed: 3 } as const;

export function checkNumber(count: number, most: number): void {
  if (count <= most) return;
  throw new CseError('MAX_NUMBER_OF_MEMBER_EXCEEDED', `The group has ${count} members, more than the ${most} of mnm.`);
}

/**
 * The attributes that result from the members: those of another type are left out unless `csy` says otherwise; `mt` is set
 * when the group becomes mixed. Throws a CseError (GROUP_MEMBER_TYPE_INCONSISTENT) where the strategy is to abandon the
 * group.
 */
export function examine(members: readonly Member[], { mt, spty, csy }: Resource['values']) {
  // False while the type of a member must be validated but is unknown.
  const mtv = mt === mixed || members.every(({ type }) => type !== undefined);
  const isOfOtherType = ({ type }: Member) => type !== undefined && mt !== mixed && !conforms(type, mt, spty);
  const mismatch = members.find(isOfOtherType);
  if (mismatch !== undefined && csy === strategies.abandonGroup) {
    throw new CseError(
      'GROUP_MEMBER_TYPE_INCONSISTENT',
      `The member ${mismatch.memberId} is not of the type that mt ${mt}${spty === undefined ? '' : ' and spty'} requires.`,
    );
  }
  const becomesMixed = mismatch !== undefined && csy === strategies.setMixed;
  const kept = becomesMixed ? members : members.filter((member) => !isOfOtherType(member));
  const mid = kept.map(({ memberId }) => memberId);
  return { mid, mtv, ...(becomesMixed && { mt: mixed }) };
}

function conforms({ ty, specialization: actual }: MemberType, mt: unknown, spty: unknown): boolean {
  if (ty !== undefined && ty !== mt) return false;
  const expected = specialization(spty);
  return expected === undefined || actual === undefined || specialization(actual) === expected;
}

/** `{"cnd": …}`, `{"mgd": …}`, or the value alone. */
function specialization(value: unknown): unknown {
  const { cnd, mgd } = (typeof value === 'object' && value !== null ? value : {}) as { cnd?: unknown; mgd?: unknown };
  return cnd ?? mgd ?? (typeof value === 'object' ? undefined : value);
}

// Members whose CSE could not be reached are examined once it can (TS-0004, clause 7.4.13.2.1).

const firstPause = 5000;
const maxPause = 60_000;

/** `mid` of each watched group at the start of the watch, which ends when it changes. */
const watched = new WeakMap<Resource, unknown>();

export function watchUnreachable(group: Resource, services: Services): void {
  const { mid } = group.values;
  watched.set(group, mid);
  const isCurrent = () => services.tree.holds(group) && watched.get(group) === mid && group.values.mtv === false;
  const look = async (pause: number): Promise<void> => {
    if (!isCurrent()) return;
    const remote = (mid as readonly string[]).filter((member) => isRemote(member, services.configuration));
    // Undefined when a member has refused to reveal its type.
    const types = await unlessRefused(askRemote(remote, services), services.ports);
    if (!isCurrent()) return;
    if (types !== undefined) settle(group, types, services);
    if (isCurrent()) retry(Math.min(2 * pause, maxPause));
  };
  const retry = (pause: number) => services.ports.clock.schedule(pause, () => look(pause));
  retry(firstPause);
}

/** Applies the strategy for non-conforming members, which may remove the group. */
function settle(group: Resource, types: ReadonlyMap<string, MemberType | undefined>, services: Services): void {
  try {
    const listed = membersOf(group.values.mid as readonly string[], services, types);
    const examined = examine(listed, group.values);
    if (!examined.mtv) return;
    group.values = { ...group.values, ...examined };
  } catch (error) {
    if (!(error instanceof CseError)) throw error;
    services.tree.remove(group);
    return;
  }
  services.notifier.changedByCse(group, ['mid', 'mtv', 'mt']);
}
