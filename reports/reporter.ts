import { resolve } from 'node:path';
import { type RunEvent, type RunResult, UsageError } from '../scenarios/index.ts';
import { badgeReporter } from './badge/badge-reporter.ts';
import { runDocument } from './check/run-document.ts';
import { renderCtrf } from './ctrf/ctrf-reporter.ts';
import { renderPage } from './document/html.tsx';
import { githubReporter, withoutCommands } from './github/github-reporter.ts';
import { renderJson } from './json/json-reporter.ts';
import { renderJunit } from './junit/junit-reporter.ts';
import { markdownReporter } from './markdown/markdown-reporter.ts';
import { ndjsonReporter } from './ndjson/ndjson-reporter.ts';
import { writeWhole } from './output-file.ts';
import { renderTap } from './tap/tap-reporter.ts';
import { type TerminalContext, terminalReporter } from './terminal/terminal-reporter.ts';

/** Renders a run. `finish` is called once, with whatever result there is, an interrupted one too. */
export interface Reporter {
  onEvent?(event: RunEvent): void;
  /** Absolute path of what it writes; absent where that is read at once. */
  readonly file?: string;
  /** Rejects with UnwritableReport when its file cannot be written. */
  finish(result: RunResult): Promise<void> | void;
}

export interface ReporterContext extends TerminalContext {
  /** Where reports without a path of their own go. */
  readonly outDir: string;
  /** The file that GitHub Actions shows as the summary of a step; Markdown without a path of its own is added to it. */
  readonly stepSummary?: string;
}

/** `path` is absolute, or `-` for stdout. */
type Maker = (path: string, context: ReporterContext) => Reporter;

/** Writes one file, when a run is over. */
function whole(render: (result: RunResult) => string): Maker {
  return (path) => ({ finish: (result) => writeWhole(path, render(result)) });
}

/** What is read at once. */
const onTerminal: Maker = (path, { stdout, stderr, ...context }) =>
  terminalReporter({ ...context, stdout: withoutCommands(stdout), stderr: withoutCommands(stderr) }, path);

/** What each writes, and into what file where no path is given. */
const makers: ReadonlyMap<string, readonly [usual: string | undefined, make: Maker]> = new Map<
  string,
  readonly [string | undefined, Maker]
>([
  ['terminal', [undefined, onTerminal]],
  ['github', [undefined, (_, { stdout }) => githubReporter(stdout)]],
  ['json', ['report.json', whole(renderJson)]],
  ['junit', ['junit.xml', whole(renderJunit)]],
  ['html', ['report.html', whole((result) => renderPage(runDocument(result)))]],
  ['tap', ['report.tap', whole(renderTap)]],
  ['ctrf', ['ctrf.json', whole(renderCtrf)]],
  ['ndjson', ['events.ndjson', (path, { stdout }) => ndjsonReporter(path, stdout)]],
  ['markdown', ['summary.md', (path, { stepSummary }) => markdownReporter(path, path === stepSummary)]],
  ['badge', ['badge.json', badgeReporter]],
]);

/**
 * Makes the reporters for specifications of the form `name` or `name=path`.
 * Throws UsageError, before anything is written, for an unknown name, an empty path and two reports in one file.
 */
export function createReporters(specs: readonly string[], context: ReporterContext): Reporter[] {
  const written = new Set<string>();
  return specs.map((spec) => {
    const { name, path, make } = parse(spec, context);
    const isShared = name === 'github';
    if (written.has(path) && !isShared) throw new UsageError(`two reporters would write ${sameText(path)}`);
    written.add(path);
    return Object.assign(make(path, context), path !== '-' && !isShared && { file: path });
  });
}

function sameText(place: string): string {
  return place === '-' ? 'to stdout' : `the same file: ${place}`;
}

function parse(spec: string, { outDir, stepSummary }: ReporterContext) {
  const [name = '', ...rest] = spec.split('=');
  const [usual, make] = makers.get(name) ?? [];
  if (make === undefined) {
    throw new UsageError(`unknown reporter "${name}"; there are ${[...makers.keys()].join(', ')}`);
  }
  const given = rest.join('=');
  if (rest.length > 0 && given === '') throw new UsageError(`reporter "${spec}" names no file after the =`);
  if (given !== '') return { name, make, path: given === '-' ? '-' : resolve(given) };
  if (name === 'markdown' && stepSummary !== undefined) return { name, make, path: stepSummary };
  return { name, make, path: usual === undefined ? '-' : resolve(outDir, usual) };
}
