/** Members of a group, local and remote, and their types (TS-0004, clauses 7.4.13.2.1 and 7.4.13.2.3). */

import { isRemote, localResource, virtualSuffix } from '../core/address.ts';
import { groupType } from '../core/numbers.ts';
import { canonical } from '../core/originator.ts';
import type { RequestPrimitive } from '../core/primitive.ts';
import { attributesBelowRoot, type Resource } from '../core/resource.ts';
import type { Services } from '../core/services.ts';
import { CseError, ifRefused, statuses } from '../core/status.ts';

/** The type of a member, as far as known. */
export interface MemberType {
  /** `ty`; for a fan-out point, that of its group's members; undefined if unknown, as behind a fan-out point. */
  readonly ty: number | undefined;
  /** `cnd` or `mgd`. */
  readonly specialization: unknown;
}

export interface Member {
  /** As in `mid`. */
  readonly memberId: string;
  /** Undefined for a remote one. */
  readonly resource: Resource | undefined;
  /** Undefined until the other CSE has answered. */
  readonly type: MemberType | undefined;
}

const unknownType: MemberType = { ty: undefined, specialization: undefined };

/** Types of the instances behind `la` and `ol`, by type of the container. */
const instanceTypes: ReadonlyMap<number, number> = new Map([
  [3, 4],
  [28, 58],
  [29, 30],
]);

/** Answers of other CSEs to a request that waits for them. */
const answered = new WeakMap<RequestPrimitive, ReadonlyMap<string, MemberType | undefined>>();

/** The members, each once. Throws a CseError for a local one that does not exist. */
export function membersOf(
  identifiers: readonly string[],
  services: Services,
  remote: ReadonlyMap<string, MemberType | undefined> | undefined,
): readonly Member[] {
  const members = new Map<string, Member>();
  for (const identifier of identifiers) {
    if (isRemote(identifier, services.configuration)) {
      const key = canonical(identifier, services.configuration);
      const member = { memberId: identifier, resource: undefined, type: remote?.get(identifier) };
      if (!members.has(key)) members.set(key, member);
    } else {
      const member = localMember(identifier, services);
      const key = `${member.resource?.id}${suffixOf(identifier, services)}`;
      if (!members.has(key)) members.set(key, member);
    }
  }
  return [...members.values()];
}

/** The types of remote members that were asked for this request. */
export function answersFor(request: RequestPrimitive): ReadonlyMap<string, MemberType | undefined> | undefined {
  return answered.get(request);
}

function localMember(identifier: string, services: Services): Member {
  const { tree, configuration } = services;
  const suffix = suffixOf(identifier, services);
  const resource = localResource(identifier.slice(0, identifier.length - suffix.length), tree, configuration);
  if (resource === undefined || !hasVirtual(resource, suffix)) {
    throw new CseError('RECEIVER_HAS_NO_PRIVILEGE', `The member ${identifier} does not exist, so its type is unknown.`);
  }
  const type = memberTypeOf({ ...resource.values, ty: resource.type.ty }, suffix);
  // The standard lists members by resource identifier, the documented dialect as requested.
  const memberId = configuration.dialect.name === 'onem2m' ? `${resource.id}${suffix}` : identifier;
  return { memberId, resource, type };
}

/** '' for a real child that has the name of a virtual resource. */
function suffixOf(identifier: string, { tree, configuration }: Services): string {
  return localResource(identifier, tree, configuration) === undefined ? virtualSuffix(identifier) : '';
}

function hasVirtual({ type }: Resource, suffix: string): boolean {
  if (suffix === '') return true;
  return suffix.startsWith('/fopt') ? type.ty === groupType : type.holdsInstances === true;
}

/** From the attributes of the resource before the suffix. */
function memberTypeOf({ ty, mt, spty, cnd, mgd }: Readonly<Record<string, unknown>>, suffix: string): MemberType {
  const number = (value: unknown) => (typeof value === 'number' ? value : undefined);
  if (suffix === '') return { ty: number(ty), specialization: cnd ?? mgd };
  if (suffix === '/fopt') return { ty: number(mt), specialization: spty };
  return suffix.startsWith('/fopt') ? unknownType : { ty: instanceTypes.get(Number(ty)), specialization: undefined };
}

/**
 * Checks the originator's right to retrieve local members, and asks other CSEs for the types of theirs; undefined when there are
 * none. RECEIVER_HAS_NO_PRIVILEGE where access is denied; unreachable ones stay unknown.
 */
export function askForMembers(
  identifiers: readonly string[],
  services: Services,
  request: RequestPrimitive,
): Promise<void> | undefined {
  const remote: string[] = [];
  for (const { memberId, resource } of membersOf(identifiers, services, undefined)) {
    if (resource === undefined) remote.push(memberId);
    else if (services.access.required && !services.access.allows(request, 'retrieve', resource))
      throw accessDenied(memberId);
  }
  if (remote.length === 0) return undefined;
  return askRemote(remote, services).then((types) => {
    answered.set(request, types);
  });
}

function accessDenied(member: string): CseError {
  return new CseError('RECEIVER_HAS_NO_PRIVILEGE', `The member ${member} cannot be retrieved, so its type is unknown.`);
}

/** The types of remote members; undefined for those that cannot be reached now. */
export async function askRemote(
  members: readonly string[],
  services: Services,
): Promise<ReadonlyMap<string, MemberType | undefined>> {
  const types = await Promise.all(members.map((member) => askMember(member, services)));
  return new Map(members.map((member, index) => [member, types[index]]));
}

async function askMember(member: string, { outgoing }: Services): Promise<MemberType | undefined> {
  const suffix = virtualSuffix(member);
  const address = member.slice(0, member.length - suffix.length);
  const sent = outgoing.send(address, outgoing.ownRequest({ operation: 'retrieve' }));
  const answer = await sent.catch(ifRefused(() => undefined));
  if (answer === undefined) return undefined;
  const refusals = [
    statuses.ORIGINATOR_HAS_NO_PRIVILEGE.code,
    statuses.RECEIVER_HAS_NO_PRIVILEGE.code,
    statuses.NOT_FOUND.code,
  ];
  if (refusals.includes(answer.status.code)) throw accessDenied(member);
  if (answer.status.code === statuses.TARGET_NOT_REACHABLE.code || answer.status.http >= 300) return undefined;
  return memberTypeOf(attributesBelowRoot(answer.content), suffix);
}
