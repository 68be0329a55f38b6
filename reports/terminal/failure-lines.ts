import type { RunResult, StepResult } from '../../scenarios/index.ts';
import { byHand } from '../by-hand.ts';
import { circumstancesText } from '../circumstances.ts';
import { type Evidence, placeText } from '../evidence.ts';
import { answerText, requestText } from '../message-text.ts';
import { visibleLines } from '../visible-text.ts';
import { cameIn, inboxText, type Trigger, triggerOf, whenText } from '../waiting.ts';
import { counted } from '../wording.ts';
import { prose, type Screen } from './screen.ts';
import { hardWrap } from './wrap.ts';

const messageLines = 20;
/** So many of the notifications of a step are shown. */
const mostReceived = 2;
const bodyLimit = 1_000_000;

/** A failure with all that there is to see of it. */
export function failureLines(
  screen: Screen,
  { check, scenario, step, ...more }: Evidence,
  result: RunResult,
): string[] {
  const circumstances = circumstancesText(result, scenario, step);
  return [
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
    ...byHand(result, { check, scenario, step, ...more })
      .flatMap(visibleLines)
      .map((line) => `  ${line}`),
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
