import type { RequirementResult, RunResult, StepResult } from '../../scenarios/index.ts';
import { byHand } from '../by-hand.ts';
import { circumstancesText } from '../circumstances.ts';
import { type Evidence, indexEvidence, placeText } from '../evidence.ts';
import { answerText, requestText } from '../message-text.ts';
import { visibleLines } from '../visible-text.ts';
import { cameIn, inboxText, type Trigger, triggerOf, whenText } from '../waiting.ts';
import { counted } from '../wording.ts';
import { dimmed, heading, mark, prose, type Screen } from './screen.ts';
import { hardWrap } from './wrap.ts';

const messageLines = 20;
/** So many of the notifications of a step are shown. */
const mostReceived = 2;
const bodyLimit = 1_000_000;

const titles = { violated: 'Violated', intermittent: 'Intermittent, so not satisfied' } as const;

/** Each requirement with this verdict: its first failure in full, the others as a line each. What a baseline knows has its own block. */
export function failureBlock(screen: Screen, result: RunResult, verdict: keyof typeof titles): string[] {
  const evidence = indexEvidence(result);
  const broken = result.requirements.filter((one) => one.verdict === verdict && one.known !== true);
  if (broken.length === 0) return [];
  return [
    heading(screen, `${titles[verdict]}: ${counted(broken.length, 'requirement')}`),
    '',
    ...broken.flatMap((requirement) => {
      const found = requirement.violations.flatMap((reference) => evidence.at(reference) ?? []);
      const failures = found.filter(({ check }) => check.known === undefined);
      return [...requirementLines(screen, requirement), ...evidenceLines(screen, failures, result), ''];
    }),
  ];
}

function requirementLines(screen: Screen, { id, says, section, source, verdict }: RequirementResult): string[] {
  return [
    `${mark(screen, verdict)} ${screen.colors.bold(id)}`,
    ...prose(screen, says, '  '),
    ...dimmed(screen, prose(screen, `${section}, ${source}`, '  ')),
  ];
}

function evidenceLines(screen: Screen, [first, ...others]: readonly Evidence[], result: RunResult): string[] {
  if (first === undefined) return [];
  const { check, scenario, step } = first;
  const circumstances = circumstancesText(result, scenario, step);
  return [
    '',
    `  scenario  ${scenario.id}`,
    screen.colors.dim(`            ${placeText(check)}`),
    ...(circumstances === '' ? [] : prose(screen, circumstances, '  where     ')),
    ...check.expected.flatMap((outcome, index) =>
      prose(screen, outcome, index === 0 ? '  expected  ' : '        or  '),
    ),
    ...prose(screen, check.actual, '  actual    ').map(screen.colors.red),
    ...messageLinesOf(screen, step, triggerOf(scenario, step)),
    '',
    // Each command stays in one piece, so that it can be copied.
    ...byHand(result, first)
      .flatMap(visibleLines)
      .map((line) => `  ${line}`),
    ...otherLines(screen, others, check.actual),
  ];
}

const options = { briefly: true, bodyLimit };

/** What a step sent and was answered; of a step that waits, what came, and the request that it waited after. */
function messageLinesOf(screen: Screen, step: StepResult, trigger: Trigger | undefined): string[] {
  if (step.exchange !== undefined) return exchangeLines(screen, step.exchange);
  const came = cameIn(step);
  const more = (step.notifications?.count ?? came.length) - mostReceived;
  const inbox = inboxText(step);
  return [
    ...(inbox === '' ? [] : prose(screen, inbox, '  inbox     ')),
    ...came.slice(0, mostReceived).flatMap((request) => receivedLines(screen, request, trigger)),
    ...(more > 0 ? [`  and ${counted(more, 'more notification')}`] : []),
    ...(trigger === undefined ? [] : triggerLines(screen, trigger)),
  ];
}

function receivedLines(screen: Screen, request: ReturnType<typeof cameIn>[number], trigger: Trigger | undefined) {
  const text = `${whenText(request, trigger)}\n${requestText({ request }, options)}`;
  return ['', ...labelled(screen, 'received', text)];
}

function triggerLines(screen: Screen, { exchange, title, stepNumber }: Trigger): string[] {
  return ['', ...prose(screen, `step ${stepNumber}, ${title}`, '  after     '), ...exchangeLines(screen, exchange)];
}

function exchangeLines(screen: Screen, exchange: NonNullable<StepResult['exchange']>): string[] {
  return [
    '',
    ...labelled(screen, 'request', requestText(exchange, options)),
    ...labelled(screen, 'answer', answerText(exchange, options)),
  ];
}

function labelled(screen: Screen, label: string, text: string): string[] {
  const room = Math.max(screen.columns - 12, 20);
  const shown: string[] = [];
  for (const line of visibleLines(text)) {
    if (shown.length > messageLines) break;
    shown.push(...hardWrap(line, room));
  }
  if (shown.length > messageLines) {
    shown.splice(messageLines - 1, shown.length, `… (${counted(text.length, 'character')} in all)`);
  }
  return shown.map((line, index) => `${(index === 0 ? `  ${label}` : '').padEnd(12)}${line}`.trimEnd());
}

function otherLines(screen: Screen, others: readonly Evidence[], known: string): string[] {
  if (others.length === 0) return [];
  const lines = others.flatMap(({ check, scenario }) => [
    `    ${placeText(check)}  ${scenario.id}`,
    ...(check.actual === known ? [] : prose(screen, check.actual, '      ')),
  ]);
  return ['', `  also at ${counted(others.length, 'other place')}:`, ...dimmed(screen, lines)];
}
