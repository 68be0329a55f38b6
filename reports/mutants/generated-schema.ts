/** What the generators alone find, as a schema: what `generated.schema.json` is made from. It repeats the types of the harness on purpose. */
import { z } from 'zod';
import { Fault, schemaTextOf } from './schema.ts';

export const generatedSchemaVersion = 1;
/** Names the format; `generated.schema.json` carries it as its `$id`. */
export const generatedSchemaId = 'urn:cselab:mutants-generated:1';

const count = z.int().min(0);
const milliseconds = z.number().min(0).describe('Milliseconds.');

const Trophy = z
  .object({
    requirement: z.string().describe('The requirement that it cites.'),
    path: z.string().describe('With the seed, replays it.'),
    steps: z.array(z.string()).readonly().describe('Requests after shrinking.'),
    operations: z.object({ found: count, left: count }).readonly().describe('Before and after shrinking.'),
    expected: z.string(),
    actual: z.string(),
    attempts: count.describe('Sequences that shrinking tried.'),
    smallest: z.boolean().describe('Whether shrinking came to its own end.'),
    scenario: z.string().describe('A scenario file.'),
    failsThere: z.boolean().describe('Whether that file alone fails on the CSE with the fault.'),
    passesElsewhere: z.boolean().describe('Whether it passes on the sound one.'),
  })
  .readonly()
  .meta({ id: 'Trophy', description: 'A counterexample, and what became of it as a scenario by itself.' });

const Row = z
  .object({
    fault: Fault,
    level: z.enum(['documented', 'gap', 'standard']).describe('Of the requirement that the fault violates.'),
    dialect: z.enum(['documented', 'onem2m']),
    originators: z.int().optional().describe('How many asked at the same time; absent for one.'),
    pair: z.boolean().describe('Whether the CSE is registered at another one, through which requests go as well.'),
    verdict: z
      .enum(['found', 'not confirmed', 'not found', 'not judged'])
      .describe(
        '`found`: the counterexample fails alone on the CSE with the fault and passes on the sound one; `not confirmed`: that does not hold; `not judged`: the worker died or hung, or the search did not come to its end.',
      ),
    named: z.boolean().describe('Whether it cites what the fault violates, or cannot help but break.'),
    sequences: count.describe('Up to the one that showed it, or all.'),
    requests: count.describe('Of these sequences.'),
    searched: milliseconds.describe('Milliseconds that went into them.'),
    took: milliseconds.describe('Milliseconds, with shrinking.'),
    trophy: Trophy.exactOptional(),
    reason: z.string().describe('Why it is not judged.').exactOptional(),
  })
  .readonly();

const Totals = z
  .object({
    verdicts: z.object({ found: count, 'not confirmed': count, 'not found': count, 'not judged': count }).readonly(),
    named: count.describe('Of those found.'),
    medians: z
      .object({ sequences: count, requests: count, searched: milliseconds, steps: count })
      .readonly()
      .describe('Of those found.')
      .exactOptional(),
  })
  .readonly();

export const Generated = z
  .object({
    $schema: z.literal(generatedSchemaId),
    schemaVersion: z.literal(generatedSchemaVersion),
    startedAt: z.iso.datetime(),
    took: milliseconds,
    workers: z.int().min(1),
    seed: z.int(),
    runs: z.int().min(1).describe('Sequences for each fault at the most.'),
    chosen: count,
    interrupted: z.boolean(),
    totals: Totals,
    rows: z.array(Row).readonly(),
  })
  .readonly()
  .meta({
    title: 'What the generators of cselab find alone',
    description:
      'Whether generated sequences find each fault of the simulator, in how many requests, and how short they become.',
  });

export type Generated = z.infer<typeof Generated>;

export function generatedSchemaText(): string {
  return schemaTextOf(Generated, generatedSchemaId);
}
