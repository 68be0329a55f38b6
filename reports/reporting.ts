/** What commands that report have in common: where reports go, and what the terminal takes. */
import type { RunResult } from '../scenarios/index.ts';
import type { Reporter, ReporterContext } from './reporter.ts';

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
    color: color && takesColor(process.stdout),
    isTTY: process.stderr.isTTY === true && ci === undefined,
    verbose: verbose === true,
    ...(stepSummary && { stepSummary }),
    columns: process.stdout.columns ?? 80,
  };
}

/** https://no-color.org; FORCE_COLOR and a terminal turn colours on. */
export function takesColor(stream: NodeJS.WriteStream): boolean {
  if (process.env.NO_COLOR !== undefined && process.env.NO_COLOR !== '') return false;
  if (process.env.FORCE_COLOR !== undefined) return process.env.FORCE_COLOR !== '0';
  return stream.isTTY === true && process.env.TERM !== 'dumb';
}

/** Tries each report, so that one that cannot be written takes no other with it. Rejects with the first failure. */
export async function finishAll(reporters: readonly Reporter[], result: RunResult): Promise<void> {
  const written = await Promise.allSettled(reporters.map(async (reporter) => reporter.finish(result)));
  for (const outcome of written) if (outcome.status === 'rejected') throw outcome.reason;
}

/** The exit code, and why it is not 0. */
export function tellExit({ exit }: Pick<RunResult, 'exit'>): void {
  process.exitCode = exit.code;
  if (exit.code !== 0) process.stderr.write(`cselab: ${exit.reason}\n`);
}
