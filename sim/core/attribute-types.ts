/** Attribute types (TS-0004, clause 6.3), and how structured values are read and written member by member. */

/**
 * How the core holds a simple value; dialects define the wire form. `timestamp` is microseconds since 1970 UTC,
 * `absolute or relative timestamp` also a number of milliseconds or a text as it was sent; `state tag` a count;
 * `any` is whatever JSON was sent.
 */
export type SimpleType =
  | 'text'
  | 'list of text'
  | 'list of token'
  | 'list of integer'
  | 'integer'
  | 'positive integer'
  | 'any integer'
  | 'number'
  | 'boolean'
  | 'timestamp'
  | 'absolute or relative timestamp'
  | 'duration'
  | 'state tag'
  | 'access control operations'
  | 'any';

export interface ListType {
  readonly listOf: AttributeType;
  /** Fewest elements; 0 unless given. */
  readonly atLeast?: number;
}

export interface ObjectType {
  readonly members: Readonly<Record<string, MemberDefinition>>;
  /** A list in place of the object is read as this member. */
  readonly listAs?: string;
  /** Checks the members together; returns the problem. */
  readonly check?: (members: Readonly<Record<string, Value>>) => string | undefined;
}

export interface MemberDefinition {
  readonly type: AttributeType;
  readonly mandatory?: boolean;
  /** The long name, which may be sent in its place. */
  readonly long?: string;
}

/** An integer or a text out of an enumeration. */
export interface EnumerationType {
  readonly oneOf: readonly (number | string)[];
  /** Further values: from the first to the second, both included. */
  readonly orRange?: readonly [number, number];
}

export type AttributeType = SimpleType | ListType | ObjectType | EnumerationType;

export type Value =
  | string
  | number
  | boolean
  | null
  | readonly Value[]
  | { readonly [member: string]: Value | undefined };

/** What a reader returns for a value that is not of the type. */
export class Unreadable {
  /** Completes the sentence "<attribute> …": `must be a text`. */
  readonly problem: string;

  constructor(problem: string) {
    this.problem = problem;
  }
}

type ReadSimple = (type: SimpleType, value: unknown) => Value | Unreadable;
type WriteSimple = (type: SimpleType, value: Value) => unknown;

/** Reads a value of any type; `simple` reads those without structure. */
export function readStructured(type: AttributeType, value: unknown, simple: ReadSimple): Value | Unreadable {
  if (typeof type === 'string') return simple(type, value);
  if ('oneOf' in type) return readEnumeration(type, value);
  if ('listOf' in type) return readList(type, value, simple);
  return readObject(type, value, simple);
}

function readEnumeration({ oneOf, orRange }: EnumerationType, value: unknown): Value | Unreadable {
  if ((typeof value === 'number' || typeof value === 'string') && oneOf.includes(value)) return value;
  if (orRange !== undefined && Number.isInteger(value)) {
    const [from, to] = orRange;
    if ((value as number) >= from && (value as number) <= to) return value as number;
  }
  const between = orRange === undefined ? '' : `, or ${orRange[0]} to ${orRange[1]}`;
  return new Unreadable(`must be one of ${oneOf.join(', ')}${between}`);
}

function readList({ listOf, atLeast = 0 }: ListType, value: unknown, simple: ReadSimple): Value | Unreadable {
  if (!Array.isArray(value)) return new Unreadable('must be a list');
  if (value.length < atLeast) return new Unreadable('must not be empty');
  const list: Value[] = [];
  for (const [index, item] of value.entries()) {
    const read = readStructured(listOf, item, simple);
    if (read instanceof Unreadable) return new Unreadable(`[${index}] ${read.problem}`);
    list.push(read);
  }
  return list;
}

function readObject({ members, listAs, check }: ObjectType, value: unknown, simple: ReadSimple): Value | Unreadable {
  if (listAs !== undefined && Array.isArray(value)) return readObject({ members }, { [listAs]: value }, simple);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Unreadable('must be an object');
  const object: Record<string, Value> = {};
  for (const [key, item] of Object.entries(value)) {
    if (item === null) continue;
    const [name, member] = Object.entries(members).find(([short, { long }]) => short === key || long === key) ?? [];
    if (name === undefined || member === undefined) return new Unreadable(`has no member ${JSON.stringify(key)}`);
    const read = readStructured(member.type, item, simple);
    if (read instanceof Unreadable) return new Unreadable(`${name} ${read.problem}`);
    object[name] = read;
  }
  const lacking = Object.entries(members).find(([name, { mandatory }]) => mandatory && object[name] === undefined);
  if (lacking !== undefined) return new Unreadable(`lacks the member ${lacking[0]}`);
  const failure = check?.(object);
  return failure === undefined ? object : new Unreadable(failure);
}

/** The JSON value of what `readStructured` has read. */
export function writeStructured(type: AttributeType, value: Value, simple: WriteSimple): unknown {
  if (typeof type === 'string') return simple(type, value);
  if ('oneOf' in type) return value;
  if ('listOf' in type) return (value as readonly Value[]).map((item) => writeStructured(type.listOf, item, simple));
  const written: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value as Readonly<Record<string, Value>>)) {
    const member = Object.hasOwn(type.members, name) ? type.members[name] : undefined;
    if (member !== undefined) written[name] = writeStructured(member.type, item, simple);
  }
  return written;
}
