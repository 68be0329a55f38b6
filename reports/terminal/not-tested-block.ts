import { notSelected, type RunResult } from '../../scenarios/index.ts';
import { type ReasonGroup, reasonGroups } from '../not-tested.ts';
import { counted } from '../wording.ts';
import { dimmed, heading, mark, prose, type Screen } from './screen.ts';
import { wrap, wrapList } from './wrap.ts';

const idsShown = 6;

/** What gave no verdict, grouped by the reason, and what the run could not remove. */
export function notTestedBlock(screen: Screen, result: RunResult): string[] {
  const groups = reasonGroups(result);
  const lines: string[] = [];
  if (groups.length > 0) lines.push(heading(screen, 'Not tested, and why'));
  const single = groups.filter((group) => !screen.verbose && !isShown(group) && group.ids.length === 1);
  const listed = groups.filter((group) => !single.includes(group));
  lines.push(...listed.flatMap((group) => groupLines(screen, group)), ...singleLines(screen, single));
  if (groups.length > 0) lines.push('');
  return [...lines, ...leftBehindLines(screen, result)];
}

function groupLines(screen: Screen, group: ReasonGroup): string[] {
  const { ids, of, state, reason } = group;
  const listed = idLines(screen, group);
  const isAlone = ids.length === 1 && listed.length > 0;
  const about = isAlone ? `${ids[0]}, ${state}` : `${state} (${counted(ids.length, of)})`;
  const [first = '', ...rest] = prose(screen, `${about}: ${reason}`, '    ');
  return [`  ${mark(screen, state)} ${first.trimStart()}`, ...rest, ...(isAlone ? [] : dimmed(screen, listed))];
}

// What no scenario tries is the same in every run: its ids are for those who ask. What nobody asked for is only counted.
function idLines({ columns, verbose }: Screen, group: ReasonGroup): string[] {
  const { ids, reason } = group;
  if (reason === notSelected) return [];
  if (verbose) return wrapList(ids, columns, '      ');
  if (!isShown(group)) return [];
  const left = ids.length - idsShown;
  const more = left > 0 ? [`      and ${left} more (all with --verbose)`] : [];
  return [...wrapList(ids.slice(0, idsShown), columns, '      '), ...more];
}

/** What was tried, or would have been if the target had lived. */
function isShown({ tried, state }: ReasonGroup): boolean {
  return tried || state === 'lost';
}

function singleLines(screen: Screen, groups: readonly ReasonGroup[]): string[] {
  if (groups.length === 0) return [];
  const count = counted(groups.length, 'requirement');
  const text = `${count} that no scenario tries, each for a reason of its own (listed with --verbose)`;
  const [first = '', ...rest] = wrap(text, screen.columns, '    ');
  return [`  ${mark(screen, 'not testable')} ${first.trimStart()}`, ...rest];
}

function leftBehindLines(screen: Screen, result: RunResult): string[] {
  const paths = result.scenarios.flatMap(({ id, leftBehind }) => leftBehind.map((path) => ({ id, path })));
  if (paths.length === 0) return [];
  return [
    heading(screen, 'Left on the target'),
    ...wrap('These could not be removed; delete them by hand:', screen.columns, '  '),
    ...paths.flatMap(({ id, path }) => [...prose(screen, path, '    '), screen.colors.dim(`      by ${id}`)]),
    '',
  ];
}
