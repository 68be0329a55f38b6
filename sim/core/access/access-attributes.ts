/** Rights that are limited to attributes (`aca` of a rule, TS-0001 clause 9.6.2). */

import type { RequestPrimitive } from '../primitive.ts';
import type { Resource } from '../resource.ts';
import { attributeNamed, type ResourceType } from '../resource-type.ts';
import type { AccessedOperation } from './access-rule.ts';

/** True when a right that is limited to attributes is enough for the request. */
export function covers(
  granted: ReadonlySet<string>,
  { content, attributeList }: RequestPrimitive,
  operation: AccessedOperation,
  resource: Resource,
  child: ResourceType | undefined,
): boolean {
  if (operation === 'discover' || operation === 'notify') return true;
  if (operation === 'retrieve' && attributeList !== undefined) return attributeList.every((name) => granted.has(name));
  if (operation === 'retrieve' || operation === 'delete')
    return presentNames(resource).every((name) => granted.has(name));
  const type = child ?? resource.type;
  const [given] = Object.values((content ?? {}) as Record<string, object>);
  return Object.keys(given ?? {}).every((name) => granted.has(attributeNamed(type, name) ?? name));
}

/** Names of the attributes that the resource has. */
export function presentNames(resource: Resource): readonly string[] {
  const { entries } = resource.type;
  const isPresent = ({ name, definition }: (typeof entries)[number]) =>
    (definition.from === undefined ? resource.values[name] : definition.from(resource)) !== undefined;
  return entries.filter(isPresent).map(({ name }) => name);
}
