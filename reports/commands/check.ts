/** `cselab check`: judges a target and hands the events to the reporters. */

import { check, listScenarios, requestsOf } from '../../scenarios/checking/check.ts';
import type { CheckOptions, Exit, Failure, RunResult, TargetChoice } from '../../scenarios/index.ts';
import { ownRuleFiles, rulesCalled, targetFilePath } from '../../scenarios/results.ts';
import { defined, failures, UsageError } from '../../scenarios/words.ts';
import { command, type GivenIn, negated, positive, toggle, valued, wordsOf } from '../../sim/command-line/flag.ts';
import { dryRunSum, dryRunTold, scenariosSum, scenariosTold } from '../check/plan-told.ts';
import { asCseFlags, asCsePort } from '../flags/application-flags.ts';
import { baseline, reportFlags, restartCommand, shardChoice, timeout, verbose } from '../flags/common-flags.ts';
import { chosenMasked, maskOutput } from '../flags/masked-streams.ts';
import { restartOf } from '../flags/restarter.ts';
import { safetyFlags, safetyOf } from '../flags/safety-flags.ts';
import { containerFlags, targetFlags } from '../flags/target-flags.ts';
import {
  createReporters,
  finishAll,
  hintReporter,
  progressReporter,
  type Reporter,
  reported,
  tellExit,
} from '../formats/reporter.ts';
import { contextOf, writeReading } from '../formats/reporting.ts';
import { packageReporters } from '../package/package-file.ts';
import { io } from '../writing/io.ts';
import { print, printJson, say } from '../writing/output-file.ts';
import { interruptible } from '../writing/progress.ts';
import { withContainer } from './container-plan.ts';
import { fileChanges, watch, watchedFolders } from './watch.ts';

const flags = {
  ...targetFlags,
  'A container as the target:': containerFlags,
  ...safetyFlags,
  'What is judged:': {
    level: valued('<level>', 'what counts with --dialect documented: that specification, or the standard too')
      .of(['documented', 'standard'])
      .or('documented'),
    tag: valued('<tag>', 'only scenarios with this tag; repeatable').repeatable(),
    excludeTag: valued('<tag>', 'no scenarios with this tag; repeatable').repeatable(),
    shard: valued('<part>', 'only a part of the plan, such as 1/3; auto: as the index of a Kubernetes Job says'),
    durations: valued('<report>', 'JSON report by whose durations the parts are made equal'),
    baseline,
    rules: valued(
      '<file>',
      'requirements and rules of your own, judged as well; of a package: @acme/profile/rules.yaml',
    )
      .repeatable()
      .not('judge by the checks of scenarios alone, and do not look at what was made before it is removed'),
    minEvidence: positive('checks that have to pass before a requirement counts as satisfied'),
    profile: valued('<name>', 'what the target is to have: a profile of TS-0025 (in, gateway), or a file with one'),
    failOn: valued('<list>', `what makes a run red, of ${failures.join(', ')}; or none`)
      .reading<Failure[]>((text) => (text.trim() === 'none' ? [] : wordsOf(failures)(text)))
      .or(['violations', 'intermittent'], 'violations,intermittent'),
  },
  'How it goes on:': {
    list: valued('[format]', 'list the chosen scenarios, as text or =json, and send nothing'),
    dryRun: toggle('list the requests that would be sent, and send nothing'),
    jobs: positive('scenarios at the same time (default: 8)'),
    timeout,
    maxFail: positive('stop after so many failed scenarios'),
    x: toggle('the same as --max-fail 1'),
    watch: toggle('go on, and run again what a changed scenario, requirement, target or baseline file touches'),
    ui: valued('[port]', 'choose, run, change and compare on a page at 127.0.0.1 (default: a free port)'),
    restartCommand,
    again: negated('do not run once more, alone, what failed'),
  },
  'Applications instead of a CSE:': asCseFlags,
  'What is told:': {
    ...reportFlags,
    package: valued('<file>', 'all messages and verdicts in one file, for cselab verify'),
    signKey: valued('<file>', 'your Ed25519 key in PEM, by which the package is signed'),
    verbose: verbose('every requirement, gap and reason'),
  },
};

type CheckFlags = GivenIn<typeof flags>;

const examples = `
Ids are scenarios (documented/ae/…), requirements (ae.create.status), prefixes of either, or scenario files.
Exit codes: 0 no deviation in what was checked, 1 a requirement of the dialect is violated, 2 usage or a file that cannot be used,
3 target unreachable or harness fault, 4 inconclusive (nothing that counts, or not all, could be judged), 5 the set-up is wrong, 130 interrupted.
The passphrase of a key is taken from the variable CSELAB_PASSPHRASE, or asked for at the terminal.

Examples:
  cselab check                                     judge the embedded reference CSE
  cselab check --url http://127.0.0.1:8000         judge a CSE that runs somewhere
  cselab check --target acme --url http://127.0.0.1:8080   one of a product that cselab knows
  cselab check --url https://gw:8000 --cacert ca-chain.cert.pem --cert ae.cert.pem --key ae.key.pem --require-cert
  cselab check --container --target acme           start its image, judge it, stop it
  cselab check --container my-cse:1.2 --port 8080 --dialect onem2m --admin CAdmin
  cselab check registration --url http://gw:8000 --as-backend 18000   judge how it registers
  cselab check --as-cse 8080 --dialect onem2m -- python3 app.py   be the CSE of an application, and judge it
  cselab check --dialect onem2m                    judge it by the standard's own binding
  cselab check ae discovery.label -v               only these requirements, with all details
  cselab check my-scenario.yaml --in-process       a scenario file of your own, without a socket
  cselab check my-scenario.yaml --watch            run it again whenever it changes
  cselab check --url http://gw:8000 --baseline known.yaml   red for new deviations only
  cselab check --report terminal --report junit=out/junit.xml --report html
  cselab check --url http://gw:8000 --package run.cselab --sign-key lab.pem   evidence for somebody else`;

export const define = command({
  says: 'replay the documented interface against a CSE and judge every requirement',
  takes: [['[ids...]', 'what to check; everything when there is none']],
  flags,
  examples,
  async run(ids, given) {
    const port = asCsePort(given);
    if (port === undefined) return withContainer(given, (reached) => runCheck(ids, reached));
    const { checkAsCse } = await import('./as-cse.ts');
    return checkAsCse(port, ids, given);
  },
});

async function runCheck(given: readonly string[], flags: CheckFlags): Promise<number> {
  // `--list ae` reads as a format; what is not one is an id.
  const ids = typeof flags.list === 'string' && flags.list !== 'json' ? [flags.list, ...given] : given;
  const redactor = maskOutput(flags.secret ?? []);
  if (flags.ui !== undefined) return onPage(() => optionsOf(ids, flags, redactor), flags);
  const options = optionsOf(ids, flags, redactor);
  if (flags.package !== undefined && (flags.watch || flags.dryRun || flags.list !== undefined))
    throw new UsageError('--package is of one whole run: it goes without --watch, --list and --dry-run');
  if (flags.dryRun) return dryRun(options, flags.list === 'json');
  if (flags.list !== undefined) return list(listScenarios(options), flags);
  const specs = flags.report ?? ['terminal'];
  const packaged = packageReporters(flags, options);
  const reporters = await createReporters(specs, contextOf(flags));
  const result = await interruptible(async (signal) => {
    const judged = (one: CheckOptions) => judge({ ...one, signal }, [...reporters, ...packaged], specs);
    if (!flags.watch) return await judged(options);
    return { exit: await watchRuns(() => optionsOf(ids, flags, redactor), judged, flags, signal) };
  });
  return tellExit(result, specs);
}

/** Until Ctrl-C. */
async function onPage(options: () => CheckOptions, flags: CheckFlags): Promise<number> {
  const { watch, dryRun, list, package: evidence, report } = flags;
  if (watch || dryRun || list !== undefined || evidence !== undefined || report !== undefined)
    throw new UsageError('--ui is a page: it goes without --watch, --list, --dry-run, --package and --report');
  const port = flags.ui === true ? 0 : portIn(flags.ui ?? '');
  const { openUi } = await import('../ui/serve-ui.ts');
  await interruptible(async (signal) => {
    const page = await openUi(options, port);
    print(`ready ${page.url}; Ctrl-C ends`);
    for await (const _ of fileChanges(foldersOf(options(), flags), signal)) page.changed();
    await page.close();
  });
  return 0;
}

function portIn(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UsageError(`--ui takes a port, not "${text}"`);
}

/** Where the files lie that what was chosen depends on. */
function foldersOf({ ids = [] }: CheckOptions, flags: CheckFlags): string[] {
  return watchedFolders([...ids, ...dependedOf(flags)]);
}

const dependedOf = ({ target, baseline }: CheckFlags): string[] => [
  ...(target ? [targetFilePath(target)] : []),
  ...(baseline ? [baseline] : []),
];

/** What the flags ask for. A target file is read anew each time. */
function optionsOf(ids: readonly string[], flags: CheckFlags, redactor: ReturnType<typeof maskOutput>): CheckOptions {
  const { target, dialect, jobs, timeout, brought } = chosenMasked(flags, redactor);
  const choice = { ids, tags: flags.tag ?? [], excludeTags: flags.excludeTag ?? [], dialect, ...shardChoice(flags) };
  const { again, rules, level, failOn, minEvidence, baseline, profile } = flags;
  return {
    ...choice,
    target: tellingOfBackend(target),
    safety: safetyOf(flags, target),
    secrets: redactor.secrets,
    ...{ again, level, failOn, rules: rules !== false, moreFiles: brought?.scenarios ?? [] },
    ownRules: rules === false ? [] : ownRuleFiles([...(brought?.rules ?? []), ...rulesCalled(rules ?? [])]),
    ...defined({ jobs, timeout, minEvidence, profile, maxFail: flags.x ? 1 : flags.maxFail }),
    ...restartOf(flags),
    ...(baseline !== undefined && { baseline: { file: baseline } }),
  };
}

/** Who plays the backend says so at once: many gateways register only when they start. */
function tellingOfBackend(target: TargetChoice): TargetChoice {
  if (target.kind !== 'url' || target.playBackend === undefined) return target;
  const onListening = (url: string) => say(`listening as the backend at ${url}; restart your gateway now`);
  return { ...target, playBackend: { ...target.playBackend, onListening } };
}

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
    depended: dependedOf(flags),
    say: print,
  });
}

async function judge(options: CheckOptions, given: readonly Reporter[], specs: readonly string[]): Promise<RunResult> {
  const progresses = given.length === 0 || specs.some((spec) => spec.startsWith('terminal'));
  const telling = progresses ? [] : [progressReporter()];
  const aside = [hintReporter(options.dialect ?? 'documented'), ...telling];
  const result = await reported(check(options), [...aside, ...given]);
  await finishAll(aside, result);
  await finishAll(given, result);
  return result;
}

function list(scenarios: ReturnType<typeof listScenarios>, flags: CheckFlags): number {
  if (flags.list === 'json') printJson(scenarios);
  else {
    writeReading(scenariosTold(scenarios), flags);
    nothingSent(scenariosSum(scenarios));
  }
  return scenarios.length === 0 && flags.shard === undefined ? 4 : 0;
}

function nothingSent(planned: string): void {
  io().stderr.write(`${planned}; nothing was sent\n`);
}

async function dryRun(options: CheckOptions, json: boolean): Promise<number> {
  const { requests, skipped } = await requestsOf(options);
  if (json) printJson({ requests, skipped });
  else {
    writeReading(dryRunTold({ requests, skipped }), { color: false });
    nothingSent(dryRunSum({ requests, skipped }));
  }
  return requests.every(({ scenario }) => scenario === undefined) ? 4 : 0;
}
