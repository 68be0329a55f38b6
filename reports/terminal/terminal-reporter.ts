import pc from 'picocolors';
import type { RunEvent, RunResult } from '../../scenarios/index.ts';
import { causeFacts } from '../cause-facts.ts';
import { deathsTold, gapsTold } from '../check/run-told.ts';
import { deathHeadline, deathNews } from '../death-facts.ts';
import type { Content } from '../document/model.ts';
import { contentLines } from '../document/terminal.ts';
import { writeWhole } from '../output-file.ts';
import { LineProgress } from '../progress/line-progress.ts';
import { surveyWarnings } from '../survey-text.ts';
import { visibleText } from '../visible-text.ts';
import { counted, installationsText, targetText } from '../wording.ts';
import { advisoryBlock } from './advisory-block.ts';
import { causeBlock } from './cause-block.ts';
import { knownBlock } from './known-block.ts';
import { notTestedBlock } from './not-tested-block.ts';
import { dimmed, heading, prose, type Screen } from './screen.ts';
import { sectionBlock } from './section-block.ts';
import { runBlock, summaryBlock, verdictBlock } from './summary-block.ts';

/** The part of a writable stream that reporters need. */
export interface TextStream {
  write(text: string): unknown;
}

export interface TerminalOptions {
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  readonly color: boolean;
  readonly isTTY: boolean;
  readonly verbose: boolean;
  readonly columns: number;
  /** A file to write instead of stdout: without colours, 80 columns wide. */
  readonly path?: string;
}

const fileColumns = 80;

/** Progress on stderr while the run goes on, and the results on stdout (or in a file) at its end. */
export function terminalReporter(options: TerminalOptions): {
  onEvent(event: RunEvent): void;
  finish(result: RunResult): Promise<void>;
} {
  const { stdout, stderr, isTTY, path } = options;
  const { columns } = options;
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
      if (path === undefined) stdout.write(renderTerminal(result, options));
      else await writeWhole(path, renderTerminal(result, { ...options, color: false, columns: fileColumns }));
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
export function renderTerminal(
  result: RunResult,
  options: Pick<TerminalOptions, 'color' | 'columns' | 'verbose'>,
): string {
  const screen: Screen = {
    columns: Math.max(options.columns, 40),
    verbose: options.verbose,
    colors: pc.createColors(options.color),
  };
  // Where nothing was asked there is nothing to list: the reason is all that there is to tell.
  const unasked = result.exit.code === 3 && result.scenarios.length === 0;
  const lines = [
    ...deathLine(screen, result),
    ...introduction(screen, result),
    ...(unasked ? [] : detailLines(screen, result)),
    ...runBlock(screen, result),
    ...(unasked ? verdictBlock(screen, result) : summaryBlock(screen, result)),
  ];
  return `${lines.join('\n')}\n`;
}

/** What failed comes before what is open, and what nobody can fail by comes last. */
function detailLines(screen: Screen, result: RunResult): string[] {
  const causes = causeFacts(result);
  return [
    ...deathBlock(screen, result),
    ...sectionBlock(screen, result),
    ...causeBlock(screen, result, { causes, verdict: 'violated' }),
    ...causeBlock(screen, result, { causes, verdict: 'intermittent' }),
    ...knownBlock(screen, result),
    ...notTestedBlock(screen, result),
    ...advisoryBlock(screen, result),
    ...gapBlock(screen, result),
  ];
}

function introduction(screen: Screen, result: RunResult): string[] {
  const { tool, specification, target, run, dialect } = result;
  const others = installationsText(result);
  const warnings = surveyWarnings(result.survey ?? {}).flatMap((sentence) => prose(screen, sentence, ''));
  return [
    ...warnings.map(screen.colors.red),
    ...prose(
      screen,
      `${tool.name} ${tool.version}: ${targetText(result)}, CSE base ${target.base}, dialect ${dialect}, run ${run}`,
      '',
    ),
    ...dimmed(screen, prose(screen, specification, '')),
    ...(others === '' ? [] : dimmed(screen, prose(screen, others, 'Installations: '))),
    '',
  ];
}

/** That the target died, before anything else is said. */
function deathLine(screen: Screen, result: RunResult): string[] {
  const line = deathHeadline(result);
  return line === '' ? [] : prose(screen, line, '† ').map((one) => screen.colors.bold(screen.colors.red(one)));
}

function deathBlock(screen: Screen, result: RunResult): string[] {
  return titled(screen, 'The target died', deathsTold(result));
}

/** What the target does where the specification leaves it open: never a failure. */
function gapBlock(screen: Screen, result: RunResult): string[] {
  return titled(screen, 'What the specification leaves open', gapsTold(result));
}

function titled(screen: Screen, title: string, content: Content): string[] {
  const lines = contentLines(screen, content, '  ');
  return lines.length === 0 ? [] : [heading(screen, title), ...lines, ''];
}
