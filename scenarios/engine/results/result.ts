/**
 * The output of a run: events while it goes on, and one result at its end.
 * Reporters use these types only; the published format of reports derives from the same schema.
 */
import { z } from 'zod';
import { flag, frozen, listOf, named, optional, text } from '../basics/shapes.ts';
import { serializations } from '../grammar/dialects.ts';
import { Exchange, ReceivedRequest, StepNotifications } from './exchange.ts';
import { RequirementResult, RuleEvidence, verdicts } from './requirement-result.ts';
import { BaselineOutcome, Claim, Death, Profile, Strictness, Survey } from './run-context.ts';

const SourceLocation = named(['Place', 'A place in a scenario file; line and column count from 1.'], {
  file: z.string(),
  line: z.int().min(1),
  column: z.int().min(1),
});
export type SourceLocation = z.infer<typeof SourceLocation>;

/**
 * `not applicable`: the target lacks what the check needs. `lost`: the target was dead when it should have answered.
 * `left out`: the request is known to corrupt or kill a deployed CSE, and was not sent.
 */
export const checkStates = ['passed', 'failed', 'lost', 'not testable', 'left out', 'not applicable', 'fault'] as const;
export type CheckState = (typeof checkStates)[number];

/** The level of a check: that of its requirement, or `advisory` where that belongs to another dialect. */
const checkLevels = ['documented', 'gap', 'standard', 'advisory'] as const;
export type CheckLevel = (typeof checkLevels)[number];

/** The entry of a baseline about a failure. */
const KnownDeviation = frozen({
  reason: z.string().exactOptional(),
  ticket: z.string().exactOptional(),
  owner: z.string().exactOptional(),
  expires: text('The last day on which it is excused.'),
}).describe('For `failed`: the entry of the baseline about this failure.');
export type KnownDeviation = z.infer<typeof KnownDeviation>;

const CheckResult = named(['Check'], {
  requirement: z.string(),
  state: z.enum(checkStates),
  expected: listOf(z.string()).describe('Each permitted outcome.'),
  actual: z.string().describe('Behaviour of the target.'),
  reason: text('Why it is not testable, or the cause of the fault.'),
  variant: text('The name of the permitted outcome that matched.'),
  level: optional(
    z.enum(checkLevels),
    'A failed check of a gap only differs from the reference CSE; an advisory one is reported and does not count.',
  ),
  excused: flag('For `not testable`: true when nothing observable is missing.'),
  denied: flag('For `not applicable`: true when the conformance statement of the target denies it.'),
  byChoice: flag('For `not applicable`: true when the run excludes it by choice, whatever the target has.'),
  asReference: flag('For a gap: whether the reference CSE does the same here.'),
  intermittent: flag('For `failed`: true when it passed in a second run of the scenario, alone.'),
  byRule: optional(z.literal(true), 'For `failed`: true when found by a rule for every exchange, not by a check.'),
  beside: flag('With `byRule`: true for a message beside the answer, perhaps of another exchange.'),
  known: KnownDeviation.exactOptional(),
  place: SourceLocation,
});
export type CheckResult = z.infer<typeof CheckResult>;

/** Where an answer came from. */
const answerSources = ['at the terminal', 'on the page', 'beforehand'] as const;

const QuestionResult = named(['AskedOfPerson', 'A question to a person; without `by`, nobody answered.'], {
  name: z.string().describe('Name of the answer.'),
  question: z.string(),
  answer: text('The text, the choice, or the name of the file; absent for "cannot tell".'),
  file: frozen({ size: z.int().min(0).describe('Bytes.'), sha256: z.string() }).exactOptional(),
  by: text('Who answered.'),
  at: text('When, in ISO 8601.'),
  how: optional(z.enum(answerSources), 'Where the answer came from.'),
});
export type QuestionResult = z.infer<typeof QuestionResult>;

const StepResult = named(['Step'], {
  phase: z.enum(['given', 'step', 'cleanup']),
  title: z.string(),
  note: z.string().exactOptional(),
  place: SourceLocation.exactOptional(),
  on: z.literal('backend').describe('Absent for the gateway, or the only CSE.').exactOptional(),
  exchange: optional(Exchange, 'Absent when the step was not sent.'),
  received: optional(ReceivedRequest, 'The request of the target that the step waited for.'),
  notifications: StepNotifications.exactOptional(),
  passed: frozen({
    duration: z.string(),
    how: z.enum(['virtual', 'waited']),
    ended: optional(z.number(), 'Milliseconds after which a person ended the wait.'),
  })
    .describe('Time that passed: virtual at the embedded target, or real.')
    .exactOptional(),
  asked: QuestionResult.exactOptional(),
  checks: listOf(CheckResult),
  problem: text('Why it was not sent, or why later steps are blocked.'),
});
export type StepResult = z.infer<typeof StepResult>;

/** `blocked`: a prerequisite failed, so that something could not be checked. `lost`: the target was dead. */
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

const ScenarioResult = named(['Scenario'], {
  id: z.string(),
  feature: z.string(),
  title: z.string(),
  tags: listOf(z.string()),
  place: SourceLocation,
  installation: text('Where it ran; absent when it did not.'),
  state: z.enum(scenarioStates),
  reason: z.string().exactOptional(),
  names: optional(listOf(z.tuple([z.string(), z.unknown()]).readonly()), 'Values of the names in its checks.'),
  steps: listOf(StepResult),
  leftBehind: listOf(z.string()).describe('Paths of resources that could not be removed.'),
  again: optional(z.enum(scenarioStates), 'State of a failed scenario in its second run, alone.'),
  took: z.number().describe('Milliseconds.'),
});
export type ScenarioResult = z.infer<typeof ScenarioResult>;

const TargetDescription = named(['Target', 'One CSE.'], {
  kind: z.enum(['embedded', 'in-process', 'url', 'simulated', 'recorded']),
  url: z.string(),
  base: z.string(),
  cseId: z.string(),
  spId: z.string(),
  product: text('As its target file says.'),
  version: text('As its target file says.'),
  serialization: optional(z.enum(serializations), 'Serialization of requests; JSON when absent.'),
});
export type TargetDescription = z.infer<typeof TargetDescription>;

/** One installation of the target. */
const InstallationDescription = named(['Installation'], {
  name: z.string(),
  has: listOf(z.string()).describe('The needs that it meets.'),
  gateway: TargetDescription,
  backend: optional(TargetDescription, 'The other CSE of a pair, or the harness in its place.'),
  originator: text('Sent with every request without another certificate.'),
});
export type InstallationDescription = z.infer<typeof InstallationDescription>;

const Exit = frozen({
  code: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5), z.literal(130)]),
  reason: z.string(),
}).describe(
  '0 no deviation in what was checked, 1 violated, 2 usage, 3 target unreachable or harness fault, 4 inconclusive, 5 wrong set-up, 130 interrupted.',
);
export type Exit = z.infer<typeof Exit>;

const countsOf = <const Keys extends readonly string[]>(keys: Keys) =>
  z.record(z.enum(keys), z.int().min(0)).readonly();
/** Checks are those of requirements that count; gaps and advice are in the requirements. */
const RunSummary = frozen({
  verdicts: countsOf(verdicts),
  checks: countsOf(checkStates),
  scenarios: countsOf(scenarioStates),
  requests: z.int().min(0),
});
export type RunSummary = z.infer<typeof RunSummary>;

/** The parts of a result: a report without the name of its format. */
export const runShape = {
  tool: frozen({ name: z.literal('cselab'), version: z.string() }),
  specification: z.string(),
  dialect: z.enum(['documented', 'onem2m']).describe('Dialect of the requests.'),
  run: z.string(),
  startedAt: z.string(),
  took: z.number().describe('Milliseconds.'),
  target: TargetDescription.describe('The main installation.'),
  installations: listOf(InstallationDescription).describe('Installations in use, the main one first.'),
  scenarios: listOf(ScenarioResult),
  requirements: listOf(RequirementResult),
  strictness: Strictness,
  shard: frozen({
    index: z.int().min(1),
    count: z.int().min(1),
    division: text('Equal for all parts of the same division of a plan.'),
  })
    .describe('The part of the plan that was run.')
    .exactOptional(),
  assumed: optional(listOf(z.string()), 'Assumptions about the target.'),
  ics: optional(listOf(Claim), 'Implementation conformance statement.'),
  profile: Profile.exactOptional(),
  notes: optional(listOf(z.string()), 'Findings that are no deviations.'),
  evidence: z
    .record(z.string(), RuleEvidence)
    .readonly()
    .describe('By requirement, the exchanges that could have violated its rule.')
    .exactOptional(),
  survey: Survey.exactOptional(),
  deaths: optional(listOf(Death), 'The deaths of the target.'),
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

/** The environment of a user's reporter. */
export interface OwnReporterContext {
  /** Absolute path: the PATH of `--report ./mine.mjs=PATH`. */
  readonly path?: string;
  /** Absolute path of the directory for files without a path: `--out`. */
  readonly outDir: string;
  /** Writes to stdout; secrets are masked. */
  write(text: string): void;
}

/** A user's reporter (`check --report ./mine.js`). It must not change its arguments, which other reporters share. */
export interface OwnReporter {
  /** Each event of a run as it happens; a promise is awaited before the run is over. */
  onEvent?(event: RunEvent): unknown;
  /** Once, with the result, even of an interrupted run; a promise is awaited. */
  finish?(result: RunResult): unknown;
}

/**
 * The default export of its module. Where it throws, nothing is sent, and the exit code is 2; an error of its reporter ends neither
 * the run nor other reporters, and makes the exit code 3.
 */
export type MakeOwnReporter = (context: OwnReporterContext) => OwnReporter | Promise<OwnReporter>;
