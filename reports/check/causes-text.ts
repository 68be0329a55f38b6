import type { Content } from '../document/model.ts';
import { cut, dimmed, displayWidth, mark, type Screen, wrapList, wrapped } from '../document/screen.ts';
import { contentLines } from '../document/terminal.ts';
import { failureId } from '../facts/evidence.ts';
import { type CauseFacts, newCauses, requirementsOf } from '../facts/run-facts.ts';
import { counted, visibleText } from '../facts/wording.ts';

/** Lines for all causes: the more there are, the fewer are told in full; the first always is. */
const mostLines = 240;
/** Lines of a brief cause. */
const briefLines = 4;
/** Ids that are listed. */
const mostIds = 6;
/** Columns below which a request says nothing. */
const minRequestWidth = 16;

const titles = { violated: 'Violated', intermittent: 'Intermittent, so not satisfied' } as const;

/**
 * Failures by cause: those with the fewest steps, in full if there are few causes, or with --verbose. Those that a baseline knows have
 * their own block.
 */
export function causesText(
  screen: Screen,
  verdict: keyof typeof titles,
  causes: readonly CauseFacts[],
  detailsOf: (cause: CauseFacts) => Content,
): string[] {
  const own = newCauses(causes, verdict);
  if (own.length === 0) return [];
  const requirements = requirementsOf(own);
  const count = requirements === own.length ? '' : `, ${counted(own.length, 'cause')}`;
  const lines: string[] = [];
  for (const [at, facts] of own.entries()) {
    const full = [...contentLines(screen, detailsOf(facts)), ''];
    const left = (own.length - at - 1) * briefLines;
    const isFull = at === 0 || screen.verbose || lines.length + full.length + left <= mostLines;
    lines.push(...(isFull ? full : shortLines(screen, facts)));
  }
  const hint =
    'cselab show REPORT ID tells all about one. REPORT: what --report json wrote. --verbose shows all of it here.';
  const isWhole = own.length === 1 || lines.at(-1) === '';
  return [
    screen.colors.bold(`${titles[verdict]}: ${counted(requirements, 'requirement')}${count}`),
    '',
    ...lines,
    ...(isWhole ? [] : ['', ...dimmed(screen, wrapped(screen, hint, '')), '']),
  ];
}

/** In a few lines: the requirement, what the target did to which request, and the id that shows all of it. */
function shortLines(screen: Screen, { cause, requirement, others, failure }: CauseFacts): string[] {
  const { colors, columns } = screen;
  const { request } = failure.step.exchange ?? {};
  const locations = cause.scenarios === 1 ? '' : `  in ${counted(cause.scenarios, 'scenario')}`;
  const ids = others.slice(0, mostIds).map(({ id }) => id);
  if (others.length > mostIds) ids.push(`and ${others.length - mostIds} more`);
  const actual = cut(`  actual  ${visibleText(failure.check.actual.slice(0, columns))}`, columns);
  const width = columns - displayWidth(actual) - 2;
  const sent =
    request &&
    width >= minRequestWidth &&
    `  ${cut(visibleText(`${request.method} ${request.path}`.slice(0, columns)), width)}`;
  return [
    `${mark(screen, requirement.verdict)} ${colors.bold(requirement.id)}  ${colors.yellow(failureId(failure))}${colors.dim(locations)}`,
    ...wrapped(screen, requirement.says, '  '),
    `${colors.red(actual)}${sent ? colors.dim(sent) : ''}`,
    ...dimmed(screen, wrapList(ids, columns, '  with    ')),
  ];
}
