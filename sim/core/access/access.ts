/** Who may do what (TS-0001, clauses 9.6.1.3.2 and 11.3). */
import type { CseConfiguration } from '../configuration.ts';
import { isRemote, localResource } from '../local-resource.ts';
import { announcedPolicyType, policyType, pollingChannelType } from '../numbers.ts';
import { canonical } from '../originator.ts';
import type { RequestPrimitive } from '../primitive.ts';
import { attributesBelowRoot } from '../representation.ts';
import type { Resource } from '../resource.ts';
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
  /** Canonical identifiers of who may do everything. */
  readonly #trusted: readonly string[];

  constructor(services: Pick<Services, 'configuration' | 'ports' | 'tree'>) {
    this.#services = services;
    this.#policies = new AccessPolicies(services);
    const { configuration } = services;
    const { accessControl, cseId, ownOriginator } = configuration;
    const trusted = [`/${cseId}`, accessControl.admin, ownOriginator].filter((one) => one !== undefined);
    this.#trusted = trusted.map((one) => canonical(one, configuration));
  }

  /** False: everybody may do everything, and nothing needs to be looked at. */
  get required(): boolean {
    return this.#services.configuration.accessControl.required;
  }

  /** True when the originator of the request may do this to the resource. `child` is the kind that a create brings. */
  allows(request: RequestPrimitive, operation: AccessedOperation, resource: Resource, child?: ResourceType): boolean {
    return this.#grants(this.#attempt(request, operation, resource, child));
  }

  /** Tells of each resource whether the originator of the request may do this to it; undefined where everybody may. */
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

  /** Throws ORIGINATOR_HAS_NO_PRIVILEGE where rights are required and `allows` says no. */
  check(request: RequestPrimitive, operation: AccessedOperation, resource: Resource, child?: ResourceType): void {
    if (!this.required || this.allows(request, operation, resource, child)) return;
    const what = child === undefined ? operation.toUpperCase() : `CREATE of ${child.root}`;
    throw lacking(request, `${what} at ${resource.path}`);
  }

  /**
   * The same for what a group passes on to its members: the policies of `macp` decide, those of the group itself where it has none
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

  /** The request as it is to be answered with `shown`: where its right is limited to attributes, the answer has no others. */
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
   * Throws BAD_REQUEST unless each of the identifiers that are to become `acpi` is one of a policy. What other CSEs have is not asked;
   * announced resources bring the policies of the CSE from which they come.
   */
  checkPolicies(identifiers: unknown, type: ResourceType): void {
    if (!this.required || !Array.isArray(identifiers) || type.attributes.lnk !== undefined) return;
    if (identifiers.length === 0) throw new CseError('BAD_REQUEST', 'acpi must not be empty; null takes it away.');
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

  /** Throws unless the originator may give `resource` the policies of `acpi` in an update: that asks for the self-privileges of its present policies. */
  checkPolicyChange(request: RequestPrimitive, resource: Resource): void {
    const attempt = this.#attempt(request, 'update', resource);
    if (this.#trusted.includes(attempt.originator)) return;
    const policies = this.#policies.own(resource);
    const isOwners = () => this.#policies.isOwner(attempt.originator, resource);
    if (policies.length > 0 ? this.#by(policies, 'pvs', attempt) !== false : isOwners()) return;
    throw lacking(request, `UPDATE in the self-privileges of the policies of ${resource.path}`);
  }

  #attempt(
    request: RequestPrimitive,
    operation: AccessedOperation,
    resource: Resource,
    child?: ResourceType,
  ): AccessAttempt {
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

  /** By the policies of the resource; where it has none, by whose it is and the policies above it. */
  #ownDecision(attempt: AccessAttempt, resource: Resource): Decision {
    if (resource.type.ty === policyType) return this.#by([resource], 'pvs', attempt);
    if (resource.type.ty === announcedPolicyType && this.#by([resource], 'pvs', attempt) === true) return true;
    if (resource.type.ty === pollingChannelType) return this.#policies.holderOf(resource) === attempt.originator;
    const own = this.#policies.own(resource);
    if (own.length > 0) return this.#by(own, 'pv', attempt);
    if (this.#policies.isOwner(attempt.originator, resource)) return true;
    const inherited = this.#policies.inherited(resource);
    if (inherited.length > 0) return this.#by(inherited, 'pv', attempt);
    // Without any policy a resource is its owner's; in the field everybody may look at it.
    const looks = attempt.operation === 'retrieve' || attempt.operation === 'discover';
    return looks && this.#services.configuration.dialect.name === 'documented';
  }

  #by(policies: readonly Resource[], which: 'pv' | 'pvs', attempt: AccessAttempt): Decision {
    return decide(this.#policies.rules(policies, which), attempt, this.#policies);
  }
}

/**
 * The CSE of the original, which alone changes or deletes an announced resource (TS-0004, clauses 7.4.26.2.4 and 7.4.26.2.5); undefined
 * for everything else, and where the two keep each other up to date (`ast` 2).
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

/** The resource whose policies hold: the parent's, for kinds that have none of their own (TS-0001, clause 9.6.7). */
function governingResource(resource: Resource): Resource {
  let governing = resource;
  while (!governs(governing) && governing.parent !== undefined) governing = governing.parent;
  return governing;
}

const governs = ({ type: { attributes, ty } }: Resource): boolean =>
  attributes.acpi !== undefined || ty === policyType || ty === pollingChannelType;

/** True for siblings of one kind and one creator, of which neither says by itself who may do what; most that is found is so. */
function haveSameRules(one: Resource, other: Resource): boolean {
  const areAlike = one.parent === other.parent && one.type === other.type && one.creator === other.creator;
  return areAlike && hasNoRules(one) && hasNoRules(other);
}

/** Neither policies, a custodian or a definition that a rule may name, nor that it is a policy or stands for somebody. */
const hasNoRules = ({ values: { acpi, cstn, cnd, pvs, aei, csi } }: Resource): boolean =>
  (acpi ?? cstn ?? cnd ?? pvs ?? aei ?? csi) === undefined;

// Rights that are limited to attributes (`aca` of a rule, TS-0001 clause 9.6.2).

/** True when a right that is limited to attributes is enough for the request. */
function covers(granted: ReadonlySet<string>, { request, operation, resource, child }: AccessAttempt): boolean {
  const { content, attributeList } = request;
  if (operation === 'discover' || operation === 'notify') return true;
  if (operation === 'retrieve' && attributeList !== undefined) return attributeList.every((name) => granted.has(name));
  if (operation === 'retrieve' || operation === 'delete')
    return presentNames(resource).every((name) => granted.has(name));
  const type = child ?? resource.type;
  return Object.keys(attributesBelowRoot(content)).every((name) => granted.has(attributeNamed(type, name) ?? name));
}

/** Names of the attributes that the resource has. */
function presentNames(resource: Resource): readonly string[] {
  return resource.type.entries.map(({ name }) => name).filter((name) => resource.valueOf(name) !== undefined);
}
