import { defined } from '../basics/defined.ts';
import type { LoadedCheck } from '../files/load.ts';
import type { Expectation, Permitted } from '../grammar/grammar-check.ts';
import type { Expect } from '../grammar/grammar-step.ts';
import { permittedBy, tlsExpectations } from '../grammar/vocabulary.ts';
import { escaped } from '../messages/display.ts';
import { MissingValue, type Names } from '../messages/interpolate.ts';
import type { CheckLevel, CheckResult } from '../results/result.ts';
import type { AnswerObservation } from './answer.ts';
import { type CheckPart, describeExpectation, judgeExpectation } from './expectation.ts';
import { allOf, type MatchOutcome, oneOf } from './matchers.ts';

export interface CheckContext {
  readonly observation: AnswerObservation;
  readonly names: Names;
  readonly expect: Expect;
  readonly level: CheckLevel;
}

/** Judges one check of a step that was sent. Never throws: an error of the engine is a `fault`. */
export function judgeCheck(loaded: LoadedCheck, context: CheckContext): CheckResult {
  const base = baseResult(loaded, context.level, context.observation.summary);
  if (loaded.inapplicable !== undefined) return { ...base, ...inapplicability(loaded) };
  try {
    return { ...base, ...judgementOf(permittedBy(loaded.check), context) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof MissingValue) return { ...base, state: 'not testable', reason };
    return { ...base, state: 'fault', reason: `the engine failed: ${reason}` };
  }
}

/** Why a step is not sent. */
export interface Block {
  readonly reason: string;
  /**
   * `excused`: not the target's mistake; `left out`: known to damage a deployed CSE; `not applicable`: the target lacks a need;
   * `fault`: the engine failed.
   */
  readonly kind: 'blocked' | 'excused' | 'left out' | 'not applicable' | 'fault';
  /** True where no later step can be checked, whatever this step expected. */
  readonly final?: true;
}

/** A check of a step that was not sent. */
export function unsentCheck(loaded: LoadedCheck, level: CheckLevel, { reason, kind }: Block): CheckResult {
  const unsent = { ...baseResult(loaded, level, 'the request was not sent'), reason };
  if (kind === 'fault') return { ...unsent, state: kind };
  if (loaded.inapplicable !== undefined) return { ...unsent, ...inapplicability(loaded) };
  if (kind === 'not applicable' || kind === 'left out') return { ...unsent, state: kind };
  return { ...unsent, state: 'not testable', ...(kind === 'excused' && { excused: true }) };
}

function baseResult({ requirement, place, check }: LoadedCheck, level: CheckLevel, actual: string) {
  const expected = permittedBy(check).map((one) => withSource(describeExpectation(one), one));
  return { requirement, level, place, expected, actual };
}

function inapplicability({ inapplicable, denied }: LoadedCheck) {
  return { state: 'not applicable', ...defined({ reason: inapplicable, denied: denied || undefined }) } as const;
}

function withSource(sentence: string, { source }: Permitted): string {
  return source === undefined ? sentence : `${sentence} (${source})`;
}

type Judgement = Pick<CheckResult, 'state' | 'expected' | 'actual' | 'reason' | 'variant' | 'excused'>;

interface OutcomeCheck {
  readonly permitted: Permitted;
  readonly parts: readonly CheckPart[];
  readonly result: MatchOutcome;
  readonly expected: string;
}

function judgementOf(outcomes: readonly Permitted[], context: CheckContext): Judgement {
  const restriction = restrictionOf(context);
  const all = outcomes.map((one) => judgeOutcome(one, context));
  const expected = all.map((one) => one.expected);
  const applicable = all.filter(({ permitted }) => restriction === undefined || restriction.keeps(permitted));
  if (restriction !== undefined && applicable.length === 0) {
    return { state: 'not testable', expected, actual: context.observation.summary, reason: restriction.reason };
  }
  const actual = actualOf(applicable, context);
  const accepted = applicable.find((one) => one.result === 'passed');
  if (accepted !== undefined) {
    return { state: 'passed', expected, actual, ...defined({ variant: accepted.permitted.variant }) };
  }
  if (oneOf(applicable.map((one) => one.result)) === 'failed') return { state: 'failed', expected, actual };
  const reasons = applicable.flatMap((one) => one.parts.filter((part) => part.outcome === 'unobserved'));
  const reason = [...new Set(reasons.map((part) => part.reason))].join(', ');
  return {
    state: 'not testable',
    expected,
    actual,
    reason,
    ...(reasons.every((part) => part.excused) && { excused: true }),
  };
}

function judgeOutcome(permitted: Permitted, { observation, names }: CheckContext): OutcomeCheck {
  const parts = judgeExpectation(permitted, observation, names);
  const expected = withSource(parts.map((part) => part.expected).join('; '), permitted);
  return { permitted, parts, result: allOf(parts.map((part) => part.outcome)), expected };
}

/** Why not everything can be checked: the outcome of the request is not the one that the step expects. */
function restrictionOf(
  context: CheckContext,
): { reason: string; keeps: (expectation: Expectation) => boolean } | undefined {
  const { expect, observation } = context;
  const { summary, success, noAnswer, unreached } = observation;
  if (unreached !== undefined) return { reason: unreached, keeps: () => false };
  if (expect === 'success' && !success) {
    return { reason: noAnswer ?? `the request was refused: ${summary}`, keeps: looksAtOutcome };
  }
  if (expect === 'refusal' && success) {
    return { reason: `the request was accepted: ${summary}`, keeps: looksAtOutcome };
  }
  return undefined;
}

const outcomeKeys = ['status', 'rsc', 'request', 'notifications', 'notification', ...tlsExpectations] as const;

/** Whether the expectation is about the outcome of the request, not about the content of an answer. */
function looksAtOutcome(expectation: Expectation): boolean {
  return outcomeKeys.some((key) => expectation[key] !== undefined);
}

/** The failed parts, each once; for a check that did not fail, and for a gap, all parts. */
function actualOf(outcomes: readonly OutcomeCheck[], context: CheckContext): string {
  const parts = outcomes.flatMap((one) => one.parts);
  const failed = parts.filter((part) => part.outcome === 'failed');
  const accepted = outcomes.find((one) => one.result === 'passed');
  const reported =
    context.level === 'gap' || failed.length === 0 || accepted !== undefined ? (accepted?.parts ?? parts) : failed;
  const sentences = [...new Set(reported.map((part) => part.actual))];
  const code = context.observation.view.headers.get('x-m2m-rsc');
  const hasCode = sentences.some((sentence) => sentence.startsWith('RSC '));
  const withCode = (sentence: string) =>
    code !== undefined && !hasCode && sentence.startsWith('status ') ? `${sentence}, RSC ${escaped(code)}` : sentence;
  return sentences.map(withCode).join('; ');
}
