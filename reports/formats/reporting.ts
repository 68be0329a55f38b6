/** Shared by commands with reports: formats, and the layout of text. */
import type { Content } from '../document/model.ts';
import { contentText, type TextOptions } from '../document/terminal.ts';
import { type Io, io, type TextStream } from '../writing/io.ts';
import type { TerminalContext } from './terminal-reporter.ts';

/** What `--report` writes: for the help and the README, which load no reporter. */
export const formats = {
  terminal: 'summary by section, failures, what was not tested and why',
  html: 'one self-contained file: each requirement, each message',
  json: 'everything, in the format of `report.schema.json`; versioned',
  junit: 'a suite for each requirement, for build servers',
  tap: 'TAP 14',
  ctrf: 'the common test report format',
  ndjson: 'each event in a line, while it runs',
  markdown: 'a summary for a pull request',
  github: 'annotations and the summary of a GitHub job',
  har: 'the exchanges as an HTTP Archive 1.2, a page for each scenario: browsers import it',
  pcapng: 'the exchanges as a packet capture, with the step in a comment: Wireshark reads it',
  badge: 'a file for an endpoint badge',
} as const;

export interface ReporterContext extends TerminalContext {
  /** Where reports without a path of their own go. */
  readonly outDir: string;
  /** The file that GitHub Actions shows as the summary of a step; Markdown without a path of its own is added to it. */
  readonly stepSummary?: string;
}

export interface ReportingFlags {
  /** Directory of reports without a path. */
  out: string;
  color: boolean;
  verbose?: true;
}

/** The streams and variables of the command's caller. */
export function contextOf({ out, color, verbose }: ReportingFlags): ReporterContext {
  const { stdout, stderr, env } = io();
  const { GITHUB_STEP_SUMMARY: stepSummary, CI: ci } = env;
  return {
    outDir: out,
    stdout,
    stderr,
    isTTY: stderr.isTTY === true && ci === undefined,
    ...(stepSummary && { stepSummary }),
    ...textOptions({ color, verbose }),
  };
}

/** The layout of a text on stdout: the terminal's width, up to `most`; without one, or its width, `usual`. */
export function textOptions(
  { color, verbose }: { readonly color: boolean; readonly verbose?: true | undefined },
  { usual = 80, most = Number.POSITIVE_INFINITY } = {},
): TextOptions {
  const { stdout, env } = io();
  const columns = Math.min(stdout.columns || usual, most);
  return { columns, color: color && takesColor(stdout, env), verbose: verbose === true };
}

/** Prose reads best in 80 columns, however wide the terminal is. */
export function printContent(content: Content, { color } = { color: false }, most = 80): void {
  io().stdout.write(contentText(content, textOptions({ color, verbose: true }, { most })));
}

/** https://no-color.org; FORCE_COLOR and a terminal turn colours on. */
function takesColor({ isTTY }: TextStream, { NO_COLOR: none, FORCE_COLOR: forced, TERM: term }: Io['env']): boolean {
  if (none !== undefined && none !== '') return false;
  return forced === undefined ? isTTY === true && term !== 'dumb' : forced !== '0';
}
