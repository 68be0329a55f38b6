/** What was seen of what a seed drew, as a schema: what `drawn.schema.json` is made from. It repeats the types of the harness on purpose. */
import { z } from 'zod';
import { schemaTextOf, Violation } from './schema.ts';

export const drawnSchemaVersion = 1;
/** Names the format; `drawn.schema.json` carries it as its `$id`. */
export const drawnSchemaId = 'urn:cselab:mutants-drawn:1';

const count = z.int().min(0);
const milliseconds = z.number().min(0).describe('Milliseconds.');
const texts = z.array(z.string()).readonly();
const data = z.record(z.string(), z.json());

const Row = z
  .object({
    number: count.describe('Its position among those that were drawn, from 0; of a pair that of the first.'),
    drawn: z.union([
      z.object({ deviations: z.array(z.object({ when: data, does: data }).readonly()).readonly() }).readonly(),
      z.object({ variations: z.array(data).readonly() }).readonly(),
    ]),
    says: z.string(),
    allowedBy: texts.describe('Of variations: the clause that allows each.').exactOptional(),
    witness: z
      .object({ requests: texts, sound: z.string(), deviating: z.string() })
      .readonly()
      .describe('Requests, the last of which the deviating CSE answers otherwise than the sound one.')
      .exactOptional(),
    verdict: z
      .enum(['identified', 'seen', 'not seen', 'quiet', 'false alarm', 'not judged'])
      .describe(
        '`identified`: the first violation reported names what deviates; `seen`: one is reported, of another thing; `quiet` and `false alarm`: of what everybody has to take.',
      ),
    by: z.enum(['check', 'explore']).describe('What reported the violations.').exactOptional(),
    violations: z.array(Violation).readonly(),
    collateral: texts.describe('Requirements reported as violated that name nothing of what deviates.'),
    named: count.describe('Deviations that some violation names.'),
    explored: z
      .object({ sequences: count, steps: texts.exactOptional() })
      .readonly()
      .describe('What generated sequences came to, where no scenario reported a violation.')
      .exactOptional(),
    reason: z.string().describe('Why it is not judged, or what does not count.').exactOptional(),
    took: milliseconds,
  })
  .readonly();

const seenBy = { check: count.describe('By scenarios.'), explore: count.describe('By generated sequences alone.') };

const Totals = z
  .object({
    verdicts: z
      .object({
        ...{ identified: count, seen: count, 'not seen': count },
        ...{ quiet: count, 'false alarm': count, 'not judged': count },
      })
      .readonly(),
    ...seenBy,
    bothNamed: count.describe('Pairs of which both deviations are named by violations.'),
    collateral: z.object({ rows: count, requirements: count }).readonly(),
  })
  .readonly();

const Figure = z
  .object({ by: z.string(), is: z.string(), rows: count, ...seenBy, identified: count, collateral: count })
  .readonly()
  .describe('The rows that are so. A pair counts at both of its deviations.');

export const DrawnReport = z
  .object({
    $schema: z.literal(drawnSchemaId),
    schemaVersion: z.literal(drawnSchemaVersion),
    version: z.string().describe('Of cselab.'),
    of: z.enum(['deviations', 'variations']),
    dialect: z.enum(['documented', 'onem2m']),
    seed: z.int(),
    count: count.describe('Rows of the whole run.'),
    world: z
      .enum(['tls', 'pair'])
      .describe(
        'Where the CSE is installed: over TLS with client certificates, or with its backend; in every way when absent.',
      )
      .exactOptional(),
    inPairs: z.boolean().describe('Whether each row is two deviations together.'),
    runs: count.describe('Generated sequences at the most, against each that no scenario sees.'),
    startedAt: z.iso.datetime(),
    took: milliseconds,
    shard: z
      .object({ index: z.int().min(1), count: z.int().min(1) })
      .readonly()
      .exactOptional(),
    drawn: count.describe('Drawn in all; the others do nothing that could be shown.'),
    kept: count.describe('Rows that an earlier run, which did not come to its end, had left.'),
    interrupted: z.boolean().describe('Whether rows are missing.'),
    totals: Totals,
    figures: z.array(Figure).readonly(),
    rows: z.array(Row).readonly(),
  })
  .readonly()
  .meta({
    title: 'What cselab sees of what a seed draws',
    description:
      'Deviations that a seed drew, each with a witness, and whether scenarios and generated sequences see them.',
  });

export type DrawnReport = z.infer<typeof DrawnReport>;

export function drawnSchemaText(): string {
  return schemaTextOf(DrawnReport, drawnSchemaId);
}
