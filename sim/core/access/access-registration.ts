/** What no policy needs to grant: to register (the kinds say who may), to see and be announced where one is registered, and what the configuration says. */

import type { AccessSettings, CseConfiguration } from '../configuration.ts';
import {
  announcedBaseType,
  announcedEntityType,
  applicationEntityType,
  cseBaseType,
  remoteCseType,
  requestType,
} from '../numbers.ts';
import type { RequestPrimitive } from '../primitive.ts';
import type { Tree } from '../tree.ts';
import type { Wish } from './access-rule.ts';

/** An AE registers itself, a request and a CSE base are made by nobody: their kinds say so to everybody, whatever his rights. */
const refusedByKind: ReadonlySet<number | undefined> = new Set([applicationEntityType, cseBaseType, requestType]);

export function mayAlways(wish: Wish, { accessControl }: CseConfiguration, tree: Tree): boolean {
  const { operation, resource, originator } = wish;
  const registered = tree.byAlias(originator)?.type.ty;
  if (operation === 'notify') return resource.type.ty === applicationEntityType && registered === remoteCseType;
  if (isOfProvider(wish, tree)) return true;
  if (operation === 'create' && refusedByKind.has(wish.child?.ty)) return true;
  if (resource.type.ty !== cseBaseType) return false;
  if (operation === 'retrieve') return registered !== undefined;
  if (operation === 'create' && wish.child?.ty === announcedBaseType) return registered === remoteCseType;
  return operation === 'create' && mayCreateAtBase(wish, accessControl);
}

/** A registered CSE says here where an AE with an identifier of the service provider is (TS-0004, clause 7.4.5.2.1). */
export function isOfProvider({ operation, originator, resource, child }: Wish, tree: Tree): boolean {
  const [, cseId = '', stem] = /^(\/[^/]+)\/(S[^/]*)$/.exec(originator) ?? [];
  if (stem === undefined || tree.byAlias(cseId)?.type.ty !== remoteCseType) return false;
  if (operation === 'create') return child?.ty === announcedEntityType && resource.type.ty === cseBaseType;
  return operation === 'update' && resource.type.ty === announcedEntityType && resource.id === stem;
}

function mayCreateAtBase({ request, originator, child }: Wish, settings: AccessSettings): boolean {
  if (child === undefined) return false;
  if (child.ty === remoteCseType) return settings.registrars.length === 0 || isItself(request, originator);
  return settings.creatableAtBase.includes(child.ty);
}

/** A CSE registers itself; where everybody may register, nobody looks. An AE is refused by the kind (TS-0004, clause 7.4.4.2.1). */
function isItself({ content }: RequestPrimitive, originator: string): boolean {
  const given = (content as { 'm2m:csr'?: Readonly<Record<string, unknown>> } | undefined)?.['m2m:csr'];
  return !originator.startsWith('/') || (given?.csi ?? given?.['CSE-ID'] ?? originator) === originator;
}
