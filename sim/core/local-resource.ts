import { type CseIdentity, startingPoint } from './address.ts';
import { canonical, isSameEntity } from './originator.ts';
import type { Resource } from './resource.ts';
import type { Tree } from './tree.ts';

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
