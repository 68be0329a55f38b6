/** The tables of `cselab mutants`: for each deviation, and for what a seed draws. The published formats use the same shapes. */
import { z } from 'zod';
import type { Drawn } from '../../../sim/deviations/drawn/drawn-deviation.ts';
import { frozen, listOf, named, optional, text } from '../../engine/basics/shapes.ts';
import { dialects } from '../../engine/grammar/dialects.ts';

const dialect = z.enum(dialects);
const count = z.int().min(0);
const level = z.enum(['documented', 'gap', 'standard']);
const milliseconds = z.number().min(0).describe('Milliseconds.');
const ids = listOf(z.string());

const Violation = named(['Violation', 'A requirement found violated, by the first of its checks that failed.'], {
  requirement: z.string(),
  scenario: z.string(),
  expected: ids.describe('Permitted outcomes, as sentences.'),
  actual: z.string().describe('What the CSE did, as a sentence.'),
});
export type Violation = z.infer<typeof Violation>;

const DeviationShape = named(['Deviation'], {
  id: z.string(),
  violates: z.string().describe('The requirement that a CSE with this deviation does not keep.'),
  also: optional(ids, 'Requirements that it cannot help but break as well.'),
  equivalent: text('Why no client can see it.'),
  sequencesOnly: optional(
    z.literal(true),
    'It shows only in sequences of requests such as generators make: no scenario is expected to see it.',
  ),
  says: z.string(),
});

const verdictsOf = <const Verdict extends string>(all: readonly Verdict[]) =>
  frozen(Object.fromEntries(all.map((one) => [one, count])) as Record<Verdict, typeof count>);

type Table<Shape extends z.core.$ZodLooseShape> = z.infer<z.ZodReadonly<z.ZodObject<Shape>>>;

export const killVerdicts = ['identified', 'killed', 'equivalent', 'not killed', 'not judged'] as const;
export type KillVerdict = (typeof killVerdicts)[number];

const KillRow = named(['Row', 'What the harness makes of one deviation.'], {
  deviation: DeviationShape,
  level: level.describe('Of the requirement that the deviation violates.'),
  dialect,
  verdict: z
    .enum(killVerdicts)
    .describe(
      '`identified`: the violated requirement was found violated; `killed`: only others were; `equivalent`: nothing was found, and the deviation says why nobody can; `not judged`: the worker died or hung, or the harness could not run everything.',
    ),
  violations: listOf(Violation).describe('That of the violated requirement first.'),
  collateral: ids.describe('Collateral: requirements found violated that the deviation has nothing to do with.'),
  reason: text('Why it is not judged, or what else went wrong.'),
  scenarios: count.describe('Scenarios that were run.'),
  possible: count.describe('Scenarios of the dialect.'),
  took: milliseconds,
});
export type KillRow = z.infer<typeof KillRow>;

const KillTotals = named(['Totals'], {
  verdicts: verdictsOf(killVerdicts),
  killed: count.describe('By whatever check: `identified` and `killed`.'),
  withCollateral: count.describe('With collateral.'),
  scenarios: count,
  possible: count,
});
export type KillTotals = z.infer<typeof KillTotals>;

const Breadth = z
  .union([
    frozen({ kind: z.literal('narrow'), others: optional(count, 'Other files, dealt by the id.') }),
    frozen({ kind: z.literal('wide') }),
  ])
  .describe('`narrow`: the files that check what a deviation violates; `wide`: every scenario of its dialect.');
export type Breadth = z.infer<typeof Breadth>;

const LevelCoverage = frozen({
  level,
  testable: count.describe('Requirements that can be tested.'),
  unbroken: ids.describe('Those among them that no deviation of the simulator breaks.'),
});

/** Scores of the harness, by deviation. */
export const killShape = {
  startedAt: z.iso.datetime(),
  took: milliseconds,
  workers: z.int().min(1),
  breadth: Breadth,
  known: count.describe('Deviations of the simulator.'),
  chosen: count,
  interrupted: z.boolean(),
  totals: KillTotals,
  rows: listOf(KillRow),
  leftToGenerators: listOf(DeviationShape).describe(
    'Deviations that are no rows, because they show only in sequences of requests such as generators make.',
  ),
  levels: listOf(LevelCoverage),
};
export type KillTable = Table<typeof killShape>;

const ConfirmedCounterexample = named(['ConfirmedCounterexample', 'A counterexample, also run as a scenario.'], {
  requirement: z.string().describe('The requirement that it cites.'),
  path: z.string().describe('With the seed, replays it.'),
  steps: ids.describe('Requests after shrinking.'),
  operations: frozen({ found: count, left: count }).describe('Before and after shrinking.'),
  expected: z.string(),
  actual: z.string(),
  attempts: count.describe('Sequences that shrinking tried.'),
  smallest: z.boolean().describe('Whether shrinking came to its own end.'),
  scenario: z.string().describe('A scenario file.'),
  failsThere: z.boolean().describe('Whether that file alone fails on the CSE with the deviation.'),
  passesElsewhere: z.boolean().describe('Whether it passes on the sound one.'),
});
export type ConfirmedCounterexample = z.infer<typeof ConfirmedCounterexample>;

export const generatedVerdicts = ['found', 'not confirmed', 'not found', 'not judged'] as const;
export type GeneratedVerdict = (typeof generatedVerdicts)[number];

const GeneratedRow = frozen({
  deviation: DeviationShape,
  level: level.describe('Of the requirement that the deviation violates.'),
  dialect,
  originators: optional(z.int(), 'Concurrent originators; absent for one.'),
  pair: z.boolean().describe('Whether the CSE is registered at another one, through which requests go as well.'),
  verdict: z
    .enum(generatedVerdicts)
    .describe(
      '`found`: the counterexample fails alone on the CSE with the deviation and passes on the sound one; `not confirmed`: that does not hold; `not judged`: the worker died or hung, or the search did not come to its end.',
    ),
  identified: z.boolean().describe('Whether it cites what the deviation violates, or cannot help but break.'),
  sequences: count.describe('Up to the one that showed it, or all.'),
  requests: count.describe('Of these sequences.'),
  searched: milliseconds.describe('Milliseconds that went into them.'),
  took: milliseconds.describe('Milliseconds, with shrinking.'),
  counterexample: ConfirmedCounterexample.exactOptional(),
  reason: text('Why it is not judged.'),
});
export type GeneratedRow = z.infer<typeof GeneratedRow>;

const GeneratedTotals = frozen({
  verdicts: verdictsOf(generatedVerdicts),
  identified: count.describe('Of those found.'),
  medians: frozen({ sequences: count, requests: count, searched: milliseconds, steps: count })
    .describe('Of those found.')
    .exactOptional(),
});
export type GeneratedTotals = z.infer<typeof GeneratedTotals>;

/** Scores of the generators alone, by deviation. */
export const generatedShape = {
  startedAt: z.iso.datetime(),
  took: milliseconds,
  workers: z.int().min(1),
  seed: z.int(),
  runs: z.int().min(1).describe('Sequences for each deviation at the most.'),
  chosen: count,
  interrupted: z.boolean(),
  totals: GeneratedTotals,
  rows: listOf(GeneratedRow),
};
export type GeneratedTable = Table<typeof generatedShape>;

/** In the order of reports. */
export const drawnVerdicts = {
  deviations: ['not seen', 'seen', 'identified', 'not judged'],
  variations: ['false alarm', 'quiet', 'not judged'],
} as const;
export type DrawnVerdict = (typeof drawnVerdicts)['deviations' | 'variations'][number];

const data = z.record(z.string(), z.json());
/** What deviates is data of the simulator, not read here. */
const drawnData = z.union([
  frozen({ deviations: listOf(frozen({ when: data, does: data })) }),
  frozen({ variations: listOf(data) }),
]) as unknown as z.ZodType<Drawn>;

const DrawnRow = frozen({
  number: count.describe('Its position among those that were drawn, from 0; of a pair that of the first.'),
  drawn: drawnData,
  says: z.string(),
  allowedBy: optional(ids, 'Of variations: the clause that allows each.'),
  witness: frozen({ requests: ids, sound: z.string(), deviating: z.string() })
    .describe('Requests, the last of which the deviating CSE answers otherwise than the sound one.')
    .exactOptional(),
  verdict: z
    .enum(['identified', 'seen', 'not seen', 'quiet', 'false alarm', 'not judged'] satisfies DrawnVerdict[])
    .describe(
      '`identified`: the first violation reported names what deviates; `seen`: one is reported, of another thing; `quiet` and `false alarm`: for permitted variations.',
    ),
  by: optional(z.enum(['check', 'explore']), 'What reported the violations.'),
  violations: listOf(Violation),
  collateral: ids.describe('Requirements reported as violated that name nothing of what deviates.'),
  identified: count.describe('Deviations that some violation names.'),
  explored: frozen({ sequences: count, steps: ids.exactOptional() })
    .describe('What generated sequences came to, where no scenario reported a violation.')
    .exactOptional(),
  reason: text('Why it is not judged, or what does not count.'),
  took: milliseconds,
});
export type DrawnRow = z.infer<typeof DrawnRow>;

const seenBy = { check: count.describe('By scenarios.'), explore: count.describe('By generated sequences alone.') };

const DrawnTotals = frozen({
  verdicts: verdictsOf(['identified', 'seen', 'not seen', 'quiet', 'false alarm', 'not judged']),
  ...seenBy,
  bothIdentified: count.describe('Pairs of which both deviations are named by violations.'),
  collateral: frozen({ rows: count, requirements: count }),
});
export type DrawnTotals = z.infer<typeof DrawnTotals>;

const Figure = frozen({
  ...{ by: z.string(), is: z.string(), rows: count },
  ...seenBy,
  ...{ identified: count, collateral: count },
}).describe('Rows with this value. A pair counts at both of its deviations.');
export type Figure = z.infer<typeof Figure>;

const questionShape = {
  version: z.string().describe('Of cselab.'),
  of: z.enum(['deviations', 'variations']),
  dialect,
  seed: z.int(),
  count: count.describe('Rows of the whole run.'),
  world: optional(
    z.enum(['tls', 'pair', 'mqtt', 'ws', 'coap']),
    'Where the CSE is installed: over TLS with client certificates, with its backend, or reached by a wire; in every way when absent.',
  ),
  differs: optional(z.enum(['mqtt', 'ws', 'coap']), 'The one wire that deviates: compared with HTTP.'),
  inPairs: z.boolean().describe('Whether each row is two deviations together.'),
  runs: count.describe('Generated sequences at the most, against each that no scenario sees.'),
};

/** Scores of the harness for what a seed drew. */
export const drawnShape = {
  ...questionShape,
  startedAt: z.iso.datetime(),
  took: milliseconds,
  shard: frozen({ index: z.int().min(1), count: z.int().min(1) }).exactOptional(),
  drawn: count.describe('Drawn in all; the others do nothing that could be shown.'),
  kept: count.describe('Rows that an earlier run, which did not come to its end, had left.'),
  interrupted: z.boolean().describe('Whether rows are missing.'),
  totals: DrawnTotals,
  figures: listOf(Figure),
  rows: listOf(DrawnRow),
};
export type DrawnTable = Table<typeof drawnShape>;
/** Settings: the same for all parts of one run. */
export type DrawnSettings = Pick<DrawnTable, keyof typeof questionShape>;
