/** The outcome of failures when their scenario ran again. */

import { isOfBinding, type RunResult, type ScenarioResult, type StepResult } from '../../scenarios/words.ts';
import { stableActual } from '../compare/changes.ts';
import { blank, type Content, fold, muted, prose } from '../document/model.ts';
import { type CheckEvidence, evidenceIn } from '../facts/evidence.ts';
import { failureWords } from '../facts/message-text.ts';
import { displayState, type Tone } from '../facts/wording.ts';

type ReplayOutcome = 'FIXED' | 'STILL FAILING' | 'DIFFERENT';

export interface ReplayedCheck {
  readonly outcome: ReplayOutcome;
  readonly before: CheckEvidence;
  /** Absent if the check was not reached, or no longer exists. */
  readonly now: CheckEvidence | undefined;
}

export interface Replay {
  readonly outcome: ReplayOutcome;
  readonly checks: readonly ReplayedCheck[];
  /** Checks that fail now and did not before. */
  readonly fresh: readonly CheckEvidence[];
  readonly before: ScenarioResult;
  readonly now: ScenarioResult;
}

/** Compares failures of one scenario with what its checks saw this time. */
export function replayOf(
  was: { readonly result: RunResult; readonly failures: readonly CheckEvidence[]; readonly scenario: ScenarioResult },
  is: { readonly result: RunResult; readonly scenario: ScenarioResult },
): Replay {
  const current = evidenceIn(is.scenario);
  const checks = was.failures.map((before): ReplayedCheck => {
    const now = current.find((one) => isSame(one, before));
    const isKept = now === undefined && before.check.byRule === true && isAnsweredAgain(before, is.scenario);
    return { before, now, outcome: isKept ? 'FIXED' : outcomeOf(before, now, was.result, is.result) };
  });
  const failing = evidenceIn(was.scenario).filter(({ check }) => check.state === 'failed');
  // Rules of the binding used now were not checked over another one.
  const foreign = wireOf(was.result) === wireOf(is.result) ? [] : is.result.requirements.filter(isOfBinding);
  const fresh = current.filter(
    ({ check, ...one }) =>
      displayState(check) === 'failed' &&
      !foreign.some(({ id }) => id === check.requirement) &&
      !failing.some((before) => isSame({ check, ...one }, before)),
  );
  return { outcome: overall(checks, fresh), checks, fresh, before: was.scenario, now: is.scenario };
}

const wireOf = ({ target }: RunResult): string => target.url.replace(/s?:.*$/s, '');

/** The same check of the same file; if lines moved, the same position. A rule's failure is reported once, where it first shows. */
function isSame(a: CheckEvidence, b: CheckEvidence): boolean {
  const position = ({ check, stepNumber, checkNumber }: CheckEvidence) =>
    check.byRule === true ? 'by rule' : `${stepNumber}.${checkNumber}`;
  return a.check.requirement === b.check.requirement && position(a) === position(b);
}

/** Whether the step that violated a rule was answered this time too, so that the rule was checked. */
function isAnsweredAgain({ step, stepNumber }: CheckEvidence, { steps }: ScenarioResult): boolean {
  const { exchange } = steps[stepNumber - 1] ?? {};
  return exchange?.answer !== undefined && exchange.request.method === step.exchange?.request.method;
}

function outcomeOf(before: CheckEvidence, now: CheckEvidence | undefined, was: RunResult, is: RunResult) {
  if (now?.check.state === 'passed') return 'FIXED';
  if (now?.check.state !== 'failed') return 'DIFFERENT';
  return stableActual(was, before) === stableActual(is, now) ? 'STILL FAILING' : 'DIFFERENT';
}

function overall(checks: readonly ReplayedCheck[], fresh: readonly CheckEvidence[]): ReplayOutcome {
  const [first, ...others] = new Set(checks.map(({ outcome }) => outcome));
  return first === undefined || others.length > 0 || fresh.length > 0 ? 'DIFFERENT' : first;
}

const tones: Readonly<Record<ReplayOutcome, Tone>> = { FIXED: 'good', DIFFERENT: 'open', 'STILL FAILING': 'bad' };

/** The replay: its steps, the failed checks with both answers, and the outcome in the last line. */
export function replayBlocks(replay: Replay): Content {
  const { before, checks, fresh, outcome } = replay;
  return [
    [`${before.id}: ${before.title}`, blank, stepBlocks(replay), blank],
    checks.map((check) => [checkBlocks(check), blank]),
    fresh.map((one) => [evidenceBlocks(one, 'FAILS NOW', 'bad', [['now', one.check.actual]]), blank]),
    prose({ text: outcome, as: 'strong', tone: tones[outcome] }),
  ];
}

/** A line for each step, of the clean-up only failed ones; `~` marks a different answer. */
function stepBlocks({ before, now, checks, fresh }: Replay): Content {
  const failing = [...checks.flatMap((check) => [check.before, check.now ?? check.before]), ...fresh];
  const last = Math.max(0, ...failing.map(({ stepNumber }) => stepNumber));
  const [was, is] = [before, now].map(({ steps }) => steps.filter(({ phase }, at) => phase !== 'cleanup' || at < last));
  const count = Math.max(was?.length ?? 0, is?.length ?? 0);
  return Array.from({ length: count }, (_, index) => {
    const [one, two] = [answerOf(was?.[index]), answerOf(is?.[index])];
    const isChanged = one !== two;
    const text = `${(is?.[index] ?? was?.[index])?.title ?? ''}: ${isChanged ? `${one} → ${two}` : one}`;
    return prose(isChanged ? { text, tone: 'open' } : text, `${isChanged ? '~' : ' '} ${`${index + 1}`.padStart(2)}  `);
  });
}

/** Status and response status code, or what happened instead. */
function answerOf(step: StepResult | undefined): string {
  if (step === undefined) return 'no such step';
  const { exchange, received, notifications } = step;
  if (exchange?.failure !== undefined) return failureWords[exchange.failure.kind];
  if (exchange?.answer !== undefined) {
    const rsc = exchange.answer.headers.find(([name]) => name.toLowerCase() === 'x-m2m-rsc')?.[1];
    return rsc === undefined ? `${exchange.answer.status}` : `${exchange.answer.status}, RSC ${rsc}`;
  }
  if (notifications !== undefined) return notifications.count === 0 ? 'nothing came' : `${notifications.count} came`;
  if (received !== undefined) return 'a request came';
  return step.passed === undefined ? 'not sent' : step.passed.duration;
}

function checkBlocks({ before, now, outcome }: ReplayedCheck): Content {
  const { actual } = before.check;
  const actualNow = now?.check.state === 'failed' ? now.check.actual : undefined;
  const pair = outcome === 'DIFFERENT' && actualNow !== undefined ? markedDifference(actual, actualNow) : undefined;
  return evidenceBlocks(before, outcome, tones[outcome], [
    ['before', pair?.before ?? actual],
    ['now', pair?.now ?? nowText(now, { before, outcome })],
  ]);
}

/** A check below its outcome, with expected, and both actuals. */
function evidenceBlocks(
  { check, stepNumber }: CheckEvidence,
  mark: string,
  tone: Tone,
  rows: ReadonlyArray<readonly [when: string, what: string]>,
): Content {
  return fold(check.requirement, '', { mark: `${mark} `, tone, note: `step ${stepNumber}` }, [
    check.expected.map((one, at) => muted(one, at === 0 ? 'expected  ' : '      or  ')),
    rows.map(([when, words]) => prose(words, when.padEnd(10))),
  ]);
}

/** Two texts with their difference marked, without common beginning and end. */
export function markedDifference(before: string, now: string): { readonly before: string; readonly now: string } {
  if (before === now) return { before, now };
  const [a, b] = [[...before], [...now]];
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  return { before: markMiddle(a, start, end), now: markMiddle(b, start, end) };
}

function markMiddle(characters: readonly string[], start: number, end: number): string {
  const until = characters.length - end;
  const [head, middle, tail] = [characters.slice(0, start), characters.slice(start, until), characters.slice(until)];
  return `${head.join('')}«${middle.join('')}»${tail.join('')}`;
}

function nowText(
  now: CheckEvidence | undefined,
  { before, outcome }: Pick<ReplayedCheck, 'before' | 'outcome'>,
): string {
  if (now === undefined && before.check.byRule !== true) return 'the scenario has no such check any more';
  if (now === undefined)
    return outcome === 'FIXED' ? 'no rule finds this any more' : 'no answer that a rule could check';
  const { check } = now;
  if (check.state === 'passed') return check.actual === '' ? 'as expected' : `${check.actual}, as expected`;
  return check.state === 'failed' ? check.actual : `${displayState(check)}: ${check.reason ?? check.actual}`;
}
