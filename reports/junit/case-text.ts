import type { RequirementResult, RunResult, StepResult } from '../../scenarios/index.ts';
import { circumstancesText } from '../circumstances.ts';
import { type Evidence, placeText } from '../evidence.ts';
import { answerText, requestText } from '../message-text.ts';
import { visibleLines, visibleText } from '../visible-text.ts';

type Run = Pick<RunResult, 'installations'>;

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
    ...exchangeLines(evidence.step),
  ]
    .map(visibleText)
    .join('\n');
}

/** A fault of the harness: what it was about to check, and the exchange. */
export function errorText(evidence: Evidence, reason: string, run: Run): string {
  return [reason, '', ...whereLines(evidence, run), ...exchangeLines(evidence.step)].map(visibleText).join('\n');
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

function exchangeLines({ exchange, received, notifications }: StepResult): string[] {
  const came = received === undefined ? (notifications?.shown ?? []) : [received];
  if (came.length > 0)
    return came.flatMap((request) => ['', 'received:', ...visibleLines(requestText({ request }, options))]);
  if (exchange === undefined) return [];
  return [
    '',
    'request:',
    ...visibleLines(requestText(exchange, options)),
    '',
    'answer:',
    ...visibleLines(answerText(exchange, options)),
    '',
    ...visibleLines(exchange.curl),
  ];
}
