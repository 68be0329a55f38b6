import type { Expectation } from '../engine/grammar/grammar-check.ts';
import type { Matcher } from '../engine/grammar/grammar-matcher.ts';
import type { AnswerView } from '../engine/judging/answer.ts';
import { match, type Outcome } from '../engine/judging/matchers.ts';
import type { Expected } from './model/expected.ts';

/**
 * Judges an answer as the engine judges a check of a scenario, in less time: only what moves expect can be said, and nothing is
 * told of why.
 */
export function judge({ check }: Expected, view: AnswerView, success: boolean): Outcome {
  const permitted = check['one of'];
  if (permitted === undefined) return outcomeOf(check, view, success);
  let judged: Outcome = 'failed';
  for (const one of permitted) {
    const outcome = outcomeOf(one, view, success);
    if (outcome === 'passed') return outcome;
    if (outcome === 'unobserved') judged = outcome;
  }
  return judged;
}

/** Failed when any part failed, else passed when any was to be seen. Without closures: it is called very often. */
function outcomeOf(expectation: Expectation, view: AnswerView, success: boolean): Outcome {
  const { status, rsc, header, root, body, found, attributes } = expectation;
  // What is refused says nothing about what an answer is to hold.
  if (!success && status === undefined && rsc === undefined) return 'unobserved';
  let judged = partOf(status, view.status, 'unobserved');
  judged = partOf(rsc, view.rsc, judged);
  if (judged === 'failed' || view.status === undefined) return judged;
  for (const name in header) judged = partOf(header[name], view.headers.get(name), judged);
  judged = partOf(root, view.root, judged);
  judged = partOf(body, view.body, judged);
  judged = partOf(found, view.found, judged);
  if (attributes === undefined || view.attributes === undefined) return judged;
  for (const name in attributes) {
    const value = Object.hasOwn(view.attributes, name) ? view.attributes[name] : undefined;
    judged = partOf(attributes[name], value, judged);
  }
  return judged;
}

function partOf(matcher: Matcher | undefined, value: unknown, before: Outcome): Outcome {
  if (matcher === undefined || before === 'failed') return before;
  const outcome = match(matcher, value);
  return outcome === 'unobserved' ? before : outcome;
}
