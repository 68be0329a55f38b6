/** What was sent and answered before a check and at it, in full. */
import type { StepResult } from '../../scenarios/index.ts';
import type { Evidence } from '../evidence.ts';
import { answerText, requestText } from '../message-text.ts';
import { dimmed, prose, type Screen } from '../terminal/screen.ts';
import { hardWrap } from '../terminal/wrap.ts';
import { visibleLines } from '../visible-text.ts';
import { cameIn, inboxText } from '../waiting.ts';
import { durationText } from '../wording.ts';

const options = { bodyLimit: 20_000 };

/** Every step up to the one of the check, which is marked. */
export function transcript(screen: Screen, { scenario, step, stepNumber }: Evidence): string[] {
  const steps = scenario.steps.slice(0, stepNumber);
  return steps.flatMap((one, index) => ['', ...stepLines(screen, one, { number: index + 1, isLast: one === step })]);
}

function stepLines(
  screen: Screen,
  step: StepResult,
  { number, isLast }: { number: number; isLast: boolean },
): string[] {
  const { phase, title, exchange, problem, passed } = step;
  const sign = isLast ? screen.colors.red('▶') : ' ';
  const [first = '', ...rest] = prose(screen, `${phase === 'step' ? '' : `${phase}: `}${title}`, '     ');
  const inbox = inboxText(step);
  return [
    `${sign} ${`${number}`.padStart(2)} ${screen.colors.bold(first.trimStart())}`,
    ...rest,
    ...(passed === undefined
      ? []
      : [`     ${passed.duration} of ${passed.how === 'virtual' ? 'virtual time' : 'waiting'}`]),
    ...(exchange === undefined ? [] : exchangeLines(screen, exchange)),
    ...(inbox === '' ? [] : prose(screen, inbox, '     ')),
    ...cameIn(step).flatMap((request) => block(screen, 'received', requestText({ request }, options))),
    ...(problem === undefined ? [] : prose(screen, problem, '     ').map(screen.colors.yellow)),
  ];
}

function exchangeLines(screen: Screen, exchange: NonNullable<StepResult['exchange']>): string[] {
  return [
    ...block(screen, 'request', requestText(exchange, options)),
    ...block(screen, `answer after ${durationText(exchange.took)}`, answerText(exchange, options)),
  ];
}

function block(screen: Screen, label: string, text: string): string[] {
  const room = Math.max(screen.columns - 7, 20);
  const lines = visibleLines(text).flatMap((line) => hardWrap(line, room));
  return [...dimmed(screen, [`     ${label}`]), ...lines.map((line) => `       ${line}`.trimEnd())];
}
