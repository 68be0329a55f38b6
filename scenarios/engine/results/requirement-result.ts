/** The result of a requirement, and its evidence. */
import { z } from 'zod';
import { flag, frozen, listOf, named, optional } from '../basics/shapes.ts';

/**
 * The verdicts on a requirement: `intermittent` where every failed check passed in a second run, alone, `implementation-defined` for
 * a gap, `advisory` where another dialect is violated, `lost` where the target was dead when it should have answered, and
 * `left out` where nothing was sent, since it is known to damage a deployed CSE.
 */
export const verdicts = [
  'violated',
  'intermittent',
  'advisory',
  'satisfied',
  'implementation-defined',
  'lost',
  'not testable',
  /** Testable, but no exchange was about it. */
  'not asked',
  'left out',
  'not applicable',
  'excluded',
  'harness fault',
] as const;
export type Verdict = (typeof verdicts)[number];

const reference = {
  scenario: z.string().describe('Scenario id.'),
  step: z.int().min(0).describe('Position of the step in the scenario, from 0.'),
  check: z.int().min(0).describe('Position of the check in the step, from 0.'),
};
/** Points at one check. */
export const CheckReference = frozen(reference);
export type CheckReference = z.infer<typeof CheckReference>;

/** The behaviour of a target where the specification leaves it open. */
const GapObservation = frozen({
  ...reference,
  actual: z.string().describe('Behaviour of the target.'),
  asReference: z.boolean().describe('True when the reference CSE does the same.'),
  variant: z.string().exactOptional(),
});
export type GapObservation = z.infer<typeof GapObservation>;

export const RequirementResult = named(['Requirement'], {
  id: z.string(),
  level: z.enum(['documented', 'gap', 'standard']),
  answers: optional(listOf(z.string()), 'Test purposes that it answers.'),
  section: z.string(),
  source: z.string(),
  says: z.string(),
  verdict: z.enum(verdicts),
  observations: z.int().min(0).describe('Number of passed checks; with rules alone, of exchanges that they checked.'),
  reason: z.string().exactOptional(),
  violations: listOf(CheckReference),
  known: flag('True when the baseline knows every failure.'),
  untestable: flag('True when no client of any target can check it.'),
  denied: flag('True when it is not applicable according to the conformance statement of the target.'),
  gaps: listOf(GapObservation),
});
export type RequirementResult = z.infer<typeof RequirementResult>;

/** Exchanges that could have violated a rule of a requirement. */
export const RuleEvidence = frozen({
  exchanges: z.int().min(1),
  by: z
    .record(z.string(), z.record(z.string(), z.int().min(1)).readonly())
    .readonly()
    .describe('Their numbers by value, for each distinguishing property.'),
});
export type RuleEvidence = z.infer<typeof RuleEvidence>;
