/** What commands that report have in common: where reports go, and what the terminal takes. */
import { relative } from 'node:path';
import { dialectHint, lastOf, type RunEvent, type RunResult, type ScenarioResult } from '../scenarios/index.ts';
import type { Content } from './document/model.ts';
import { contentLines, screenOf, type TextOptions } from './document/terminal.ts';
import { LineProgress } from './progress/line-progress.ts';
import type { Reporter, ReporterContext } from './reporter.ts';
import type { TextStream } from './terminal/terminal-reporter.ts';
import { visibleText } from './visible-text.ts';
import { verdictLine } from './wording.ts';

export interface ReportingFlags {
  /** Directory of reports without a path. */
  out: string;
  color: boolean;
  verbose?: true;
}

/** The streams and variables of this process. */
export function contextOf({ out, color, verbose }: ReportingFlags): ReporterContext {
  const { GITHUB_STEP_SUMMARY: stepSummary, CI: ci } = process.env;
  return {
    outDir: out,
    stdout: process.stdout,
    stderr: process.stderr,
    isTTY: process.stderr.isTTY === true && ci === undefined,
    ...(stepSummary && { stepSummary }),
    ...textOptions({ color, verbose }),
  };
}

/** How a text is laid out on stdout: as wide as the terminal, at the `most`; where there is none, as `usual`. */
export function textOptions(
  { color, verbose }: { readonly color: boolean; readonly verbose?: true | undefined },
  { usual = 80, most = Number.POSITIVE_INFINITY } = {},
): TextOptions {
  const columns = Math.min(process.stdout.columns ?? usual, most);
  return { columns, color: color && takesColor(process.stdout), verbose: verbose === true };
}

/** What is read as prose is best read in 80 columns, however wide the terminal is. */
export function writeReading(content: Content, { color }: { readonly color: boolean }): void {
  const screen = screenOf(textOptions({ color, verbose: true }, { most: 80 }));
  process.stdout.write(`${contentLines(screen, content).join('\n')}\n`);
}

/** https://no-color.org; FORCE_COLOR and a terminal turn colours on. */
function takesColor(stream: NodeJS.WriteStream): boolean {
  if (process.env.NO_COLOR !== undefined && process.env.NO_COLOR !== '') return false;
  if (process.env.FORCE_COLOR !== undefined) return process.env.FORCE_COLOR !== '0';
  return stream.isTTY === true && process.env.TERM !== 'dumb';
}

/** Tells reporters each event of a run; resolves to its result. */
export function reported(
  events: AsyncGenerator<RunEvent, RunResult>,
  reporters: readonly Reporter[],
): Promise<RunResult> {
  return lastOf(events, (event) => {
    for (const reporter of reporters) reporter.onEvent?.(event);
  });
}

/** Tries each report, so that one that cannot be written takes no other with it. Rejects with the first failure. */
export async function finishAll(reporters: readonly Reporter[], result: RunResult): Promise<void> {
  const written = await Promise.allSettled(reporters.map(async (reporter) => reporter.finish(result)));
  for (const outcome of written) if (outcome.status === 'rejected') throw outcome.reason;
}

/** Where the files of a run are, whatever else was told of it; and how it came out, where nobody else says so on a stream. */
export function tellFiles(reporters: readonly Reporter[], result: RunResult, stderr: TextStream): void {
  const files = reporters.flatMap(({ file }) => file ?? []);
  if (files.length === 0) return;
  const isTold = result.exit.code !== 0 || reporters.some(({ file }) => file === undefined);
  const lines = [...(isTold ? [] : [verdictLine(result)]), `written: ${files.map(shownPath).join(', ')}`];
  for (const line of lines) stderr.write(`cselab: ${visibleText(line)}\n`);
}

/** From here, where it is below. */
function shownPath(path: string): string {
  const near = relative('', path);
  return near.startsWith('..') ? path : near;
}

/** Says on stderr, as soon as it shows, that a target is asked in a dialect that it does not speak. */
export function hintReporter(dialect: RunResult['dialect'], stderr: TextStream): Reporter {
  const scenarios: ScenarioResult[] = [];
  let isOver = false;
  return {
    onEvent(event) {
      if (isOver || event.type !== 'scenario finished') return;
      scenarios.push(event.result);
      const hint = dialectHint(dialect, scenarios);
      if (hint !== undefined) stderr.write(`cselab: ${hint}\n`);
      isOver = hint !== undefined || scenarios.length > enough;
    },
    finish: () => {},
  };
}

/** Scenarios after which a target is known to take what it is sent. */
const enough = 40;

/** Says on stderr how far a run is, where no reporter does: one line that changes on a terminal, elsewhere a line for each tenth. */
export function progressReporter(stream: NodeJS.WriteStream): Reporter {
  const lines = new LineProgress(stream);
  let [planned, finished, failed] = [0, 0, 0];
  return {
    onEvent(event) {
      if (event.type === 'run started') planned = event.planned;
      if (event.type !== 'scenario finished') return;
      finished += 1;
      if (event.result.state === 'failed') failed += 1;
      lines.counting(finished, planned, `scenarios${failed === 0 ? '' : `, ${failed} failed`}`);
    },
    finish: () => lines.end(),
  };
}

/** The exit code, and why it is not 0. */
export function tellExit({ exit }: Pick<RunResult, 'exit'>): void {
  process.exitCode = exit.code;
  if (exit.code !== 0) process.stderr.write(`cselab: ${exit.reason}\n`);
}
