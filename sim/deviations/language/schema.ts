/** The form of row files: for checking them, for the JSON schema, and for types. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { eachPattern, isCondition, operators } from './checked-row.ts';
import { testNames } from './pattern.ts';
import { selectorWords } from './selector.ts';
import { sendingOperators } from './sending.ts';
import { functionNames } from './term.ts';

const literal = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const oneOf = (names: readonly string[]) =>
  z.strictObject(Object.fromEntries(names.map((name) => [name, z.unknown().optional()])));

const term = z.union([literal, z.array(z.unknown()), oneOf(functionNames)]);
const pattern = z.union([literal, z.array(z.unknown()), oneOf(testNames)]);
const each = z.string().regex(eachPattern);
const terms = z.union([z.record(z.string(), term), each]);

const selector = z
  .object(Object.fromEntries(selectorWords.map((word) => [word, z.unknown().optional()])))
  .catchall(pattern)
  .superRefine((conditions, { addIssue }) => {
    for (const key of Object.keys(conditions)) {
      if (!isCondition(key)) addIssue({ code: 'custom', message: `there is no part "${key}"`, path: [key] });
    }
  });

const withTerms = new Set(
  'return request query query-only request-headers headers keep-returning store notification event rep'.split(' '),
);
const argumentOf = (name: string) => {
  if (name === 'find-only') return selector;
  if (name === 'offset' || name === 'keep-returning-for') return z.record(z.string(), terms);
  return withTerms.has(name) ? terms : z.unknown();
};
const operatorsOf = (names: readonly string[]) =>
  z.strictObject(Object.fromEntries(names.map((name) => [name, argumentOf(name).optional()])));

const does = operatorsOf(operators);

const count = z.union([z.int(), z.string(), oneOf(functionNames)]);
const nth = z.strictObject({
  every: count.optional(),
  from: count.optional(),
  'up-to': count.optional(),
  per: z.string().optional(),
});

export const rowSchema = z.strictObject({
  id: z.string().describe('The violated requirement, then what is wrong: `std.group.optional.hidden`.'),
  violates: z.string().optional().describe('The requirement, if the id does not begin with it.'),
  also: z.array(z.string()).optional().describe('Requirements that it inevitably violates as well.'),
  equivalent: z.string().optional().describe('Why no client can detect it.'),
  'sequences-only': z.literal(true).optional().describe('Visible only in generated sequences of requests.'),
  says: z.string().describe('All its effects, in one sentence.'),
  each: z
    .array(z.unknown())
    .optional()
    .describe('One row for each entry, which replaces <each>, or <each.name>, in all texts of the row.'),
  when: selector.optional().describe('Matching exchanges; default: all.'),
  nth: nth
    .optional()
    .describe(
      'Of the matching exchanges, counted for each value of `per`: every n-th, from the n-th on, or up to the n-th.',
    ),
  after: z
    .strictObject({
      when: selector,
      remember: term,
      until: z.strictObject({ when: selector, forget: pattern.optional() }).optional(),
    })
    .optional()
    .describe('Earlier exchanges from which to remember a value; `remembered` is the list of these values.'),
  'on-removal': z
    .strictObject({
      when: selector.optional(),
      does: z.strictObject({
        remember: term.optional(),
        offset: z.record(z.string(), terms).optional(),
        'keep-readable': z.enum(['path', 'identifier']).optional(),
      }),
    })
    .optional()
    .describe('Effects of removed resources, with or without a request: `removed`, `removed.how`, `removed.depth`.'),
  let: terms.optional().describe('Names for values of requests: `let.name`.'),
  does: does.optional().describe('Changes of matching requests and their answers.'),
  outgoing: z
    .strictObject({ when: selector.optional(), nth: nth.optional(), does: operatorsOf(sendingOperators) })
    .optional()
    .describe('Changes of requests that the CSE sends.'),
  'accepts-certificate': z
    .string()
    .optional()
    .describe('Accepts client certificates with this defect, on connections selected by `nth`.'),
  'presents-certificate': z.string().optional().describe('The CSE presents a certificate with this defect.'),
});

export type DeviationRow = z.infer<typeof rowSchema>;

export const rowsSchema = z.array(rowSchema);

/** Where editors find the JSON schema of files of rows. */
export const rowsSchemaPath = fileURLToPath(new URL('../rows.schema.json', import.meta.url));

/** The JSON schema (draft 7, which every editor's YAML support knows), as text. */
export function rowsSchemaText(): string {
  return `${JSON.stringify(z.toJSONSchema(rowsSchema, { target: 'draft-7', io: 'input' }), null, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(rowsSchemaPath, rowsSchemaText());
