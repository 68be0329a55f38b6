/** Resources as JSON values. */
import type { DialectCodec } from './dialect.ts';
import type { Resource } from './resource.ts';

/** `{"m2m:cnt":{…}}`. */
export function representation(resource: Resource, dialect: DialectCodec): Record<string, unknown> {
  return { [resource.type.root]: attributesOf(resource, dialect) };
}

/** As they are shown, by their short names: first what every resource of the kind has, then what this one has of its own. */
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

/** What a content shows below its root key; nothing where there is no such thing. */
export function attributesBelowRoot(content: unknown): Readonly<Record<string, unknown>> {
  const [attributes] = Object.values(Object(content) as object);
  return (typeof attributes === 'object' && attributes) || {};
}
