import { notSelected, type RequirementResult, type RunResult, type Verdict } from '../../scenarios/index.ts';
import { legendLines } from '../document/text-tables.ts';
import { groupedBy } from '../grouped.ts';
import { visibleText } from '../visible-text.ts';
import { inOrder, looks } from '../wording.ts';
import { mark, prose, type Screen, toned } from './screen.ts';
import { displayWidth, wrap } from './wrap.ts';

/** Columns of a count: two spaces, the sign, a number of up to three digits. */
const countWidth = 7;
const narrowestName = 24;

/** A line for each section of the specification; below it what the harness failed at, or all requirements that were asked for. */
export function sectionBlock(screen: Screen, result: RunResult): string[] {
  const requirements = result.requirements.filter(({ reason }) => reason !== notSelected);
  if (requirements.length === 0) return [];
  const verdicts = inOrder(requirements.map(({ verdict }) => verdict));
  const legend = verdicts.map((verdict) => [looks[verdict].mark, verdict] as const);
  return [
    screen.colors.bold('Requirements by section'),
    ...legendLines(screen, legend),
    '',
    ...[...groupedBy(requirements, ({ section }) => section)].flatMap(([section, own]) => [
      ...sectionLines(screen, section, verdicts, own),
      ...own.flatMap((requirement) => requirementLines(screen, requirement)),
    ]),
    '',
  ];
}

function sectionLines(
  screen: Screen,
  section: string,
  verdicts: readonly Verdict[],
  requirements: readonly RequirementResult[],
): string[] {
  const column = Math.max(screen.columns - verdicts.length * countWidth, narrowestName);
  const [first = '', ...rest] = wrap(visibleText(section), column, '  ');
  const counts = verdicts.map((verdict) => {
    const count = requirements.filter((requirement) => requirement.verdict === verdict).length;
    if (count === 0) return ' '.repeat(countWidth);
    return toned(screen, looks[verdict].tone)(`  ${looks[verdict].mark}${String(count).padStart(countWidth - 3)}`);
  });
  if (column + verdicts.length * countWidth > screen.columns) return [first, ...rest, `  ${counts.join('')}`.trimEnd()];
  const padding = ' '.repeat(Math.max(column - displayWidth(first), 0));
  return [`${first}${padding}${counts.join('')}`.trimEnd(), ...rest];
}

// What is violated, not tested and left open have their own blocks; here they are counted only.
function requirementLines(screen: Screen, { id, verdict, says }: RequirementResult): string[] {
  if (screen.verbose) {
    return [`    ${mark(screen, verdict)} ${id}`, ...prose(screen, says, '      ').map(screen.colors.dim)];
  }
  return verdict === 'harness fault' ? [`    ${mark(screen, verdict)} ${id}`] : [];
}
