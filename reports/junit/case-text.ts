import type { RequirementResult, RunResult, StepResult } from '../../scenarios/index.ts';
import { byHand } from '../by-hand.ts';
import { circumstancesText } from '../circumstances.ts';
import { type Evidence, placeText } from '../evidence.ts';
import { answerText, requestText } from '../message-text.ts';
import { visibleLines, visibleText } from '../visible-text.ts';
import { cameIn, inboxText, triggerOf, whenText } from '../waiting.ts';

type Run = Pick<RunResult, 'installations' | 'run' | 'startedAt' | 'target'>;

/** GitLab refuses files over 30 MB; this leaves room for hundreds of failures. */
const options = { bodyLimit: 16_000 };

/** All about a failure: some readers show the text of the element and nothing else. */
export function failureText(evidence: Evidence, requirement: RequirementResult, run: Run): string {
  const { check } = evidence;
  return [
    requirement.says,
    `(${requirement.section}, ${requirement.source})`,
    '',
    ...whereLines(evidence, run),
    ...check.expected.map((outcome, index) => `${index === 0 ? 'expected: ' : '      or: '}${outcome}`),
    `actual:   ${check.actual}`,
    ...messageLines(evidence),
    '',
    ...byHand(run, evidence).flatMap(visibleLines),
  ]
    .map(visibleText)
    .join('\n');
}

/** A fault of the harness: what it was about to check, and the exchange. */
export function errorText(evidence: Evidence, reason: string, run: Run): string {
  return [reason, '', ...whereLines(evidence, run), ...messageLines(evidence)].map(visibleText).join('\n');
}

function whereLines({ scenario, step, stepNumber, check }: Evidence, run: Run): string[] {
  const circumstances = circumstancesText(run, scenario, step);
  return [
    `scenario: ${scenario.id}`,
    `at:       ${placeText(check)}`,
    `step ${stepNumber}:   ${step.title}`,
    ...(circumstances === '' ? [] : [`where:    ${circumstances}`]),
  ];
}

/** What a step sent and was answered; of a step that waits, what came, and the request that it waited after. */
function messageLines({ scenario, step }: Evidence): string[] {
  if (step.exchange !== undefined) return exchangeLines(step.exchange);
  const trigger = triggerOf(scenario, step);
  const inbox = inboxText(step);
  const came = cameIn(step).flatMap((request) => [
    '',
    `received ${whenText(request, trigger)}:`,
    ...visibleLines(requestText({ request }, options)),
  ]);
  const after = trigger && [
    '',
    `after step ${trigger.stepNumber}: ${trigger.title}`,
    ...exchangeLines(trigger.exchange),
  ];
  return [...(inbox === '' ? [] : [`inbox:    ${inbox}`]), ...came, ...(after ?? [])];
}

function exchangeLines(exchange: NonNullable<StepResult['exchange']>): string[] {
  return [
    '',
    'request:',
    ...visibleLines(requestText(exchange, options)),
    '',
    'answer:',
    ...visibleLines(answerText(exchange, options)),
  ];
}
