/** What commands that report have in common: where reports go, and what the terminal takes. */

import { join, resolve } from 'node:path';
import { answersText, renderHar, renderPcapng } from '../../scenarios/results.ts';
import {
  dialectHint,
  didYouMean,
  lastOf,
  type RunEvent,
  type RunResult,
  type ScenarioResult,
} from '../../scenarios/words.ts';
import { runDocument } from '../check/run-document.ts';
import { renderPage } from '../document/html.tsx';
import { isUnreachable } from '../facts/run-facts.ts';
import { verdictLine } from '../facts/wording.ts';
import { io } from '../writing/io.ts';
import { outputsOf, say, sayWritten, writeWhole } from '../writing/output-file.ts';
import { LineProgress, runProgress } from '../writing/progress.ts';
import { badgeReporter } from './badge-reporter.ts';
import { renderCtrf } from './ctrf-reporter.ts';
import { githubReporter, renderAnnotations, withoutCommands } from './github-reporter.ts';
import { renderJson } from './json-reporter.ts';
import { renderJunit } from './junit-reporter.ts';
import { markdownReporter } from './markdown-reporter.ts';
import { ndjsonReporter } from './ndjson-reporter.ts';
import { loadReporter, resolveModule } from './own-reporter.ts';
import { contextOf, type formats, type ReporterContext, type ReportingFlags } from './reporting.ts';
import { renderTap } from './tap-reporter.ts';
import { terminalReporter } from './terminal-reporter.ts';

/** Passes each event of a run to reporters; resolves to its result. */
export function reportEvents(
  events: AsyncGenerator<RunEvent, RunResult>,
  reporters: readonly Reporter[],
): Promise<RunResult> {
  return lastOf(events, (event) => {
    for (const reporter of reporters) reporter.onEvent?.(event);
  });
}

/** Runs with the reports of the flags, and resolves to the exit code. Reports are opened, or refused, before the run. */
export async function reportRun(
  flags: ReportingFlags & { readonly report?: readonly string[] },
  run: (reporters: readonly Reporter[]) => Promise<RunResult>,
): Promise<number> {
  const { report: specs = ['terminal'] } = flags;
  const reporters = await createReporters(specs, contextOf(flags));
  const result = await run(reporters);
  await finishAll(reporters, result);
  return sayExit(result, specs);
}

/** Finishes each report, even if another cannot be written, and says where the files are. Rejects with the first failure. */
export async function finishAll(reporters: readonly Reporter[], result: RunResult): Promise<void> {
  const outcomes = await Promise.allSettled(reporters.map(async (reporter) => reporter.finish(result)));
  sayFiles(
    reporters.filter((_, at) => outcomes[at]?.status === 'fulfilled'),
    result,
  );
  const [first, ...others] = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
  for (const { message } of others) say(message);
  if (first !== undefined) throw first;
}

/** Says where the files of a run are, and its verdict, unless a report on a stream says it. */
function sayFiles(reporters: readonly Reporter[], result: RunResult): void {
  const files = reporters.flatMap(({ file }) => file ?? []);
  if (files.length === 0) return;
  const isSaid = result.exit.code !== 0 || reporters.some(({ file }) => file === undefined);
  if (!isSaid) say(verdictLine(result));
  sayWritten(files);
}

/** Warns on stderr, as soon as it shows, that a target does not speak the dialect. */
export function hintReporter(dialect: RunResult['dialect']): Reporter {
  const scenarios: ScenarioResult[] = [];
  let isOver = false;
  return {
    onEvent(event) {
      if (isOver || event.type !== 'scenario finished') return;
      scenarios.push(event.result);
      const hint = dialectHint(dialect, scenarios);
      if (hint !== undefined) say(hint);
      isOver = hint !== undefined || scenarios.length > enough;
    },
    finish: () => {},
  };
}

/** Scenarios after which a target is known to speak the dialect. */
const enough = 40;

/** Progress on stderr, if no reporter has it. */
export function progressReporter(): Reporter {
  const lines = new LineProgress(io().stderr);
  return { onEvent: runProgress(lines), finish: () => lines.end() };
}

/** Writes the answers of people in a run into the directory of reports, for the next one. */
export function answersReporter(out: string): Reporter {
  const path = resolve(out, 'answers.yaml');
  let isWritten = false;
  return {
    get file() {
      return isWritten ? path : undefined;
    },
    async finish(result) {
      const text = answersText(result);
      if (text !== undefined) await writeWhole(path, text);
      isWritten = text !== undefined;
    },
  };
}

/** The exit code; says why it is not 0, unless a text of these reports says just that. */
export function sayExit(
  { exit, scenarios }: Pick<RunResult, 'exit'> & Partial<Pick<RunResult, 'scenarios'>>,
  specs: readonly string[] = [],
): number {
  const isSaid = scenarios !== undefined && isUnreachable({ exit, scenarios }) && specs.includes('terminal');
  if (exit.code !== 0 && !isSaid) say(exit.reason);
  return exit.code;
}

/** Renders a run. `finish` is called once, also with an interrupted result. */
export interface Reporter {
  onEvent?(event: RunEvent): void;
  /** Absolute path of its file; absent for a stream. */
  readonly file?: string | undefined;
  /** Rejects with UnwritableReport when its file cannot be written. */
  finish(result: RunResult): Promise<void> | void;
}

/** `path` is absolute, or `-` for stdout. */
type Maker = (path: string, context: ReporterContext) => Reporter;

/** Writes one file, when a run is over. */
function fileMaker(render: (result: RunResult) => string | Promise<Uint8Array>): Maker {
  return (path) => ({ finish: async (result) => writeWhole(path, await render(result)) });
}

/** Reports on a stream. */
const onTerminal: Maker = (path, { stdout, stderr, ...context }) =>
  terminalReporter({ ...context, stdout: withoutCommands(stdout), stderr: withoutCommands(stderr) }, path);

/** The writer of each, and its default file. */
const table: Readonly<Record<keyof typeof formats, { readonly fileName?: string; readonly make: Maker }>> = {
  terminal: { make: onTerminal },
  html: { fileName: 'report.html', make: fileMaker((result) => renderPage(runDocument(result))) },
  json: { fileName: 'report.json', make: fileMaker(renderJson) },
  junit: { fileName: 'junit.xml', make: fileMaker(renderJunit) },
  tap: { fileName: 'report.tap', make: fileMaker(renderTap) },
  ctrf: { fileName: 'ctrf.json', make: fileMaker(renderCtrf) },
  ndjson: { fileName: 'events.ndjson', make: (path, { stdout }) => ndjsonReporter(path, stdout) },
  markdown: { fileName: 'summary.md', make: (path, { stepSummary }) => markdownReporter(path, path === stepSummary) },
  github: {
    make: (path, context) =>
      path === '-' ? githubReporter(context.stdout) : fileMaker((result) => renderAnnotations(result))(path, context),
  },
  har: { fileName: 'exchanges.har', make: fileMaker(renderHar) },
  pcapng: { fileName: 'exchanges.pcapng', make: fileMaker(renderPcapng) },
  badge: { fileName: 'badge.json', make: badgeReporter },
};
const makers = new Map(Object.entries(table));

/**
 * The reporters of these names, and those of users, which it loads. Rejects with a UsageError, before anything is written, as `outputsOf`
 * does, and for a module that is no reporter.
 */
export async function createReporters(specs: readonly string[], context: ReporterContext): Promise<Reporter[]> {
  const modules = specs.map((spec) => {
    const [name = ''] = spec.split('=');
    return makers.has(name) || isMistyped(name) ? undefined : resolveModule(name);
  });
  const shipped = shippedReporters(
    specs.filter((_, at) => modules[at] === undefined),
    context,
  );
  const own = specs.flatMap((spec, at) => (modules[at] === undefined ? [] : loadReporter(spec, modules[at], context)));
  return [...shipped, ...(await Promise.all(own))];
}

/** A slip must not run the code of another package. */
const isMistyped = (name: string): boolean => !/[/\\.]/.test(name) && didYouMean(name, makers.keys()) !== '';

/** GitHub reads its lines beside other reports. */
function shippedReporters(specs: readonly string[], context: ReporterContext): Reporter[] {
  const { outDir, stepSummary } = context;
  const isShared = (name: string) => name === 'github';
  const defaultPath = (name: string, { fileName }: { readonly fileName?: string }) => {
    if (name === 'markdown' && stepSummary !== undefined) return stepSummary;
    return fileName === undefined ? '-' : join(outDir, fileName);
  };
  return outputsOf(specs, makers, defaultPath, isShared).map(({ format, path }) =>
    Object.assign(format.make(path, context), path !== '-' && { file: path }),
  );
}
