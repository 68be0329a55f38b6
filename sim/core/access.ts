/** Who may do what (TS-0001, clause 11.3). */
import { type Access, type AccessRule, grants } from './access-rule.ts';
import type { CseConfiguration, Ports } from './configuration.ts';
import type { Operation, RequestPrimitive } from './primitive.ts';
import type { Resource } from './resource.ts';
import type { ResourceType } from './resource-type.ts';
import { BAD_REQUEST, CseError, ORIGINATOR_HAS_NO_PRIVILEGE } from './status.ts';
import type { Tree } from './tree.ts';

export type AccessedOperation = Operation | 'discover';

/** `accessControlOperations` of TS-0004. */
const bits: Readonly<Record<AccessedOperation, number>> = {
  create: 1,
  retrieve: 2,
  update: 4,
  delete: 8,
  notify: 16,
  discover: 32,
};

const accessControlPolicyType = 1;
const applicationEntityType = 2;
const cseBaseType = 5;
const groupType = 9;
const remoteCseType = 16;

const nobody: readonly string[] = [];

export class AccessControl {
  readonly #configuration: CseConfiguration;
  readonly #ports: Ports;
  readonly #tree: Tree;
  /** The latest originator, as it was given and in its short form: many requests in a row have the same. */
  #latest: readonly [given: string, short: string] = ['', ''];

  constructor(configuration: CseConfiguration, ports: Ports, tree: Tree) {
    this.#configuration = configuration;
    this.#ports = ports;
    this.#tree = tree;
  }

  /** False: everybody may do everything, and nothing needs to be looked at. */
  get required(): boolean {
    return this.#configuration.accessControl.required;
  }

  /** Throws ORIGINATOR_HAS_NO_PRIVILEGE unless `allows`. */
  check(request: RequestPrimitive, operation: AccessedOperation, resource: Resource, child?: ResourceType): void {
    if (this.allows(request, operation, resource, child)) return;
    const who = request.from ? request.from : 'Nobody in particular';
    const what = child === undefined ? operation : `create ${child.root} below`;
    throw new CseError(ORIGINATOR_HAS_NO_PRIVILEGE, `${who} has no right to ${what} ${resource.path}.`);
  }

  /** True when the originator of the request may do this to the resource. `child` is the kind that a create brings. */
  allows(request: RequestPrimitive, operation: AccessedOperation, resource: Resource, child?: ResourceType): boolean {
    if (!this.required) return true;
    const originator = this.#short(request.from ?? '');
    if (this.#mayEverything(originator)) return true;
    if (operation === 'create' && resource.parent === undefined && this.#mayEnter(child)) return true;
    const access = this.#accessOf(request, originator, operation, resource, child);
    if (resource.type.ty === accessControlPolicyType) return this.#anyGrants([resource], 'pvs', access);
    const policies = this.#policiesOf(resource);
    if (policies.length > 0) return this.#anyGrants(policies, 'pv', access);
    return this.#isByDefault(originator, operation, resource);
  }

  /** Throws unless the originator may change `acpi` of the resource: that asks for the self-privileges of its present policies. */
  checkPolicyChange(request: RequestPrimitive, resource: Resource): void {
    const originator = this.#short(request.from ?? '');
    if (this.#mayEverything(originator)) return;
    const policies = this.#ownPolicies(resource);
    if (policies.length === 0) {
      this.check(request, 'update', resource);
      return;
    }
    const access = this.#accessOf(request, originator, 'update', resource, undefined);
    if (this.#anyGrants(policies, 'pvs', access)) return;
    throw new CseError(
      ORIGINATOR_HAS_NO_PRIVILEGE,
      `The policies of ${resource.path} do not let ${request.from} change acpi (pvs).`,
    );
  }

  /** Throws BAD_REQUEST unless each of these identifiers is a policy's. */
  checkPolicies(identifiers: unknown): void {
    if (!this.required || !Array.isArray(identifiers)) return;
    if (identifiers.length === 0) throw new CseError(BAD_REQUEST, 'acpi must not be empty; null takes it away.');
    for (const identifier of identifiers as string[]) {
      if (this.#resourceCalled(identifier)?.type.ty === accessControlPolicyType) continue;
      throw new CseError(BAD_REQUEST, `acpi names ${JSON.stringify(identifier)}, which is no access control policy.`);
    }
  }

  #mayEverything(originator: string): boolean {
    const { accessControl, cseId } = this.#configuration;
    return (
      originator === `/${cseId}` ||
      (accessControl.admin !== undefined && originator === this.#shorten(accessControl.admin))
    );
  }

  /** Registration has rules of its own, and some kinds are free to be created below the CSE base. */
  #mayEnter(child: ResourceType | undefined): boolean {
    if (child === undefined) return false;
    const { creatableAtBase } = this.#configuration.accessControl;
    return child.ty === applicationEntityType || child.ty === remoteCseType || creatableAtBase.includes(child.ty);
  }

  /** The policies that decide: the resource's own, else those from which it inherits. */
  #policiesOf(resource: Resource): readonly Resource[] {
    const inheritsAlways = this.#configuration.dialect.name === 'documented';
    for (let one: Resource | undefined = resource; one !== undefined; one = one.parent) {
      const own = this.#ownPolicies(one);
      if (own.length > 0) return own;
      // What has an acpi of its own, which is not set, stands under the default privileges.
      if (!inheritsAlways && one.type.attributes.acpi !== undefined) return [];
    }
    return [];
  }

  /** Identifiers that lead nowhere count for nothing. */
  #ownPolicies({ values }: Resource): readonly Resource[] {
    const found: Resource[] = [];
    for (const identifier of (values.acpi as readonly string[] | undefined) ?? nobody) {
      const policy = this.#resourceCalled(identifier);
      if (policy?.type.ty === accessControlPolicyType) found.push(policy);
    }
    return found;
  }

  #anyGrants(policies: readonly Resource[], privileges: 'pv' | 'pvs', access: Access): boolean {
    for (const { values } of policies) {
      const { acr } = (values[privileges] ?? {}) as { acr?: readonly AccessRule[] };
      if (acr?.some((rule) => grants(rule, access))) return true;
    }
    return false;
  }

  /** Where no policy says anything: the custodian, else who has created it and the AE or CSE to which it belongs. */
  #isByDefault(originator: string, operation: AccessedOperation, resource: Resource): boolean {
    const looks = operation === 'retrieve' || operation === 'discover';
    if (looks && this.#configuration.dialect.name === 'documented') return true;
    if (resource.type.ty === cseBaseType) return looks && this.#tree.byAlias(originator) !== undefined;
    for (let one: Resource | undefined = resource; one !== undefined; one = one.parent) {
      const decided = this.#ownerDecides(originator, one);
      if (decided !== undefined) return decided;
    }
    return false;
  }

  /** Undefined where this resource says nothing about the originator, so that the one above it decides. */
  #ownerDecides(originator: string, { values, creator, type }: Resource): boolean | undefined {
    const { cstn, aei, csi } = values;
    if (originator === '') return false;
    if (typeof cstn === 'string') return this.#shorten(cstn) === originator;
    if (creator !== undefined && this.#shorten(creator) === originator) return true;
    if (type.ty === applicationEntityType) return aei === originator;
    return type.ty === remoteCseType ? csi === originator : undefined;
  }

  #accessOf(
    request: RequestPrimitive,
    originator: string,
    operation: AccessedOperation,
    resource: Resource,
    child: ResourceType | undefined,
  ): Access {
    return {
      ...{ operation: bits[operation], originator, roles: request.roles ?? nobody },
      ...{ authenticated: request.authenticated === true, address: request.address, now: this.#ports.clock.now() },
      ...{ target: resource.type.ty, child: child?.ty },
      attributes: () => attributesOf(request, resource),
      membersOf: (identifier) => this.#membersOf(identifier),
      short: (identifier) => this.#shorten(identifier),
    };
  }

  #membersOf(identifier: string): readonly string[] | undefined {
    const resource = this.#resourceCalled(identifier);
    return resource?.type.ty === groupType ? (resource.values.mid as readonly string[] | undefined) : undefined;
  }

  /** By its identifier or its path, in any form. */
  #resourceCalled(name: string): Resource | undefined {
    const local = this.#shorten(name);
    const direct = this.#tree.byId(local);
    if (direct !== undefined || !local.includes('/')) return direct;
    const [base, ...names] = local.split('/');
    let resource: Resource | undefined = base === this.#tree.base.name ? this.#tree.base : this.#tree.byId(base ?? '');
    for (const one of names) resource = resource?.children?.get(one);
    return resource;
  }

  #short(given: string): string {
    if (this.#latest[0] !== given) this.#latest = [given, this.#shorten(given)];
    return this.#latest[1];
  }

  /** Without the service provider, and without the CSE where it is this one: `//sp/cse/CAE` and `/cse/CAE` are `CAE`. */
  #shorten(identifier: string): string {
    const { spId, cseId } = this.#configuration;
    const inProvider = identifier.startsWith(`//${spId}/`) ? identifier.slice(spId.length + 2) : identifier;
    return inProvider.startsWith(`/${cseId}/`) ? inProvider.slice(cseId.length + 2) : inProvider;
  }
}

/** The attributes that the request reads or writes. */
function attributesOf(request: RequestPrimitive, resource: Resource): readonly string[] {
  const { operation, attributeList, content } = request;
  if (operation === 'create' || operation === 'update') {
    return Object.keys((Object.values((content ?? {}) as object)[0] as object | undefined) ?? {});
  }
  if (operation !== 'retrieve' || attributeList !== undefined) return attributeList ?? nobody;
  const shown = resource.type.entries.filter(({ name, definition }) => {
    return (definition.from === undefined ? resource.values[name] : definition.from(resource)) !== undefined;
  });
  return shown.map(({ name }) => name);
}
