import { type Cause, causesOf } from '../../scenarios/results.ts';
import {
  type Death,
  deathSentence,
  type RequirementResult,
  type RunResult,
  requestText,
  type Survey,
} from '../../scenarios/words.ts';
import { type CheckEvidence, indexEvidence } from './evidence.ts';
import { capitalised, counted, durationText } from './wording.ts';

/** A cause with the facts for every report. */
export interface CauseFacts {
  readonly cause: Cause;
  /** The leading requirement. */
  readonly requirement: RequirementResult;
  readonly others: readonly RequirementResult[];
  /** The failure with the fewest steps. */
  readonly failure: CheckEvidence;
  /** Other failures of the leading requirement; for a new cause, without known ones. */
  readonly elsewhere: readonly CheckEvidence[];
}

/** Whether nothing could be sent: the reason is all there is. */
export function isUnreachable({ exit, scenarios }: Pick<RunResult, 'exit' | 'scenarios'>): boolean {
  return (exit.code === 3 || exit.code === 5) && scenarios.length === 0;
}

/** The failures of a run by cause; new ones before those that a baseline knows. */
export function causeFacts(result: RunResult): CauseFacts[] {
  const index = indexEvidence(result);
  const byId = new Map(result.requirements.map((one) => [one.id, one]));
  return causesOf(result).flatMap((cause) => {
    const requirement = byId.get(cause.requirement);
    const [failure] = index.at([cause.shown]);
    if (requirement === undefined || failure === undefined) return [];
    const elsewhere = index
      .at(requirement.violations)
      .filter(({ check }) => check !== failure.check && (check.known === undefined || cause.known === true));
    return [{ cause, requirement, others: cause.others.flatMap((id) => byId.get(id) ?? []), failure, elsewhere }];
  });
}

/** Causes with a verdict, without those that a baseline knows. */
export function newCauses(all: readonly CauseFacts[], verdict: Cause['verdict']): CauseFacts[] {
  return all.filter(({ cause }) => cause.verdict === verdict && cause.known !== true);
}

/** Number of requirements that causes violate. */
export function requirementsOf(causes: readonly CauseFacts[]): number {
  return causes.reduce((sum, { others }) => sum + others.length + 1, 0);
}

/** Reported at once, while the run waits for the target. */
export function deathNews({ type, death }: { type: 'target died' | 'target back'; death: Death }): string {
  if (type === 'target back') return 'the target is back';
  return `${deathSentence([death])?.replace(/, (culprit not|and it has not).*/, '')}; waiting`;
}

/** One death of the target, for every report. */
export interface DeathFacts {
  /** Such as `Death 2 of 3, 8.4 s after the run began`. */
  readonly title: string;
  /** Such as `the target died: POST /onem2m killed it, and again alone`. */
  readonly says: string;
  /** The requests without an answer, the culprit first, and the fate of the target. */
  readonly lines: readonly string[];
  /** Sends the culprit, or the pending requests. */
  readonly curl: readonly string[];
  readonly culprit: Death['culprit'];
}

export function deathFacts({ deaths = [] }: Pick<RunResult, 'deaths'>): DeathFacts[] {
  return deaths.map((death, at) => ({
    title: `Death ${at + 1} of ${deaths.length}, ${durationText(death.at)} after the run began`,
    says: deathSentence([death]) ?? '',
    lines: [...requestLines(death), afterwards(death)],
    curl: (death.culprit === undefined ? death.inFlight : [death.culprit]).map(({ curl }) => curl),
    culprit: death.culprit,
  }));
}

function requestLines({ culprit, inFlight }: Death): string[] {
  const beside = inFlight.filter(({ scenario }) => scenario !== culprit?.scenario).map(requestLine);
  if (culprit === undefined) return beside.map((one) => `under way: ${one}`);
  return [`killed by ${requestLine(culprit)}`, ...beside.map((one) => `under way beside it: ${one}`)];
}

function requestLine(request: Death['inFlight'][number]): string {
  const { scenario, step } = request;
  const where = scenario.startsWith('sequence ') ? scenario : `scenario ${scenario}`;
  return `${requestText(request)}, no status; ${where}, step ${step + 1}`;
}

function afterwards({ backAfter, restarted }: Death): string {
  const how = restarted === true ? ', restarted by the command' : '';
  return backAfter === undefined ? `it did not come back${how}` : `back after ${durationText(backAfter)}${how}`;
}

/** The first line of a report whose target died; otherwise empty. */
export function deathHeadline({ deaths = [], summary }: Pick<RunResult, 'deaths' | 'summary'>): string {
  const says = deathSentence(deaths);
  if (says === undefined) return '';
  const { lost } = summary.verdicts;
  return `${capitalised(says)}${lost === 0 ? '' : `; ${counted(lost, 'requirement')} lost`}`;
}

/** What the target held before and after a run, as the end of a sentence. */
export function surveyText({ before, after, left, others, reason }: Survey): string {
  if (reason !== undefined) return `what the target held before and after cannot be compared: ${reason}`;
  const remains = left.length === 0 ? 'nothing of this run is left' : `left behind: ${left.join(', ')}`;
  const changes = others === 0 ? '' : `, ${counted(others, 'resource')} of others came or went`;
  return `the target held ${counted(before, 'resource')} before and ${after} after${changes}; ${remains}`;
}

/** The same as a sentence of its own. */
export const surveySentence = (survey: Survey): string => sentence(surveyText(survey));

/** Warnings about an unreliable target, as sentences. */
export function surveyWarnings({ damaged, unsound, earlier = [] }: Partial<Survey> = {}): string[] {
  const more = earlier.length - 5;
  const left = `${earlier.slice(0, 5).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const failedBefore = 'The target failed before this run had sent anything, so deviations may result from that.';
  return [
    damaged !== undefined && `The target is damaged: what worked before this run fails since. ${sentence(damaged)}`,
    unsound !== undefined && `${failedBefore} ${sentence(unsound)}`,
    earlier.length > 0 &&
      `The target holds what earlier runs have left: ${left}. cselab cleanup removes what a ledger here names.`,
  ].filter((one) => one !== false);
}

const sentence = (text: string): string => `${capitalised(text)}.`;
