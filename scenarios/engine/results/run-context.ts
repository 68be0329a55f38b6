/** The context of a result: the strictness and claims of a run, and the state of its target. */
import { z } from 'zod';
import { frozen, listOf, named, optional, text } from '../basics/shapes.ts';

export const Claim = named(['Claim', 'One line of an implementation conformance statement.'], {
  id: z.string(),
  name: z.string(),
  claim: z.enum(['yes', 'no', 'unknown']),
  behaves: optional(z.enum(['implemented', 'not implemented']), 'According to the run; absent where nothing shows it.'),
  shown: text('The first evidence.'),
});
export type Claim = z.infer<typeof Claim>;

export const Profile = named(['Profile', 'Features that a target of this profile must have.'], {
  name: z.string(),
  source: z.string(),
  demands: listOf(z.string()).describe('Ids of the statement.'),
});

export const Survey = named(['Survey', 'Resources of a live target before and after the run.'], {
  before: z.int().min(0).describe('Number of resources before the run.'),
  after: z.int().min(0).describe('Number of resources after it.'),
  left: listOf(z.string()).describe('Paths of resources of the run that are left.'),
  others: z.int().min(0).describe('Number of other resources that came or went.'),
  reason: text('Why the target could not be surveyed, or not completely.'),
  damaged: text('How the survey fails after the run, though it did not before.'),
  unsound: text('How the survey failed before the run already.'),
  earlier: optional(listOf(z.string()), 'Names of leftovers of earlier runs.'),
});
export type Survey = z.infer<typeof Survey>;

const lostRequest = {
  method: z.string(),
  path: z.string().describe('Path and query, as sent.'),
  scenario: z.string().describe('Scenario id.'),
  step: z.int().min(0).describe('Position of the step in the scenario, from 0.'),
  curl: z.string().describe('A command line that sends the same request.'),
};
/** A request that was under way when the target died, without an answer. */
const LostRequest = frozen(lostRequest);
export type LostRequest = z.infer<typeof LostRequest>;

export const Death = named(['Death', 'The target stopped answering.'], {
  kind: z
    .enum(['died', 'hangs', 'closes', 'unavailable', 'drops'])
    .describe(
      'Nobody listens; nothing is answered; every connection is closed; a proxy reports it as gone; single requests are not answered.',
    ),
  at: z.number().describe('Milliseconds since the start of the run.'),
  inFlight: listOf(LostRequest).describe('Unanswered requests under way.'),
  culprit: frozen({
    ...lostRequest,
    seen: z.enum(['again', 'alone']).describe('It killed the target again alone, or was the only one under way.'),
  }).exactOptional(),
  backAfter: optional(z.number(), 'Milliseconds until it answered again; absent where it did not.'),
  restarted: optional(z.literal(true), 'A command of the user restarted it.'),
});
export type Death = z.infer<typeof Death>;
export type DeathKind = Death['kind'];

/** An invalid entry of a baseline: the run fails because of it. */
const BaselineProblem = frozen({
  kind: z.enum(['stale', 'expired', 'unknown']),
  scenario: z.string(),
  requirement: z.string(),
  says: z.string(),
});
export type BaselineProblem = z.infer<typeof BaselineProblem>;

export const BaselineOutcome = named(['Baseline'], {
  file: z.string(),
  known: z.int().min(0).describe('Failed checks that it excuses.'),
  problems: listOf(BaselineProblem).describe('Invalid entries.'),
});
export type BaselineOutcome = z.infer<typeof BaselineOutcome>;

/** What can make a run fail, beside what always does. */
export const failures = ['violations', 'intermittent', 'advice', 'untestable', 'left-behind', 'claims'] as const;
export type Failure = (typeof failures)[number];

export const Strictness = named(['Strictness', 'Strictness of the verdicts.'], {
  level: z.enum(['documented', 'standard']),
  failOn: listOf(z.enum(failures)),
  minEvidence: z.int().min(1).describe('Checks that must pass before a requirement counts as satisfied.'),
});
export type Strictness = z.infer<typeof Strictness>;
