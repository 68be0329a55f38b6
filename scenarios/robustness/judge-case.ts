import type { Conversation } from '../engine/targets/target.ts';
import { isOfSentinel, outOfStep } from '../generators/wire/sentinel.ts';
import { isAmong, type Outcome, outcomesText, type RobustnessCase } from './robustness-case.ts';

export type RobustnessVerdict = 'as it should' | 'tolerable' | 'wrong' | 'lost' | 'left out';

/** What came of the bytes once. */
export interface Observed {
  readonly outcome: Outcome;
  /** What is wrong whatever the outcome is. */
  readonly fault?: string | undefined;
}

type Judged = { readonly verdict: 'as it should' | 'tolerable' } | { readonly verdict: 'wrong'; readonly says: string };

/** The worst of what was observed. */
export function judge(one: RobustnessCase, observed: readonly Observed[]): Judged {
  for (const { outcome, fault } of observed) {
    if (fault !== undefined) return { verdict: 'wrong', says: fault };
    if (isAmong(outcome, one.right) || isAmong(outcome, one.tolerable)) continue;
    return { verdict: 'wrong', says: `It is ${wordsFor(outcome)}; right: ${outcomesText(one.right)}.` };
  }
  const isRight = observed.every(({ outcome }) => isAmong(outcome, one.right));
  return { verdict: isRight ? 'as it should' : 'tolerable' };
}

function wordsFor(outcome: Outcome): string {
  return typeof outcome === 'number' ? `answered by ${outcome}` : outcomesText([outcome]);
}

/** What an observation comes to: the outcome of the last request of the case, and whether the connection stayed in step. */
export function observed(
  { methods, closes, right, tolerable }: RobustnessCase,
  conversation: Conversation,
  isFollowed: boolean,
): Observed {
  const before = methods.length - 1;
  const outcome = outcomeOf(conversation, before);
  if (outcome === 'no HTTP' && isAmong(outcome, [...right, ...(tolerable ?? [])])) return { outcome };
  const unserved = conversation.answers.slice(0, before).find(({ status }) => status >= 400);
  if (unserved !== undefined) {
    return { outcome, fault: `A sound request before the last one is answered by ${unserved.status}.` };
  }
  if (!isFollowed) return { outcome };
  const last = { ...conversation, answers: conversation.answers.slice(before) };
  const fault = outOfStep(last);
  if (fault !== undefined) return { outcome, fault };
  const goesOn = closes === true && last.answers.slice(1).some(isOfSentinel);
  return goesOn ? { outcome, fault: 'The connection goes on after an answer that has to end it.' } : { outcome };
}

function outcomeOf({ answers, end, failure }: Conversation, at: number): Outcome {
  const { status } = answers[at] ?? {};
  if (status !== undefined) return status;
  if (failure?.kind === 'malformed') return 'no HTTP';
  return end === 'open' ? 'silence' : 'closed';
}
