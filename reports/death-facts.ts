import { type Death, deathSentence, type RunResult, requestText } from '../scenarios/index.ts';
import { durationText } from './wording.ts';

/** What is told at once, while the target is waited for. */
export function deathNews({
  type,
  death,
}: {
  readonly type: 'target died' | 'target back';
  readonly death: Death;
}): string {
  if (type === 'target back') return 'the target is back';
  return `${deathSentence([death])?.replace(/, (culprit not|and it has not).*/, '')}; waiting`;
}

/** One death of the target, as every report tells it. */
export interface DeathFacts {
  /** Such as `Death 2 of 3, 8.4 s after the run began`. */
  readonly title: string;
  /** Such as `the target died: POST /onem2m killed it, and again alone`. */
  readonly says: string;
  /** The requests without an answer, the culprit first, and what became of the target. */
  readonly lines: readonly string[];
  /** Sends the culprit, or what was under way. */
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
  const beside = inFlight.filter(({ scenario }) => scenario !== culprit?.scenario);
  return [
    ...(culprit === undefined ? [] : [`killed by ${requestLine(culprit)}`]),
    ...beside.map((one) => `under way${culprit === undefined ? '' : ' beside it'}: ${requestLine(one)}`),
  ];
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

/** The first line of a report whose target died; empty where it did not. */
export function deathHeadline({ deaths = [], summary }: Pick<RunResult, 'deaths' | 'summary'>): string {
  const says = deathSentence(deaths);
  if (says === undefined) return '';
  const { lost } = summary.verdicts;
  const count = lost === 0 ? '' : `; ${lost} requirement${lost === 1 ? '' : 's'} lost`;
  return `${says.slice(0, 1).toUpperCase()}${says.slice(1)}${count}`;
}
