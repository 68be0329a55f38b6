/** `cselab check`: checks a target and hands the events to the reporters. */

import type { Command } from 'commander';
import { check, listScenarios, requestsOf } from '../../scenarios/checking/check.ts';
import type { CheckOptions, Exit, RunResult } from '../../scenarios/index.ts';
import { targetFilePath } from '../../scenarios/results.ts';
import { UsageError } from '../../scenarios/words.ts';
import { command, type ValuesOf, valued } from '../../sim/command-line/flag.ts';
import { atTerminal } from '../asking/at-terminal.ts';
import { dryRunBlocks, dryRunSummary, scenarioPlanBlocks, scenarioPlanSummary } from '../check/dry-run-blocks.ts';
import { asCsePort, type CheckFlags, checkFlags, optionsOf } from '../flags/check-flags.ts';
import { maskOutput } from '../flags/masked-streams.ts';
import {
  answersReporter,
  createReporters,
  finishAll,
  hintReporter,
  progressReporter,
  type Reporter,
  reportEvents,
  sayExit,
} from '../formats/reporter.ts';
import { contextOf, printContent } from '../formats/reporting.ts';
import { packageReporters } from '../package/package-file.ts';
import { readPlan, verifyLock } from '../plan/plan-file.ts';
import { refuseBesidePlan } from '../plan/plan-grammar.ts';
import { io } from '../writing/io.ts';
import { print, printJson } from '../writing/output-file.ts';
import { interruptible } from '../writing/progress.ts';
import { withContainer } from './container-plan.ts';
import { fileChanges, watch, watchedFolders } from './watch.ts';

const flags = {
  'A plan:': {
    plan: valued('<file>', 'run this plan, and nothing else; flags that change what is checked exclude it').reading(
      (path) => readPlan(path),
    ),
  },
  ...checkFlags,
};

type PlanFlags = ValuesOf<typeof flags>;

const examples = `
Ids are scenarios (documented/ae/…), requirements (ae.create.status), prefixes of either, or scenario files.
Exit codes: 0 no deviation in what was checked, 1 a requirement of the dialect is violated, 2 usage or a file that cannot be used,
3 target unreachable or harness fault, 4 inconclusive (nothing that counts, or not all, could be checked), 5 the set-up is wrong, 130 interrupted.
A plan that no longer matches its lock is a file that cannot be used: nothing is sent. Beside --plan stand an address,
credentials, politeness and reports.
The passphrase of a key is taken from the variable CSELAB_PASSPHRASE, or asked for at the terminal.

Examples:
  cselab check                                     check the embedded reference CSE
  cselab check --url http://127.0.0.1:8000         check a CSE that runs somewhere
  cselab check --target acme --url http://127.0.0.1:8080   one of a product that cselab knows
  cselab check --url https://gw:8000 --cacert ca-chain.cert.pem --cert ae.cert.pem --key ae.key.pem --require-cert
  cselab check --container --target acme           start its image, check it, stop it
  cselab check --container my-cse:1.2 --port 8080 --dialect onem2m --admin CAdmin
  cselab check registration --url http://gw:8000 --as-backend 18000   check how it registers
  cselab check --as-cse 8080 --dialect onem2m -- python3 app.py   be the CSE of an application, and check it
  cselab check --dialect onem2m                    check it by the standard's own binding
  cselab check ae discovery.label -v               only these requirements, with all details
  cselab check my-scenario.yaml --in-process       a scenario file of your own, without a socket
  cselab check my-scenario.yaml --watch            run it again whenever it changes
  cselab check --url http://gw:8000 --baseline known.yaml   fail for new deviations only
  cselab check --report terminal --report junit=out/junit.xml --report html
  cselab check --plan conformance/plan.yaml --url http://gw:8000   what cselab plan lock wrote down, at this address
  cselab check --url http://gw:8000 --package run.cselab --sign-key lab.pem   evidence for somebody else`;

export const define = command({
  help: 'check every requirement of the interface at a CSE',
  args: [['[ids...]', 'what to check; everything when there is none']],
  flags,
  examples,
  before: applyPlan,
  async run(ids, options) {
    const port = asCsePort(options);
    if (port === undefined) return withContainer(options, (resolved) => runCheck(ids, resolved));
    const { checkAsCse } = await import('./as-cse.ts');
    return checkAsCse(port, ids, options);
  },
});

/** Flags of the plan, with those that may be given beside it. Throws a UsageError for any other. */
function applyPlan(command: Command): void {
  const { plan } = command.opts<PlanFlags>();
  if (plan === undefined) return;
  const isExplicit = (name: string) => command.getOptionValueSource(name) === 'cli';
  refuseBesidePlan(command.options.map((option) => option.attributeName()).filter(isExplicit));
  for (const [name, value] of Object.entries(plan.flags))
    if (!isExplicit(name)) command.setOptionValueWithSource(name, value, 'config');
}

async function runCheck(args: readonly string[], flags: PlanFlags): Promise<number> {
  // `--list ae` parses as a format; if it is none, it is an id.
  const argIds = typeof flags.list === 'string' && flags.list !== 'json' ? [flags.list, ...args] : args;
  const { plan } = flags;
  if (plan !== undefined && argIds.length > 0) throw new UsageError('ids and --plan exclude each other');
  const ids = plan?.ids ?? argIds;
  const redactor = maskOutput(flags.secret ?? []);
  if (flags.ui !== undefined) return checkOnPage(() => optionsOf(ids, flags, redactor), flags);
  const options = optionsOf(ids, flags, redactor);
  if (flags.package !== undefined && (flags.watch || flags.dryRun || flags.list !== undefined))
    throw new UsageError('--package is of one whole run: it goes without --watch, --list and --dry-run');
  if (flags.dryRun) return dryRun(options, flags.list === 'json');
  if (flags.list !== undefined) return list(listScenarios(options), flags);
  const specs = flags.report ?? ['terminal'];
  const locked = plan && (await verifyLock(plan, options));
  const lockOptions = locked && { locked: Object.keys(locked.lock.scenarios) };
  const packaged = packageReporters(flags, options);
  const reporters = [...(await createReporters(specs, contextOf(flags))), ...packaged];
  const aside = [answersReporter(flags.out)];
  const { ask, close } = atTerminal(flags.out);
  const result = await interruptible(async (signal) => {
    const run = (one: CheckOptions) => judge({ ...one, ...lockOptions, ask, signal }, reporters, specs, aside);
    if (!flags.watch) return await run(options);
    return { exit: await watchRuns(() => ({ ...optionsOf(ids, flags, redactor), ask }), run, flags, signal) };
  }).finally(close);
  return sayExit(result, specs);
}

/** Runs until Ctrl-C. */
async function checkOnPage(options: () => CheckOptions, flags: CheckFlags): Promise<number> {
  const { watch, dryRun, list, package: evidence, report } = flags;
  if (watch || dryRun || list !== undefined || evidence !== undefined || report !== undefined)
    throw new UsageError('--ui is a page: it goes without --watch, --list, --dry-run, --package and --report');
  const port = typeof flags.ui === 'number' ? flags.ui : 0;
  const { openUi } = await import('../ui/serve-ui.ts');
  await interruptible(async (signal) => {
    const page = await openUi(options, port, flags.out);
    print(`ready ${page.url}; Ctrl-C ends`);
    for await (const _ of fileChanges(foldersOf(options(), flags), signal)) page.changed();
    await page.close();
  });
  return 0;
}

/** The folders of the files on which the chosen scenarios depend. */
function foldersOf({ ids = [], moreFiles = [] }: CheckOptions, flags: CheckFlags): string[] {
  return watchedFolders([...ids, ...moreFiles, ...dependenciesOf(flags)]);
}

const dependenciesOf = ({ target, baseline }: CheckFlags): string[] => [
  ...(target ? [targetFilePath(target)] : []),
  ...(baseline ? [baseline] : []),
];

function watchRuns(
  options: () => CheckOptions,
  first: (options: CheckOptions) => Promise<RunResult>,
  flags: CheckFlags,
  signal: AbortSignal,
): Promise<Exit> {
  return watch({
    options,
    first,
    again: (one) => judge({ ...one, signal }, [], []),
    changes: fileChanges(foldersOf(options(), flags), signal),
    dependencies: dependenciesOf(flags),
    say: print,
  });
}

async function judge(
  options: CheckOptions,
  reporters: readonly Reporter[],
  specs: readonly string[],
  more: readonly Reporter[] = [],
): Promise<RunResult> {
  const showsProgress = reporters.length === 0 || specs.some((spec) => spec.startsWith('terminal'));
  const progress = showsProgress ? [] : [progressReporter()];
  const aside = [hintReporter(options.dialect ?? 'documented'), ...progress, ...more];
  const result = await reportEvents(check(options), [...aside, ...reporters]);
  await finishAll(aside, result);
  await finishAll(reporters, result);
  return result;
}

function list(scenarios: ReturnType<typeof listScenarios>, flags: CheckFlags): number {
  if (flags.list === 'json') printJson(scenarios);
  else {
    printContent(scenarioPlanBlocks(scenarios), flags);
    nothingSent(scenarioPlanSummary(scenarios));
  }
  return scenarios.length === 0 && flags.shard === undefined ? 4 : 0;
}

function nothingSent(planned: string): void {
  io().stderr.write(`${planned}; nothing was sent\n`);
}

async function dryRun(options: CheckOptions, json: boolean): Promise<number> {
  const planned = await requestsOf(options);
  if (json) printJson(planned);
  else {
    printContent(dryRunBlocks(planned));
    nothingSent(dryRunSummary(planned));
  }
  const { requests, questions } = planned;
  return [...requests, ...questions].every(({ scenario }) => scenario === undefined) ? 4 : 0;
}
