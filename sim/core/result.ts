/** What an answer shows of a resource: representations and result content (`rcn`, TS-0004 clause 7.5.2). */
import type { Dialect } from './dialect.ts';
import type { Operation } from './primitive.ts';
import { representation } from './representation.ts';
import type { Resource } from './resource.ts';
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
  | 'children';

const shapes: Readonly<Record<number, Shape>> = {
  0: 'nothing',
  1: 'attributes',
  2: 'address',
  3: 'address and attributes',
  4: 'attributes and children',
  5: 'attributes and references',
  6: 'references',
  8: 'children',
};

const allowed: Readonly<Record<Operation, readonly number[]>> = {
  create: [0, 1, 2, 3],
  retrieve: [1, 4, 5, 6, 8],
  update: [0, 1],
  delete: [0, 1, 4, 5, 6, 8],
  notify: [0, 1],
};

/** The shape that `rcn` asks for; a CseError when the operation does not allow it. */
export function shapeOf(operation: Operation, resultContent: number): Shape {
  const shape = shapes[resultContent];
  if (shape === undefined || !allowed[operation].includes(resultContent)) {
    throw new CseError(
      BAD_REQUEST,
      `rcn ${resultContent} is not for ${operation}; it can be ${allowed[operation].join(', ')}.`,
    );
  }
  return shape;
}

/**
 * The JSON value of an answer's body, or its text where that is written already; undefined for none.
 * `prefix` is what the request put before CSE-relative paths, and so do the addresses in the answer.
 */
export function show(resource: Resource, shape: Shape, prefix: string, dialect: Dialect): unknown {
  const { root } = resource.type;
  switch (shape) {
    case 'nothing':
      return undefined;
    case 'attributes':
      return representation(resource, dialect);
    case 'address':
      return { 'm2m:uri': prefix + resource.path };
    case 'address and attributes':
      return { 'm2m:rce': { uri: prefix + resource.path, [root]: attributes(resource, dialect) } };
    case 'attributes and references': {
      if (resource.children === undefined || resource.children.size === 0) return representation(resource, dialect);
      return { [root]: { ...attributes(resource, dialect), ch: references(resource, prefix) } };
    }
    case 'references':
      return { 'm2m:rrl': { rrf: references(resource, prefix) } };
    case 'attributes and children':
      return { [root]: { ...attributes(resource, dialect), ...children(resource, dialect) } };
    case 'children':
      return { [root]: children(resource, dialect) };
  }
}

function attributes(resource: Resource, dialect: Dialect): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const { name, definition } of resource.type.entries) {
    const value = definition.from === undefined ? resource.values[name] : definition.from(resource);
    const written = dialect.write(definition.type, value);
    if (written !== undefined) shown[name] = written;
  }
  return shown;
}

function references(resource: Resource, prefix: string) {
  const list: { typ: number; nm: string; val: string }[] = [];
  for (const child of resource.children?.values() ?? []) {
    list.push({ typ: child.type.ty, nm: child.name, val: prefix + child.id });
  }
  return list;
}

/** Everything below, grouped by kind: `{"m2m:cin": [...]}`; as deep as a tree can be, so without recursion. */
function children(resource: Resource, dialect: Dialect): Record<string, unknown> {
  const top: Record<string, unknown> = {};
  const open: [Resource, Record<string, unknown>][] = [[resource, top]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [parent, shown] = next;
    for (const child of parent.children?.values() ?? []) {
      const own = attributes(child, dialect);
      shown[child.type.root] ??= [];
      (shown[child.type.root] as unknown[]).push(own);
      if (child.children !== undefined) open.push([child, own]);
    }
  }
  return top;
}
