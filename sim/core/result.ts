/** What an answer shows of a resource: representations and result content (`rcn`, TS-0004 clause 7.5.2). */
import { Unreadable } from './attribute-types.ts';
import type { Dialect } from './dialect.ts';
import type { Operation } from './primitive.ts';
import { representation } from './representation.ts';
import type { Resource } from './resource.ts';
import type { DialectName } from './resource-type.ts';
import { BAD_REQUEST, CseError } from './status.ts';

/** What one `rcn` shows. */
export type Shape =
  | 'nothing'
  | 'attributes'
  | 'address'
  | 'address and attributes'
  | 'attributes and children'
  | 'attributes and references'
  | 'references'
  | 'original'
  | 'children'
  | 'modified attributes'
  | 'addresses';

const shapes: Readonly<Record<number, Shape>> = {
  0: 'nothing',
  1: 'attributes',
  2: 'address',
  3: 'address and attributes',
  4: 'attributes and children',
  5: 'attributes and references',
  6: 'references',
  7: 'original',
  8: 'children',
  9: 'modified attributes',
  11: 'addresses',
};

type Allowed = Readonly<Record<Operation | 'discover', readonly number[]>>;

/** TS-0001, table 8.1.2-1; the documented dialect takes with `fu=1` whatever a retrieve takes. */
const allowed: Readonly<Record<DialectName, Allowed>> = {
  documented: {
    create: [0, 1, 2, 3],
    retrieve: [1, 4, 5, 6, 8],
    update: [0, 1],
    delete: [0, 1, 4, 5, 6, 8],
    notify: [0, 1],
    discover: [1, 4, 5, 6, 8, 11],
  },
  onem2m: {
    create: [0, 1, 2, 3, 9],
    retrieve: [1, 4, 5, 6, 7, 8],
    update: [0, 1, 9],
    delete: [0, 1, 4, 5, 6, 8],
    notify: [0, 1],
    discover: [6, 11],
  },
};

/** The shape that `rcn` asks for; a CseError when the operation does not allow it. */
export function shapeOf(operation: Operation | 'discover', resultContent: number, dialect: DialectName): Shape {
  const shape = shapes[resultContent];
  const possible = allowed[dialect][operation];
  if (shape !== undefined && possible.includes(resultContent)) return shape;
  throw new CseError(BAD_REQUEST, `rcn ${resultContent} is not for ${operation}; it can be ${possible.join(', ')}.`);
}

/** How things are shown to one request. */
export interface View {
  readonly dialect: Dialect;
  /** What stands before the CSE-relative paths in the answer. */
  readonly prefix: string;
  /** The address of a resource in a list of references. */
  readonly referenceTo: (resource: Resource) => string;
  /** The only attributes to be shown of the resource itself; undefined: all. */
  readonly attributes?: readonly string[];
  /** Of what stands below, all that is to be shown, in order; undefined: everything, references being to the children only. */
  readonly below?: readonly Resource[];
  /** The attributes that the request gave: `rcn` 9 shows the rest, and what became other than it was given. */
  readonly given?: Readonly<Record<string, unknown>>;
}

/** The JSON value of an answer's body, or its text where that is written already; undefined for none. */
export function show(resource: Resource, shape: Shape, view: View): unknown {
  const { root } = resource.type;
  const { dialect } = view;
  const address = () => view.prefix + resource.path;
  switch (shape) {
    case 'attributes':
      if (view.attributes === undefined) return representation(resource, dialect);
      return { [root]: chosen(resource, view.attributes, dialect) };
    case 'address':
      return { 'm2m:uri': address() };
    case 'address and attributes':
      return { 'm2m:rce': { uri: address(), [root]: attributesOf(resource, dialect) } };
    case 'attributes and references':
      return withReferences(resource, view);
    case 'references':
      return { 'm2m:rrl': { rrf: references(resource, view) } };
    case 'attributes and children':
      return { [root]: { ...attributesOf(resource, dialect), ...children(resource, view) } };
    case 'children':
      return { [root]: children(resource, view) };
    case 'modified attributes':
      return { [root]: modified(resource, view) };
    default:
      return undefined;
  }
}

/** As they are shown, by their short names. */
export function attributesOf(resource: Resource, dialect: Dialect): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const { name, definition } of resource.type.entries) {
    const value = definition.from === undefined ? resource.values[name] : definition.from(resource);
    if (value !== undefined) shown[name] = dialect.write(definition.type, value);
  }
  return shown;
}

/** TS-0004, clause 7.3.3.6 with `atrl`: an attribute that the kind has not is a mistake, one that is not set is left out. */
function chosen(resource: Resource, names: readonly string[], dialect: Dialect): Record<string, unknown> {
  const all = attributesOf(resource, dialect);
  const shown: Record<string, unknown> = {};
  for (const name of names) {
    if (resource.type.attributes[name] === undefined) {
      throw new CseError(BAD_REQUEST, `${JSON.stringify(name)} is not an attribute of ${resource.type.root} (atrl).`);
    }
    if (all[name] !== undefined) shown[name] = all[name];
  }
  return shown;
}

function modified(resource: Resource, { dialect, given = {} }: View): Record<string, unknown> {
  const shown = attributesOf(resource, dialect);
  for (const name of Object.keys(given)) {
    const isLost = shown[name] === undefined && given[name] !== null && resource.type.attributes[name] !== undefined;
    if (isLost) shown[name] = null;
    else if (isAsGiven(name, given[name], shown[name], resource, dialect)) delete shown[name];
  }
  return shown;
}

/** True when what is shown of an attribute says the same as what a request gave, perhaps in another form. */
export function isAsGiven(name: string, given: unknown, shown: unknown, { type }: Resource, dialect: Dialect): boolean {
  const definition = type.attributes[name];
  if (definition === undefined) return false;
  const read = dialect.read(definition.type, given);
  if (read instanceof Unreadable) return false;
  return JSON.stringify(dialect.write(definition.type, read)) === JSON.stringify(shown);
}

function withReferences(resource: Resource, view: View): unknown {
  const list = references(resource, view);
  if (list.length === 0 && view.below === undefined) return representation(resource, view.dialect);
  return { [resource.type.root]: { ...attributesOf(resource, view.dialect), ch: list } };
}

function references(resource: Resource, { below, referenceTo }: View) {
  const list: { typ: number; nm: string; val: string; spty?: unknown }[] = [];
  for (const child of below ?? resource.children?.values() ?? []) {
    list.push({ typ: child.type.ty, nm: child.name, val: referenceTo(child) });
  }
  return list;
}

/** Everything below, grouped by kind: `{"m2m:cin": [...]}`; as deep as a tree can be, so without recursion. */
function children(resource: Resource, { dialect, below }: View): Record<string, unknown> {
  const top: Record<string, unknown> = {};
  if (below !== undefined) return placed(resource, below, top, dialect);
  const open: [Resource, Record<string, unknown>][] = [[resource, top]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [parent, shown] = next;
    for (const child of parent.children?.values() ?? []) {
      const own = attributesOf(child, dialect);
      listOf(shown, child.type.root).push(own);
      if (child.children !== undefined) open.push([child, own]);
    }
  }
  return top;
}

/** Each below the nearest of its ancestors that is shown itself. */
function placed(
  resource: Resource,
  below: readonly Resource[],
  top: Record<string, unknown>,
  dialect: Dialect,
): Record<string, unknown> {
  const shown = new Map<Resource, Record<string, unknown>>([[resource, top]]);
  for (const one of below) shown.set(one, attributesOf(one, dialect));
  for (const one of below) {
    let above = one.parent;
    while (above !== undefined && !shown.has(above)) above = above.parent;
    const place = (above && shown.get(above)) ?? top;
    listOf(place, one.type.root).push(shown.get(one));
  }
  return top;
}

function listOf(shown: Record<string, unknown>, root: string): unknown[] {
  shown[root] ??= [];
  return shown[root] as unknown[];
}
