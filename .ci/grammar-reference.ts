/** The grammar of scenario files as Markdown tables, from its JSON Schema. */
import { scenarioSchema } from '../scenarios/engine/grammar/schema.ts';

type Properties = Readonly<Record<string, Schema>>;

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema | readonly Schema[];
  readonly properties?: Properties;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly definitions?: Readonly<Record<string, Schema>>;
}

/** The file itself, then each part that it names, in that order. */
export function grammarReference(): string {
  const schema = scenarioSchema() as Schema;
  const { definitions = {} } = schema;
  const named: [string, Schema][] = [
    ['A scenario file', schema],
    ['A scenario', scenarioIn(schema)],
  ];
  for (const [, one] of named) {
    for (const name of referencesIn(one)) {
      const definition = definitions[name];
      if (definition !== undefined && name !== 'Json' && !named.some(([known]) => known === name))
        named.push([name, definition]);
    }
  }
  return [...named.map(([name, one]) => part(name, one)), ...listParts(schema)].join('\n\n');
}

const scenarioIn = ({ properties }: Schema): Schema => {
  const { additionalProperties } = properties?.scenarios ?? {};
  return typeof additionalProperties === 'object' ? additionalProperties : {};
};

function referencesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, inner]) => {
    if (key === 'definitions') return [];
    return key === '$ref' ? [nameOf(String(inner))] : referencesIn(inner);
  });
}

const nameOf = (reference: string) => reference.replace('#/definitions/', '');

function part(name: string, schema: Schema): string {
  const forms = schema.anyOf ?? schema.oneOf ?? [schema];
  const others = forms.filter(({ properties }) => properties === undefined).map(shapeOf);
  const objects = forms.filter(({ properties }) => properties !== undefined);
  const values = others.length === 0 ? [] : [`${objects.length === 0 ? '' : 'Or '}${others.join(', or ')}.`];
  const says = schema.description === undefined ? [] : [schema.description];
  return [`#### ${name}`, ...says, ...tablesOf(objects), ...values].join('\n\n');
}

/** What several forms have in common stands there once. */
function tablesOf(forms: readonly Schema[]): string[] {
  const shared = sharedBy(forms);
  const isShared = (key: string, value: Schema | undefined) => textOf(shared[key]) === textOf(value);
  const tables = forms.map((form) => {
    const own = table(form, (key, value) => !isShared(key, value));
    const others = Object.keys(shared).filter((key) => isShared(key, form.properties?.[key]));
    return others.length === 0 ? own : `${own}\n\nBeside these: ${others.map(code).join(', ')}.`;
  });
  const common = Object.keys(shared).length === 0 ? [] : ['What several of them have:', table({ properties: shared })];
  return [...tables, ...common];
}

const textOf = (value: Schema | undefined) => JSON.stringify(value) ?? '';

/** Keys alike in at least three forms; of several meanings the most frequent. */
function sharedBy(forms: readonly Schema[]): Properties {
  const all = forms.flatMap(({ properties = {} }) => Object.entries(properties));
  const count = (entry: readonly [string, Schema]) =>
    all.filter((one) => JSON.stringify(one) === JSON.stringify(entry)).length;
  const often = all.filter((entry) => count(entry) > 2).sort((one, other) => count(one) - count(other));
  const order = Object.keys(Object.fromEntries(all));
  return Object.fromEntries(
    Object.entries(Object.fromEntries(often)).sort(([one], [other]) => order.indexOf(one) - order.indexOf(other)),
  );
}

function table({ properties = {}, required = [] }: Schema, isShown = (_key: string, _value: Schema) => true): string {
  const rows = Object.entries(properties)
    .filter(([key, value]) => isShown(key, value))
    .map(([key, value]) => {
      const must = required.includes(key) ? ', required' : '';
      return `| \`${key}\` | ${escaped(shapeOf(value) + must)} | ${escaped(helpOf(value))} |`;
    });
  return ['| key | value | |', '|---|---|---|', ...rows].join('\n');
}

const escaped = (text: string) => text.replaceAll('|', '\\|').replace(/\s+/g, ' ');

const helpOf = ({ description, allOf = [] }: Schema): string => description ?? allOf.map(helpOf).join(' ');

/** In a few words. */
function shapeOf(schema: Schema): string {
  const { $ref, anyOf, oneOf, allOf, properties, items, additionalProperties } = schema;
  if ($ref !== undefined) return linkTo(nameOf($ref));
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum !== undefined) return choices(schema.enum);
  if (allOf !== undefined) return [...new Set(allOf.map(shapeOf))].join(' ');
  const forms = anyOf ?? oneOf;
  if (forms !== undefined) return [...new Set(forms.map(shapeOf))].join(' or ');
  if (items !== undefined) return `list of ${[items].flat().map(shapeOf).join(', ')}`;
  if (properties !== undefined) return `object with ${Object.keys(properties).map(code).join(', ')}`;
  if (typeof additionalProperties === 'object') return `object of ${shapeOf(additionalProperties)}`;
  return typeIn([schema.type ?? []].flat());
}

/** Lists that are used in many places have a name, by the first of their values. */
const namedLists: Readonly<Record<string, string>> = { ae: 'Kind', none: 'Certificate', 'plain HTTP': 'Need' };

function choices(values: readonly unknown[]): string {
  const name = namedLists[String(values[0])];
  return name === undefined ? values.map(code).join(', ') : linkTo(name);
}

function listsIn(schema: unknown): readonly (readonly unknown[])[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, inner]) => (key === 'enum' ? [inner as unknown[]] : listsIn(inner)));
}

function listParts(schema: Schema): string[] {
  const lists = new Map(listsIn(schema).map((values) => [namedLists[String(values[0])], values]));
  return [...lists].flatMap(([name, values]) =>
    name === undefined ? [] : [`#### ${name}\n\n${values.map(code).join(', ')}.`],
  );
}

function typeIn(types: readonly string[]): string {
  if (plain.every((type) => types.includes(type))) return 'a plain value';
  return types.map((type) => words[type] ?? type).join(' or ') || 'any value';
}

const plain = ['string', 'number', 'boolean', 'null'];

const code = (value: unknown) => `\`${String(value)}\``;
const linkTo = (name: string) => (name === 'Json' ? 'any JSON value' : `[${name}](#${name.toLowerCase()})`);

const words: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: '`true`, `false`',
  array: 'list',
  object: 'object',
  null: '`null`',
};
