/**
 * What a run yields: events while it goes on, and one result at its end.
 * Reporters know these types and nothing else of the engine; the published format of reports is made from the same schema.
 */
import { z } from 'zod';
import { failures } from './failures.ts';
import { Exchange, NotificationsSeen, ReceivedRequest } from './messages/exchange.ts';

const Place = z
  .object({ file: z.string(), line: z.int().min(1), column: z.int().min(1) })
  .readonly()
  .meta({ id: 'Place', description: 'Where something stands in a scenario file; line and column count from 1.' });
export type Place = z.infer<typeof Place>;

/**
 * `not applicable`: the target has not what the check is about. `lost`: the target was dead when it should have answered.
 * `left out`: what it asks for is known to corrupt or kill a deployed CSE, and was not sent.
 */
export const checkStates = ['passed', 'failed', 'lost', 'not testable', 'left out', 'not applicable', 'fault'] as const;
export type CheckState = (typeof checkStates)[number];

/** What a check weighs in the run: that of its requirement, or `advisory`, where that speaks of another dialect. */
const checkLevels = ['documented', 'gap', 'standard', 'advisory'] as const;
export type CheckLevel = (typeof checkLevels)[number];

/** What people wrote in a baseline about a failure. */
const KnownDeviation = z
  .object({
    reason: z.string().exactOptional(),
    ticket: z.string().exactOptional(),
    owner: z.string().exactOptional(),
    expires: z.string().describe('The last day on which it is excused.').exactOptional(),
  })
  .readonly()
  .describe('For `failed`: the entry of the baseline that speaks of this failure.');
export type KnownDeviation = z.infer<typeof KnownDeviation>;

const CheckResult = z
  .object({
    requirement: z.string(),
    state: z.enum(checkStates),
    expected: z.array(z.string()).readonly().describe('Each permitted outcome.'),
    actual: z.string().describe('What the target did.'),
    reason: z.string().describe('Why it is not testable, or what is at fault.').exactOptional(),
    variant: z.string().describe('The name of the permitted outcome that was taken.').exactOptional(),
    level: z
      .enum(checkLevels)
      .describe(
        'A failed check of a gap only differs from the reference CSE; an advisory one is told and does not count.',
      )
      .exactOptional(),
    excused: z
      .boolean()
      .describe('For `not testable`: true when nothing is missing that could have been seen.')
      .exactOptional(),
    denied: z
      .boolean()
      .describe('For `not applicable`: true when the conformance statement of the target says so.')
      .exactOptional(),
    byChoice: z
      .boolean()
      .describe('For `not applicable`: true when the run left it out by choice, whatever the target has.')
      .exactOptional(),
    asReference: z
      .boolean()
      .describe('Of a gap: whether the reference CSE was seen to do the same here.')
      .exactOptional(),
    intermittent: z
      .boolean()
      .describe('For `failed`: true when it passed as the scenario ran once more, alone.')
      .exactOptional(),
    byRule: z
      .literal(true)
      .describe('For `failed`: true where no check looks at it, but a rule that holds for every exchange.')
      .exactOptional(),
    known: KnownDeviation.exactOptional(),
    place: Place,
  })
  .readonly()
  .meta({ id: 'Check' });
export type CheckResult = z.infer<typeof CheckResult>;

const StepResult = z
  .object({
    phase: z.enum(['given', 'step', 'cleanup']),
    title: z.string(),
    note: z.string().exactOptional(),
    place: Place.exactOptional(),
    on: z.literal('backend').describe('Absent for the gateway, or the only CSE.').exactOptional(),
    exchange: Exchange.describe('Absent when the step was not sent.').exactOptional(),
    received: ReceivedRequest.describe('The request of the target that the step waited for.').exactOptional(),
    notifications: NotificationsSeen.exactOptional(),
    passed: z
      .object({ duration: z.string(), how: z.enum(['virtual', 'waited']) })
      .readonly()
      .describe('Time that passed: on the clock of the embedded target, or really.')
      .exactOptional(),
    checks: z.array(CheckResult).readonly(),
    problem: z.string().describe('Why it was not sent, or why what follows is blocked.').exactOptional(),
  })
  .readonly()
  .meta({ id: 'Step' });
export type StepResult = z.infer<typeof StepResult>;

/** `blocked`: a prerequisite failed, so that something could not be judged. `lost`: the target was dead. */
export const scenarioStates = [
  'passed',
  'failed',
  'lost',
  'blocked',
  'not testable',
  'left out',
  'not applicable',
  'fault',
  'interrupted',
] as const;
export type ScenarioState = (typeof scenarioStates)[number];

const ScenarioResult = z
  .object({
    id: z.string(),
    feature: z.string(),
    title: z.string(),
    tags: z.array(z.string()).readonly(),
    place: Place,
    installation: z.string().describe('Where it ran; absent when it did not.').exactOptional(),
    state: z.enum(scenarioStates),
    reason: z.string().exactOptional(),
    steps: z.array(StepResult).readonly(),
    leftBehind: z.array(z.string()).readonly().describe('Paths of what could not be removed.'),
    again: z
      .enum(scenarioStates)
      .describe('What became of a failed scenario when it ran once more, alone.')
      .exactOptional(),
    took: z.number().describe('Milliseconds.'),
  })
  .readonly()
  .meta({ id: 'Scenario' });
export type ScenarioResult = z.infer<typeof ScenarioResult>;

/**
 * The verdicts on a requirement: `intermittent` where every failed check passed once more alone, `observed` for a gap,
 * `advisory` for what would be violated in another dialect, `lost` where the target was dead when it should have answered, and
 * `left out` for what was not sent, since it is known to damage a deployed CSE.
 */
export const verdicts = [
  'violated',
  'intermittent',
  'advisory',
  'satisfied',
  'observed',
  'lost',
  'not testable',
  /** It could have been judged, and no exchange was about it. */
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
export const CheckReference = z.object(reference).readonly();
export type CheckReference = z.infer<typeof CheckReference>;

/** What a target does where the specification leaves something open. */
const GapObservation = z
  .object({
    ...reference,
    actual: z.string().describe('What the target did.'),
    asReference: z.boolean().describe('True when the reference CSE does the same.'),
    variant: z.string().exactOptional(),
  })
  .readonly();
export type GapObservation = z.infer<typeof GapObservation>;

const RequirementResult = z
  .object({
    id: z.string(),
    level: z.enum(['documented', 'gap', 'standard']),
    answers: z.array(z.string()).readonly().describe('Test purposes that it answers.').exactOptional(),
    section: z.string(),
    source: z.string(),
    says: z.string(),
    verdict: z.enum(verdicts),
    observations: z.int().min(0).describe('Number of checks that passed.'),
    reason: z.string().exactOptional(),
    violations: z.array(CheckReference).readonly(),
    known: z.boolean().describe('True when the baseline knows every failure.').exactOptional(),
    untestable: z.boolean().describe('True when no client of any target can see it.').exactOptional(),
    denied: z
      .boolean()
      .describe('True when it is not applicable, as the conformance statement of the target says.')
      .exactOptional(),
    gaps: z.array(GapObservation).readonly(),
  })
  .readonly()
  .meta({ id: 'Requirement' });
export type RequirementResult = z.infer<typeof RequirementResult>;

/** Exchanges that could have broken a requirement by a rule. */
const RuleEvidence = z
  .object({
    exchanges: z.int().min(1),
    by: z
      .record(z.string(), z.record(z.string(), z.int().min(1)).readonly())
      .readonly()
      .describe('How many of them were of each kind, by what they differ in.'),
  })
  .readonly();
export type RuleEvidence = z.infer<typeof RuleEvidence>;

const TargetDescription = z
  .object({
    kind: z.enum(['embedded', 'in-process', 'url', 'played', 'recorded']),
    url: z.string(),
    base: z.string(),
    cseId: z.string(),
    spId: z.string(),
    product: z.string().describe('As its target file says.').exactOptional(),
    version: z.string().describe('As its target file says.').exactOptional(),
  })
  .readonly()
  .meta({ id: 'Target', description: 'One CSE.' });
export type TargetDescription = z.infer<typeof TargetDescription>;

/** One way in which the target is installed. */
const InstallationDescription = z
  .object({
    name: z.string(),
    has: z.array(z.string()).readonly().describe('What scenarios can need and this has.'),
    gateway: TargetDescription,
    backend: TargetDescription.describe('The other CSE of a pair, or the harness in its place.').exactOptional(),
    originator: z.string().describe('Sent with every request without another certificate.').exactOptional(),
  })
  .readonly()
  .meta({ id: 'Installation' });
export type InstallationDescription = z.infer<typeof InstallationDescription>;

const Exit = z
  .object({
    code: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(130)]),
    reason: z.string(),
  })
  .readonly()
  .describe(
    '0 no deviation in what was checked, 1 violated, 2 usage, 3 target unreachable or harness fault, 4 inconclusive, 130 interrupted.',
  );
export type Exit = z.infer<typeof Exit>;

const countsOf = <const Keys extends readonly string[]>(keys: Keys) =>
  z.record(z.enum(keys), z.int().min(0)).readonly();
/** Checks are those of requirements that count; what a gap shows, and what only advises, is told by the requirements. */
const RunSummary = z
  .object({
    verdicts: countsOf(verdicts),
    checks: countsOf(checkStates),
    scenarios: countsOf(scenarioStates),
    requests: z.int().min(0),
  })
  .readonly();
export type RunSummary = z.infer<typeof RunSummary>;

const Claim = z
  .object({ id: z.string(), name: z.string(), claim: z.enum(['yes', 'no', 'unknown']) })
  .readonly()
  .meta({ id: 'Claim', description: 'One line of an implementation conformance statement.' });
export type Claim = z.infer<typeof Claim>;

const Survey = z
  .object({
    before: z.int().min(0).describe('Number of resources before the run.'),
    after: z.int().min(0).describe('Number of resources after it.'),
    left: z.array(z.string()).readonly().describe('Paths of what the run created and the target still has.'),
    others: z.int().min(0).describe('Number of resources that came or went and are not of this run.'),
    reason: z.string().describe('Why the target could not be looked at, or not as a whole.').exactOptional(),
    damaged: z
      .string()
      .describe('How the target fails to be looked at after the run, though it did not before.')
      .exactOptional(),
    unsound: z.string().describe('How the target failed before the run already.').exactOptional(),
    earlier: z.array(z.string()).readonly().describe('Names of what earlier runs have left there.').exactOptional(),
  })
  .readonly()
  .meta({ id: 'Survey', description: 'What a live target held before and after the run.' });
export type Survey = z.infer<typeof Survey>;

const lostRequest = {
  method: z.string(),
  path: z.string().describe('Path and query, as sent.'),
  scenario: z.string().describe('Scenario id.'),
  step: z.int().min(0).describe('Position of the step in the scenario, from 0.'),
  curl: z.string().describe('A command line that sends the same request.'),
};
/** A request that was under way when the target died. No answer to it came. */
const LostRequest = z.object(lostRequest).readonly();
export type LostRequest = z.infer<typeof LostRequest>;

/** What a death shows, for formats that say more of it. */
export const deathShape = {
  kind: z
    .enum(['died', 'hangs', 'closes', 'unavailable'])
    .describe('Nobody listens; nothing is answered; every connection is closed; a proxy says that it is gone.'),
  at: z.number().describe('Milliseconds since the start of the run.'),
  inFlight: z.array(LostRequest).readonly().describe('What was under way, without an answer.'),
  culprit: z
    .object({
      ...lostRequest,
      seen: z.enum(['again', 'alone']).describe('It killed the target again alone, or was the only one under way.'),
    })
    .readonly()
    .exactOptional(),
  backAfter: z.number().describe('Milliseconds until it answered again; absent where it did not.').exactOptional(),
  restarted: z.literal(true).describe('The command of the user was run to bring it back.').exactOptional(),
};
const Death = z
  .object(deathShape)
  .readonly()
  .meta({ id: 'Death', description: 'The target stopped answering anything at all.' });
export type Death = z.infer<typeof Death>;
export type DeathKind = Death['kind'];

/** An entry of a baseline that cannot stand: the run is red for it. */
const BaselineProblem = z
  .object({
    kind: z.enum(['stale', 'expired', 'unknown']),
    scenario: z.string(),
    requirement: z.string(),
    says: z.string(),
  })
  .readonly();
export type BaselineProblem = z.infer<typeof BaselineProblem>;

const BaselineOutcome = z
  .object({
    file: z.string(),
    known: z.int().min(0).describe('Failed checks that it excuses.'),
    problems: z.array(BaselineProblem).readonly().describe('Entries that cannot stand.'),
  })
  .readonly()
  .meta({ id: 'Baseline' });
export type BaselineOutcome = z.infer<typeof BaselineOutcome>;

const Strictness = z
  .object({
    level: z.enum(['documented', 'standard']),
    failOn: z.array(z.enum(failures)).readonly(),
    minEvidence: z.int().min(1).describe('Checks that have to pass before a requirement counts as satisfied.'),
  })
  .readonly()
  .meta({ id: 'Strictness', description: 'By what the run is judged.' });
export type Strictness = z.infer<typeof Strictness>;

/** The parts of a result: what a report holds, beside the name of its format. */
export const runShape = {
  tool: z.object({ name: z.literal('cselab'), version: z.string() }).readonly(),
  specification: z.string(),
  dialect: z.enum(['documented', 'onem2m']).describe('How the target was spoken to.'),
  run: z.string(),
  startedAt: z.string(),
  took: z.number().describe('Milliseconds.'),
  target: TargetDescription.describe('The main installation.'),
  installations: z.array(InstallationDescription).readonly().describe('Those that were used, the main one first.'),
  scenarios: z.array(ScenarioResult).readonly(),
  requirements: z.array(RequirementResult).readonly(),
  strictness: Strictness,
  shard: z
    .object({
      index: z.int().min(1),
      count: z.int().min(1),
      division: z
        .string()
        .describe('The same for all parts of a plan that was divided in the same way.')
        .exactOptional(),
    })
    .readonly()
    .describe('The part of the plan that was run.')
    .exactOptional(),
  assumed: z.array(z.string()).readonly().describe('What was taken for granted of the target.').exactOptional(),
  statement: z.array(Claim).readonly().describe('Implementation conformance statement.').exactOptional(),
  notes: z.array(z.string()).readonly().describe('What is worth knowing and no deviation.').exactOptional(),
  evidence: z
    .record(z.string(), RuleEvidence)
    .readonly()
    .describe('By requirement, the exchanges that could have broken it by a rule.')
    .exactOptional(),
  survey: Survey.exactOptional(),
  deaths: z.array(Death).readonly().describe('Each time when the target died.').exactOptional(),
  baseline: BaselineOutcome.exactOptional(),
  summary: RunSummary,
  exit: Exit,
};
export type RunResult = Readonly<z.infer<z.ZodObject<typeof runShape>>>;

export type RunEvent =
  | { readonly type: 'run started'; readonly run: string; readonly target: TargetDescription; readonly planned: number }
  | { readonly type: 'scenario started'; readonly id: string; readonly title: string }
  | { readonly type: 'scenario finished'; readonly result: ScenarioResult }
  | { readonly type: 'target died'; readonly death: Death }
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'target back'; readonly death: Death }
  | { readonly type: 'run finished'; readonly result: RunResult };
