/** Resources as JSON values. */
import type { DialectCodec } from './dialect.ts';
import type { Resource } from './resource.ts';

/** `{"m2m:cnt":{…}}`. */
export function representation(resource: Resource, dialect: DialectCodec): Record<string, unknown> {
  return { [resource.type.root]: attributesOf(resource, dialect) };
}

/** Attributes in wire form, by short name: first the computed ones of the type, then the resource's own. */
export function attributesOf(resource: Resource, dialect: DialectCodec): Record<string, unknown> {
  const { values, type } = resource;
  const attributes: Record<string, unknown> = {};
  for (const [name, attribute, from] of type.computed) {
    const value = from(resource);
    if (value !== undefined) attributes[name] = dialect.write(attribute, value);
  }
  for (const name in values) {
    const definition = type.attributes[name];
    if (definition === undefined || definition.compute !== undefined || values[name] === undefined) continue;
    attributes[name] = dialect.write(definition.type, values[name]);
  }
  return attributes;
}

/** The attributes below the root key of a content; none without such. */
export function attributesBelowRoot(content: unknown): Readonly<Record<string, unknown>> {
  const [attributes] = Object.values(Object(content) as object);
  return (typeof attributes === 'object' && attributes) || {};
}
