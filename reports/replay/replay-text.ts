import type { StepResult } from '../../scenarios/index.ts';
import type { Evidence } from '../evidence.ts';
import { failureWords } from '../message-text.ts';
import { dimmed, prose, type Screen } from '../terminal/screen.ts';
import { visibleText } from '../visible-text.ts';
import { shownState } from '../wording.ts';
import { markedDifference } from './marked-difference.ts';
import type { Outcome, Replay, ReplayedCheck } from './outcome.ts';

/** What was replayed: its steps, those checks with both answers, and in the last line what became of them. */
export function replayText(screen: Screen, replay: Replay): string[] {
  const { before, checks, fresh, outcome } = replay;
  return [
    ...prose(screen, `${before.id}: ${before.title}`, ''),
    '',
    ...stepTable(screen, replay),
    '',
    ...checks.flatMap((check) => [...checkLines(screen, check), '']),
    ...fresh.flatMap((one) => [...freshLines(screen, one), '']),
    screen.colors.bold(paintOf(screen, outcome)(outcome)),
  ];
}

function paintOf({ colors }: Screen, outcome: Outcome): (text: string) => string {
  if (outcome === 'FIXED') return colors.green;
  return outcome === 'DIFFERENT' ? colors.yellow : colors.red;
}

/** A line for each step; `~` stands where the answer is another one than before. */
function stepTable(screen: Screen, { before, now }: Replay): string[] {
  const [was, is] = [before, now].map(({ steps }) => steps.filter(({ phase }) => phase !== 'cleanup'));
  const count = Math.max(was?.length ?? 0, is?.length ?? 0);
  return Array.from({ length: count }, (_, index) => index).flatMap((index) => {
    const [one, two] = [answerOf(was?.[index]), answerOf(is?.[index])];
    const changed = one !== two;
    const answers = changed ? `${one} → ${two}` : one;
    const title = visibleText((is?.[index] ?? was?.[index])?.title ?? '');
    const lines = prose(screen, `${title}: ${answers}`, `${changed ? '~' : ' '} ${`${index + 1}`.padStart(2)}  `);
    return changed ? lines.map(screen.colors.yellow) : lines;
  });
}

/** Status and response status code, or what happened instead. */
function answerOf(step: StepResult | undefined): string {
  if (step === undefined) return 'no such step';
  const { exchange, received, notifications } = step;
  if (exchange?.failure !== undefined) return failureWords[exchange.failure.kind];
  if (exchange?.answer !== undefined) {
    const rsc = exchange.answer.headers.find(([name]) => name.toLowerCase() === 'x-m2m-rsc')?.[1];
    return rsc === undefined ? `${exchange.answer.status}` : `${exchange.answer.status}, RSC ${rsc}`;
  }
  if (notifications !== undefined) return notifications.count === 0 ? 'nothing came' : `${notifications.count} came`;
  if (received !== undefined) return 'a request came';
  return step.passed === undefined ? 'not sent' : step.passed.duration;
}

function checkLines(screen: Screen, { before, now, outcome }: ReplayedCheck): string[] {
  const { requirement, expected, actual } = before.check;
  const seen = now?.check.state === 'failed' ? now.check.actual : undefined;
  const shown = outcome === 'DIFFERENT' && seen !== undefined ? markedDifference(actual, seen) : undefined;
  return [
    `${paintOf(screen, outcome)(outcome)}  ${screen.colors.bold(requirement)}, step ${before.stepNumber}`,
    ...expected.flatMap((one, index) =>
      dimmed(screen, prose(screen, one, index === 0 ? '  expected  ' : '        or  ')),
    ),
    ...prose(screen, shown?.before ?? actual, '  before    '),
    ...prose(screen, shown?.now ?? nowText(now, { before, outcome }), '  now       '),
  ];
}

function nowText(now: Evidence | undefined, { before, outcome }: Pick<ReplayedCheck, 'before' | 'outcome'>): string {
  if (now === undefined && before.check.byRule !== true) return 'the scenario has no such check any more';
  if (now === undefined)
    return outcome === 'FIXED' ? 'no rule finds this any more' : 'no answer that a rule could judge';
  const { check } = now;
  if (check.state === 'passed') return check.actual === '' ? 'as expected' : `${check.actual}, as expected`;
  return check.state === 'failed' ? check.actual : `${shownState(check)}: ${check.reason ?? check.actual}`;
}

function freshLines(screen: Screen, { check, stepNumber }: Evidence): string[] {
  return [
    `${screen.colors.red('FAILS NOW')}  ${screen.colors.bold(check.requirement)}, step ${stepNumber}`,
    ...check.expected.flatMap((one, index) =>
      dimmed(screen, prose(screen, one, index === 0 ? '  expected  ' : '        or  ')),
    ),
    ...prose(screen, check.actual, '  now       '),
  ];
}
