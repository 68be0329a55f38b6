import {
  notSelected,
  type RequirementResult,
  type RunEvent,
  type RunResult,
  type Verdict,
} from '../../scenarios/index.ts';
import { causeFacts } from '../cause-facts.ts';
import { leftBehindTold, notTestedTold } from '../check/circumstances-told.ts';
import { deathsTold, gapsTold } from '../check/run-told.ts';
import {
  advisoryTold,
  countsTold,
  introductionTold,
  knownIn,
  knownTold,
  restsOn,
  verdictTold,
} from '../check/summary-told.ts';
import { deathHeadline, deathNews } from '../death-facts.ts';
import type { Content } from '../document/model.ts';
import { contentLines, screenOf, type TextOptions } from '../document/terminal.ts';
import { legendLines } from '../document/text-tables.ts';
import { groupedBy } from '../grouped.ts';
import { reasonGroups } from '../not-tested.ts';
import { writeWhole } from '../output-file.ts';
import { LineProgress } from '../progress/line-progress.ts';
import { visibleText } from '../visible-text.ts';
import { counted, inOrder, looks } from '../wording.ts';
import { causeBlock } from './cause-block.ts';
import { mark, prose, type Screen, toned } from './screen.ts';
import { displayWidth, wrap } from './wrap.ts';

/** The part of a writable stream that reporters need. */
export interface TextStream {
  write(text: string): unknown;
}

export interface TerminalContext extends TextOptions {
  /** Takes the results. */
  readonly stdout: TextStream;
  /** Takes the progress. */
  readonly stderr: TextStream;
  /** Whether stderr is a terminal, so that progress can be shown. */
  readonly isTTY: boolean;
}

const fileColumns = 80;

/**
 * Progress on stderr while the run goes on, and the results on stdout at its end, or in a file: without colours, 80 columns wide.
 */
export function terminalReporter(
  context: TerminalContext,
  path = '-',
): { onEvent(event: RunEvent): void; finish(result: RunResult): Promise<void> } {
  const { stdout, stderr, isTTY, columns } = context;
  const lines = new LineProgress({ isTTY, columns, write: (text) => stderr.write(text) }, {});
  const progress = scenarioProgress(lines);
  return {
    onEvent(event) {
      if (isTTY) progress(event);
      const line = newsIn(event);
      if (line !== '') stderr.write(`${isTTY ? '\r\u001b[2K' : ''}cselab: ${visibleText(line)}\n`);
    },
    async finish(result) {
      lines.end();
      if (path === '-') stdout.write(renderTerminal(result, context));
      else await writeWhole(path, renderTerminal(result, { ...context, color: false, columns: fileColumns }));
    },
  };
}

/** How far a run is, and at what. */
function scenarioProgress(lines: LineProgress): (event: RunEvent) => void {
  let [planned, finished, failed] = [0, 0, 0];
  return (event) => {
    if (event.type === 'run started') planned = event.planned;
    if (event.type === 'scenario finished') finished += 1;
    if (event.type === 'scenario finished' && event.result.state === 'failed') failed += 1;
    if (event.type !== 'scenario started' && event.type !== 'scenario finished') return;
    const { title } = event.type === 'scenario started' ? event : event.result;
    const failures = failed === 0 ? '' : `, ${failed} failed`;
    lines.passing(`${finished} of ${counted(planned, 'scenario')}${failures}: ${visibleText(title)}`);
  };
}

/** What is told at once. */
function newsIn(event: RunEvent): string {
  if (event.type === 'notice') return event.text;
  return event.type === 'target died' || event.type === 'target back' ? deathNews(event) : '';
}

/** The whole report as text. Nothing of the target's reaches it as a control character. */
export function renderTerminal(result: RunResult, options: TextOptions): string {
  const screen = screenOf(options);
  // Where nothing was asked there is nothing to list: the reason is all that there is to tell.
  const isUnasked = result.exit.code === 3 && result.scenarios.length === 0;
  const death = deathHeadline(result);
  const rests = restsOn(result);
  const lines = [
    ...contentLines(screen, [
      // That the target died, before anything else is said.
      death !== '' && { kind: 'prose', sign: '† ', words: { text: death, as: 'strong', tone: 'bad' } },
      introductionTold(result),
    ]),
    ...(isUnasked ? [] : detailLines(screen, result)),
    ...titled(screen, 'This run', rests.length > 0 && { kind: 'list', items: rests }),
    ...contentLines(screen, [!isUnasked && countsTold(result), verdictTold(result)]),
  ];
  return `${lines.join('\n')}\n`;
}

/** What failed comes before what is open, and what nobody can fail by comes last. */
function detailLines(screen: Screen, result: RunResult): string[] {
  const causes = causeFacts(result);
  const known = knownIn(result);
  const advisory = advisoryTold(result);
  const { problems = [], file } = result.baseline ?? {};
  const unsound = problems.map(
    ({ kind, says }): Content => ({
      ...{ kind: 'prose', sign: '✗ ', words: { text: `${kind}: ${says}`, tone: 'bad' } },
    }),
  );
  const advice = 'Stated for another dialect than the one that this target is judged by. None is a failure.';
  const advised = advisory.length > 0 && [advice, advisory];
  return [
    ...titled(screen, 'The target died', deathsTold(result)),
    ...sectionBlock(screen, result),
    ...causeBlock(screen, result, { causes, verdict: 'violated' }),
    ...causeBlock(screen, result, { causes, verdict: 'intermittent' }),
    ...titled(screen, `Known deviations: ${counted(known.length, 'check')}`, knownTold(result, known)),
    ...titled(screen, `Baseline ${file}: what cannot stand`, unsound),
    ...titled(screen, 'Not tested, and why', notTestedTold(reasonGroups(result))),
    ...titled(screen, 'Left on the target', leftBehindTold(result)),
    ...titled(screen, `Advisory: ${counted(advisory.length, 'requirement')}`, advised),
    // What the target does where the specification leaves it open: never a failure.
    ...titled(screen, 'What the specification leaves open', gapsTold(result)),
  ];
}

function titled(screen: Screen, title: string, content: Content): string[] {
  const lines = contentLines(screen, content, '  ');
  return lines.length === 0 ? [] : [screen.colors.bold(title), ...lines, ''];
}

/** Columns of a count: two spaces, the sign, a number of up to three digits. */
const countWidth = 7;
const narrowestName = 24;

/** A line for each section of the specification; below it what the harness failed at, or all requirements that were asked for. */
function sectionBlock(screen: Screen, result: RunResult): string[] {
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
