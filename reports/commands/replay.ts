/** `cselab replay`: sends the scenario of a failure again, and says whether it still fails. */

import { check, listScenarios, wholePlan } from '../../scenarios/checking/check.ts';
import type { CheckOptions, InstallationDescription, RunResult, ScenarioResult } from '../../scenarios/index.ts';
import { ownRuleFiles, rulesCalled } from '../../scenarios/results.ts';
import { defined, lastOf, UsageError } from '../../scenarios/words.ts';
import { command, type ValuesOf } from '../../sim/command-line/flag.ts';
import { type CheckEvidence, isForeign } from '../facts/evidence.ts';
import { color, rules, secret, timeout } from '../flags/common-flags.ts';
import { maskedTarget, maskOutput } from '../flags/masked-streams.ts';
import { safetyOf, writingFlags } from '../flags/safety-flags.ts';
import { type TargetFlags, targetFlags } from '../flags/target-flags.ts';
import { readReport } from '../formats/read-report.ts';
import { printContent } from '../formats/reporting.ts';
import { replayBlocks, replayOf } from '../replay/replay-outcome.ts';
import { say } from '../writing/output-file.ts';
import { findFailures } from './show.ts';

const flags = {
  ...targetFlags,
  ...writingFlags({}),
  'Rules of your own:': { rules },
  'Output:': { timeout, secret, color },
};

type ReplayFlags = ValuesOf<typeof flags>;

const examples = `
The id is a failure's, a requirement's or a scenario's, as cselab show lists them. The target is that of the report; an embedded
CSE is started anew. Keys, certificates and headers are not in a report: give them, or --target, as you did to check. With --url it is
sent to another target, or to the same by another wire.
Exit codes: 0 fixed, 1 still failing or different, 2 usage (the id is not in the report, the scenario exists no longer),
3 target unreachable or harness fault.

Examples:
  cselab replay report.json 3fa91c2
  cselab replay report.json ae.create.status --url http://127.0.0.1:8000
  cselab replay report.json house.container.named --rules house-rules.yaml
  cselab replay report.json std.discovery.answer --url mqtt://127.0.0.1      the same over MQTT
  cselab replay report.json documented/ae/registers --cert ae.cert.pem --key ae.key.pem`;

export const define = command({
  help: 'send the scenario of a failure again: FIXED, STILL FAILING or DIFFERENT',
  args: [
    ['<report>', 'JSON report'],
    ['<id>', 'failure, requirement or scenario'],
  ],
  flags,
  examples,
  async run(path, id, flags) {
    const redactor = maskOutput(flags.secret ?? []);
    const before = readReport(path);
    if (before.target.kind === 'recorded' || before.target.kind === 'simulated')
      throw new UsageError('what others sent is not sent again: cselab record writes what passes as a scenario');
    const found = findFailures(before, id).map(({ evidence }) => evidence);
    const scenario = found[0]?.scenario;
    const failures = found.filter((one) => one.check.state === 'failed' && one.scenario === scenario);
    if (scenario === undefined || failures.length === 0) throw new UsageError(`nothing of "${id}" failed in ${path}`);
    const { target, dialect, timeout, inherited } = maskedTarget(flagsFor(before, scenario, flags), redactor);
    const ownRules = ownRuleFiles([...(inherited?.rules ?? []), ...rulesCalled(flags.rules ?? [])]);
    mustBeKnown(failures, { dialect, ownRules });
    const choice = { ...choiceOf(scenario, before, ownRules), dialect, target, ...defined({ timeout }) };
    const safety = { secrets: redactor.secrets, safety: safetyOf(flags, target) };
    // Only the scenario is sent again.
    const now = await lastOf(check({ ...choice, ...safety, undeclared: false }));
    const again = now.scenarios.find((one) => one.id === scenario.id);
    if (again === undefined || now.exit.code === 3 || now.exit.code === 130) {
      say(now.exit.reason);
      return now.exit.code === 130 ? 130 : 3;
    }
    const replay = replayOf({ result: before, failures, scenario }, { result: now, scenario: again });
    printContent(replayBlocks(replay), flags);
    say(...(now.notes ?? []));
    return replay.outcome === 'FIXED' ? 0 : 1;
  },
});

/** A rule that was not read finds nothing, as if its failure was fixed. */
function mustBeKnown(failures: readonly CheckEvidence[], choice: Pick<CheckOptions, 'dialect' | 'ownRules'>): void {
  const { requirements } = wholePlan({ ...choice, files: [] }).catalogue;
  const unknown = failures.find(({ check }) => !requirements.has(check.requirement))?.check.requirement;
  if (unknown !== undefined)
    throw new UsageError(`cselab has no requirement "${unknown}"; if it is your own, --rules names its file`);
}

/** Only the scenario, with rules if they were used. Throws UsageError if it no longer exists. */
function choiceOf(scenario: ScenarioResult, { strictness, dialect, evidence }: RunResult, ownRules: readonly string[]) {
  const { id, place, steps } = scenario;
  const choice = { ids: [id], dialect, ownRules, ...(isForeign(scenario) && { files: [place.file] }) };
  if (!exists(choice)) throw new UsageError(`the scenario "${id}" of the report exists no longer`);
  const rules = evidence !== undefined || steps.some(({ checks }) => checks.some(({ byRule }) => byRule));
  return { ...choice, level: strictness.level, jobs: 1, again: false, rules };
}

function exists(choice: { readonly ids: readonly string[]; readonly ownRules: readonly string[] }): boolean {
  try {
    return listScenarios(choice).some(({ id }) => choice.ids.includes(id));
  } catch (error) {
    if (error instanceof UsageError) return false;
    throw error;
  }
}

/**
 * Flags to check the target of the report once more; given ones win. Secrets, certificates and headers are not in a report and
 * have to be given again. A target file has all of them.
 */
function flagsFor(result: RunResult, scenario: ScenarioResult, flags: ReplayFlags): ReplayFlags {
  const { dialect, target } = result;
  if (flags.target !== undefined) return { dialect, ...flags };
  if (flags.inProcess || (flags.url === undefined && target.kind !== 'url')) {
    return { dialect, ...(target.kind === 'in-process' && { inProcess: true }), ...flags };
  }
  const { url, base, cseId, spId } = target;
  const own = target.kind === 'url' ? { url, base, cseId, spId } : {};
  const { installations } = result;
  const installation = installations.find(({ name }) => name === scenario.installation) ?? installations[0];
  return { dialect, ...own, ...installationFlags(installation, flags), ...flags };
}

function installationFlags(installation: InstallationDescription | undefined, flags: TargetFlags): TargetFlags {
  if (installation === undefined || installation.gateway.kind !== 'url') return {};
  const { has, backend, originator, gateway } = installation;
  const asReported = {
    // One report can hold several addresses of a target.
    ...(flags.url === undefined && { url: gateway.url }),
    ...(has.includes('certificate required') && { requireCert: true }),
    ...(has.includes('access control') && { accessControl: true }),
    ...defined({ originator }),
  };
  if (backend === undefined || flags.backendUrl !== undefined || flags.asBackend !== undefined) return asReported;
  const names = { backendBase: backend.base, backendCseId: backend.cseId };
  if (backend.kind !== 'simulated') return { ...asReported, ...names, backendUrl: backend.url };
  return { ...asReported, ...names, asBackend: Number(new URL(backend.url).port) };
}
