/** The kill table as a schema: what `mutants.schema.json` is made from. It repeats the types of the harness on purpose. */
import { z } from 'zod';

export const mutantsSchemaVersion = 1;
/** Names the format; `mutants.schema.json` carries it as its `$id`. */
export const mutantsSchemaId = 'urn:cselab:mutants:1';

const count = z.int().min(0);
const level = z.enum(['documented', 'gap', 'standard']);
const milliseconds = z.number().min(0).describe('Milliseconds.');
const ids = z.array(z.string()).readonly();

export const Violation = z
  .object({
    requirement: z.string(),
    scenario: z.string(),
    expected: ids.describe('Permitted outcomes, as sentences.'),
    actual: z.string().describe('What the CSE did, as a sentence.'),
  })
  .readonly()
  .meta({ id: 'Violation', description: 'A requirement found violated, by the first of its checks that failed.' });

export const Fault = z
  .object({
    id: z.string(),
    violates: z.string().describe('The requirement that a CSE with this fault does not keep.'),
    also: ids.describe('Requirements that it cannot help but break as well.').exactOptional(),
    equivalent: z.string().describe('Why no client can see it.').exactOptional(),
    sequencesOnly: z
      .literal(true)
      .describe('It shows only in sequences of requests such as generators make: no scenario is expected to see it.')
      .exactOptional(),
    says: z.string(),
  })
  .readonly()
  .meta({ id: 'Fault' });

const Row = z
  .object({
    fault: Fault,
    level: level.describe('Of the requirement that the fault violates.'),
    dialect: z.enum(['documented', 'onem2m']),
    verdict: z
      .enum(['named', 'killed', 'equivalent', 'not killed', 'not judged'])
      .describe(
        '`named`: the violated requirement was found violated; `killed`: only others were; `equivalent`: nothing was found, and the fault says why nobody can; `not judged`: the worker died or hung, or the harness could not run everything.',
      ),
    violations: z.array(Violation).readonly().describe('That of the violated requirement first.'),
    noise: ids.describe('Requirements found violated that the fault has nothing to do with.'),
    reason: z.string().describe('Why it is not judged, or what went wrong beside.').exactOptional(),
    scenarios: count.describe('Scenarios that were run.'),
    possible: count.describe('Scenarios of the dialect.'),
    took: milliseconds,
  })
  .readonly()
  .meta({ id: 'Row', description: 'What the harness makes of one fault.' });

const Totals = z
  .object({
    verdicts: z
      .object({ named: count, killed: count, equivalent: count, 'not killed': count, 'not judged': count })
      .readonly(),
    killed: count.describe('By whatever check: `named` and `killed`.'),
    noisy: count,
    scenarios: count,
    possible: count,
  })
  .readonly()
  .meta({ id: 'Totals' });

export const Mutants = z
  .object({
    $schema: z.literal(mutantsSchemaId),
    schemaVersion: z.literal(mutantsSchemaVersion),
    startedAt: z.iso.datetime(),
    took: milliseconds,
    workers: z.int().min(1),
    breadth: z
      .union([
        z
          .object({
            kind: z.literal('narrow'),
            others: count.describe('Other files, dealt by the id.').exactOptional(),
          })
          .readonly(),
        z.object({ kind: z.literal('wide') }).readonly(),
      ])
      .describe('`narrow`: the files that check what a fault violates; `wide`: every scenario of its dialect.'),
    known: count.describe('Faults of the simulator.'),
    chosen: count,
    interrupted: z.boolean(),
    totals: Totals,
    rows: z.array(Row).readonly(),
    leftToGenerators: z
      .array(Fault)
      .readonly()
      .describe('Faults that are no rows, because they show only in sequences of requests such as generators make.'),
    levels: z
      .array(
        z
          .object({
            level,
            testable: count.describe('Requirements that can be tested.'),
            unbroken: ids.describe('Those among them that no fault of the simulator breaks.'),
          })
          .readonly(),
      )
      .readonly(),
  })
  .readonly()
  .meta({ title: 'Kill table of cselab', description: 'What the harness makes of each fault of the simulator.' });

export type Mutants = z.infer<typeof Mutants>;

export function mutantsSchemaText(): string {
  return schemaTextOf(Mutants, mutantsSchemaId);
}

export function schemaTextOf(type: z.ZodType, $id: string): string {
  const schema = z.toJSONSchema(type, {
    io: 'input',
    target: 'draft-2020-12',
    // `readonly` is about our types; in a schema it would speak of who may change a value.
    override: ({ jsonSchema }) => {
      delete jsonSchema.readOnly;
    },
  });
  return `${JSON.stringify({ $id, ...schema }, undefined, 2)}\n`;
}
