import { join, resolve } from 'node:path';
import { type RunEvent, type RunResult, UsageError } from '../scenarios/index.ts';
import { htmlReporter } from './html/html-reporter.ts';
import { jsonReporter } from './json/json-reporter.ts';
import { junitReporter } from './junit/junit-reporter.ts';
import { type TextStream, terminalReporter } from './terminal/terminal-reporter.ts';

/** Renders a run. `finish` is called once, with whatever result there is, an interrupted one too. */
export interface Reporter {
  onEvent?(event: RunEvent): void;
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
}

const defaultFiles = { json: 'report.json', junit: 'junit.xml', html: 'report.html' } as const;
export const reporterNames = ['terminal', ...Object.keys(defaultFiles)] as readonly string[];

/**
 * Makes the reporters for specifications of the form `name` or `name=path`.
 * Throws UsageError, before anything is written, for an unknown name, an empty path and two reports in one file.
 */
export function createReporters(specs: readonly string[], context: ReporterContext): Reporter[] {
  const written = new Set<string>();
  return specs.map((spec) => {
    const { name, path } = parse(spec, context.outDir);
    if (path !== undefined) {
      if (written.has(path)) throw new UsageError(`two reporters would write the same file: ${path}`);
      written.add(path);
    }
    return create(name, path, context);
  });
}

function parse(spec: string, outDir: string): { name: string; path?: string } {
  const [name = '', ...rest] = spec.split('=');
  if (!reporterNames.includes(name)) {
    throw new UsageError(`unknown reporter "${name}"; there are ${reporterNames.join(', ')}`);
  }
  const given = rest.join('=');
  if (rest.length > 0 && given === '') throw new UsageError(`reporter "${spec}" names no file after the =`);
  if (given !== '') return { name, path: resolve(given) };
  return name in defaultFiles
    ? { name, path: resolve(join(outDir, defaultFiles[name as keyof typeof defaultFiles])) }
    : { name };
}

function create(name: string, path: string | undefined, context: ReporterContext): Reporter {
  if (path === undefined || name === 'terminal') return terminalReporter({ ...context, ...(path && { path }) });
  if (name === 'json') return jsonReporter(path);
  return name === 'junit' ? junitReporter(path) : htmlReporter(path);
}
