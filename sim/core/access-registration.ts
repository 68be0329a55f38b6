/** What no policy needs to grant: to register (the kinds say who may), to see where one is registered, and what the configuration says. */
import type { Wish } from './access-rule.ts';
import type { AccessSettings, CseConfiguration } from './configuration.ts';
import type { RequestPrimitive } from './primitive.ts';
import type { Tree } from './tree.ts';

const types = { applicationEntity: 2, base: 5, remoteCse: 16 } as const;

export function mayAlways(wish: Wish, { accessControl }: CseConfiguration, tree: Tree): boolean {
  const { operation, resource, originator } = wish;
  const registered = tree.byAlias(originator)?.type.ty;
  if (operation === 'notify') return resource.type.ty === types.applicationEntity && registered === types.remoteCse;
  if (resource.type.ty !== types.base) return false;
  if (operation === 'retrieve') return registered !== undefined;
  return operation === 'create' && mayCreateAtBase(wish, accessControl);
}

function mayCreateAtBase({ request, originator, child }: Wish, settings: AccessSettings): boolean {
  if (child === undefined) return false;
  if (child.ty === types.applicationEntity) return true;
  if (child.ty === types.remoteCse) return settings.registrars.length === 0 || isItself(request, originator);
  return settings.creatableAtBase.includes(child.ty);
}

/** A CSE registers itself; where everybody may register, nobody looks. */
function isItself({ content }: RequestPrimitive, originator: string): boolean {
  const given = (content as { 'm2m:csr'?: Readonly<Record<string, unknown>> } | undefined)?.['m2m:csr'];
  return originator.startsWith('/') && (given?.csi ?? given?.['CSE-ID']) === originator;
}
