import {
  type CaseResult,
  type RobustnessEvent,
  type RobustnessResult,
  type RobustnessVerdict,
  robustnessSections,
} from '../../scenarios/index.ts';
import type { Teller } from '../progress/follow.ts';
import type { LineProgress } from '../progress/line-progress.ts';
import { wrap } from '../terminal/wrap.ts';
import { visibleText } from '../visible-text.ts';
import { counted, durationText } from '../wording.ts';
import { exitWords } from './exit-words.ts';
import type { ExplorationPage } from './page.ts';

const verdicts = ['as it should', 'tolerable', 'wrong', 'lost', 'left out'] as const satisfies RobustnessVerdict[];
const widths = { title: 34, number: 14 };

/** How far a run of the robustness cases is. */
export function robustnessProgress(lines: LineProgress): Teller<RobustnessEvent> {
  let planned = 0;
  let done = 0;
  return (event) => {
    if (event.type === 'robustness started') {
      planned = event.planned;
      lines.line(`sending ${counted(planned, 'robustness case')} to ${event.target.url}`);
    }
    if (event.type !== 'case finished') return;
    done += 1;
    lines.passing(`${done} of ${planned}: ${event.case.number}`);
  };
}

/** The table of the sections, then what is wrong, with the clause and the line that sends it. */
export function robustnessText(result: RobustnessResult, page: ExplorationPage): string {
  const { cases, took, notes, exit } = result;
  const shown = cases.filter(({ verdict }) => page.verbose || verdict === 'wrong' || verdict === 'lost');
  const lines = [
    ...table(result),
    ...(shown.length === 0 ? [] : ['', ...shown.flatMap((one) => caseLines(one, page))]),
    '',
    ...leftOut(cases, page),
    `${counted(cases.length, 'case')} in ${durationText(took)}; cselab list --robustness says what is right of each`,
    ...notes.map((note) => `note: ${visibleText(note)}`),
    `${exitWords[exit.code]}: ${visibleText(exit.reason)}`,
  ];
  return `${lines.join('\n')}\n`;
}

function table({ cases, totals }: RobustnessResult): string[] {
  const row = (title: string, numbers: readonly (string | number)[]) =>
    title.padEnd(widths.title) + numbers.map((one) => String(one).padStart(widths.number)).join('');
  const sections = robustnessSections.flatMap(({ number, title }) => {
    const own = cases.filter((one) => one.number.startsWith(`R-${number}.`));
    const counts = verdicts.map((verdict) => own.filter((one) => one.verdict === verdict).length);
    return own.length === 0
      ? []
      : [
          row(
            `R-${number} ${title}`,
            counts.map((count) => count || '·'),
          ),
        ];
  });
  const sums = verdicts.map((verdict) => totals[verdict]);
  return [row('', verdicts), ...sections, row('in all', sums)];
}

const signs: Readonly<Record<RobustnessVerdict, string>> = {
  'as it should': '✓',
  tolerable: '~',
  wrong: '✗',
  lost: '☠',
  'left out': '○',
};

function caseLines({ number, title, verdict, came, says, curl }: CaseResult, page: ExplorationPage): string[] {
  const { colors, columns } = page;
  const bad = verdict === 'wrong' || verdict === 'lost';
  const sign = bad ? colors.red(signs[verdict]) : signs[verdict];
  const fact = (label: string, text: string) => wrap(visibleText(text), columns, `    ${label.padEnd(7)}`);
  return [
    `${sign} ${colors.bold(number)} ${visibleText(title)}${bad || came === '' ? '' : `: ${visibleText(came)}`}`,
    ...(says === undefined ? [] : fact(verdict, says)),
    ...(bad ? [...fact('came', came), ...fact('clause', clauseOf(number))] : []),
    ...(bad && curl !== undefined ? fact('again', curl) : []),
  ];
}

function clauseOf(number: string): string {
  return robustnessSections.flatMap(({ cases }) => cases).find((one) => one.number === number)?.clause ?? '';
}

function leftOut(cases: readonly CaseResult[], { columns, verbose }: ExplorationPage): string[] {
  const out = cases.filter(({ verdict }) => verdict === 'left out');
  if (out.length === 0 || verbose) return [];
  const reasons = new Map<string, CaseResult[]>();
  for (const one of out) {
    const reason = (one.says ?? '').replace(/^(left out|not sent): /, '');
    reasons.set(reason, [...(reasons.get(reason) ?? []), one]);
  }
  return [...reasons].flatMap(([reason, ones]) =>
    wrap(visibleText(`${ones.map(({ number }) => number).join(', ')}: ${reason}`), columns, 'left out '),
  );
}
