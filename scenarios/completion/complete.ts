/** Completions in a scenario file: keys, values, requirements and attributes. */
import { ownValue } from '../engine/basics/own-value.ts';
import { loadRequirements } from '../engine/files/catalogue.ts';
import { scenarioSchema } from '../engine/grammar/schema.ts';
import { attributeTables } from '../oracle/observation/attribute-tables.ts';
import { type CursorPosition, type Nesting, positionAt } from './position.ts';

export interface Completion {
  /** Offset of the text to replace, which ends at the cursor. */
  readonly from: number;
  readonly options: readonly CompletionOption[];
}

interface CompletionOption {
  /** With the colon of a key. */
  readonly text: string;
  readonly says: string;
}

interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
}

interface Root extends Schema {
  readonly definitions: Readonly<Record<string, Schema>>;
}

let root: Root | undefined;

const most = 100;

/** `at`: offset of the cursor. */
export function completionsAt(text: string, at: number): Completion {
  root ??= scenarioSchema() as Root;
  const position = positionAt(text, at);
  const word = position.word.toLowerCase();
  const all = optionsAt(position, root).filter((one) => one.text.toLowerCase().includes(word));
  const begins = (one: CompletionOption) => one.text.toLowerCase().startsWith(word);
  const options = [...all.filter(begins), ...all.filter((one) => !begins(one))].slice(0, most);
  return { from: at - position.word.length, options };
}

function optionsAt({ levels }: CursorPosition, whole: Root): CompletionOption[] {
  let schemas = variantsOf(whole, whole);
  for (const [depth, level] of levels.entries()) {
    // The beginning of a line may be a value as well.
    const words = level.entries.size === 0 ? schemas.flatMap(valuesOf) : [];
    schemas = fitting(schemas, level);
    if (level.key === '' && !level.isList) return [...words, ...keysIn(levels, depth, schemas)];
    schemas = schemas.flatMap((schema) => below(schema, level)).flatMap((schema) => variantsOf(schema, whole));
  }
  return schemas.flatMap(valuesOf);
}

/** Resolves references and alternatives. */
function variantsOf({ $ref, anyOf, allOf, ...schema }: Schema, whole: Root): Schema[] {
  const named = $ref === undefined ? undefined : ownValue(whole.definitions, $ref.replace('#/definitions/', ''));
  const inner = [...(named === undefined ? [] : [named]), ...(anyOf ?? []), ...(allOf ?? [])];
  return inner.length === 0 ? [schema] : inner.flatMap((one) => variantsOf(one, whole));
}

const propertyOf = ({ properties }: Schema, key: string): Schema | undefined => ownValue(properties, key);

/** Schemas with the existing keys; all of them if none fits. */
function fitting(schemas: readonly Schema[], { entries, isList }: Nesting): Schema[] {
  const possible = schemas.filter((schema) => (isList ? schema.items : schema.type === 'object') !== undefined);
  const known = possible.filter((schema) =>
    [...entries.keys()].every((key) => propertyOf(schema, key) ?? schema.additionalProperties),
  );
  return known.length > 0 ? known : possible;
}

function below(schema: Schema, { key, isList }: Nesting): Schema[] {
  const others = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  const one = isList ? schema.items : (propertyOf(schema, key) ?? others);
  return one === undefined ? [] : [one];
}

/** Keys that a mapping does not have yet. */
function keysIn(levels: readonly Nesting[], depth: number, schemas: readonly Schema[]): CompletionOption[] {
  const { entries } = levels[depth] ?? { entries: new Map<string, string>() };
  const known = schemas.flatMap(({ properties = {} }) =>
    Object.entries(properties).map(([key, { description = '' }]) => [key, description] as const),
  );
  const named = namedBelow(levels[depth - 1]?.key, levels);
  return [...new Map([...known, ...named])]
    .filter(([key]) => !entries.has(key))
    .map(([key, says]) => ({ text: `${key}: `, says }));
}

/** Keys that are not in the schema. */
function namedBelow(key: string | undefined, levels: readonly Nesting[]): ReadonlyArray<readonly [string, string]> {
  if (key === 'check') return [...loadRequirements().requirements.values()].map(({ id, says }) => [id, says]);
  if (key !== 'attributes') return [];
  const created = levels.findLast(({ entries }) => entries.has('create'))?.entries.get('create');
  const type = created === 'access control policy' ? 'policy' : created?.replaceAll(' ', '-');
  const table = type === undefined ? undefined : attributeTables.get(type);
  const names = [...(table === undefined ? attributeTables.values() : [table])].flatMap(({ kept }) => [...kept]);
  return ['rn', ...names.sort()].map((name) => [name, '']);
}

function valuesOf({ enum: words = [], const: only, type, description = '' }: Schema): CompletionOption[] {
  const values = type === 'boolean' ? ['true', 'false'] : [...words, ...(typeof only === 'string' ? [only] : [])];
  return values.map((text) => ({ text, says: description }));
}
