/** JSON schemas (2020-12) of requests and answers, from the CSE's own tables. */
import type { AttributeType, ObjectType, SimpleType } from '../core/attribute-types.ts';
import type { AttributeDefinition, DialectName, ResourceType } from '../core/resource-type.ts';
import { durationForm } from '../dialects/documented.ts';
import { noToken } from '../dialects/onem2m.ts';
import { timestampForms } from '../dialects/timestamp.ts';
import { typesIn } from '../resources/index.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** In a request, or in an answer. */
type Direction = 'sent' | 'shown';

export const text: Schema = { type: 'string' };
export const count: Schema = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
export const listOf = (items: Schema): Schema => ({ type: 'array', items });
export const anyOf = ([first = {}, ...others]: readonly Schema[]): Schema =>
  others.length === 0 ? first : { anyOf: [first, ...others] };
export const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
/** An object with one root key. */
export const under = (root: string, schema: Schema): Schema => ({
  ...{ type: 'object', properties: { [root]: schema } },
  ...{ required: [root], additionalProperties: false },
});

const baseSchemas = {
  text,
  'list of text': listOf(text),
  'list of token': listOf(text),
  'list of integer': listOf(count),
  integer: count,
  'positive integer': { ...count, minimum: 1 },
  'any integer': { ...count, minimum: Number.MIN_SAFE_INTEGER },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  timestamp: { type: 'string', pattern: timestampForms.source },
  'absolute or relative timestamp': anyOf([
    { type: 'number' },
    { type: 'string', pattern: `^-?\\d+$|${timestampForms.source}` },
  ]),
  duration: { type: 'string', pattern: durationForm.source },
  'state tag': count,
  'access control operations': { ...count, maximum: 63 },
  any: {},
} as const satisfies Record<SimpleType, Schema>;

/** Differences of each dialect. */
const byDialect: Readonly<Record<DialectName, Readonly<Record<Direction, Partial<Record<SimpleType, Schema>>>>>> = {
  documented: {
    sent: { boolean: { enum: [true, false, 'TRUE', 'true', 'FALSE', 'false'] } },
    shown: { 'state tag': text },
  },
  onem2m: {
    sent: { 'list of token': listOf({ type: 'string', not: { pattern: noToken.source } }) },
    shown: {},
  },
};

export function schemaOf(type: AttributeType, dialect: DialectName, direction: Direction): Schema {
  if (typeof type === 'string') return byDialect[dialect][direction][type] ?? baseSchemas[type];
  if ('listOf' in type) {
    const { atLeast } = type;
    return { ...listOf(schemaOf(type.listOf, dialect, direction)), ...(atLeast && { minItems: atLeast }) };
  }
  if ('members' in type) return objectSchema(type, dialect, direction);
  const { oneOf, orRange } = type;
  if (orRange === undefined) return { enum: oneOf };
  const [minimum, maximum] = orRange;
  return anyOf([{ enum: oneOf }, { type: 'integer', minimum, maximum }]);
}

/** Without constraints between members. */
function objectSchema({ members, listAs }: ObjectType, dialect: DialectName, direction: Direction): Schema {
  const entries = Object.entries(members);
  const properties = Object.fromEntries(
    entries.map(([name, { type, long }]) => [name, described(schemaOf(type, dialect, direction), long)]),
  );
  const required = entries.filter(([, { mandatory }]) => mandatory).map(([name]) => name);
  const whole = { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false };
  const alone = direction === 'sent' && listAs !== undefined ? properties[listAs] : undefined;
  return alone === undefined ? whole : anyOf([whole, alone]);
}

const described = (schema: Schema, description = ''): Schema => (description ? { ...schema, description } : schema);

/** A resource type with the names of its schemas; undefined ones cannot be requested. */
export interface ResourceSchemas {
  readonly type: ResourceType;
  readonly shown: string;
  readonly create: string | undefined;
  readonly update: string | undefined;
}

/** All resource types of a dialect, with the schemas by name. */
export function resourceSchemas(dialect: DialectName): { types: ResourceSchemas[]; schemas: Record<string, Schema> } {
  const resourceTypes = typesIn(dialect);
  const creatable = new Set(resourceTypes.flatMap(({ children }) => children));
  const schemas: Record<string, Schema> = {};
  const types = resourceTypes.map((type) => {
    const shown = type.root.replace(/^m2m:/, '').replace(':', '.');
    const create = creatable.has(type.ty) ? `${shown}.create` : undefined;
    const update = type.operations.includes('update') ? `${shown}.update` : undefined;
    schemas[shown] = described(under(type.root, representationSchema(type, dialect)), type.longName);
    if (create !== undefined) schemas[create] = under(type.root, requestSchema(type, 'create', dialect));
    if (update !== undefined) schemas[update] = under(type.root, requestSchema(type, 'update', dialect));
    return { type, shown, create, update };
  });
  return { types, schemas };
}

/** Nothing is required, since a request may select attributes; children may be among them. */
const representationSchema = ({ entries }: ResourceType, dialect: DialectName): Schema => ({
  type: 'object',
  properties: Object.fromEntries(
    entries.map(({ name, definition: { type, long } }) => [name, described(schemaOf(type, dialect, 'shown'), long)]),
  ),
});

function requestSchema(
  { entries, mandatory }: ResourceType,
  operation: 'create' | 'update',
  dialect: DialectName,
): Schema {
  const permitted = entries.filter(({ definition }) => definition[operation] !== 'not permitted');
  const properties = Object.fromEntries(
    permitted.map(({ name, definition }) => [
      name,
      described(sentSchema(definition, operation, dialect), definition.long),
    ]),
  );
  const isRequired = operation === 'create' && mandatory.length > 0;
  return { type: 'object', properties, ...(isRequired && { required: mandatory }), additionalProperties: false };
}

/** Null removes an attribute in an update of the standard. In the documented dialect an empty list means none. */
function sentSchema(definition: AttributeDefinition, operation: 'create' | 'update', dialect: DialectName): Schema {
  const { type, form, create, permanent } = definition;
  const plain = schemaOf(type, dialect, 'sent');
  const pattern = form && { pattern: form.pattern.source };
  const formed =
    plain.type === 'array' && pattern ? { ...listOf({ ...text, ...pattern }), minItems: 1 } : { ...plain, ...pattern };
  const isNoneIfEmpty = dialect === 'documented' && create === 'mandatory' && operation === 'create';
  const schema = isNoneIfEmpty && plain.type === 'array' ? { ...formed, minItems: 1 } : formed;
  const isRemovable = operation === 'update' && dialect === 'onem2m' && create !== 'mandatory' && !permanent;
  return isRemovable && Object.keys(schema).length > 0 ? anyOf([schema, { type: 'null' }]) : schema;
}
