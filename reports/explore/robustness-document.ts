/** The results of the robustness list, for people. */

import type { CaseResult, RobustnessResult, RobustnessVerdict } from '../../scenarios/index.ts';
import { robustnessSections } from '../../scenarios/results.ts';
import { type Content, type DocumentBlock, type Fold, facts, fold, only } from '../document/model.ts';
import type { TerminalText } from '../document/terminal.ts';
import { counted, durationText, groupedBy } from '../facts/wording.ts';
import { curlBlock, searchDocument } from './exploration-document.ts';

const signs: Readonly<Record<RobustnessVerdict, string>> = {
  ...{ 'as it should': '✓', tolerable: '~', wrong: '✗' },
  ...{ lost: '☠', 'left out': '○' },
};
const verdicts = Object.keys(signs) as RobustnessVerdict[];
const isBad = ({ verdict }: CaseResult) => verdict === 'wrong' || verdict === 'lost';

/** The table of the sections, then each failure, with its clause and curl line. */
export function robustnessDocument(result: RobustnessResult): TerminalText {
  const { cases, took } = result;
  return searchDocument(
    result,
    [
      sectionTable(result),
      only('brief', ...cases.filter(isBad).map(caseFold)),
      only('verbose', ...cases.map(caseFold)),
    ],
    only('brief', leftOutBlocks(cases)),
    `${counted(cases.length, 'case')} in ${durationText(took)}; cselab list --robustness says what is right of each`,
  );
}

function sectionTable({ cases, totals }: RobustnessResult): DocumentBlock {
  const sections = robustnessSections.flatMap(({ number, title }) => {
    const own = cases.filter((one) => one.number.startsWith(`R-${number}.`));
    const counts = verdicts.map((verdict) => own.filter((one) => one.verdict === verdict).length);
    const row = { id: `R-${number} ${title}`, cells: counts.map((one) => ({ text: `${one || '·'}` })) };
    return own.length === 0 ? [] : row;
  });
  const rows = [...sections, { id: 'in all', cells: verdicts.map((verdict) => ({ text: String(totals[verdict]) })) }];
  return { kind: 'table', columns: verdicts.map((name) => ({ name })), groups: [{ rows }] };
}

function caseFold(one: CaseResult): Fold {
  const { number, title, verdict, came, says, curl } = one;
  if (!isBad(one)) {
    const state = `${title}${came === '' ? '' : `: ${came}`}`;
    return fold(number, '', { mark: signs[verdict], state }, facts(says !== undefined && [verdict, says]));
  }
  const clause = robustnessSections.flatMap(({ cases }) => cases).find((other) => other.number === number)?.clause;
  return fold(number, '', { mark: signs[verdict], tone: 'bad', state: title }, [
    facts(says !== undefined && [verdict, says], ['came', came], ['clause', clause ?? '']),
    curl !== undefined && curlBlock(curl),
  ]);
}

function leftOutBlocks(cases: readonly CaseResult[]): Content {
  const unsent = cases.filter(({ verdict }) => verdict === 'left out');
  const byReason = groupedBy(unsent, ({ says = '' }) => says.replace(/^(left out|not sent): /, ''));
  return [...byReason].map(([reason, own]) =>
    facts(['left out', `${own.map(({ number }) => number).join(', ')}: ${reason}`]),
  );
}
