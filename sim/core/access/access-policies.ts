/** Which access control policies apply to a resource (TS-0001, clause 9.6.1.3.2), and who owns it. */

import { type CseIdentity, localResource } from '../address.ts';
import type { Value } from '../attribute-types.ts';
import type { AccessSettings, CseConfiguration } from '../configuration.ts';
import { getOrInsert } from '../memoize.ts';
import {
  announcedBaseType,
  announcedEntityType,
  applicationEntityType,
  cseBaseType,
  groupType,
  policyType,
  remoteCseType,
  requestType,
} from '../numbers.ts';
import { canonical } from '../originator.ts';
import type { Resource } from '../resource.ts';
import type { Services } from '../services.ts';
import type { Tree } from '../tree.ts';
import { type AccessAttempt, type AccessContext, type AccessRule, locationOf, readRules } from './access-rule.ts';

/** Types that represent an entity, which owns everything below; nothing is inherited past them. */
const registered: ReadonlySet<number> = new Set([applicationEntityType, cseBaseType, remoteCseType]);

const none: readonly Resource[] = [];

/** Parsed rules by the value of `pv` or `pvs`, which each change replaces. */
const read = new WeakMap<object, readonly AccessRule[]>();

type PolicyServices = Pick<Services, 'configuration' | 'ports' | 'tree'>;

export class AccessPolicies implements AccessContext {
  readonly #services: PolicyServices;
  /** True once a rule limited to attributes was read. */
  limitsAttributes = false;

  constructor(services: PolicyServices) {
    this.#services = services;
  }

  get identity(): CseIdentity {
    return this.#services.configuration;
  }

  now(): number {
    return this.#services.ports.clock.now();
  }

  locationOf(originator: string): ReturnType<typeof locationOf> {
    return locationOf(this.#services.tree.byAlias(originator));
  }

  /** The policies named by the resource's own `acpi`, without deleted ones and those of other CSEs. */
  own({ values }: Resource): readonly Resource[] {
    return values.acpi === undefined ? none : this.named(values.acpi as readonly string[]);
  }

  named(identifiers: readonly string[]): readonly Resource[] {
    const policies: Resource[] = [];
    for (const identifier of identifiers) {
      const policy = localResource(identifier, this.#services.tree, this.#services.configuration);
      if (policy?.type.ty === policyType) policies.push(policy);
    }
    return policies;
  }

  /** Policies of the nearest ancestor that has any, up to the AE or remote CSE. */
  inherited(resource: Resource): readonly Resource[] {
    let below = resource;
    while (!registered.has(below.type.ty) && below.parent !== undefined) {
      below = below.parent;
      if (below.type.ty === cseBaseType) return none;
      const policies = this.own(below);
      if (policies.length > 0) return policies;
    }
    return none;
  }

  rules(policies: readonly Resource[], which: 'pv' | 'pvs'): readonly AccessRule[] {
    return policies.flatMap(({ values }) => this.#rulesIn(values[which]));
  }

  /** Canonical; an AE owns itself. */
  #ownerOf({ type, values, creator }: Resource): string | undefined {
    const owner = values.cstn ?? (type.ty === applicationEntityType ? values.aei : undefined) ?? creator;
    return typeof owner === 'string' ? canonical(owner, this.#services.configuration) : undefined;
  }

  /** True for an AE of another CSE that registered here through it, where it has another identifier. */
  #hasRegistered(originator: string, { type, creator }: Resource): boolean {
    if (type.ty !== applicationEntityType || !originator.startsWith('/') || creator === undefined) return false;
    return canonical(creator, this.#services.configuration) === originator;
  }

  /** Canonical identifier of the AE or remote CSE that the resource is or belongs to. */
  holderOf(resource: Resource): string | undefined {
    let above: Resource | undefined = resource;
    while (above !== undefined && !registered.has(above.type.ty)) above = above.parent;
    const identifier = above?.type.ty === remoteCseType ? above.values.csi : above?.values.aei;
    return typeof identifier === 'string' ? identifier : undefined;
  }

  /** The custodian, else the creator; without any policy also the AE or remote CSE above. */
  isOwner(originator: string, resource: Resource): boolean {
    if (originator === '') return false;
    if (this.#ownerOf(resource) === originator || this.#hasRegistered(originator, resource)) return true;
    if (resource.values.cstn !== undefined || this.inherited(resource).length > 0) return false;
    return this.holderOf(resource) === originator;
  }

  /** True when the identifier names a group and the originator is a member of it. */
  isMember(originator: string, identifier: string): boolean {
    const group = localResource(identifier, this.#services.tree, this.#services.configuration);
    if (group?.type.ty !== groupType) return false;
    return (group.values.mid as readonly string[]).some((member) => {
      if (canonical(member, this.#services.configuration) === originator) return true;
      const { aei, csi } = localResource(member, this.#services.tree, this.#services.configuration)?.values ?? {};
      return aei === originator || csi === originator;
    });
  }

  #rulesIn(set: Value | undefined): readonly AccessRule[] {
    if (typeof set !== 'object' || set === null) return [];
    return getOrInsert(read, set, () => {
      const rules = readRules(set, this.#services.configuration);
      if (rules.some(({ aca }) => aca !== undefined)) this.limitsAttributes = true;
      return rules;
    });
  }
}

// Rights without a policy: to register (the resource type says who may), to see and be announced where registered, and what the
// configuration allows.

/** An AE registers itself; nobody creates a request or a CSE base. Their types refuse everybody alike, whatever the rights. */
const refusedByType: ReadonlySet<number | undefined> = new Set([applicationEntityType, cseBaseType, requestType]);

export function mayAlways(attempt: AccessAttempt, { accessControl }: CseConfiguration, tree: Tree): boolean {
  const { operation, resource, originator } = attempt;
  const registered = tree.byAlias(originator)?.type.ty;
  if (operation === 'notify') return resource.type.ty === applicationEntityType && registered === remoteCseType;
  if (isOfProvider(attempt, tree)) return true;
  if (operation === 'create' && refusedByType.has(attempt.child?.ty)) return true;
  if (resource.type.ty !== cseBaseType) return false;
  if (operation === 'retrieve') return registered !== undefined;
  if (operation === 'create' && attempt.child?.ty === announcedBaseType) return registered === remoteCseType;
  return operation === 'create' && mayCreateAtBase(attempt, accessControl);
}

/** A registered CSE announces here where an AE with a service-provider identifier is (TS-0004, clause 7.4.5.2.1). */
export function isOfProvider({ operation, originator, resource, child }: AccessAttempt, tree: Tree): boolean {
  const [, cseId = '', stem] = /^(\/[^/]+)\/(S[^/]*)$/.exec(originator) ?? [];
  if (stem === undefined || tree.byAlias(cseId)?.type.ty !== remoteCseType) return false;
  if (operation === 'create') return child?.ty === announcedEntityType && resource.type.ty === cseBaseType;
  return operation === 'update' && resource.type.ty === announcedEntityType && resource.id === stem;
}

function mayCreateAtBase({ request, originator, child }: AccessAttempt, settings: AccessSettings): boolean {
  if (child?.ty !== remoteCseType) return child !== undefined && settings.creatableAtBase.includes(child.ty);
  // A CSE registers itself; unchecked where everybody may register. The type refuses an AE (TS-0004, clause 7.4.4.2.1).
  if (settings.registrars.length === 0 || !originator.startsWith('/')) return true;
  const attributes = (request.content as { 'm2m:csr'?: Readonly<Record<string, unknown>> } | undefined)?.['m2m:csr'];
  return (attributes?.csi ?? attributes?.['CSE-ID'] ?? originator) === originator;
}
