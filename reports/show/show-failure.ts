/** One failure with everything that the report knows about it. */
import type { CheckResult, RunResult } from '../../scenarios/index.ts';
import { byHand } from '../by-hand.ts';
import { circumstancesText } from '../circumstances.ts';
import { type Evidence, indexEvidence, placeText } from '../evidence.ts';
import { dimmed, mark, prose, type Screen } from '../terminal/screen.ts';
import { visibleLines, visibleText } from '../visible-text.ts';
import { counted, levelWords, shownState } from '../wording.ts';
import type { Failure } from './failures.ts';
import { transcript } from './transcript.ts';

export function showFailure(
  screen: Screen,
  result: RunResult,
  [first, ...others]: readonly [Failure, ...Failure[]],
): string[] {
  const { evidence } = first;
  return [
    ...statementLines(screen, first),
    '',
    ...checkLines(screen, result, evidence),
    ...variantLines(screen, result, evidence),
    ...baselineLines(screen, evidence.check),
    '',
    screen.colors.bold('Transcript'),
    ...transcript(screen, evidence),
    '',
    ...byHand(result, evidence)
      .flatMap(visibleLines)
      .map((line) => `  ${line}`),
    ...otherLines(screen, others),
  ];
}

function statementLines(screen: Screen, { id, requirement, evidence }: Failure): string[] {
  const { check } = evidence;
  const title = `${mark(screen, requirement?.verdict ?? check.state)} ${screen.colors.bold(check.requirement)}  ${screen.colors.yellow(id)}`;
  if (requirement === undefined) return [title];
  const { says, section, source, level, verdict, answers = [] } = requirement;
  return [
    title,
    ...prose(screen, says, '  '),
    '',
    ...prose(screen, `${section}, ${source}`, '  clause    '),
    ...prose(screen, `${levelWords[level]}; the requirement is ${verdict}`, '  level     '),
    ...(answers.length > 0 ? prose(screen, answers.join(', '), '  answers   ') : []),
  ];
}

function checkLines(screen: Screen, result: RunResult, { check, scenario, step, stepNumber }: Evidence): string[] {
  const { expected, actual, reason, intermittent } = check;
  const where = circumstancesText(result, scenario, step);
  const state = shownState(check);
  const again = scenario.again === undefined ? '' : `the scenario ran once more, alone: ${scenario.again}`;
  const passed = intermittent === true ? '; this check passed then, and so is intermittent' : '';
  return [
    ...prose(screen, `${scenario.id}, step ${stepNumber}`, '  scenario  '),
    ...prose(screen, scenario.title, '            '),
    ...dimmed(screen, prose(screen, placeText(check), '            ')),
    ...(where === '' ? [] : prose(screen, where, '  where     ')),
    ...expected.flatMap((outcome, index) => prose(screen, outcome, index === 0 ? '  expected  ' : '        or  ')),
    ...prose(screen, actual, '  actual    ').map(state === 'failed' ? screen.colors.red : (line) => line),
    ...(reason === undefined ? [] : prose(screen, reason, '  why       ')),
    ...(again === '' ? [] : prose(screen, again + passed, '  again     ')),
  ];
}

/** Which of the permitted outcomes the target takes, here and in other checks of the requirement. */
function variantLines(screen: Screen, result: RunResult, { check }: Evidence): string[] {
  const counts = new Map<string, number>();
  for (const { check: other } of indexEvidence(result).of(check.requirement)) {
    if (other.variant !== undefined) counts.set(other.variant, (counts.get(other.variant) ?? 0) + 1);
  }
  const seen = [...counts].map(([variant, count]) => `${variant} (${counted(count, 'check')})`);
  return [
    ...(check.variant === undefined ? [] : prose(screen, check.variant, '  variant   ')),
    ...(seen.length === 0 ? [] : prose(screen, seen.join(', '), '  variants  ')),
  ];
}

function baselineLines(screen: Screen, { known }: CheckResult): string[] {
  if (known === undefined) return [];
  const { reason = 'no reason given', ticket, owner, expires } = known;
  const more = [ticket, owner && `owner ${owner}`, expires && `until ${expires}`].filter((part) => part !== undefined);
  return prose(screen, `known: ${[reason, ...more].join(', ')}`, '  baseline  ');
}

function otherLines(screen: Screen, others: readonly Failure[]): string[] {
  if (others.length === 0) return [];
  return [
    '',
    screen.colors.bold(`Also at ${counted(others.length, 'other place')}`),
    ...others.map(
      ({ id, evidence: { scenario, stepNumber, check } }) =>
        `  ${screen.colors.yellow(id)}  ${check.requirement}, ${visibleText(scenario.id)}, step ${stepNumber}`,
    ),
  ];
}
