/** Which groups a resource is a member of, so that a removed one leaves them. */
import { isRemote, type ResolvedAddress, virtualSuffix } from './address.ts';
import type { Ports } from './configuration.ts';
import { getOrInsert } from './memoize.ts';
import type { Resource } from './resource.ts';
import type { Services } from './services.ts';
import { CseError, statuses } from './status.ts';

/** The groups of each member. */
const groupsOf = new WeakMap<Resource, Set<Resource>>();
/** The local members of each group, by their entry in `mid`. */
const membersOf = new WeakMap<Resource, ReadonlyMap<string, Resource>>();

/** Records the local members of a group, by their entry in `mid`. */
export function setMembers(group: Resource, members: ReadonlyMap<string, Resource>): void {
  forgetMembers(group);
  membersOf.set(group, members);
  for (const member of members.values()) getOrInsert(groupsOf, member, () => new Set()).add(group);
}

/** The group is gone. */
export function forgetMembers(group: Resource): void {
  for (const member of membersOf.get(group)?.values() ?? []) groupsOf.get(member)?.delete(group);
  membersOf.delete(group);
}

/** Takes a removed resource out of its groups, and returns them. */
export function leaveGroups(resource: Resource): readonly Resource[] {
  const groups = groupsOf.get(resource);
  if (groups === undefined) return none;
  for (const group of groups) leave(group, resource);
  groupsOf.delete(resource);
  return [...groups];
}

function leave(group: Resource, resource: Resource): void {
  const members = membersOf.get(group);
  const mid = (group.values.mid as readonly string[]).filter((identifier) => members?.get(identifier) !== resource);
  group.values = { ...group.values, mid };
}

/**
 * Remote members that answer a deletion leave the group, as local ones do by themselves. A virtual resource stays: what it led
 * to was deleted (TS-0004, clause 7.4.14.3.5).
 */
export function dismissDeleted(
  group: Resource,
  responses: readonly Readonly<Record<string, unknown>>[],
  { configuration, notifier, tree }: Services,
): void {
  const deleted = new Set(responses.flatMap(({ rsc, fr }) => (rsc === statuses.DELETED.code ? [fr] : [])));
  const mid = group.values.mid as readonly string[];
  const left = mid.filter((one) => !deleted.has(one) || !isRemote(one, configuration) || virtualSuffix(one) !== '');
  if (left.length === mid.length || !tree.holds(group)) return;
  group.values = { ...group.values, mid: left };
  notifier.changedByCse(group, ['mid', 'cnm']);
}

const none: readonly Resource[] = [];

// Fan-outs by group request identifier: each reaches a resource once, which also ends circular groups (TS-0004, clause 7.3.3.2).

/** How long an identifier from another CSE is remembered. */
const rememberedMilliseconds = 60_000;

export class GroupRequests {
  readonly #ports: Ports;
  /** What each fan-out has reached. */
  readonly #reached = new Map<string, Set<string>>();

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** A new identifier for a fan-out from this address; `end` forgets it. */
  begin(address: Pick<ResolvedAddress, 'resource' | 'handler'>): string {
    const identifier = this.#ports.randomText(16);
    this.#reached.set(identifier, new Set([keyOf(address)]));
    return identifier;
  }

  end(identifier: string): void {
    this.#reached.delete(identifier);
  }

  /** Throws GROUP_REQUEST_IDENTIFIER_EXISTS when the fan-out has been here before. */
  admit(identifier: string, address: Pick<ResolvedAddress, 'resource' | 'handler'>): void {
    const reached = getOrInsert(this.#reached, identifier, () => {
      this.#ports.clock.schedule(rememberedMilliseconds, () => this.end(identifier));
      return new Set();
    });
    const key = keyOf(address);
    if (reached.has(key)) {
      throw new CseError(
        'GROUP_REQUEST_IDENTIFIER_EXISTS',
        'This fan-out of a group has reached the resource already.',
      );
    }
    reached.add(key);
  }
}

function keyOf({ resource, handler }: Pick<ResolvedAddress, 'resource' | 'handler'>): string {
  return handler === undefined ? resource.id : `${resource.id}/fopt/${handler.rest}`;
}
