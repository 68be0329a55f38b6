import type { RunResult } from '../../scenarios/index.ts';
import { type CauseFacts, newCauses, requirementsOf } from '../cause-facts.ts';
import { causeFold } from '../check/run-told.ts';
import { contentLines } from '../document/terminal.ts';
import { failureId } from '../show/failures.ts';
import { visibleText } from '../visible-text.ts';
import { counted } from '../wording.ts';
import { dimmed, mark, prose, type Screen } from './screen.ts';
import { cut, displayWidth, wrapList } from './wrap.ts';

/** So many lines of causes: what is told in full grows less as there are more of them, but for the first one. */
const mostLines = 240;
/** Of a cause that is told briefly. */
const briefLines = 4;
/** So many ids are listed. */
const mostIds = 6;
/** Columns in which a request says something. */
const leastRoom = 16;

const titles = { violated: 'Violated', intermittent: 'Intermittent, so not satisfied' } as const;

/**
 * What fails, by cause: the failures that the fewest steps lead to, in full where there are few causes, or all is asked for. What a
 * baseline knows has its own block.
 */
export function causeBlock(
  screen: Screen,
  result: RunResult,
  { causes, verdict }: { readonly causes: readonly CauseFacts[]; readonly verdict: keyof typeof titles },
): string[] {
  const own = newCauses(causes, verdict);
  if (own.length === 0) return [];
  const requirements = requirementsOf(own);
  const count = requirements === own.length ? '' : `, ${counted(own.length, 'cause')}`;
  const lines: string[] = [];
  for (const [at, facts] of own.entries()) {
    const full = [...contentLines(screen, causeFold(facts, result)), ''];
    const left = (own.length - at - 1) * briefLines;
    const isFull = at === 0 || screen.verbose || lines.length + full.length + left <= mostLines;
    lines.push(...(isFull ? full : shortLines(screen, facts)));
  }
  const hint =
    'cselab show REPORT ID tells all about one. REPORT: what --report json wrote. With --verbose all is here.';
  const isWhole = own.length === 1 || lines.at(-1) === '';
  return [
    screen.colors.bold(`${titles[verdict]}: ${counted(requirements, 'requirement')}${count}`),
    '',
    ...lines,
    ...(isWhole ? [] : ['', ...dimmed(screen, prose(screen, hint, '')), '']),
  ];
}

/** In a few lines: what it is, what the target did, and by what id all of it is shown. */
function shortLines(screen: Screen, { cause, requirement, others, shown }: CauseFacts): string[] {
  const { colors, columns } = screen;
  const { request } = shown.step.exchange ?? {};
  const places = cause.scenarios === 1 ? '' : `  in ${counted(cause.scenarios, 'scenario')}`;
  const ids = others.slice(0, mostIds).map(({ id }) => id);
  const left = others.length - ids.length;
  return [
    `${mark(screen, requirement.verdict)} ${colors.bold(requirement.id)}  ${colors.yellow(failureId(shown))}${colors.dim(places)}`,
    ...prose(screen, requirement.says, '  '),
    ...briefly(screen, shown.check.actual, request === undefined ? '' : `${request.method} ${request.path}`),
    ...(ids.length === 0
      ? []
      : dimmed(screen, wrapList([...ids, ...(left > 0 ? [`and ${left} more`] : [])], columns, '  with    '))),
  ];
}

/** On one line what the target did, and to what request, as far as there is room. */
function briefly({ columns, colors }: Screen, actual: string, request: string): string[] {
  const did = cut(`  actual  ${visibleText(actual.slice(0, columns))}`, columns);
  const room = columns - displayWidth(did) - 2;
  const sent = request === '' || room < leastRoom ? '' : cut(visibleText(request.slice(0, columns)), room);
  return [`${colors.red(did)}${sent === '' ? '' : colors.dim(`  ${sent}`)}`];
}
