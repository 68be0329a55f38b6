import { type Expectation, permittedBy } from '../engine/grammar/grammar-check.ts';
import { type AnswerView, nothingSeen, type Observation } from '../engine/judging/answer.ts';
import { outcomeOf } from '../engine/judging/expectation.ts';
import { type Outcome, oneOf } from '../engine/judging/matchers.ts';
import type { NotificationView } from '../engine/judging/notification.ts';
import { MissingValue } from '../engine/messages/interpolate.ts';
import type { Expected } from './model/expected.ts';

const noNames = new Map();

/** Judges an answer as the engine judges a check of a scenario, without telling why. */
export function judge(expected: Expected, view: AnswerView, success: boolean): Outcome {
  const nothing = view.status === undefined ? { nothing: 'no answer' } : {};
  // What is refused says nothing about what an answer is to hold.
  const says = ({ status, rsc }: Expectation) => success || status !== undefined || rsc !== undefined;
  const seen = { view, summary: '', success, ...nothing };
  return oneOf(permittedBy(expected.check).map((one) => (says(one) ? outcomeIn(one, seen) : 'unobserved')));
}

/** The same for what came to an inbox. Of what is in a notification that did not come, its number speaks. */
export function judgeNotified(expected: Expected, list: readonly NotificationView[]): Outcome {
  const seen = { view: { ...nothingSeen, notified: { list, counted: true } }, summary: '', success: true };
  return oneOf(permittedBy(expected.check).map((one) => outcomeIn(one, seen)));
}

/** What a target has made up, and looks like a name of a scenario, is no name. */
function outcomeIn(expectation: Expectation, seen: Observation): Outcome {
  try {
    return outcomeOf(expectation, seen, noNames);
  } catch (error) {
    if (error instanceof MissingValue) return 'unobserved';
    throw error;
  }
}
