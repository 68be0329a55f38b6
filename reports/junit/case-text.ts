import type { Exchange, RequirementResult } from '../../scenarios/index.ts';
import { type Evidence, placeText } from '../evidence.ts';
import { answerText, requestText } from '../message-text.ts';
import { visibleLines, visibleText } from '../visible-text.ts';

/** GitLab refuses files over 30 MB; this leaves room for hundreds of failures. */
const options = { bodyLimit: 16_000 };

/** All about a failure: some readers show the text of the element and nothing else. */
export function failureText(evidence: Evidence, requirement: RequirementResult): string {
  const { check } = evidence;
  return [
    requirement.says,
    `(${requirement.section}, ${requirement.source})`,
    '',
    ...whereLines(evidence),
    ...check.expected.map((outcome, index) => `${index === 0 ? 'expected: ' : '      or: '}${outcome}`),
    `actual:   ${check.actual}`,
    ...exchangeLines(evidence.step.exchange),
  ]
    .map(visibleText)
    .join('\n');
}

/** A fault of the harness: what it was about to check, and the exchange. */
export function errorText(evidence: Evidence, reason: string): string {
  return [reason, '', ...whereLines(evidence), ...exchangeLines(evidence.step.exchange)].map(visibleText).join('\n');
}

function whereLines({ scenario, step, stepNumber, check }: Evidence): string[] {
  return [`scenario: ${scenario.id}`, `at:       ${placeText(check)}`, `step ${stepNumber}:   ${step.title}`];
}

function exchangeLines(exchange: Exchange | undefined): string[] {
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
