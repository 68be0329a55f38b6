/** Whom a notification is for: `nu` and `su`, in whichever form they are written. */
import type { CseIdentity } from '../address.ts';
import type { CseConfiguration } from '../configuration.ts';
import { localResource } from '../local-resource.ts';
import { absoluteOriginator } from '../originator.ts';
import type { Resource } from '../resource.ts';
import type { Tree } from '../tree.ts';

/** The same AE or CSE, each in CSE-relative (`CAE`), SP-relative (`/cse/CAE`) or absolute form (`//sp/cse/CAE`). */
export function isSameEntity(one: string, other: string | undefined, identity: CseIdentity): boolean {
  return other !== undefined && (one === other || absolute(one, identity) === absolute(other, identity));
}

/** An AE-ID that begins with S is unique in its service provider, so the CSE before it says nothing (TS-0001, clause 7.2). */
function absolute(identifier: string, { spId, cseId }: CseIdentity): string {
  if (/^https?:/i.test(identifier)) return identifier;
  const last = identifier.slice(identifier.lastIndexOf('/') + 1);
  const [, otherProvider] = /^\/\/([^/]+)/.exec(identifier) ?? [];
  if (last.startsWith('S')) return `//${otherProvider ?? spId}/${last}`;
  return absoluteOriginator(identifier, { spId, cseId });
}

/** True when the target is the originator itself, by its identifier or by the address of its AE resource. */
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

/**
 * How the subscription is called in what is sent to a target. In the documented dialect by its path, in the form in which the
 * target is written (deployed applications compare it with the path that they used); else by its SP-relative identifier.
 */
export function referenceTo(subscription: Resource, target: string, configuration: CseConfiguration): string {
  const { dialect, cseId, spId } = configuration;
  if (dialect.identifiers === 'random') return `/${cseId}/${subscription.id}`;
  if (target.startsWith('//')) return `//${spId}/${cseId}/${subscription.path}`;
  return target.startsWith('/') ? `/${cseId}/${subscription.path}` : subscription.path;
}
