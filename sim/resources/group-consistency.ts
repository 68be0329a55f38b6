/** Whether the members of a group are what its `mt` and `spty` say, and what is done when they are not (`csy`, TS-0001 clause 9.6.13). */
import { CseError, GROUP_MEMBER_TYPE_INCONSISTENT, MAX_NUMBER_OF_MEMBER_EXCEEDED } from '../core/status.ts';
import type { Member } from './group-members.ts';

/** `memberType` of a group of whatever. */
export const mixed = 0;

/** `consistencyStrategy` of TS-0004. */
export const strategies = { abandonMember: 1, abandonGroup: 2, setMixed: 3 } as const;

/** What a group says of its members. */
export interface Demands {
  readonly mt: number;
  readonly spty: unknown;
  /** Without it members of another kind are left out. */
  readonly csy: number;
}

export interface Examined {
  readonly members: readonly Member[];
  /** True when the group has become one of mixed members. */
  readonly becomesMixed: boolean;
  /** False when there are members of which something should be known, and nothing is yet. */
  readonly validated: boolean;
}

export function checkNumber(count: number, most: number): void {
  if (count <= most) return;
  throw new CseError(MAX_NUMBER_OF_MEMBER_EXCEEDED, `The group has ${count} members, more than the ${most} of mnm.`);
}

/** A CseError (GROUP_MEMBER_TYPE_INCONSISTENT) where the strategy is to have no such group. */
export function examine(members: readonly Member[], demands: Demands): Examined {
  const validated = demands.mt === mixed || members.every(({ kind }) => kind !== undefined);
  const strangers = members.filter((member) => !conforms(member, demands));
  const [stranger] = strangers;
  if (stranger === undefined) return { members, becomesMixed: false, validated };
  if (demands.csy === strategies.abandonGroup) {
    throw new CseError(
      GROUP_MEMBER_TYPE_INCONSISTENT,
      `The member ${stranger.called} is not of the kind that mt ${demands.mt}${demands.spty === undefined ? '' : ' and spty'} asks for.`,
    );
  }
  if (demands.csy === strategies.setMixed) return { members, becomesMixed: true, validated };
  return { members: members.filter((member) => !strangers.includes(member)), becomesMixed: false, validated };
}

function conforms({ kind }: Member, { mt, spty }: Demands): boolean {
  if (kind === undefined || mt === mixed) return true;
  if (kind.ty !== undefined && kind.ty !== mt) return false;
  const wanted = specialization(spty);
  return wanted === undefined || kind.specialization === undefined || specialization(kind.specialization) === wanted;
}

/** `{"cnd": …}`, `{"mgd": …}`, or the value alone. */
function specialization(value: unknown): unknown {
  const { cnd, mgd } = (typeof value === 'object' && value !== null ? value : {}) as { cnd?: unknown; mgd?: unknown };
  return cnd ?? mgd ?? (typeof value === 'object' ? undefined : value);
}
