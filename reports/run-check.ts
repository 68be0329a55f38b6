/** What `cselab check` does once its flags are read. */
import { type CheckOptions, check, listScenarios, type RunResult } from '../scenarios/index.ts';
import type { CheckFlags } from './check-command.ts';
import { passphraseAsker } from './passphrase.ts';
import { createReporters } from './reporter.ts';
import { type Secrets, targetOf } from './target-flags.ts';
import { counted } from './wording.ts';

/** Ctrl-C, and what a build server sends to a job that is cancelled. */
const interruptions = ['SIGINT', 'SIGTERM'] as const;

export async function runCheck(given: readonly string[], flags: CheckFlags): Promise<void> {
  // `--list ae` reads as a format; what is not one is an id.
  const ids = typeof flags.list === 'string' && flags.list !== 'json' ? [flags.list, ...given] : given;
  const { dialect } = flags;
  const choice = { ids, tags: flags.tag ?? [], excludeTags: flags.excludeTag ?? [], dialect };
  if (flags.list !== undefined || flags.dryRun) return list(listScenarios(choice), flags);
  const interrupt = new AbortController();
  const onInterrupt = () => (interrupt.signal.aborted ? process.exit(130) : interrupt.abort());
  for (const signal of interruptions) process.on(signal, onInterrupt);
  const maxFail = flags.x ? 1 : flags.maxFail;
  const result = await judge(
    {
      ...choice,
      target: targetOf(flags, secrets()),
      jobs: flags.jobs,
      timeout: flags.timeout,
      signal: interrupt.signal,
      ...(maxFail !== undefined && { maxFail }),
    },
    flags,
  );
  for (const signal of interruptions) process.off(signal, onInterrupt);
  process.exitCode = result.exit.code;
  if (result.exit.code !== 0) process.stderr.write(`cselab: ${result.exit.reason}\n`);
}

async function judge(options: CheckOptions, flags: CheckFlags): Promise<RunResult> {
  const reporters = createReporters(flags.report ?? ['terminal'], {
    outDir: flags.out,
    stdout: process.stdout,
    stderr: process.stderr,
    color: flags.color && takesColor(process.stdout),
    isTTY: process.stderr.isTTY === true && process.env.CI === undefined,
    verbose: flags.verbose === true,
    columns: process.stdout.columns ?? 80,
  });
  const events = check(options);
  let step = await events.next();
  for (; !step.done; step = await events.next()) {
    for (const reporter of reporters) reporter.onEvent?.(step.value);
  }
  // Each report is tried, so that one that cannot be written takes no other with it.
  const { value: result } = step;
  const written = await Promise.allSettled(reporters.map(async (reporter) => reporter.finish(result)));
  for (const outcome of written) if (outcome.status === 'rejected') throw outcome.reason;
  return result;
}

/** What must not stand on a command line, where everybody on the machine could read it. */
function secrets(): Secrets {
  const passphrase = process.env.CSELAB_PASSPHRASE;
  const askPassphrase = passphraseAsker(process.stdin, process.stderr);
  return { ...(passphrase !== undefined && { passphrase }), ...(askPassphrase && { askPassphrase }) };
}

function list(scenarios: ReturnType<typeof listScenarios>, flags: CheckFlags): void {
  if (scenarios.length === 0) process.exitCode = 4;
  if (flags.list === 'json') return void process.stdout.write(`${JSON.stringify(scenarios, null, 2)}\n`);
  for (const scenario of scenarios) {
    process.stdout.write(`${scenario.id}\n    ${scenario.title}\n`);
    if (scenario.needs.length > 0) process.stdout.write(`    needs ${scenario.needs.join(', ')}\n`);
    if (!flags.dryRun) continue;
    for (const { phase, title } of scenario.steps)
      process.stdout.write(`    ${phase === 'given' ? 'given ' : ''}${title}\n`);
  }
  process.stderr.write(`${counted(scenarios.length, 'scenario')}; nothing was sent\n`);
}

/** https://no-color.org; FORCE_COLOR and a terminal turn colours on. */
function takesColor(stream: NodeJS.WriteStream): boolean {
  if (process.env.NO_COLOR !== undefined && process.env.NO_COLOR !== '') return false;
  if (process.env.FORCE_COLOR !== undefined) return process.env.FORCE_COLOR !== '0';
  return stream.isTTY === true && process.env.TERM !== 'dumb';
}
