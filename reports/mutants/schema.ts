/** The three tables of `cselab mutants` as schemas, from which the `*.schema.json` here are made. They repeat the types of the harness on purpose. */
import { z } from 'zod';

/** Each names its format; the schema carries it as its `$id`. */
export const killFormat = { $schema: 'urn:cselab:mutants:1', schemaVersion: 1 } as const;
export const generatedFormat = { $schema: 'urn:cselab:mutants-generated:1', schemaVersion: 1 } as const;
export const drawnFormat = { $schema: 'urn:cselab:mutants-drawn:1', schemaVersion: 1 } as const;

const formatOf = <const Format extends typeof killFormat | typeof generatedFormat | typeof drawnFormat>({
  $schema,
  schemaVersion,
}: Format) => ({
  $schema: z.literal<Format['$schema']>($schema),
  schemaVersion: z.literal<Format['schemaVersion']>(schemaVersion),
});

const dialect = z.enum(['documented', 'onem2m']);
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

const KillRow = z
  .object({
    fault: Fault,
    level: level.describe('Of the requirement that the fault violates.'),
    dialect,
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

const KillTotals = z
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
    ...formatOf(killFormat),
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
    totals: KillTotals,
    rows: z.array(KillRow).readonly(),
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

const GeneratedRow = z
  .object({
    fault: Fault,
    level: level.describe('Of the requirement that the fault violates.'),
    dialect,
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

const GeneratedTotals = z
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
    ...formatOf(generatedFormat),
    startedAt: z.iso.datetime(),
    took: milliseconds,
    workers: z.int().min(1),
    seed: z.int(),
    runs: z.int().min(1).describe('Sequences for each fault at the most.'),
    chosen: count,
    interrupted: z.boolean(),
    totals: GeneratedTotals,
    rows: z.array(GeneratedRow).readonly(),
  })
  .readonly()
  .meta({
    title: 'What the generators of cselab find alone',
    description:
      'Whether generated sequences find each fault of the simulator, in how many requests, and how short they become.',
  });

export type Generated = z.infer<typeof Generated>;

const data = z.record(z.string(), z.json());

const DrawnRow = z
  .object({
    number: count.describe('Its position among those that were drawn, from 0; of a pair that of the first.'),
    drawn: z.union([
      z.object({ deviations: z.array(z.object({ when: data, does: data }).readonly()).readonly() }).readonly(),
      z.object({ variations: z.array(data).readonly() }).readonly(),
    ]),
    says: z.string(),
    allowedBy: ids.describe('Of variations: the clause that allows each.').exactOptional(),
    witness: z
      .object({ requests: ids, sound: z.string(), deviating: z.string() })
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
    collateral: ids.describe('Requirements reported as violated that name nothing of what deviates.'),
    named: count.describe('Deviations that some violation names.'),
    explored: z
      .object({ sequences: count, steps: ids.exactOptional() })
      .readonly()
      .describe('What generated sequences came to, where no scenario reported a violation.')
      .exactOptional(),
    reason: z.string().describe('Why it is not judged, or what does not count.').exactOptional(),
    took: milliseconds,
  })
  .readonly();

const seenBy = { check: count.describe('By scenarios.'), explore: count.describe('By generated sequences alone.') };

const DrawnTotals = z
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
    ...formatOf(drawnFormat),
    version: z.string().describe('Of cselab.'),
    of: z.enum(['deviations', 'variations']),
    dialect,
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
    totals: DrawnTotals,
    figures: z.array(Figure).readonly(),
    rows: z.array(DrawnRow).readonly(),
  })
  .readonly()
  .meta({
    title: 'What cselab sees of what a seed draws',
    description:
      'Deviations that a seed drew, each with a witness, and whether scenarios and generated sequences see them.',
  });

export type DrawnReport = z.infer<typeof DrawnReport>;
