import { join } from 'node:path';
import type { RunEvent, RunResult } from '../scenarios/index.ts';
import { badgeReporter } from './badge/badge-reporter.ts';
import { runDocument } from './check/run-document.ts';
import { renderCtrf } from './ctrf/ctrf-reporter.ts';
import { renderPage } from './document/html.tsx';
import { githubReporter, withoutCommands } from './github/github-reporter.ts';
import { renderJson } from './json/json-reporter.ts';
import { renderJunit } from './junit/junit-reporter.ts';
import { markdownReporter } from './markdown/markdown-reporter.ts';
import { ndjsonReporter } from './ndjson/ndjson-reporter.ts';
import { mustDiffer, outputsOf, writeWhole } from './output-file.ts';
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
const makers = new Map<string, { readonly usual?: string; readonly make: Maker }>([
  ['terminal', { make: onTerminal }],
  ['github', { make: (_, { stdout }) => githubReporter(stdout) }],
  ['json', { usual: 'report.json', make: whole(renderJson) }],
  ['junit', { usual: 'junit.xml', make: whole(renderJunit) }],
  ['html', { usual: 'report.html', make: whole((result) => renderPage(runDocument(result))) }],
  ['tap', { usual: 'report.tap', make: whole(renderTap) }],
  ['ctrf', { usual: 'ctrf.json', make: whole(renderCtrf) }],
  ['ndjson', { usual: 'events.ndjson', make: (path, { stdout }) => ndjsonReporter(path, stdout) }],
  ['markdown', { usual: 'summary.md', make: (path, { stepSummary }) => markdownReporter(path, path === stepSummary) }],
  ['badge', { usual: 'badge.json', make: badgeReporter }],
]);

/** Throws UsageError, before anything is written, as `outputsOf` and `mustDiffer` do; what GitHub reads stands beside others. */
export function createReporters(specs: readonly string[], context: ReporterContext): Reporter[] {
  const { outDir, stepSummary } = context;
  const outputs = outputsOf(specs, makers, (name, { usual }) => {
    if (name === 'markdown' && stepSummary !== undefined) return stepSummary;
    return usual === undefined ? '-' : join(outDir, usual);
  });
  const isShared = ({ name }: { readonly name: string }) => name === 'github';
  mustDiffer(outputs.filter((one) => !isShared(one)));
  return outputs.map((one) => {
    const { kind, path } = one;
    return Object.assign(kind.make(path, context), path !== '-' && !isShared(one) && { file: path });
  });
}
