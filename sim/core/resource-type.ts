/** What a kind of resource is: its attributes as a table, what may stand below it, and the few hooks that a table cannot say. */
import type { Resource } from './resource.ts';
import type { Tree } from './tree.ts';

/**
 * How a value is kept in the core; a dialect says how it looks on the wire.
 * `timestamp` is microseconds since 1970 UTC; `state tag` a count; `node link` is only ever written.
 */
export type AttributeType =
  | 'text'
  | 'list of text'
  | 'list of integer'
  | 'integer'
  | 'boolean'
  | 'timestamp'
  | 'state tag'
  | 'node link';

export type Value = string | number | boolean | readonly string[] | readonly number[];

export interface AttributeDefinition {
  readonly type: AttributeType;
  readonly create: 'mandatory' | 'optional' | 'not permitted';
  readonly update: 'optional' | 'not permitted';
  /** What a text must look like beyond being a text. */
  readonly form?: { readonly pattern: RegExp; readonly says: string };
  /** Where the value comes from when it is not one of the resource's own `values`. */
  readonly from?: (resource: Resource) => Value | undefined;
}

export interface CreationContext {
  readonly tree: Tree;
  /** The originator as the request carried it. */
  readonly originator: string | undefined;
  /** The next number of a counter of this name: from 0, never given twice. */
  readonly nextNumber: (counter: string) => number;
}

/** A kind as its table says it; `resourceType` makes it ready for use. */
export interface ResourceTypeTable {
  readonly ty: number;
  /** Short name with its namespace, the root key of a representation: `m2m:cnt`. */
  readonly root: string;
  /** Prefix of resource identifiers: `cnt`. */
  readonly prefix: string;
  /** Prefix of resource names that the CSE makes up: `container`. */
  readonly longName: string;
  /** In the order in which they are written. */
  readonly attributes: Readonly<Record<string, AttributeDefinition>>;
  /** `ty` of the kinds allowed below. */
  readonly children: readonly number[];
  /** What can be done to a resource of this kind itself, beside creating children. */
  readonly operations: readonly ('retrieve' | 'update' | 'delete')[];
  /** True for a kind whose `latest` and `oldest` children can be addressed. */
  readonly holdsInstances?: boolean;
  /** True for a kind that its parent counts in `cni` and `cbs`. */
  readonly isInstance?: boolean;
  /** A second identifier, unique in the CSE. */
  readonly alias?: (resource: Resource) => string;
  /** Sets what the CSE assigns. Runs before anything is stored; a thrown CseError refuses the request. */
  readonly assign?: (resource: Resource, context: CreationContext) => void;
  /** Before `child` is stored below `parent`: makes room for it, or refuses it by a CseError. */
  readonly admit?: (parent: Resource, child: Resource, tree: Tree) => void;
  /** After the attributes of `resource` were changed. */
  readonly updated?: (resource: Resource, tree: Tree) => void;
}

interface AttributeEntry {
  readonly name: string;
  /** The name as a key of JSON: quoted, with its colon. */
  readonly key: string;
  readonly definition: AttributeDefinition;
}

export interface ResourceType extends ResourceTypeTable {
  /** The attributes as a list, in the order in which they are written. */
  readonly entries: readonly AttributeEntry[];
  /** Names of the attributes that a create must give. */
  readonly mandatory: readonly string[];
}

export function resourceType(table: ResourceTypeTable): ResourceType {
  const entries = Object.entries(table.attributes).map(([name, definition]) => ({
    name,
    key: `"${name}":`,
    definition,
  }));
  const mandatory = entries.filter(({ definition }) => definition.create === 'mandatory').map(({ name }) => name);
  return { ...table, entries, mandatory };
}
