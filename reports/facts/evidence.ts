import { createHash } from 'node:crypto';
import type {
  CheckReference,
  CheckResult,
  Exchange,
  KnownDeviation,
  ReceivedRequest,
  RunResult,
  ScenarioResult,
  StepResult,
} from '../../scenarios/words.ts';
import { counted, durationText, groupedBy } from './wording.ts';

/** A check with its step and scenario. */
export interface CheckEvidence {
  readonly scenario: ScenarioResult;
  readonly step: StepResult;
  /** Counts from 1, as readers do. */
  readonly stepNumber: number;
  /** Counts from 1. */
  readonly checkNumber: number;
  readonly check: CheckResult;
}

export interface EvidenceIndex {
  /** The checks of these references that the result has. */
  at(references: readonly CheckReference[]): CheckEvidence[];
  /** All checks of a requirement, in the order of the run. */
  of(requirement: string): readonly CheckEvidence[];
}

/** Reads the result once, so that checks can be looked up by reference and by requirement. */
export function indexEvidence(result: RunResult): EvidenceIndex {
  const all = result.scenarios.flatMap(evidenceIn);
  const byKey = new Map(all.map((one) => [positionKey(one.scenario.id, one.stepNumber, one.checkNumber), one]));
  const byRequirement = groupedBy(all, ({ check }) => check.requirement);
  return {
    at: (references) =>
      references.flatMap(({ scenario, step, check }) => byKey.get(positionKey(scenario, step + 1, check + 1)) ?? []),
    of: (requirement) => byRequirement.get(requirement) ?? [],
  };
}

function positionKey(scenario: string, stepNumber: number, checkNumber: number): string {
  return `${scenario} ${stepNumber} ${checkNumber}`;
}

/** The checks of one scenario, in order. */
export function evidenceIn(scenario: ScenarioResult): CheckEvidence[] {
  return scenario.steps.flatMap((step, at) =>
    step.checks.map((check, index) => ({ scenario, step, stepNumber: at + 1, checkNumber: index + 1, check })),
  );
}

/**
 * A short id that stays the same from run to run, seven hexadecimal digits: by requirement, scenario, and the positions of step and
 * check in it; a rule's failure is reported once in a scenario.
 */
export function failureId({ check, scenario, stepNumber, checkNumber }: CheckEvidence): string {
  const position = check.byRule === true ? ['by rule'] : [stepNumber, checkNumber];
  const key = JSON.stringify([check.requirement, scenario.id, ...position]);
  return createHash('sha256').update(key).digest('hex').slice(0, 7);
}

/** The distinct things that the target did. */
export function actualsOf(evidence: readonly CheckEvidence[]): string[] {
  return [...new Set(evidence.map(({ check }) => check.actual))];
}

/** `file:line` of a check or step. */
export function locationText({ place }: { readonly place: CheckResult['place'] }): string {
  return `${place.file}:${place.line}`;
}

/** Such as `documented/ae/registers, step 2`. */
export function stepText({ scenario, stepNumber }: Pick<CheckEvidence, 'scenario' | 'stepNumber'>): string {
  return `${scenario.id}, step ${stepNumber}`;
}

/** Whether it is of a user's file: its id has no folder. */
export const isForeign = ({ id }: Pick<ScenarioResult, 'id'>): boolean => id.split('/').length < 3;

/** Anchors of a page. A requirement's is its own id, so that people can write such links by hand. */
export const scenarioAnchor = (scenario: string): string => `scenario:${scenario}`;

export function stepAnchor({ scenario, stepNumber }: Pick<CheckEvidence, 'scenario' | 'stepNumber'>): string {
  return `${scenarioAnchor(scenario.id)}:${stepNumber}`;
}

/** What a baseline says of a failure that it knows: `vendor knows (GW-12, owner platform team, until 2027-03-31)`. */
export function excuseText({ reason = 'no reason is given', ticket, owner, expires }: KnownDeviation): string {
  const answerable = owner === undefined ? undefined : `owner ${owner}`;
  const rest = [ticket, answerable, expires === undefined ? 'no end' : `until ${expires}`];
  return `${reason} (${rest.filter((one) => one !== undefined).join(', ')})`;
}

/**
 * On which installation, at which CSE and with which certificate a step acted, such as `installation mutual, at the backend,
 * certificate own, after 1h of virtual time`. Empty if a run has one CSE only and there is nothing special.
 */
export function contextText(
  { installations }: Pick<RunResult, 'installations'>,
  { installation, steps }: Pick<ScenarioResult, 'installation' | 'steps'>,
  step: StepResult,
): string {
  const { on, exchange, phase } = step;
  const before = phase === 'cleanup' ? [] : steps.slice(0, steps.indexOf(step));
  const parts = [
    installations.length > 1 && installation !== undefined && `installation ${installation}`,
    on !== undefined && `at the ${on}`,
    exchange?.certificate !== undefined && `certificate "${exchange.certificate}"`,
    exchange?.over !== undefined && `over ${exchange.over}`,
    ...before.map(({ passed }) => passed && `after ${passedText(passed)}`),
  ];
  return parts.filter(Boolean).join(', ');
}

/** Time that had passed, such as `1h of virtual time`. */
export function passedText({ duration, how, ended }: NonNullable<StepResult['passed']>): string {
  const early = ended === undefined ? '' : `, ended by a person after ${durationText(ended)}`;
  return `${duration} of ${how === 'virtual' ? 'virtual time' : 'waiting'}${early}`;
}

/** The answer of a person: `"green", by ana at the terminal, 2026-11-30T01:00:00.000Z`. */
export function answerText({ answer, file, by, at, how }: NonNullable<StepResult['asked']>): string {
  if (by === undefined) return 'nobody answered';
  const answered = answer === undefined ? 'cannot tell' : `"${answer}"`;
  const fileText = file && ` (${file.size} bytes, SHA-256 ${file.sha256})`;
  return `${answered}${fileText ?? ''}, by ${by}${how === undefined ? '' : ` ${how}`}${at === undefined ? '' : `, ${at}`}`;
}

/** Every question of a run with its answer, as a line. */
export function answersIn({ scenarios }: Pick<RunResult, 'scenarios'>): string[] {
  return scenarios.flatMap(({ id, steps }) =>
    steps.flatMap(({ asked }) => (asked === undefined ? [] : `${id}: ${asked.question} ${answerText(asked)}`)),
  );
}

/** The request before a step that waits for the target. */
export interface Trigger {
  readonly exchange: Exchange;
  readonly title: string;
  /** Counts from 1. */
  readonly stepNumber: number;
}

/** The last request before a step that waits; undefined for other steps, or without a request. */
export function triggerOf({ steps }: Pick<ScenarioResult, 'steps'>, step: StepResult): Trigger | undefined {
  if (step.notifications === undefined && step.received === undefined) return undefined;
  const before = steps.slice(0, Math.max(steps.indexOf(step), 0));
  const index = before.findLastIndex(({ exchange }) => exchange !== undefined);
  const found = before[index];
  return found?.exchange && { exchange: found.exchange, title: found.title, stepNumber: index + 1 };
}

/** What the target sent to the harness in a step. */
export function receivedIn({ received, notifications }: StepResult): readonly ReceivedRequest[] {
  return received === undefined ? (notifications?.shown ?? []) : [received];
}

/** When a request came, such as `12 ms after step 3 was sent`; without a trigger, its time in the run. */
export function whenText({ at }: ReceivedRequest, trigger: Trigger | undefined): string {
  if (trigger === undefined) return `${durationText(at)} after the run began`;
  const { exchange, stepNumber } = trigger;
  const sent = at - exchange.at;
  if (sent < 0) return `${durationText(-sent)} before step ${stepNumber} was sent`;
  return `${durationText(sent)} after step ${stepNumber} was sent`;
}

/** What an inbox received, such as `nothing came to watcher, http://…, in 5.0 s`; empty for a step without one. */
export function inboxText({ notifications }: StepResult): string {
  if (notifications === undefined) return '';
  const { inbox, url, waited, count } = notifications;
  const what = count === 0 ? 'nothing' : counted(count, 'notification');
  return `${what} came to ${inbox}, ${url}, in ${durationText(waited)}`;
}
