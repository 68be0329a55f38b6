/** Who may do what (TS-0001, clauses 9.6.1.3.2 and 11.3). */

import { isRemote, localResource } from '../address.ts';
import type { CseConfiguration } from '../configuration.ts';
import { announcedPolicyType, policyType, pollingChannelType } from '../numbers.ts';
import { canonical } from '../originator.ts';
import type { RequestPrimitive } from '../primitive.ts';
import { attributesBelowRoot, type Resource } from '../resource.ts';
import { attributeNamed, type ResourceType } from '../resource-type.ts';
import type { AccessedOperation, Rights, Services } from '../services.ts';
import { CseError } from '../status.ts';
import { AccessPolicies, isOfProvider, mayAlways } from './access-policies.ts';
import { type AccessAttempt, type Decision, decide } from './access-rule.ts';

/** `announceSyncType` of TS-0004. */
const bidirectional = 2;

export class AccessControl implements Rights {
  readonly #services: Pick<Services, 'configuration' | 'ports' | 'tree'>;
  readonly #policies: AccessPolicies;
  /** Canonical identifiers of originators with all rights. */
  readonly #trusted: readonly string[];

  constructor(services: Pick<Services, 'configuration' | 'ports' | 'tree'>) {
    this.#services = services;
    this.#policies = new AccessPolicies(services);
    const { configuration } = services;
    const { accessControl, cseId, ownOriginator } = configuration;
    const trusted = [`/${cseId}`, accessControl.admin, ownOriginator].filter((one) => one !== undefined);
    this.#trusted = trusted.map((one) => canonical(one, configuration));
  }

  /** False: everybody may do everything, unchecked. */
  get required(): boolean {
    return this.#services.configuration.accessControl.required;
  }

  /** True when the originator of the request may do this to the resource. `child` is the type to be created. */
  allows(request: RequestPrimitive, operation: AccessedOperation, resource: Resource, child?: ResourceType): boolean {
    return this.#grants(this.#attempt(request, operation, resource, child));
  }

  /** A test of whether the originator of the request may do this to a resource; undefined where everybody may. */
  test(request: RequestPrimitive, operation: 'retrieve' | 'discover'): ((resource: Resource) => boolean) | undefined {
    if (!this.required) return undefined;
    const attempt = this.#attempt(request, operation, this.#services.tree.base);
    let checked: Resource | undefined;
    let isGranted = false;
    return (resource) => {
      if (checked !== undefined && haveSameRules(resource, checked)) return isGranted;
      attempt.resource = resource;
      isGranted = this.#grants(attempt);
      checked = this.#policies.limitsAttributes ? undefined : resource;
      return isGranted;
    };
  }

  #grants(attempt: AccessAttempt): boolean {
    const decision = this.#decide(attempt);
    return typeof decision === 'boolean' ? decision : covers(decision, attempt);
  }

  /** Throws ORIGINATOR_HAS_NO_PRIVILEGE where rights are required and lacking. */
  check(request: RequestPrimitive, operation: AccessedOperation, resource: Resource, child?: ResourceType): void {
    if (!this.required || this.allows(request, operation, resource, child)) return;
    const what = child === undefined ? operation.toUpperCase() : `CREATE of ${child.root}`;
    throw lacking(request, `${what} at ${resource.path}`);
  }

  /**
   * The same for a fan-out to the members of a group: its `macp` policies decide, or without any those of the group itself
   * (TS-0001, clause 9.6.13).
   */
  checkFanOut(request: RequestPrimitive, operation: AccessedOperation, group: Resource, child?: ResourceType): void {
    if (!this.required) return;
    const attempt = this.#attempt(request, operation, group, child);
    const policies = this.#policies.named((group.values.macp as readonly string[] | undefined) ?? []);
    const decision =
      policies.length === 0 || this.#trusted.includes(attempt.originator)
        ? this.#decide(attempt)
        : this.#by(policies, 'pv', attempt);
    if (decision !== false) return;
    throw lacking(request, `${operation.toUpperCase()} for the members of ${group.path}`);
  }

  /** The request with its attribute list reduced to those that the originator has a right to see in `result`. */
  limited(
    request: RequestPrimitive,
    operation: 'create' | 'update',
    result: Resource,
    target: Resource,
  ): RequestPrimitive {
    if (!this.required || !this.#policies.limitsAttributes) return request;
    const child = operation === 'create' ? result.type : undefined;
    const decision = this.#decide(this.#attempt(request, operation, target, child));
    if (typeof decision === 'boolean') return request;
    return { ...request, attributeList: presentNames(result).filter((name) => decision.has(name)) };
  }

  /**
   * Throws BAD_REQUEST unless each identifier of the new `acpi` names a policy. Those of other CSEs are not checked;
   * announced resources have the policies of their original CSE.
   */
  checkPolicies(identifiers: unknown, type: ResourceType): void {
    if (!this.required || !Array.isArray(identifiers) || type.attributes.lnk !== undefined) return;
    if (identifiers.length === 0) throw new CseError('BAD_REQUEST', 'acpi must not be empty; null removes it.');
    for (const identifier of identifiers as readonly string[]) {
      if (isRemote(identifier, this.#services.configuration)) continue;
      const named = localResource(identifier, this.#services.tree, this.#services.configuration);
      if (named?.type.ty === policyType) continue;
      throw new CseError(
        'BAD_REQUEST',
        `acpi names ${JSON.stringify(identifier)}, which is no access control policy here.`,
      );
    }
  }

  /** Throws unless the originator may update `acpi` of `resource`, which takes the self-privileges of its present policies. */
  checkPolicyChange(request: RequestPrimitive, resource: Resource): void {
    const attempt = this.#attempt(request, 'update', resource);
    if (this.#trusted.includes(attempt.originator)) return;
    const policies = this.#policies.own(resource);
    const isOwner = () => this.#policies.isOwner(attempt.originator, resource);
    if (policies.length > 0 ? this.#by(policies, 'pvs', attempt) !== false : isOwner()) return;
    throw lacking(request, `UPDATE in the self-privileges of the policies of ${resource.path}`);
  }

  #attempt(request: RequestPrimitive, operation: AccessedOperation, resource: Resource, child?: ResourceType) {
    return {
      request,
      originator: canonical(request.from ?? '', this.#services.configuration),
      operation,
      resource,
      child,
    };
  }

  #decide(attempt: AccessAttempt): Decision {
    if (this.#trusted.includes(attempt.originator)) return true;
    const announcer = announcerOf(attempt, this.#services.configuration);
    if (announcer !== undefined) return announcer === attempt.originator || isOfProvider(attempt, this.#services.tree);
    const own = this.#ownDecision(attempt, governingResource(attempt.resource));
    return own === true || mayAlways(attempt, this.#services.configuration, this.#services.tree) || own;
  }

  /** By the policies of the resource; without any, by its owner and inherited policies. */
  #ownDecision(attempt: AccessAttempt, resource: Resource): Decision {
    if (resource.type.ty === policyType) return this.#by([resource], 'pvs', attempt);
    if (resource.type.ty === announcedPolicyType && this.#by([resource], 'pvs', attempt) === true) return true;
    if (resource.type.ty === pollingChannelType) return this.#policies.holderOf(resource) === attempt.originator;
    const own = this.#policies.own(resource);
    if (own.length > 0) return this.#by(own, 'pv', attempt);
    if (this.#policies.isOwner(attempt.originator, resource)) return true;
    const inherited = this.#policies.inherited(resource);
    if (inherited.length > 0) return this.#by(inherited, 'pv', attempt);
    // Without any policy only the owner has access; in the field everybody may read.
    const reads = attempt.operation === 'retrieve' || attempt.operation === 'discover';
    return reads && this.#services.configuration.dialect.name === 'documented';
  }

  #by(policies: readonly Resource[], which: 'pv' | 'pvs', attempt: AccessAttempt): Decision {
    return decide(this.#policies.rules(policies, which), attempt, this.#policies);
  }
}

/**
 * The CSE of the original, which alone may change or delete an announced resource (TS-0004, clauses 7.4.26.2.4 and 7.4.26.2.5);
 * undefined for all others, and for bidirectional synchronization (`ast` 2).
 */
function announcerOf({ operation, resource }: AccessAttempt, configuration: CseConfiguration): string | undefined {
  if (operation !== 'update' && operation !== 'delete') return undefined;
  const { lnk, ast } = resource.values;
  if (resource.type.attributes.lnk === undefined || typeof lnk !== 'string' || ast === bidirectional) return undefined;
  const [cse] = /^(?:\/\/[^/]+)?\/[^/]+/.exec(lnk) ?? [];
  return cse === undefined ? undefined : canonical(cse, configuration);
}

const lacking = ({ from }: RequestPrimitive, right: string): CseError =>
  new CseError('ORIGINATOR_HAS_NO_PRIVILEGE', `${from || 'An originator without a name'} lacks the right ${right}.`);

/** The resource whose policies apply: the parent, for types without `acpi` (TS-0001, clause 9.6.7). */
function governingResource(resource: Resource): Resource {
  let governing = resource;
  while (!governs(governing) && governing.parent !== undefined) governing = governing.parent;
  return governing;
}

const governs = ({ type: { attributes, ty } }: Resource): boolean =>
  attributes.acpi !== undefined || ty === policyType || ty === pollingChannelType;

/** True for siblings of the same type and creator without rules of their own, as most matches of a discovery are. */
function haveSameRules(one: Resource, other: Resource): boolean {
  const areAlike = one.parent === other.parent && one.type === other.type && one.creator === other.creator;
  return areAlike && hasNoRules(one) && hasNoRules(other);
}

/** No policies, custodian or definition that a rule may name, and neither a policy nor an AE or CSE itself. */
const hasNoRules = ({ values: { acpi, cstn, cnd, pvs, aei, csi } }: Resource): boolean =>
  (acpi ?? cstn ?? cnd ?? pvs ?? aei ?? csi) === undefined;

// Rights limited to attributes (`aca` of a rule, TS-0001 clause 9.6.2).

/** True when a right limited to these attributes is enough for the request. */
function covers(granted: ReadonlySet<string>, { request, operation, resource, child }: AccessAttempt): boolean {
  const { content, attributeList } = request;
  if (operation === 'discover' || operation === 'notify') return true;
  if (operation === 'retrieve' && attributeList !== undefined) return attributeList.every((name) => granted.has(name));
  if (operation === 'retrieve' || operation === 'delete')
    return presentNames(resource).every((name) => granted.has(name));
  const type = child ?? resource.type;
  return Object.keys(attributesBelowRoot(content)).every((name) => granted.has(attributeNamed(type, name) ?? name));
}

/** Names of the attributes present in the resource. */
function presentNames(resource: Resource): readonly string[] {
  return resource.type.entries.map(({ name }) => name).filter((name) => resource.valueOf(name) !== undefined);
}
