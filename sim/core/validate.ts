/** Reads the attributes of a create or update request by the table of the kind; what is wrong is said all at once. */
import { reservedNames } from './address.ts';
import { type Dialect, isUnreadable } from './dialect.ts';
import type { AttributeDefinition, ResourceType, Value } from './resource-type.ts';
import { BAD_REQUEST, CONFLICT, CseError } from './status.ts';

/** What a request says of a resource, read and checked. */
export interface GivenAttributes {
  readonly name: string | undefined;
  /** Microseconds since 1970 UTC. */
  readonly expires: number | undefined;
  readonly labels: readonly string[] | undefined;
  /** The attributes of the kind itself. */
  readonly values: Record<string, Value>;
}

/** The one root key of the content and the object below it. */
export function rootOf(content: unknown): readonly [string, Record<string, unknown>] {
  if (!isObject(content))
    throw new CseError(BAD_REQUEST, 'The body must be one JSON object with one root key, such as m2m:cnt.');
  const keys = Object.keys(content);
  const root = keys[0];
  if (root === undefined || keys.length > 1) {
    throw new CseError(BAD_REQUEST, `The body must have exactly one root key, not ${keys.length}.`);
  }
  const object = content[root];
  if (!isObject(object)) throw new CseError(BAD_REQUEST, `The value of ${root} must be an object with attributes.`);
  return [root, object];
}

export function readAttributes(
  type: ResourceType,
  operation: 'create' | 'update',
  given: Record<string, unknown>,
  dialect: Dialect,
): GivenAttributes {
  const values: Record<string, Value> = {};
  const shared: Record<string, Value> = {};
  const problems: string[] = [];
  for (const name of Object.keys(given)) {
    const value = given[name];
    if (dialect.isAbsent(value)) continue;
    const definition = Object.hasOwn(type.attributes, name) ? type.attributes[name] : undefined;
    const read = readOne(name, value, operation, definition, type, dialect);
    if (isProblem(read)) problems.push(read.problem);
    else if (definition?.from === undefined) values[name] = read;
    else shared[name] = read;
  }
  if (operation === 'create') problems.push(...missing(type, given, dialect));
  if (problems.length > 0) throw new CseError(BAD_REQUEST, `${problems.join('; ')}.`);
  const { rn, et, lbl } = shared as { rn?: string; et?: number; lbl?: readonly string[] };
  return { name: rn, expires: et, labels: lbl, values };
}

interface Problem {
  readonly problem: string;
}

function isProblem(read: Value | Problem): read is Problem {
  return typeof read === 'object' && 'problem' in read;
}

function readOne(
  name: string,
  value: unknown,
  operation: 'create' | 'update',
  definition: AttributeDefinition | undefined,
  type: ResourceType,
  dialect: Dialect,
): Value | Problem {
  if (definition === undefined) return { problem: `${JSON.stringify(name)} is not an attribute of ${type.root}` };
  if (definition[operation] === 'not permitted') return { problem: `${name} cannot be given in ${article(operation)}` };
  const read = dialect.read(definition.type, value);
  if (isUnreadable(read)) return { problem: `${name} ${read.unreadable}` };
  if (definition.form !== undefined && !definition.form.pattern.test(String(read))) {
    return { problem: `${name} ${definition.form.says}` };
  }
  return read;
}

const article = (operation: 'create' | 'update') => (operation === 'create' ? 'a create' : 'an update');

function missing(type: ResourceType, given: Record<string, unknown>, dialect: Dialect): string[] {
  const absent = type.mandatory.filter((name) => !Object.hasOwn(given, name) || dialect.isAbsent(given[name]));
  return absent.map((name) => `${name} is missing`);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what a name must not have
const unnameable = /[\u0000-\u001f\u007f/]/;

/** Refuses a resource name that could not be used as a path segment. */
export function checkName(name: string, longest: number): void {
  if (reservedNames.has(name)) throw new CseError(CONFLICT, `The name ${name} is reserved; choose another rn.`);
  if (name === '' || name === '.' || name === '..' || unnameable.test(name)) {
    throw new CseError(
      BAD_REQUEST,
      'rn must be a text without slashes and control characters, and neither empty nor dots only.',
    );
  }
  if (name.length > longest) {
    throw new CseError(
      BAD_REQUEST,
      `rn has ${name.length} characters, more than the limit of ${longest} (nameLength).`,
    );
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
