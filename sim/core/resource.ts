import type { Value } from './attribute-types.ts';
import type { DialectCodec } from './configuration.ts';
import { CreationOrder } from './creation-order.ts';
import type { ResourceType } from './resource-type.ts';

/** State about what is below a resource. Instances, of which there are many, have none. */
class Below {
  children: Map<string, Resource> | undefined = undefined;
  subscriptions: readonly Resource[] | undefined = undefined;
  readonly instances: CreationOrder | undefined;
  instanceBytes = 0;
  descendants = 0;
  path: string | undefined = undefined;

  constructor(type: ResourceType) {
    this.instances = type.holdsInstances ? new CreationOrder() : undefined;
  }
}

/** One resource in memory. Times are microseconds since 1970 UTC. */
export class Resource {
  readonly type: ResourceType;
  /** Final once the resource is stored. */
  id: string;
  readonly name: string;
  readonly parent: Resource | undefined;
  /** Unique and increasing within a CSE, so that it orders resources by creation. */
  readonly created: number;
  #modified: number | undefined = undefined;
  /** Infinity if it never expires. */
  expires: number;
  labels: readonly string[] | undefined = undefined;
  /** Counts changes of the resource and of its direct instances. */
  stateTag = 0;
  /** Attributes of the type's table without `compute`. */
  values: Record<string, Value>;
  /** Originator of the create; undefined without one, and for resources that the CSE made itself. */
  creator: string | undefined = undefined;
  #below: Below | undefined = undefined;

  constructor(fields: Pick<Resource, 'type' | 'id' | 'name' | 'parent' | 'created' | 'expires' | 'values'>) {
    this.type = fields.type;
    this.id = fields.id;
    this.name = fields.name;
    this.parent = fields.parent;
    this.created = fields.created;
    this.expires = fields.expires;
    this.values = fields.values;
    if (!fields.type.isInstance) this.#below = new Below(fields.type);
  }

  /** The value of an attribute, stored or computed. */
  valueOf(name: string): Value | undefined {
    const compute = this.type.attributes[name]?.compute;
    return compute === undefined ? this.values[name] : compute(this);
  }

  /** When it was last changed, or created. */
  get modified(): number {
    return this.#modified ?? this.created;
  }

  set modified(time: number) {
    this.#modified = time;
  }

  get children(): Map<string, Resource> | undefined {
    return this.#below?.children;
  }

  /** The subscriptions among the children, in creation order. */
  get subscriptions(): readonly Resource[] | undefined {
    return this.#below?.subscriptions;
  }

  get instances(): CreationOrder | undefined {
    return this.#below?.instances;
  }

  /** Sum of `cs` of the direct instances. */
  get instanceBytes(): number {
    return this.below.instanceBytes;
  }

  /** Number of resources below this one, at any depth. */
  get descendants(): number {
    return this.#below?.descendants ?? 0;
  }

  /** What is below this resource, to be changed by the tree. */
  get below(): Below {
    this.#below ??= new Below(this.type);
    return this.#below;
  }

  /** Names from the CSE base down, percent-encoded where needed: `onem2m/app/temperature`. */
  get path(): string {
    if (this.#below?.path !== undefined) return this.#below.path;
    const segment = encodeURIComponent(this.name);
    const path = this.parent === undefined ? segment : `${this.parent.path}/${segment}`;
    // Instances are many, and their paths are seldom needed twice.
    if (this.#below !== undefined) this.#below.path = path;
    return path;
  }
}

// Resources as JSON values.

/** `{"m2m:cnt":{…}}`. */
export function representation(resource: Resource, dialect: DialectCodec): Record<string, unknown> {
  return { [resource.type.root]: attributesOf(resource, dialect) };
}

/** Attributes in wire form, by short name: first the computed ones of the type, then the resource's own. */
export function attributesOf(resource: Resource, dialect: DialectCodec): Record<string, unknown> {
  const { values, type } = resource;
  const attributes: Record<string, unknown> = {};
  for (const [name, attribute, from] of type.computed) {
    const value = from(resource);
    if (value !== undefined) attributes[name] = dialect.write(attribute, value);
  }
  for (const name in values) {
    const definition = type.attributes[name];
    if (definition === undefined || definition.compute !== undefined || values[name] === undefined) continue;
    attributes[name] = dialect.write(definition.type, values[name]);
  }
  return attributes;
}

/** The attributes below the root key of a content; none without such. */
export function attributesBelowRoot(content: unknown): Readonly<Record<string, unknown>> {
  const [attributes] = Object.values(Object(content) as object);
  return (typeof attributes === 'object' && attributes) || {};
}
