import { fanOut } from '../core/groups/fan-out.ts';
import { forgetMembers, setMembers } from '../core/memberships.ts';
import type { Resource } from '../core/resource.ts';
import type { ResourceTypeTable } from '../core/resource-type.ts';
import type { Services } from '../core/services.ts';
import { optional, optionalOnce, readOnly, required } from './attribute-forms.ts';
import { announceable, batch, common, controlled, creator } from './common.ts';
import { checkNumber, examine, mixed, strategies, watchUnreachable } from './group-consistency.ts';
import { answersFor, askForMembers, membersOf } from './group-members.ts';

const { abandonMember, abandonGroup, setMixed } = strategies;

/** Group (TS-0001, clause 9.6.13), with its fan-out point `fopt`. */
export const group: ResourceTypeTable = {
  ty: 9,
  root: 'm2m:grp',
  longName: 'group',
  children: [23],
  attributes: {
    ...common,
    ...creator,
    mt: optionalOnce('integer', 'memberType'),
    spty: optionalOnce('any', 'specializationType'),
    cnm: readOnly('integer', 'currentNrOfMembers', { compute: ({ values }) => midOf(values).length }),
    mnm: required('positive integer', 'maxNrOfMembers'),
    // Optional, since applications that send every attribute send an empty list for none.
    mid: required('list of text', 'memberIDs', { permanent: true, documented: { create: 'optional' } }),
    macp: optional('list of text', 'membersAccessControlPolicyIDs'),
    mtv: readOnly('boolean', 'memberTypeValidated', { announced: 'when asked' }),
    csy: optionalOnce({ oneOf: [abandonMember, abandonGroup, setMixed] }, 'consistencyStrategy'),
    gn: optional('text', 'groupName'),
    ssi: readOnly('boolean', 'semanticSupportIndicator', { announced: 'when asked' }),
    nar: optional(batch, 'notifyAggregation'),
    ...controlled,
    ...announceable,
  },
  virtual: new Map([['fopt', { operations: ['create', 'retrieve', 'update', 'delete', 'notify'], answer: fanOut }]]),
  assign(resource, services, request) {
    const { values } = resource;
    values.mt ??= mixed;
    const listed = membersOf(midOf(values), services, answersFor(request));
    checkNumber(listed.length, Number(values.mnm));
    const examined = examine(listed, values);
    Object.assign(values, examined);
    if (examined.mt !== undefined) madeMixed.add(resource);
  },
  updating(resource, { values }, services, request) {
    const most = Number(values.mnm ?? resource.values.mnm);
    if (values.mid === undefined) {
      checkNumber(midOf(resource.values).length, most);
      return;
    }
    const listed = membersOf(midOf(values), services, answersFor(request));
    // Unlike in a create, types are checked before the number (TS-0004, clauses 7.4.13.2.1 and 7.4.13.2.3).
    const examined = examine(listed, resource.values);
    checkNumber(listed.length, most);
    Object.assign(values, examined);
  },
  ask(resource, requested, services, request) {
    const asksNothing = resource.values.mt === mixed && !(requested === undefined && madeMixed.has(resource));
    return asksNothing ? undefined : askForMembers(midOf((requested ?? resource).values), services, request);
  },
  stored: enter,
  restored: enter,
  updated(resource, changed, services) {
    if (changed.includes('mid')) enter(resource, services);
  },
  removed: forgetMembers,
};

/** Drafts requested for members of one type, whose types must be known (TS-0004, clause 7.4.13.2.1). */
const madeMixed = new WeakSet<Resource>();

const midOf = ({ mid }: Resource['values']): readonly string[] => (mid as readonly string[] | undefined) ?? [];

/** Tracks local members, which leave the group when removed, and asks unreachable ones again. */
function enter(resource: Resource, services: Services): void {
  const members = new Map<string, Resource>();
  for (const { memberId, resource: member } of membersOf(midOf(resource.values), services, undefined)) {
    if (member !== undefined) members.set(memberId, member);
  }
  setMembers(resource, members);
  if (resource.values.mtv === false) watchUnreachable(resource, services);
}
