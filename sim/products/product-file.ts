/** Reads the file of a product profile, and checks its form. */
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { CseOptions } from '../cse/create-cse.ts';
import { deviationsById } from '../deviations/index.ts';
import { eachOf } from '../deviations/language/each.ts';
import { deviationOf } from '../deviations/language/row.ts';
import { type DeviationRow, rowSchema } from '../deviations/language/schema.ts';
import { readRule } from '../disturbance/rule-form.ts';
import type { OtherText } from '../environment/defined.ts';
import { checkValue, readYamlFile } from '../seeding/yaml-file.ts';
import type { Product } from './product.ts';

/** An unusable product file; the message has a line `file:line:column: problem` for each problem. */
export class ProductFileError extends Error {
  override readonly name = 'ProductFileError';
}

const Types = z.array(z.int());

const Settings = z
  .strictObject({
    dialect: z.enum(['documented', 'onem2m']),
    base: z.string(),
    'cse id': z.string(),
    'sp id': z.string(),
    'cse type': z.enum(['IN-CSE', 'MN-CSE', 'ASN-CSE']),
    admin: z.string(),
    'access control': z.boolean(),
    releases: z.array(z.string()),
    'creatable at base': Types.describe('Resource types that everybody may create directly below the CSE base.'),
    'without types': Types.describe('Unsupported resource types.'),
    'point of access': z.string(),
    'own originator': z.string(),
    'keep expired': z.boolean(),
    limits: z.record(z.string(), z.number()).describe('Limits by the names that `cselab up --limit` takes.'),
  })
  .partial();

const Rule = z.string().superRefine((rule, context) => {
  try {
    readRule(rule);
  } catch (error) {
    context.addIssue(error instanceof Error ? error.message : String(error));
  }
});

const Form = z.strictObject({
  imitates: z.string().describe("The product's own name: `ACME`."),
  version: z.string().optional(),
  release: z.string().optional().describe('The release in requests to it.'),
  settings: Settings,
  deviations: z
    .union([z.record(z.string(), z.string()), z.array(z.string())])
    .describe(
      'Violated requirements, each with a deviation that violates it, or deviations alone; the last is outermost.',
    ),
  'not imitated': z.array(z.string()).default([]).describe('Requirements that it violates and the imitation does not.'),
  beyond: z.array(z.string()).default([]).describe('Requirements that the imitation violates and it does not.'),
  rows: z.array(rowSchema).default([]).describe('Its own deviations; `violates` and `also` name the requirements.'),
  ways: z.array(rowSchema).default([]).describe('Rows for differences that violate nothing.'),
  disturbance: z.array(Rule).default([]).describe('Rules for connections, as for `cselab up --break`.'),
});

export const ProductFile = Form.superRefine(({ deviations, rows }, { addIssue }) => {
  const own = new Set(rows.map(({ id }) => id));
  for (const [index, id] of Object.entries(deviations)) {
    if (deviationsById().has(id) || own.has(id)) continue;
    const path = ['deviations', Array.isArray(deviations) ? Number(index) : index];
    addIssue({ code: 'custom', message: `there is no deviation called "${id}"`, path });
  }
});

export type ProductName = 'acme' | 'mobius' | 'openmtc' | 'tinyiot';

/** The products with a shipped file. */
export const productNames: readonly ProductName[] = ['acme', 'mobius', 'openmtc', 'tinyiot'];
const isShipped = (named: string) => productNames.some((name) => name === named);

/** The path of a product file: the shipped one of that name, or this path. */
export function productPath(name: ProductName | OtherText): string {
  return isShipped(name) ? fileURLToPath(new URL(`${name}.yaml`, import.meta.url)) : name;
}

/** A product by name, or from a file that `cselab profile` wrote. Rejects with a ProductFileError. */
export async function readProduct(name: ProductName | OtherText): Promise<Product> {
  const { value } = await readYamlFile(productPath(name), ProductFile, ProductFileError);
  return productFrom(value, basename(name).replace(/\.ya?ml$/, ''));
}

/** A product from the value of such a file. Throws a ProductFileError. */
export function productOf(value: unknown, name: string): Product {
  return productFrom(checkValue(value, ProductFile, ProductFileError).value, name);
}

function productFrom({ 'not imitated': notImitated, ...file }: z.infer<typeof ProductFile>, name: string): Product {
  const { settings, deviations } = file;
  const rows = file.rows.flatMap(eachOf);
  return {
    ...{ ...file, name, notImitated, rows },
    ways: file.ways.flatMap(eachOf),
    settings: settingsOf(settings),
    deviations: Array.isArray(deviations) ? byViolated(deviations, rows) : new Map(Object.entries(deviations)),
  };
}

/** Deviations by each requirement that they violate. */
function byViolated(ids: readonly string[], rows: readonly DeviationRow[]): ReadonlyMap<string, string> {
  const known = new Map([...deviationsById(), ...rows.map((row) => [row.id, deviationOf(row)] as const)]);
  const violated = (id: string) => [known.get(id)].flatMap((one) => (one ? [one.violates, ...(one.also ?? [])] : []));
  return new Map(ids.flatMap((id) => violated(id).map((requirement) => [requirement, id] as const)));
}

/** Settings with another name in CseOptions. */
const optionNames: ReadonlyMap<string, keyof CseOptions> = new Map([['access control', 'requireAuth']]);

function settingsOf({ 'point of access': url, ...settings }: z.infer<typeof Settings>): CseOptions {
  const camel = (name: string) => name.replace(/ (\w)/g, (_space, letter: string) => letter.toUpperCase());
  const all = Object.entries(settings).map(([name, value]) => [optionNames.get(name) ?? camel(name), value]);
  return { ...Object.fromEntries(all), ...(url !== undefined && { pointOfAccess: [url] }) };
}
