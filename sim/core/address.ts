/** Resolves the `to` of a request (TS-0001, clause 7.2: CSE-relative, SP-relative and absolute, by names or by identifier). */

import type { DialectCodec } from './configuration.ts';
import { infrastructureNode } from './numbers.ts';
import { canonical, isSameEntity } from './originator.ts';
import type { Operation } from './primitive.ts';
import type { Resource } from './resource.ts';
import type { VirtualResource } from './resource-type.ts';
import { attempt, CseError } from './status.ts';
import type { Tree } from './tree.ts';

export interface CseIdentity {
  /** Name of the CSE base, the first path segment. */
  readonly base: string;
  /** CSE identifier without a slash: `mn-cse-1`. */
  readonly cseId: string;
  /** Service provider identifier: `openmtc.org`. */
  readonly spId: string;
}

/** The CSE at which addresses are looked up. */
export interface Receiver extends CseIdentity {
  /** 1 for an IN-CSE, which has no CSE above it. */
  readonly cseType: number;
  readonly dialect: Pick<DialectCodec, 'name'>;
}

export interface ResolvedAddress {
  readonly resource: Resource;
  /** Prefix of CSE-relative paths in the form that the request used: '', '/cse/' or '//sp/cse/'. */
  readonly prefix: string;
  /** True when `latest` or `oldest` led to the resource. */
  readonly virtual: boolean;
  /** The virtual resource that answers instead, with the path behind its name. */
  readonly handler?: { readonly virtual: VirtualResource; readonly rest: string };
}

/** Names reserved for virtual resources (TS-0001, clause 9.6). */
export const reservedNames: ReadonlySet<string> = new Set(['la', 'ol', 'latest', 'oldest', 'fopt', 'pcu']);

/** Names below a container of its newest and oldest instance. */
export const instanceEnds: ReadonlyMap<string, 'first' | 'last'> = new Map([
  ['la', 'last'],
  ['latest', 'last'],
  ['ol', 'first'],
  ['oldest', 'first'],
]);

/** The virtual end of an address: `/fopt` with whatever follows, `/la`, `/ol`; '' for the resource itself. */
export function virtualSuffix(address: string): string {
  return /\/(?:fopt(?:\/.*)?|la|ol|latest|oldest)$/.exec(address)?.[0] ?? '';
}

/** Throws NOT_FOUND, BAD_REQUEST for an invalid address, or the dialect's refusal of another CSE's. */
export function resolve(to: string, tree: Tree, identity: Receiver): ResolvedAddress {
  if (!to.startsWith('/')) return below(to, '', tree);
  const absolute = to.startsWith('//');
  const [spId, cseId, rest] = absolute ? split(to.slice(2)) : [identity.spId, ...headAndRest(to.slice(1))];
  if (spId !== identity.spId || cseId !== identity.cseId) {
    // TS-0004, clause 7.3.2.6.
    const isLast = identity.cseType === infrastructureNode && identity.dialect.name === 'onem2m';
    const called = absolute ? `//${spId}/${cseId}` : `/${cseId}`;
    throw new CseError(isLast ? 'NOT_FOUND' : 'TARGET_NOT_REACHABLE', `No CSE is known as ${called}.`);
  }
  if (rest === '' && identity.dialect.name === 'onem2m') {
    throw new CseError('BAD_REQUEST', `${to} names a CSE and nothing in it; its base is ${to}/${identity.base}.`);
  }
  const prefix = absolute ? `//${spId}/${cseId}/` : `/${cseId}/`;
  return below(rest, prefix, tree);
}

function split(path: string): [string, string, string] {
  const [spId, afterSp] = headAndRest(path);
  return [spId, ...headAndRest(afterSp)];
}

function headAndRest(path: string): [string, string] {
  const slash = path.indexOf('/');
  return slash < 0 ? [path, ''] : [path.slice(0, slash), path.slice(slash + 1)];
}

function instanceAt({ instances }: Resource, name: string): Resource | undefined {
  return instanceEnds.get(name) === 'last' ? instances?.last : instances?.first;
}

/** At a path such as `a/b`, `../a` or `a/la`; undefined without a resource there. */
export function relativeTo(resource: Resource, path: string): Resource | undefined {
  let at: Resource | undefined = resource;
  for (const name of path.split('/')) {
    if (name === '..') at = at?.parent;
    else if (at?.type.holdsInstances && instanceEnds.has(name)) at = instanceAt(at, name);
    else at = at?.children?.get(name);
  }
  return at;
}

/** The empty container whose `latest` or `oldest` is addressed; undefined for every other address. */
export function emptyHolder(to: string, tree: Tree, identity: Receiver): Resource | undefined {
  const slash = to.lastIndexOf('/');
  if (!instanceEnds.has(to.slice(slash + 1))) return undefined;
  const resource = attempt(() => resolve(to.slice(0, slash), tree, identity).resource);
  return resource?.instances?.size === 0 ? resource : undefined;
}

/** A CSE-relative path; '' is the CSE base. */
function below(path: string, prefix: string, tree: Tree): ResolvedAddress {
  if (path === '') return { resource: tree.base, prefix, virtual: false };
  let end = path.indexOf('/');
  let resource = startingPoint(end < 0 ? path : path.slice(0, end), tree);
  let virtual = false;
  while (end >= 0 && resource !== undefined) {
    const start = end + 1;
    end = path.indexOf('/', start);
    const name = end < 0 ? path.slice(start) : path.slice(start, end);
    const handler = resource.type.virtual?.get(name);
    if (handler !== undefined) {
      const rest = end < 0 ? '' : path.slice(end + 1);
      return { resource, prefix, virtual: false, handler: { virtual: handler, rest } };
    }
    virtual = resource.type.holdsInstances === true && instanceEnds.has(name);
    resource = virtual ? instanceAt(resource, name) : resource.children?.get(name);
  }
  if (resource === undefined) throw new CseError('NOT_FOUND', `There is no resource at ${path}.`);
  return { resource, prefix, virtual };
}

/** By the base's name, its synonym `-` (TS-0001, clause 9.3.1), a resource identifier or an alias. */
function startingPoint(first: string, tree: Tree): Resource | undefined {
  if (first === tree.base.name || first === '-') return tree.base;
  return tree.byId(first) ?? tree.byAlias(first);
}

/** Which operations an address allows, whatever the rights. */
// TS-0001, clauses 9.6.6 and 9.6.7: latest and oldest can be retrieved and deleted, nothing else.
const ofVirtual: readonly Operation[] = ['retrieve', 'delete'];

export function operationsAt({ resource, virtual, handler }: ResolvedAddress): readonly Operation[] {
  if (handler !== undefined) return handler.virtual.operations;
  if (virtual) return ofVirtual;
  const { operations, children } = resource.type;
  return children.length > 0 ? ['create', ...operations] : operations;
}

export function checkOperation(operation: Operation, address: ResolvedAddress): void {
  const { operations } = address.handler?.virtual ?? address.resource.type;
  // A create where no children are allowed is refused for the type of the child, not for the operation.
  const possible =
    (operation === 'create' && address.handler === undefined) ||
    operation === 'notify' ||
    (operations as readonly Operation[]).includes(operation);
  if (!possible) refuse(operation, operationsAt(address));
  if (address.virtual) checkVirtual(operation);
}

/** What `latest` and `oldest` allow, with or without an instance. */
export function checkVirtual(operation: Operation): void {
  if (!ofVirtual.includes(operation)) refuse(operation, ofVirtual);
}

function refuse(operation: Operation, allow: readonly Operation[]): never {
  throw new CseError('OPERATION_NOT_ALLOWED', `${operation} is not allowed here.`, { allow });
}

/** The resource of this CSE at an address, by identifier or path, in any scope; undefined when there is none. */
export function localResource(address: string, tree: Tree, identity: CseIdentity): Resource | undefined {
  const relative = canonical(address, identity);
  if (relative.startsWith('/')) return relative === `/${identity.cseId}` ? tree.base : undefined;
  const [first = '', ...names] = relative.split('/');
  let resource = startingPoint(first, tree);
  for (const name of names) resource = resource?.children?.get(name);
  return resource;
}

/** True for an address of another CSE. */
export function isRemote(address: string, identity: CseIdentity): boolean {
  const relative = canonical(address, identity);
  return relative.startsWith('/') && relative !== `/${identity.cseId}`;
}

/** True when the target is the originator, by its identifier or the address of its AE resource. */
export function isOriginatorItself(
  target: string,
  originator: string | undefined,
  tree: Tree,
  identity: CseIdentity,
): boolean {
  if (isSameEntity(target, originator, identity)) return true;
  const entity = localResource(target, tree, identity)?.values.aei;
  return typeof entity === 'string' && isSameEntity(entity, originator, identity);
}
