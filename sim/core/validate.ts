/** Reads the attributes of a create or update request by the table of the type, and reports all problems at once. */
import { reservedNames } from './address.ts';
import { Unreadable, type Value } from './attribute-types.ts';
import type { DialectCodec } from './configuration.ts';
import type { Resource } from './resource.ts';
import { type AttributeDefinition, attributeNamed, type ResourceType } from './resource-type.ts';
import { CseError } from './status.ts';

/** The attributes of a request, read and checked. A hook may change the values before they are stored. */
export interface RequestedAttributes {
  readonly name: string | undefined;
  /** Microseconds since 1970 UTC. */
  readonly expires: number | undefined;
  readonly labels: readonly string[] | undefined;
  /** The attributes of the type itself. */
  readonly values: Record<string, Value>;
  /** Attributes that an update removes; `lbl` and `et` may be among them. */
  readonly removed: readonly string[];
  /** True when a create requests `cr`, by null. */
  readonly creatorRequested: boolean;
}

/** The values of a resource after the update. */
export function updated({ values, removed }: RequestedAttributes, before: Resource['values']): Resource['values'] {
  const after = { ...before, ...values };
  for (const name of removed) delete after[name];
  return after;
}

/** The one root key of the content and the object below it. */
export function rootOf(content: unknown): readonly [string, Record<string, unknown>] {
  if (!isObject(content))
    throw new CseError('BAD_REQUEST', 'The body must be one JSON object with one root key, such as m2m:cnt.');
  const keys = Object.keys(content);
  const root = keys[0];
  if (root === undefined || keys.length > 1) {
    throw new CseError('BAD_REQUEST', `The body must have exactly one root key, not ${keys.length}.`);
  }
  const object = content[root];
  if (!isObject(object)) throw new CseError('BAD_REQUEST', `The value of ${root} must be an object with attributes.`);
  return [root, object];
}

/** What is below the root key. */
type BodyAttributes = Record<string, unknown>;
const none: readonly string[] = [];

export function readAttributes(
  type: ResourceType,
  operation: 'create' | 'update',
  attributes: BodyAttributes,
  dialect: DialectCodec,
): RequestedAttributes {
  const values: Record<string, Value> = {};
  const inherent: Record<string, Value> = {};
  const problems: string[] = [];
  const removing = operation === 'update' && dialect.absentInUpdate === 'removal';
  const removed = removing ? readRemovals(type, attributes, dialect, problems) : none;
  for (const key of Object.keys(attributes)) {
    const value = attributes[key];
    if (isLeftOut(key, value, operation, type, dialect)) continue;
    const name = type.attributes[key] === undefined ? (attributeNamed(type, key) ?? key) : key;
    const definition = type.attributes[name];
    const read = readOne(name, value, operation, definition, type, dialect);
    if (read instanceof Unreadable) problems.push(read.problem);
    else if (definition?.compute === undefined) values[name] = read;
    else inherent[name] = read;
  }
  if (operation === 'create') addMissing(type, attributes, dialect, problems);
  if (problems.length > 0) throw new CseError('BAD_REQUEST', `${problems.join('; ')}.`);
  const { rn, et, lbl } = inherent as { rn?: string; et?: number; lbl?: readonly string[] };
  const creatorRequested = attributes.cr === null;
  return { name: rn, expires: et, labels: lbl, values, removed, creatorRequested };
}

/**
 * Whether the value means "absent". In a create of the standard null does so only for permitted attributes, and for `cr`, where it
 * requests the creator (TS-0004, clauses 7.3.3.3 and 7.3.3.5).
 */
function isLeftOut(key: string, value: unknown, operation: string, type: ResourceType, dialect: DialectCodec): boolean {
  if (!dialect.isAbsent(value)) return false;
  if (operation !== 'create' || dialect.name === 'documented') return true;
  const name = attributeNamed(type, key);
  return name !== undefined && (name === 'cr' || type.attributes[name]?.create !== 'not permitted');
}

/** The attributes to be removed. A mandatory one cannot be (TS-0004, clause 7.3.3). */
function readRemovals(
  type: ResourceType,
  attributes: BodyAttributes,
  dialect: DialectCodec,
  problems: string[],
): readonly string[] {
  const removed: string[] = [];
  for (const key of Object.keys(attributes)) {
    if (!dialect.isAbsent(attributes[key])) continue;
    const name = attributeNamed(type, key) ?? key;
    const problem = removalProblem(name, type);
    if (problem === undefined) removed.push(name);
    else problems.push(problem);
  }
  return removed;
}

function removalProblem(name: string, type: ResourceType): string | undefined {
  const definition = type.attributes[name];
  if (definition === undefined) return `${JSON.stringify(name)} is not an attribute of ${type.root}`;
  if (definition.update === 'not permitted') return `${name} cannot be given in an update`;
  return definition.create === 'mandatory' || definition.permanent ? `${name} cannot be removed` : undefined;
}

/** Problems name the attribute. */
function readOne(
  name: string,
  value: unknown,
  operation: 'create' | 'update',
  definition: AttributeDefinition | undefined,
  type: ResourceType,
  dialect: DialectCodec,
): Value | Unreadable {
  if (definition === undefined) return new Unreadable(`${JSON.stringify(name)} is not an attribute of ${type.root}`);
  if (definition[operation] === 'not permitted') {
    return new Unreadable(`${name} cannot be given in ${operation === 'create' ? 'a create' : 'an update'}`);
  }
  const read = dialect.read(definition.type, value);
  if (read instanceof Unreadable) return new Unreadable(`${name} ${read.problem}`);
  if (definition.form !== undefined && !definition.form.pattern.test(String(read))) {
    return new Unreadable(`${name} ${definition.form.problem}`);
  }
  return read;
}

function addMissing(type: ResourceType, body: BodyAttributes, dialect: DialectCodec, problems: string[]): void {
  for (const name of type.mandatory) {
    const { long } = type.attributes[name] ?? {};
    const isThere = isPresent(name, body, dialect) || (long !== undefined && isPresent(long, body, dialect));
    if (!isThere) problems.push(`${name} is missing`);
  }
}

function isPresent(name: string, body: BodyAttributes, dialect: DialectCodec): boolean {
  return Object.hasOwn(body, name) && !dialect.isAbsent(body[name]);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what a name must not have
const unnameable = /[\u0000-\u001f\u007f/]/;

/** Refuses a resource name that cannot be a path segment. */
export function checkName(name: string, maxLength: number, dialect: DialectCodec): void {
  if (reservedNames.has(name)) throw new CseError('CONFLICT', `The name ${name} is reserved; choose another rn.`);
  if (dialect.name === 'onem2m' && !/^[\w.~-]+$/.test(name)) {
    // TS-0004, clause 6.2.4, with the `~` of RFC 3986.
    throw new CseError('BAD_REQUEST', 'rn must be made of letters, digits and - . _ ~ only.');
  }
  if (name === '' || name === '.' || name === '..' || unnameable.test(name)) {
    throw new CseError(
      'BAD_REQUEST',
      'rn must be a text without slashes and control characters, and neither empty nor dots only.',
    );
  }
  if (name.length > maxLength) {
    throw new CseError(
      'BAD_REQUEST',
      `rn has ${name.length} characters, more than the limit of ${maxLength} (nameLength).`,
    );
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
