import { join, resolve } from 'node:path';
import { type RunEvent, type RunResult, UsageError } from '../scenarios/index.ts';
import { badgeReporter } from './badge/badge-reporter.ts';
import { runDocument } from './check/run-document.ts';
import { renderCtrf } from './ctrf/ctrf-reporter.ts';
import { renderPage } from './document/html.tsx';
import { githubReporter } from './github/github-reporter.ts';
import { withoutCommands } from './github/without-commands.ts';
import { renderJson } from './json/json-reporter.ts';
import { renderJunit } from './junit/junit-reporter.ts';
import { markdownReporter } from './markdown/markdown-reporter.ts';
import { ndjsonReporter } from './ndjson/ndjson-reporter.ts';
import { writeWhole } from './output-file.ts';
import { renderTap } from './tap/tap-reporter.ts';
import { type TextStream, terminalReporter } from './terminal/terminal-reporter.ts';

/** Renders a run. `finish` is called once, with whatever result there is, an interrupted one too. */
export interface Reporter {
  onEvent?(event: RunEvent): void;
  /** Absolute path of what it writes; absent where that is read at once. */
  readonly file?: string;
  /** Rejects with UnwritableReport when its file cannot be written. */
  finish(result: RunResult): Promise<void> | void;
}

export interface ReporterContext {
  /** Where reports without a path of their own go. */
  readonly outDir: string;
  /** Takes the results. */
  readonly stdout: TextStream;
  /** Takes the progress. */
  readonly stderr: TextStream;
  /** Whether stdout takes colours. */
  readonly color: boolean;
  /** Whether stderr is a terminal, so that progress can be shown. */
  readonly isTTY: boolean;
  readonly verbose: boolean;
  readonly columns: number;
  /** The file that GitHub Actions shows as the summary of a step; Markdown without a path of its own is added to it. */
  readonly stepSummary?: string;
}

type Maker = (path: string, context: ReporterContext) => Reporter;

/** Writes one file, when a run is over. */
function whole(render: (result: RunResult) => string): Maker {
  return (path) => ({ finish: (result) => writeWhole(path, render(result)) });
}

/** What each writes, and into what file where no path is given. */
const files: ReadonlyMap<string, readonly [usual: string, make: Maker]> = new Map<string, readonly [string, Maker]>([
  ['json', ['report.json', whole(renderJson)]],
  ['junit', ['junit.xml', whole(renderJunit)]],
  ['html', ['report.html', whole((result) => renderPage(runDocument(result)))]],
  ['tap', ['report.tap', whole(renderTap)]],
  ['ctrf', ['ctrf.json', whole(renderCtrf)]],
  ['ndjson', ['events.ndjson', (path, { stdout }) => ndjsonReporter(path === '-' ? undefined : path, stdout)]],
  ['markdown', ['summary.md', (path, { stepSummary }) => markdownReporter(path, path === stepSummary)]],
  ['badge', ['badge.json', badgeReporter]],
]);
/** Those that write text for somebody who reads it at once. */
const toStdout = ['terminal', 'github'];
export const reporterNames: readonly string[] = [...toStdout, ...files.keys()];

/**
 * Makes the reporters for specifications of the form `name` or `name=path`.
 * Throws UsageError, before anything is written, for an unknown name, an empty path and two reports in one file.
 */
export function createReporters(specs: readonly string[], context: ReporterContext): Reporter[] {
  const written = new Set<string>();
  return specs.map((spec) => {
    const { name, path } = parse(spec, context);
    const place = path ?? '-';
    if (written.has(place) && name !== 'github') throw new UsageError(`two reporters would write ${sameText(place)}`);
    written.add(place);
    return create(name, path, context);
  });
}

function sameText(place: string): string {
  return place === '-' ? 'to stdout' : `the same file: ${place}`;
}

function parse(spec: string, { outDir, stepSummary }: ReporterContext): { name: string; path?: string } {
  const [name = '', ...rest] = spec.split('=');
  if (!reporterNames.includes(name)) {
    throw new UsageError(`unknown reporter "${name}"; there are ${reporterNames.join(', ')}`);
  }
  const given = rest.join('=');
  if (rest.length > 0 && given === '') throw new UsageError(`reporter "${spec}" names no file after the =`);
  if (given === '-') return { name, ...(name !== 'terminal' && { path: '-' }) };
  if (given !== '') return { name, path: resolve(given) };
  if (name === 'markdown' && stepSummary !== undefined) return { name, path: stepSummary };
  const usual = files.get(name)?.[0];
  return usual === undefined ? { name } : { name, path: resolve(join(outDir, usual)) };
}

function create(name: string, path: string | undefined, context: ReporterContext): Reporter {
  const file = path === undefined || path === '-' ? {} : { file: path };
  if (name === 'github') return githubReporter(context.stdout);
  const make = files.get(name)?.[1];
  if (make !== undefined && path !== undefined) return Object.assign(make(path, context), file);
  const [stdout, stderr] = [withoutCommands(context.stdout), withoutCommands(context.stderr)];
  return Object.assign(terminalReporter({ ...context, stdout, stderr, ...(path && { path }) }), file);
}
