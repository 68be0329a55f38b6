/** What `cselab check` does once its flags are read. */
import {
  type CheckOptions,
  check,
  type DryRequest,
  defined,
  type Exit,
  listScenarios,
  type RunResult,
  requestsOf,
  type TargetChoice,
  targetFilePath,
} from '../scenarios/index.ts';
import type { CheckFlags } from './commands/check.ts';
import { safetyOf } from './commands/safety-flags.ts';
import { withContainer } from './container-plan.ts';
import { chosenMasked, maskOutput } from './masked-streams.ts';
import { interruptible } from './progress/interruptible.ts';
import { createReporters, type Reporter } from './reporter.ts';
import { contextOf, finishAll, hintReporter, progressReporter, reported, tellExit, tellFiles } from './reporting.ts';
import { restartOf } from './restarter.ts';
import { shardChoice } from './shard-flags.ts';
import { visibleText } from './visible-text.ts';
import { fileChanges, watch, watchedFolders } from './watch.ts';
import { counted } from './wording.ts';

export async function runCheck(given: readonly string[], flags: CheckFlags): Promise<void> {
  await withContainer(flags, (reached) => checkOne(given, reached));
}

async function checkOne(given: readonly string[], flags: CheckFlags): Promise<void> {
  // `--list ae` reads as a format; what is not one is an id.
  const ids = typeof flags.list === 'string' && flags.list !== 'json' ? [flags.list, ...given] : given;
  const redactor = maskOutput(flags.secret ?? []);
  const options = optionsOf(ids, flags, redactor);
  if (flags.dryRun) return printDryRun(options, flags.list === 'json');
  if (flags.list !== undefined) return list(listScenarios(options), flags);
  const specs = flags.report ?? ['terminal'];
  const result = await interruptible(async (signal) => {
    const judged = (one: CheckOptions) => judge({ ...one, signal }, createReporters(specs, contextOf(flags)), specs);
    if (!flags.watch) return await judged(options);
    return { exit: await watchRuns(() => optionsOf(ids, flags, redactor), judged, flags, signal) };
  });
  tellExit(result);
}

/** What the flags ask for. A target file is read anew each time. */
function optionsOf(ids: readonly string[], flags: CheckFlags, redactor: ReturnType<typeof maskOutput>): CheckOptions {
  const { target, dialect, jobs, timeout } = chosenMasked(flags, redactor);
  const choice = { ids, tags: flags.tag ?? [], excludeTags: flags.excludeTag ?? [], dialect, ...shardChoice(flags) };
  const { again, rules, level, failOn, minEvidence, baseline } = flags;
  return {
    ...choice,
    target: tellingOfBackend(target),
    safety: safetyOf(flags, target),
    secrets: redactor.secrets,
    ...{ again, rules, level, failOn },
    ...defined({ jobs, timeout, minEvidence, maxFail: flags.x ? 1 : flags.maxFail }),
    ...restartOf(flags),
    ...(baseline !== undefined && { baseline: { file: baseline } }),
  };
}

/** Who plays the backend says so at once: many gateways register only when they start. */
function tellingOfBackend(target: TargetChoice): TargetChoice {
  if (target.kind !== 'url' || target.playBackend === undefined) return target;
  const onListening = (url: string) => {
    process.stderr.write(`cselab: listening as the backend at ${url}; restart your gateway now\n`);
  };
  return { ...target, playBackend: { ...target.playBackend, onListening } };
}

function watchRuns(
  options: () => CheckOptions,
  first: (options: CheckOptions) => Promise<RunResult>,
  { target, baseline }: CheckFlags,
  signal: AbortSignal,
): Promise<Exit> {
  const depended = [...(target ? [targetFilePath(target)] : []), ...(baseline ? [baseline] : [])];
  const folders = watchedFolders([...(options().ids ?? []), ...depended]);
  return watch({
    options,
    first,
    again: (one) => judge({ ...one, signal }, [], []),
    changes: fileChanges(folders, signal),
    depended,
    say: (line) => process.stdout.write(`${line}\n`),
  });
}

async function judge(options: CheckOptions, given: readonly Reporter[], specs: readonly string[]): Promise<RunResult> {
  const progresses = given.length === 0 || specs.some((spec) => spec.startsWith('terminal'));
  const telling = progresses ? [] : [progressReporter(process.stderr)];
  const reporters = [hintReporter(options.dialect ?? 'documented', process.stderr), ...telling, ...given];
  const result = await reported(check(options), reporters);
  await finishAll(reporters, result);
  tellFiles(given, result, process.stderr);
  return result;
}

function list(scenarios: ReturnType<typeof listScenarios>, flags: CheckFlags): void {
  if (scenarios.length === 0 && flags.shard === undefined) process.exitCode = 4;
  if (flags.list === 'json') return void process.stdout.write(`${JSON.stringify(scenarios, null, 2)}\n`);
  for (const scenario of scenarios) {
    process.stdout.write(`${scenario.id}\n    ${scenario.title}\n`);
    if (scenario.needs.length > 0) process.stdout.write(`    needs ${scenario.needs.join(', ')}\n`);
    if (scenario.inapplicable !== undefined)
      process.stdout.write(`    not applicable: ${visibleText(scenario.inapplicable)}\n`);
  }
  const idle = scenarios.filter(({ inapplicable }) => inapplicable !== undefined).length;
  const applied = idle === 0 ? '' : `, ${idle} of them not applicable`;
  process.stderr.write(`${counted(scenarios.length, 'scenario')}${applied}; nothing was sent\n`);
}

async function printDryRun(options: CheckOptions, json: boolean): Promise<void> {
  const { requests, skipped } = await requestsOf(options);
  if (requests.every(({ scenario }) => scenario === undefined)) process.exitCode = 4;
  if (json) return void process.stdout.write(`${JSON.stringify({ requests, skipped }, null, 2)}\n`);
  let heading: string | undefined;
  for (const request of requests) {
    const next = request.scenario ?? `(${request.phase} the scenarios)`;
    if (next !== heading) process.stdout.write(`${visibleText(next)}\n`);
    heading = next;
    process.stdout.write(textOf(request));
  }
  for (const { scenario, reason, state } of skipped) {
    process.stdout.write(`${visibleText(scenario)}\n  ${state}: ${visibleText(reason)}\n`);
  }
  const unsent = requests.filter(({ objection }) => objection !== undefined).length;
  const leftOut = requests.filter((one) => one.leftOut).length;
  const parts = [
    ...(unsent > leftOut ? [`${unsent - leftOut} more held back`] : []),
    ...(leftOut > 0 ? [`${leftOut} more left out as a risk`] : []),
  ];
  const held = parts.map((part) => `, ${part}`).join('');
  const idle = (['not applicable', 'left out'] as const).flatMap((state) => {
    const number = skipped.filter((one) => one.state === state).length;
    return number === 0 ? [] : [`; ${counted(number, 'scenario')} ${state}`];
  });
  process.stderr.write(`${counted(requests.length - unsent, 'request')}${held}${idle.join('')}; nothing was sent\n`);
}

function textOf({ phase, on, request, originator, certificate, objection }: DryRequest): string {
  const what = request.exactBytes ? '' : `${request.method} ${request.path}`;
  const where = on === undefined ? '' : ' at the backend';
  const who = [
    ...(originator === undefined ? [] : [`as ${originator}`]),
    ...(certificate === undefined ? [] : [`with the certificate "${certificate}"`]),
  ].join(' ');
  const lines = [
    `  ${phase === 'step' ? '' : `${phase}: `}${what || 'exact bytes'}${where}${who === '' ? '' : ` ${who}`}`,
  ];
  if (request.body !== undefined) lines.push(`      ${request.body}`);
  if (objection !== undefined) lines.push(`      ${objection}`);
  return `${lines.map(visibleText).join('\n')}\n`;
}
