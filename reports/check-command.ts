/** `cselab check`: judges a target and hands the events to the reporters. */
import type { Command } from 'commander';
import {
  type CheckOptions,
  check,
  listScenarios,
  type RunResult,
  type TargetChoice,
  UsageError,
} from '../scenarios/index.ts';
import { createReporters } from './reporter.ts';

interface CheckFlags {
  url?: string;
  inProcess?: true;
  base?: string;
  cseId?: string;
  spId?: string;
  report: string[];
  out: string;
  list?: true | 'json';
  dryRun?: true;
  jobs: number;
  timeout: number;
  maxFail?: number;
  tag: string[];
  excludeTag: string[];
  color: boolean;
  verbose?: true;
}

const examples = `
Ids are scenarios (documented/ae/…), requirements (ae.create.status), prefixes of either, or scenario files.
Exit codes: 0 conformant, 1 a documented requirement is violated, 2 usage or a file that cannot be used,
3 target unreachable or harness fault, 4 inconclusive (nothing ran, or something could not be judged), 130 interrupted.

Examples:
  cselab check                                     judge the embedded reference CSE
  cselab check --url http://127.0.0.1:8000         judge a CSE that runs somewhere
  cselab check ae discovery.label -v               only these requirements, with all details
  cselab check my-scenario.yaml --in-process       a scenario file of your own, without a socket
  cselab check --report terminal --report junit=out/junit.xml --report html`;

export function addCheckCommand(program: Command, wholeNumber: (text: string) => number): void {
  const collect = (value: string, list: string[]) => [...list, value];
  program
    .command('check')
    .description('replay the documented interface against a CSE and judge every requirement')
    .argument('[ids...]', 'what to check; everything when there is none')
    .option('--url <url>', 'the target; the embedded reference CSE when absent')
    .option('--in-process', 'the embedded reference CSE without a socket')
    .option('--base <name>', "name of the target's CSE base (default: onem2m)")
    .option('--cse-id <id>', "the target's CSE identifier (default: what its CSE base says)")
    .option('--sp-id <id>', "the target's service provider identifier (default: openmtc.org)")
    .option('--report <name[=path]>', 'terminal, json, junit or html; repeatable (default: terminal)', collect, [])
    .option('--out <dir>', 'where reports without a path go', 'reports/latest')
    .option('--list [format]', 'list the chosen scenarios, as text or =json, and send nothing')
    .option('--dry-run', 'list the requests that would be sent, and send nothing')
    .option('--jobs <number>', 'scenarios at the same time', wholeNumber, 8)
    .option('--timeout <duration>', 'for one request, such as 10s or 500ms', duration, 10_000)
    .option('--max-fail <number>', 'stop after so many failed scenarios', wholeNumber)
    .option('-x', 'stop after the first failed scenario')
    .option('--tag <tag>', 'only scenarios with this tag; repeatable', collect, [])
    .option('--exclude-tag <tag>', 'no scenarios with this tag; repeatable', collect, [])
    .option('--no-color', 'no colours; the variable NO_COLOR and a pipe do the same')
    .option('-v, --verbose', 'every requirement, gap and reason')
    .addHelpText('after', examples)
    .action(runCheck);
}

async function runCheck(ids: string[], flags: CheckFlags & { x?: true }): Promise<void> {
  const choice = { ids, tags: flags.tag, excludeTags: flags.excludeTag };
  if (flags.list !== undefined || flags.dryRun) return list(listScenarios(choice), flags);
  const interrupt = new AbortController();
  const onInterrupt = () => (interrupt.signal.aborted ? process.exit(130) : interrupt.abort());
  process.on('SIGINT', onInterrupt);
  const maxFail = flags.x ? 1 : flags.maxFail;
  const result = await judge(
    {
      ...choice,
      target: targetOf(flags),
      jobs: flags.jobs,
      timeout: flags.timeout,
      signal: interrupt.signal,
      ...(maxFail !== undefined && { maxFail }),
    },
    flags,
  );
  process.off('SIGINT', onInterrupt);
  process.exitCode = result.exit.code;
  if (result.exit.code !== 0) process.stderr.write(`cselab: ${result.exit.reason}\n`);
}

async function judge(options: CheckOptions, flags: CheckFlags): Promise<RunResult> {
  const reporters = createReporters(flags.report.length === 0 ? ['terminal'] : flags.report, {
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
  for (const reporter of reporters) await reporter.finish(step.value);
  return step.value;
}

function targetOf({ url, inProcess, base, cseId, spId }: CheckFlags): TargetChoice {
  if (url !== undefined && inProcess) throw new UsageError('--url and --in-process exclude each other');
  const identity = { ...(base && { base }), ...(cseId && { cseId }), ...(spId && { spId }) };
  if (url !== undefined) return { kind: 'url', url, ...identity };
  if (Object.keys(identity).length > 0) throw new UsageError('--base, --cse-id and --sp-id go with --url');
  return { kind: inProcess ? 'in-process' : 'embedded' };
}

function list(scenarios: ReturnType<typeof listScenarios>, flags: CheckFlags): void {
  if (scenarios.length === 0) process.exitCode = 4;
  if (flags.list === 'json') return void process.stdout.write(`${JSON.stringify(scenarios, null, 2)}\n`);
  for (const scenario of scenarios) {
    process.stdout.write(`${scenario.id}\n    ${scenario.title}\n`);
    if (!flags.dryRun) continue;
    for (const { phase, title } of scenario.steps)
      process.stdout.write(`    ${phase === 'given' ? 'given ' : ''}${title}\n`);
  }
  process.stderr.write(`${scenarios.length} scenarios; nothing was sent\n`);
}

/** https://no-color.org; FORCE_COLOR and a terminal turn colours on. */
function takesColor(stream: NodeJS.WriteStream): boolean {
  if (process.env.NO_COLOR !== undefined && process.env.NO_COLOR !== '') return false;
  if (process.env.FORCE_COLOR !== undefined) return process.env.FORCE_COLOR !== '0';
  return stream.isTTY === true && process.env.TERM !== 'dumb';
}

const unitMilliseconds: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

/** Milliseconds. */
function duration(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text) ?? [];
  const milliseconds = Number(number) * (unitMilliseconds[unit ?? 's'] ?? Number.NaN);
  if (milliseconds > 0 && milliseconds < 2 ** 31) return Math.ceil(milliseconds);
  throw new UsageError(`"${text}" is not a duration; write 10s, 500ms or 1m`);
}
