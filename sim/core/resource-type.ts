/** What a kind of resource is: its attributes as a table, what may stand below it, and the few hooks that a table cannot say. */
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
  /** What a value must look like beyond being of its type. */
  readonly form?: { readonly pattern: RegExp; readonly problem: string };
  /** Where the value comes from when it is not one of the resource's own `values`. */
  readonly compute?: Compute;
  /** True: the resource must have it always, so that an update cannot remove it. */
  readonly permanent?: boolean;
  /** Whether an announced resource has it; `when asked` is when `aa` names it. */
  readonly announced: 'always' | 'when asked' | 'never';
}

/** An attribute as a table says it. */
export interface TabledAttribute extends AttributeDefinition {
  /** What is otherwise in the documented dialect. */
  readonly documented?: Partial<AttributeDefinition>;
  /** The only dialect in which it exists. */
  readonly only?: DialectName;
}

/** What answers at a name below a resource that no child has: a group's `fopt`, a polling channel's `pcu`. */
export interface VirtualResource {
  readonly operations: readonly Operation[];
  /** `rest` is the path behind the virtual name, without a slash at its beginning; '' when there is none. */
  answer(resource: Resource, rest: string, services: Services, request: RequestPrimitive): Answer;
}

type OwnOperations = readonly ('retrieve' | 'update' | 'delete')[];

/** What a kind does with a resource on account of a request. */
type Hook = (resource: Resource, services: Services, request: RequestPrimitive) => void;
type ChangeHook<Change, Result> = (
  resource: Resource,
  change: Change,
  services: Services,
  request: RequestPrimitive,
) => Result;

/** A kind as its table says it; `kindIn` makes it ready for use. */
export interface ResourceTypeTable {
  readonly ty: number;
  /** Short name with its namespace, the root key of a representation: `m2m:cnt`. */
  readonly root: string;
  /** Prefix of resource identifiers: `cnt`; the root key without its namespace unless given. */
  readonly prefix?: string;
  /** Prefix of resource names that the CSE makes up: `container`. */
  readonly longName: string;
  /** The only dialect in which the kind exists. */
  readonly only?: DialectName;
  /** What `cnd` of a flexible container, or `mgd` of a management object, of this kind is; absent: anything, or none. */
  readonly definition?: string | number;
  /** True: `srt` of the CSE base does not name it. */
  readonly unlisted?: boolean;
  /** By which it is refused where it cannot stand; INVALID_CHILD_RESOURCE_TYPE unless given. */
  readonly misplacedStatus?: StatusName;
  /** True: it shows what happens to its parent, so that who creates one needs the right to RETRIEVE that. */
  readonly showsParent?: boolean;
  /** In the order in which they are written. */
  readonly attributes: Readonly<Record<string, TabledAttribute>>;
  /** `ty` of the kinds allowed below, beside those that name it among their `parents`; none unless given. */
  readonly children?: readonly number[];
  /** `ty` of the kinds below which it may stand, where those do not name it. */
  readonly parents?: readonly number[];
  /** What can be done to a resource of this kind itself, beside creating children; everything unless given. */
  readonly operations?: OwnOperations;
  /** What is otherwise in the documented dialect. */
  readonly documented?: { readonly operations?: OwnOperations; readonly misplacedStatus?: StatusName };
  /** True for a kind whose `latest` and `oldest` children can be addressed. */
  readonly holdsInstances?: boolean;
  /** True for a kind that its parent counts in `cni` and `cbs`. */
  readonly isInstance?: boolean;
  /** Names below a resource of this kind that are no children. */
  readonly virtual?: ReadonlyMap<string, VirtualResource>;
  /** A second identifier, unique in the CSE. */
  readonly alias?: (resource: Resource) => string;
  /** Sets what the CSE assigns, the resource's `id` too. Runs before anything is stored; a thrown CseError refuses the request. */
  readonly assign?: Hook;
  /** Before `child` is stored below `parent`: makes room for it, or refuses it by a CseError. */
  readonly admit?: (parent: Resource, child: Resource, services: Services) => void;
  /** Before attributes change: may refuse by a CseError, or change what is given. */
  readonly updating?: ChangeHook<RequestedAttributes, void>;
  /** After the attributes of `resource` were changed; `changed` names them, and `before` are its values until then. */
  readonly updated?: (
    resource: Resource,
    changed: readonly string[],
    services: Services,
    request: RequestPrimitive,
    before: Resource['values'],
  ) => void;
  /**
   * What somebody else has to say first, before a create (`resource` is a draft then, `given` undefined) or an update. Undefined when
   * nobody is asked. A rejection with a CseError refuses the request; afterwards everything is checked once more, without asking again.
   */
  readonly ask?: ChangeHook<RequestedAttributes | undefined, Promise<void> | undefined>;
  /** Before it is shown to a retrieve: a thrown CseError refuses that. */
  readonly retrieving?: (resource: Resource, services: Services) => void;
  /** After it was shown to a retrieve. */
  readonly retrieved?: (resource: Resource, services: Services) => void;
  /** Before it is removed by a request: a thrown CseError refuses that. */
  readonly removing?: Hook;
  /** After it was stored. */
  readonly stored?: Hook;
  /** After it was put back from a snapshot: takes up what goes on beside the tree. */
  readonly restored?: (resource: Resource, services: Services) => void;
  /** After it was removed, by a request, with its parent, or at the end of its time. The answer waits for what is not done at once. */
  readonly removed?: (resource: Resource, services: Services) => Promise<void> | undefined | void;
}

interface AttributeEntry {
  readonly name: string;
  readonly definition: AttributeDefinition;
}

declare const withoutPrototype: unique symbol;

/** Attributes by their names, in an object without a prototype: whatever name a request gives can be looked up as it is. */
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
  /** Those of them whose values come from elsewhere than `values`. */
  readonly computed: readonly (readonly [name: string, type: AttributeType, from: Compute])[];
  /** Names of the attributes that a create must give. */
  readonly mandatory: readonly string[];
}

/** The kind as it is in a dialect. */
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

/** The attribute of that name, short or long. */
export function attributeNamed({ attributes }: ResourceType, key: string): string | undefined {
  if (attributes[key] !== undefined) return key;
  for (const name in attributes) if (attributes[name]?.long === key) return name;
  return undefined;
}

/** The root key of what announces a kind; definitions of TS-0023 have names of their own for that (clause 6.4). */
export function announcedRoot({ root, ty }: Pick<ResourceTypeTable, 'root' | 'ty'>): string {
  return ty === flexContainerType && !root.startsWith('m2m:') ? `${root}Annc` : `${root}A`;
}
