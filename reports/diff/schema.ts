/** What `cselab diff --json` prints, as a schema: it repeats the types of the comparison on purpose, and its test fails when the two part. */
import { z } from 'zod';
import { deathShape } from '../../scenarios/index.ts';

const Target = z
  .object({
    kind: z.enum(['embedded', 'in-process', 'url', 'played', 'recorded']),
    url: z.string(),
    base: z.string(),
    cseId: z.string(),
    spId: z.string(),
    product: z.string().exactOptional(),
    version: z.string().exactOptional(),
    run: z.string().describe('Of the names that it was given.'),
    faults: z.array(z.string()).readonly().describe('Ids of faults of the reference CSE.').exactOptional(),
  })
  .readonly();

const both = z.object({ A: z.string(), B: z.string() }).readonly();
const counts = z.record(z.string(), z.int().min(0)).readonly();

const Row = z
  .object({
    name: z.string(),
    A: z.string().exactOptional(),
    B: z.string().exactOptional(),
    differs: z.boolean().describe('Whether the difference is here.'),
  })
  .readonly();

const Difference = z
  .object({
    signature: z.string().describe('The same wherever and whenever the same difference is found.'),
    right: z.enum(['A', 'B', 'neither', 'gap']).describe('Who keeps what is written down; gap: nothing is.'),
    requirement: z
      .object({ id: z.string(), says: z.string(), source: z.string() })
      .readonly()
      .describe('What decides, or leaves it open.')
      .exactOptional(),
    part: z.string().describe('What differs, such as `attribute cni`.'),
    about: z.string().describe('The request whose answers differ.'),
    compared: both.describe('That part of each answer, as it was compared.'),
    path: z.string().describe('With the seed, replays exactly this sequence.'),
    operations: z.object({ found: z.int(), left: z.array(z.unknown()).readonly() }).readonly(),
    steps: z.array(z.string()).readonly().describe('Requests, with names in place of what differs from run to run.'),
    rows: z.array(Row).readonly().describe('Both answers beside each other.'),
    curl: both.describe('The last request to each as a command line.'),
    after: z.array(z.string()).readonly().describe('Signatures of what shows earlier in the same sequence.'),
    scenario: z.string().describe('A scenario file that fails at the side that is wrong.').exactOptional(),
    confirmed: z.boolean().describe('Whether it was run once more as a scenario, and failed.').exactOptional(),
    attempts: z.int().min(0).describe('Sequences that shrinking tried.'),
    smallest: z.boolean().describe('Whether shrinking came to its own end.'),
    file: z.string().describe('Where the scenario was written.').exactOptional(),
  })
  .readonly();

const Normalised = z
  .object({
    rule: z.string(),
    says: z.string(),
    gaps: z.array(z.string()).readonly().exactOptional(),
    times: z.int().min(1),
  })
  .readonly();

export const DiffDocument = z
  .object({
    startedAt: z.string(),
    took: z.number().describe('Milliseconds.'),
    targets: z.object({ A: Target, B: Target }).readonly(),
    seed: z.int(),
    sequences: z.int().min(0),
    compared: z.int().min(0).describe('Requests whose two answers were compared.'),
    exercised: z.object({ operations: counts, kinds: counts, forms: counts, requirements: counts }).readonly(),
    differences: z.array(Difference).readonly(),
    normalised: z.array(Normalised).readonly().describe('What may differ without being told.'),
    deaths: z
      .array(z.object({ side: z.enum(['A', 'B']), ...deathShape }).readonly())
      .readonly()
      .describe('Which of them stopped answering anything at all.')
      .exactOptional(),
    notes: z.array(z.string()).readonly(),
    exit: z
      .object({
        code: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(130)]),
        reason: z.string(),
      })
      .readonly(),
  })
  .readonly();

export type DiffDocument = z.infer<typeof DiffDocument>;
