/** Reporters of users. They are code, so only the command line may name one. */
import { existsSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type MakeOwnReporter, type OwnReporter, UsageError } from '../../scenarios/words.ts';
import type { Reporter } from './reporter.ts';
import type { ReporterContext } from './reporting.ts';

/** A user's reporter threw or misbehaved: the run is over, but its report is missing. */
class ReporterError extends Error {
  override readonly name = 'ReporterError';

  constructor(reporter: string, when: string, cause: unknown) {
    super(`the reporter ${reporter} failed at "${when}": ${messageOf(cause)}`, { cause });
    if (cause instanceof Error) this.stack = `${this.message}\n${cause.stack}`;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The path of the module that a `--report` names, as seen from here; undefined if it names none. */
export function resolveModule(name: string): string | undefined {
  const beside = /[/\\]|\.[cm]?js$/.test(name) && existsSync(name) ? resolve(name) : name;
  try {
    return isBuiltin(beside) ? undefined : createRequire(join(process.cwd(), 'package.json')).resolve(beside);
  } catch {
    return undefined;
  }
}

/** Loads it. Rejects with a UsageError if it is no module of a reporter. */
export async function loadReporter(spec: string, module: string, context: ReporterContext): Promise<Reporter> {
  const [name = '', ...rest] = spec.split('=');
  const file = rest.length === 0 || rest.join('=') === '-' ? undefined : resolve(rest.join('='));
  if (rest.length > 0 && rest.join('') === '') throw new UsageError(`report "${spec}" names no file after the =`);
  const { stdout, outDir } = context;
  const own = {
    outDir: resolve(outDir),
    write: (text: string) => void stdout.write(text),
    ...(file && { path: file }),
  };
  try {
    const { default: make } = (await import(pathToFileURL(module).href)) as { readonly default?: MakeOwnReporter };
    if (typeof make !== 'function') throw new TypeError('it exports no function by default');
    return { ...guardReporter(name, (await make(own)) ?? {}), ...(file && { file }) };
  } catch (error) {
    throw new UsageError(`the reporter ${name} cannot be used: ${messageOf(error)}`);
  }
}

/** An error of it is kept until the end, and it gets no further events. */
function guardReporter(name: string, reporter: OwnReporter): Reporter {
  let problem: ReporterError | undefined;
  const pending: Promise<void>[] = [];
  const attempt = async (when: string, action: () => unknown) => {
    try {
      await action();
    } catch (error) {
      problem ??= new ReporterError(name, when, error);
    }
  };
  return {
    onEvent(event) {
      if (problem === undefined) pending.push(attempt(event.type, () => reporter.onEvent?.(event)));
    },
    async finish(result) {
      await Promise.all(pending);
      if (problem === undefined) await attempt('finish', () => reporter.finish?.(result));
      if (problem !== undefined) throw problem;
    },
  };
}
