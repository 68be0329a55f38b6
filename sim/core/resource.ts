import type { Value } from './attribute-types.ts';
import { CreationOrder } from './creation-order.ts';
import type { ResourceType } from './resource-type.ts';

const plainSegment = /^[\w.~-]+$/;

/** One resource in memory. Times are microseconds since 1970 UTC. */
export class Resource {
  readonly type: ResourceType;
  /** Settled before the resource is stored. */
  id: string;
  readonly name: string;
  readonly parent: Resource | undefined;
  /** Unique and increasing over a CSE, so that it orders resources by creation. */
  readonly created: number;
  modified: number;
  /** Infinity for what never expires. */
  expires: number;
  labels: readonly string[] | undefined = undefined;
  /** Counts changes of the resource and of its direct instances. */
  stateTag = 0;
  /** Attributes of the kind's table that have no `from`. */
  values: Record<string, Value>;
  /** Who created it, as the request said; undefined when it did not, and for what the CSE made itself. */
  creator: string | undefined = undefined;
  children: Map<string, Resource> | undefined = undefined;
  /** The subscriptions among the children, in the order of their creation. */
  subscriptions: readonly Resource[] | undefined = undefined;
  instances: CreationOrder | undefined = undefined;
  /** Sum of `cs` over the direct instances. */
  instanceBytes = 0;
  /** Number of resources below this one, at any depth. */
  descendants = 0;
  #path: string | undefined = undefined;

  constructor(facts: {
    type: ResourceType;
    id: string;
    name: string;
    parent: Resource | undefined;
    created: number;
    expires: number;
    values: Record<string, Value>;
  }) {
    this.type = facts.type;
    this.id = facts.id;
    this.name = facts.name;
    this.parent = facts.parent;
    this.created = facts.created;
    this.modified = facts.created;
    this.expires = facts.expires;
    this.values = facts.values;
    if (facts.type.holdsInstances) this.instances = new CreationOrder();
  }

  /** Names from the CSE base down, percent-encoded where needed: `onem2m/app/temperature`. */
  get path(): string {
    if (this.#path !== undefined) return this.#path;
    const segment = plainSegment.test(this.name) ? this.name : encodeURIComponent(this.name);
    const path = this.parent === undefined ? segment : `${this.parent.path}/${segment}`;
    // Instances are many and their paths are seldom asked for twice.
    if (!this.type.isInstance) this.#path = path;
    return path;
  }

  /** True when this resource stands somewhere below `ancestor`. */
  isBelow(ancestor: Resource): boolean {
    for (let above = this.parent; above !== undefined; above = above.parent) if (above === ancestor) return true;
    return false;
  }
}
