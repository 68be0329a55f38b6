/** Resource types: attributes as a table, allowed children, and hooks for behaviour that a table cannot express. */
import type { AttributeType, Value } from './attribute-types.ts';
import { flexContainerType } from './numbers.ts';
import type { Answer, Operation, RequestPrimitive } from './primitive.ts';
import type { Resource } from './resource.ts';
import type { Services } from './services.ts';
import type { StatusName } from './status.ts';
import type { RequestedAttributes } from './validate.ts';

export type DialectName = 'documented' | 'onem2m';

type Presence = 'mandatory' | 'optional' | 'not permitted';

type Compute = (resource: Resource) => Value | undefined;

export interface AttributeDefinition {
  readonly type: AttributeType;
  /** The long name, which may be sent in its place. */
  readonly long?: string;
  readonly create: Presence;
  readonly update: 'optional' | 'not permitted';
  /** A pattern that values must match beyond their type. */
  readonly form?: { readonly pattern: RegExp; readonly problem: string };
  /** Computes the value where it is not one of the resource's own `values`. */
  readonly compute?: Compute;
  /** True: always present, so that an update cannot remove it. */
  readonly permanent?: boolean;
  /** Whether an announced resource has it; `when asked`: when `aa` names it. */
  readonly announced: 'always' | 'when asked' | 'never';
}

/** An attribute in a table. */
export interface TabledAttribute extends AttributeDefinition {
  /** What differs in the documented dialect. */
  readonly documented?: Partial<AttributeDefinition>;
  /** The only dialect in which it exists. */
  readonly only?: DialectName;
}

/** A virtual child resource: a group's `fopt`, a polling channel's `pcu`. */
export interface VirtualResource {
  readonly operations: readonly Operation[];
  /** `rest` is the path behind the virtual name, without a leading slash; '' when there is none. */
  answer(resource: Resource, rest: string, services: Services, request: RequestPrimitive): Answer;
}

type OwnOperations = readonly ('retrieve' | 'update' | 'delete')[];

/** What a type does with a resource because of a request. */
type Hook = (resource: Resource, services: Services, request: RequestPrimitive) => void;
type ChangeHook<Change, Result> = (
  resource: Resource,
  change: Change,
  services: Services,
  request: RequestPrimitive,
) => Result;

/** A resource type as a table; `typeIn` prepares it for use. */
export interface ResourceTypeTable {
  readonly ty: number;
  /** Short name with its namespace, the root key of a representation: `m2m:cnt`. */
  readonly root: string;
  /** Prefix of resource identifiers: `cnt`; the root key without its namespace unless given. */
  readonly prefix?: string;
  /** Prefix of generated resource names: `container`. */
  readonly longName: string;
  /** The only dialect in which the type exists. */
  readonly only?: DialectName;
  /** `cnd` of a flexible container or `mgd` of a management object of this type; absent: any, or none. */
  readonly definition?: string | number;
  /** True: `srt` of the CSE base does not name it. */
  readonly unlisted?: boolean;
  /** Refusal below a parent that does not allow it; INVALID_CHILD_RESOURCE_TYPE unless given. */
  readonly misplacedStatus?: StatusName;
  /** True: it reveals its parent, so that creating it takes the right to RETRIEVE that. */
  readonly showsParent?: boolean;
  /** In the order of serialization. */
  readonly attributes: Readonly<Record<string, TabledAttribute>>;
  /** `ty` of allowed children, beside types that name it among their `parents`; none unless given. */
  readonly children?: readonly number[];
  /** `ty` of allowed parents, where those do not name it. */
  readonly parents?: readonly number[];
  /** Operations on the resource itself, beside creating children; all unless given. */
  readonly operations?: OwnOperations;
  /** What differs in the documented dialect. */
  readonly documented?: { readonly operations?: OwnOperations; readonly misplacedStatus?: StatusName };
  /** True if its `latest` and `oldest` children can be addressed. */
  readonly holdsInstances?: boolean;
  /** True if its parent counts it in `cni` and `cbs`. */
  readonly isInstance?: boolean;
  /** Virtual children by name. */
  readonly virtual?: ReadonlyMap<string, VirtualResource>;
  /** A second identifier, unique in the CSE. */
  readonly alias?: (resource: Resource) => string;
  /** Sets what the CSE assigns, including `id`. Runs before anything is stored; a thrown CseError refuses the request. */
  readonly assign?: Hook;
  /** Before `child` is stored below `parent`: makes room, or refuses it by a CseError. */
  readonly admit?: (parent: Resource, child: Resource, services: Services) => void;
  /** Before attributes change: may refuse by a CseError, or alter the change. */
  readonly updating?: ChangeHook<RequestedAttributes, void>;
  /** After attributes have changed; `changed` names them, `before` are the former values. */
  readonly updated?: (
    resource: Resource,
    changed: readonly string[],
    services: Services,
    request: RequestPrimitive,
    before: Resource['values'],
  ) => void;
  /**
   * Asks another entity before a create (`resource` is then a draft, `change` undefined) or an update. Undefined when
   * nobody is asked. A rejection with a CseError refuses the request; afterwards everything is checked again, without asking.
   */
  readonly ask?: ChangeHook<RequestedAttributes | undefined, Promise<void> | undefined>;
  /** Before a retrieve: a thrown CseError refuses it. */
  readonly retrieving?: (resource: Resource, services: Services) => void;
  /** After a retrieve. */
  readonly retrieved?: (resource: Resource, services: Services) => void;
  /** Before a delete: a thrown CseError refuses it. */
  readonly removing?: Hook;
  /** After it was stored. */
  readonly stored?: Hook;
  /** After it was restored from a snapshot: restores state beside the tree. */
  readonly restored?: (resource: Resource, services: Services) => void;
  /** After it was removed, by a request, with its parent, or by expiration. The answer waits for a promise. */
  readonly removed?: (resource: Resource, services: Services) => Promise<void> | undefined | void;
}

interface AttributeEntry {
  readonly name: string;
  readonly definition: AttributeDefinition;
}

declare const withoutPrototype: unique symbol;

/** Attributes by name, in an object without a prototype, so that any name from a request can be looked up. */
export interface AttributeTable {
  readonly [name: string]: AttributeDefinition;
  readonly [withoutPrototype]: true;
}

export interface ResourceType extends Omit<ResourceTypeTable, 'attributes' | 'documented' | 'parents'> {
  readonly prefix: string;
  readonly children: readonly number[];
  readonly operations: OwnOperations;
  readonly attributes: AttributeTable;
  /** The attributes as a list, in the order of the table. */
  readonly entries: readonly AttributeEntry[];
  /** Attributes with computed values. */
  readonly computed: readonly (readonly [name: string, type: AttributeType, from: Compute])[];
  /** Names of the attributes that a create must have. */
  readonly mandatory: readonly string[];
}

/** The type as it is in a dialect. */
export function typeIn(dialect: DialectName, table: ResourceTypeTable): ResourceType {
  const attributes = attributesIn(dialect, table);
  const entries = Object.entries(attributes).map(([name, definition]) => ({ name, definition }));
  const mandatory = entries.filter(({ definition }) => definition.create === 'mandatory').map(({ name }) => name);
  const computed = entries.flatMap(({ name, definition: { type, compute } }) =>
    compute ? [[name, type, compute] as const] : [],
  );
  const { documented, parents: _parents, ...others } = table;
  return {
    prefix: table.root.slice(table.root.indexOf(':') + 1),
    children: [],
    operations: ['retrieve', 'update', 'delete'],
    ...others,
    ...(dialect === 'documented' && documented),
    attributes,
    entries,
    computed,
    mandatory,
  };
}

function attributesIn(dialect: DialectName, table: ResourceTypeTable): AttributeTable {
  const attributes: Record<string, AttributeDefinition> = Object.create(null);
  for (const [name, { only, documented, ...definition }] of Object.entries(table.attributes)) {
    if (only !== undefined && only !== dialect) continue;
    attributes[name] = dialect === 'documented' ? { ...definition, ...documented } : definition;
  }
  const { aa } = attributes;
  if (dialect === 'onem2m' && aa !== undefined) {
    attributes.aa = { ...aa, type: { listOf: { oneOf: Object.keys(attributes) } } };
  }
  return attributes as Record<string, AttributeDefinition> & AttributeTable;
}

/** The short name of the attribute with that name, short or long. */
export function attributeNamed({ attributes }: ResourceType, key: string): string | undefined {
  if (attributes[key] !== undefined) return key;
  for (const name in attributes) if (attributes[name]?.long === key) return name;
  return undefined;
}

/** The root key of the announced variant; definitions of TS-0023 have names of their own (clause 6.4). */
export function announcedRoot({ root, ty }: Pick<ResourceTypeTable, 'root' | 'ty'>): string {
  return ty === flexContainerType && !root.startsWith('m2m:') ? `${root}Annc` : `${root}A`;
}
