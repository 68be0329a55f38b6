/** The findings of a run for a page: each cause with its exchange and clause. */

import { answerText, requestText } from '../reports/facts/message-text.ts';
import { causeFacts } from '../reports/facts/run-facts.ts';
import type { RunResult } from '../scenarios/words.ts';

export interface Finding {
  readonly id: string;
  /** `violated`, `advisory` … */
  readonly verdict: string;
  readonly says: string;
  readonly clause: string;
  readonly section: string;
  /** Requirements that fail by the same cause. */
  readonly others: readonly string[];
  readonly expected: string;
  readonly actual: string;
  readonly request: string;
  readonly answer: string;
}

const whole = { bodyLimit: 2000 };

export function findingsOf(result: RunResult): Finding[] {
  return causeFacts(result).map(({ cause, requirement, others, failure }) => {
    const { exchange } = failure.step;
    return {
      id: requirement.id,
      verdict: cause.verdict,
      says: requirement.says,
      clause: requirement.source,
      section: requirement.section,
      others: others.map(({ id }) => id),
      expected: [failure.check.expected].flat().join(' or '),
      actual: failure.check.actual,
      request: exchange === undefined ? '' : requestText(exchange, whole),
      answer: exchange === undefined ? '' : answerText(exchange, whole),
    };
  });
}
