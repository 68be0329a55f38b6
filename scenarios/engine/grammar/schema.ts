import { z } from 'zod';
import { ScenarioFile } from './grammar.ts';
import { verbs } from './grammar-step.ts';

interface Node {
  readonly [key: string]: unknown;
}

/** The grammar of scenario files as JSON Schema (draft 7). */
export function scenarioSchema(): object {
  const generated = z.toJSONSchema(ScenarioFile, { target: 'draft-7', io: 'input', override: forEditors }) as Node;
  const definitions = generated.definitions as Readonly<Record<string, Node>>;
  const matcher = { ...definitions.Matcher, ...definitions[matcherBody], allOf: undefined };
  const named = Object.entries({ ...definitions, Matcher: matcher })
    .filter(([name]) => name !== matcherBody && name !== 'ScenarioFile')
    .map(([name, node]) => [newNames.get(name) ?? name, tidy(node)]);
  const { $schema } = generated;
  return { $schema, ...(tidy(definitions.ScenarioFile) as Node), definitions: Object.fromEntries(named) };
}

/** Names that the generator invents for schemas without one: any JSON value, and the body of Matcher. */
const matcherBody = '__schema1';
const newNames: ReadonlyMap<string, string> = new Map(Object.entries({ __schema0: 'Json', [matcherBody]: 'Matcher' }));

const ofRow = { type: 'string', pattern: '\\$\\{row\\.[^}]+\\}' };
const ofTypes: readonly unknown[] = ['object', 'array', 'integer'];
const whole: readonly string[] = ['scenarios', 'title', ...verbs];

/** JSON Schema has no flags for regular expressions; and a row's value, within a step, is a name in the file. */
function forEditors({ jsonSchema }: { jsonSchema: Node }): void {
  const schema = jsonSchema as { pattern?: string; enum?: string[]; type?: string; properties?: Node };
  if (schema.pattern?.includes('[0-9a-f]{2}')) schema.pattern = '^([0-9a-fA-F]{2})*$';
  if (Object.keys(schema.properties ?? {}).some((key) => whole.includes(key))) return;
  if (schema.enum === undefined && !ofTypes.includes(schema.type)) return;
  const { id, description, ...own } = jsonSchema;
  for (const key of Object.keys(own)) delete (jsonSchema as Record<string, unknown>)[key];
  Object.assign(jsonSchema, { anyOf: [own, ofRow] });
}

/** Draft 7 ignores siblings of a reference, so that a reference with a description becomes `allOf`. */
function tidy(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(tidy);
  if (typeof node !== 'object' || node === null) return node;
  const schema = node as Node;
  const reference = referenceIn(schema);
  if (reference === undefined)
    return Object.fromEntries(Object.entries(schema).map(([key, inner]) => [key, tidy(inner)]));
  const $ref = reference.replace(/__schema\d+$/, (name) => newNames.get(name) ?? name);
  const description = descriptionIn(schema);
  return description === undefined ? { $ref } : { description, allOf: [{ $ref }] };
}

function referenceIn(schema: Node): string | undefined {
  if (typeof schema.$ref === 'string') return schema.$ref;
  const only = onlyPart(schema);
  return only === undefined ? undefined : referenceIn(only);
}

function descriptionIn(schema: Node): unknown {
  const only = onlyPart(schema);
  return schema.description ?? (only === undefined ? undefined : descriptionIn(only));
}

function onlyPart({ allOf }: Node): Node | undefined {
  return Array.isArray(allOf) && allOf.length === 1 ? (allOf[0] as Node) : undefined;
}
