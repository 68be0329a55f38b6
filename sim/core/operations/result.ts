/** Answers with representations and result content (`rcn`, TS-0004 clause 7.5.2). */
import { Unreadable } from '../attribute-types.ts';
import type { DialectCodec } from '../configuration.ts';
import type { Operation, RequestPrimitive, ResponsePrimitive } from '../primitive.ts';
import { attributesBelowRoot, attributesOf, type Resource, representation } from '../resource.ts';
import type { DialectName } from '../resource-type.ts';
import { CseError, type ResponseStatus, statuses } from '../status.ts';
import { type Discovered, subtree } from './discover.ts';

/** The content that each `rcn` selects. */
const shapes = {
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
} as const;

export type Shape = (typeof shapes)[keyof typeof shapes];

type Allowed = Readonly<Record<Operation | 'discover', readonly number[]>>;

/** TS-0001, table 8.1.2-1; with `fu=1` the documented dialect also allows what a retrieve does. */
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

/** The shape selected by `rcn`. Throws a CseError when the operation does not allow it. */
export function shapeOf(operation: Operation | 'discover', resultContent: number, dialect: DialectName): Shape {
  const shape = (shapes as Readonly<Record<number, Shape>>)[resultContent];
  const possible = allowed[dialect][operation];
  if (shape !== undefined && possible.includes(resultContent)) return shape;
  throw new CseError('BAD_REQUEST', `rcn ${resultContent} is not for ${operation}; it can be ${possible.join(', ')}.`);
}

/** What goes into an answer. */
interface ResultContext {
  readonly resource: Resource;
  readonly shape: Shape;
  /** The prefix of CSE-relative paths in the request. */
  readonly prefix: string;
  /** The selected resources below; undefined: all of them, but references to children only. */
  readonly below?: Discovered | undefined;
  readonly request: RequestPrimitive;
  readonly dialect: DialectCodec;
}

/** The answer for a refusal. */
export function refusalBy({ status, message, http, allow }: CseError): ResponsePrimitive {
  return { status, content: { 'm2m:dbg': message }, http, ...(allow !== undefined && { allow }) };
}

export function answerWith(status: ResponseStatus, result: ResultContext): ResponsePrimitive {
  return { status, content: contentIn[result.shape](result), contentLocation: result.prefix + result.resource.path };
}

/** The JSON value of an answer's body; undefined for none. */
const contentIn: Readonly<Record<Shape, (result: ResultContext) => unknown>> = {
  nothing: () => undefined,
  attributes: withAttributes,
  address: (result) => ({ 'm2m:uri': addressOf(result) }),
  'address and attributes': (result) => ({ 'm2m:rce': { uri: addressOf(result), ...wholeOf(result) } }),
  'attributes and children': (result) => wholeOf(result, children(result)),
  'attributes and references': (result) => {
    const ch = references(result);
    return wholeOf(result, ch.length === 0 && result.below === undefined ? {} : { ch });
  },
  references: (result) => ({ 'm2m:rrl': { rrf: references(result) } }),
  original: () => undefined,
  children: (result) => ({ [result.resource.type.root]: children(result) }),
  'modified attributes': (result) => ({ [result.resource.type.root]: modified(result) }),
  addresses: () => undefined,
};

/** All attributes, and more members beside them. */
function wholeOf({ resource, dialect }: ResultContext, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { [resource.type.root]: { ...attributesOf(resource, dialect), ...more } };
}

const addressOf = (result: ResultContext): string =>
  prefixInContent(result.prefix, result.request, result.dialect) + result.resource.path;

/**
 * The prefix of addresses in an answer: that of the request. In the standard they are CSE-relative, since the originator
 * knows the CSE (TS-0004, clause 6.2.4), unless its own identifier is SP-relative or absolute.
 */
export function prefixInContent(asAddressed: string, { from }: RequestPrimitive, { name }: DialectCodec): string {
  return name === 'onem2m' && !from?.startsWith('/') ? '' : asAddressed;
}

/** TS-0004, clause 7.3.3.6 with `atrl`: an attribute unknown to the type is an error, an unset one is left out. */
function withAttributes({ resource, request, dialect }: ResultContext): unknown {
  const { attributeList } = request;
  if (attributeList === undefined) return representation(resource, dialect);
  const all = attributesOf(resource, dialect);
  const attributes: Record<string, unknown> = {};
  for (const name of attributeList) {
    if (resource.type.attributes[name] === undefined) {
      throw new CseError('BAD_REQUEST', `${JSON.stringify(name)} is not an attribute of ${resource.type.root} (atrl).`);
    }
    if (all[name] !== undefined) attributes[name] = all[name];
  }
  return { [resource.type.root]: attributes };
}

/** All attributes that the request did not set, or that differ from what it requested. */
function modified({ resource, request, dialect }: ResultContext): Record<string, unknown> {
  const requested = attributesBelowRoot(request.content);
  const attributes = attributesOf(resource, dialect);
  for (const [name, value] of Object.entries(requested)) {
    const isLost = attributes[name] === undefined && value !== null && resource.type.attributes[name] !== undefined;
    if (isLost) attributes[name] = null;
    else if (isAsSent(name, value, attributes[name], resource, dialect)) delete attributes[name];
  }
  return attributes;
}

/** What an update changed beyond the request: `rcn` 9. `before` are the `attributesOf` the resource before it. */
export function modifiedBy(
  request: RequestPrimitive,
  resource: Resource,
  before: Record<string, unknown>,
  dialect: DialectCodec,
): ResponsePrimitive {
  const requested = attributesBelowRoot(request.content);
  const changed = Object.entries(attributesOf(resource, dialect)).filter(
    ([name, value]) =>
      JSON.stringify(value) !== JSON.stringify(before[name]) &&
      !(name in requested && isAsSent(name, requested[name], value, resource, dialect)),
  );
  return { status: statuses.UPDATED, content: { [resource.type.root]: Object.fromEntries(changed) } };
}

/** True when the attribute has the requested value, perhaps in another form. */
function isAsSent(name: string, sent: unknown, actual: unknown, { type }: Resource, dialect: DialectCodec): boolean {
  const definition = type.attributes[name];
  if (definition === undefined) return false;
  const read = dialect.read(definition.type, sent);
  if (read instanceof Unreadable) return false;
  return JSON.stringify(dialect.write(definition.type, read)) === JSON.stringify(actual);
}

function references({ resource, below, prefix: asAddressed, request, dialect }: ResultContext) {
  const prefix = prefixInContent(asAddressed, request, dialect);
  const unstructured = request.desiredIdentifierResultType === 2;
  return [...(below?.matches ?? resource.children?.values() ?? [])].map(({ type, name, id, path }) => {
    // The documented val is the child's plain resource identifier, whatever the form of address.
    const val = dialect.name === 'documented' ? id : prefix + (unstructured ? id : path);
    return { typ: type.ty, nm: name, val };
  });
}

/** Descendants by type: `{"m2m:cin": [...]}`, each in its nearest ancestor that is part of the answer. */
function children({ resource, dialect, below }: ResultContext): Record<string, unknown> {
  const top: Record<string, unknown> = {};
  const representations = new Map([[resource, top]]);
  const list = below?.matches ?? subtree(resource);
  for (const one of list) representations.set(one, attributesOf(one, dialect));
  for (const one of list) {
    let above = one.parent as Resource;
    while (!representations.has(above)) above = above.parent as Resource;
    const parent = representations.get(above) as Record<string, unknown>;
    parent[one.type.root] ??= [];
    (parent[one.type.root] as unknown[]).push(representations.get(one));
  }
  return top;
}
