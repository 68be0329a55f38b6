import { isBinding, levelIn } from '../files/levels.ts';
import type { Plan } from '../files/plan.ts';
import { type Dialect, dialects } from '../grammar/dialects.ts';
import type { RequirementResult, Verdict } from '../results/requirement-result.ts';
import type { CheckResult, Exit, RunResult, ScenarioResult } from '../results/result.ts';
import {
  type BaselineOutcome,
  type Death,
  type Failure,
  failures,
  type Strictness,
  type Survey,
} from '../results/run-context.ts';
import { observationOfAnswer } from './answer.ts';
import { checkedShare, claimsReason, deathSentence, dialectHint, isWhole, listed, shareText } from './exit-words.ts';
import { isUnanswered, lostTarget, skippedOf } from './scenario-state.ts';
import type { Stop } from './verdict.ts';

/** The parts of a plan that an exit code depends on. */
export type ExitPlan = Pick<Plan, 'dialect' | 'level' | 'shard' | 'locked'> & {
  readonly scenarios: readonly unknown[];
};

/** What an exit code depends on. */
export interface ExitBasis {
  readonly plan: ExitPlan;
  readonly scenarios: readonly ScenarioResult[];
  readonly requirements: readonly RequirementResult[];
  readonly stop: Stop | undefined;
  readonly strictness: Strictness;
  readonly baseline: BaselineOutcome | undefined;
  readonly deaths?: readonly Death[] | undefined;
  readonly survey?: Survey | undefined;
  /** The target's claims, with their results, and the demands of a profile. */
  readonly claims?: Pick<RunResult, 'ics' | 'profile'> | undefined;
  /** Why nobody could register with the shared originator. */
  readonly inUse?: string | undefined;
}

/**
 * The exit code and its reason; of several, the one that says most about the target. Where not everything checkable was
 * checked, the reason says how much was.
 */
export function judgeExit(basis: ExitBasis): Exit {
  const { code, reason } = exitOf(basis);
  const share = checkedShare(basis.requirements);
  const partial = code !== 0 && share.checked > 0 && !isWhole(share);
  const coverage = partial ? `; ${share.checked} of ${share.checkable} requirements checked` : '';
  const cause = basis.inUse === undefined || code === 130 ? '' : `; ${basis.inUse}`;
  const hint = code === 0 ? undefined : dialectHint(basis.plan.dialect, basis.scenarios);
  return { code, reason: `${hint === undefined ? '' : `${hint}; `}${reason}${coverage}${cause}${deniedText(basis)}` };
}

/** A statement that denies much leaves little to deviate from. */
function deniedText({ plan, requirements }: ExitBasis): string {
  const denied = requirements.filter((one) => one.denied && isBinding(levelIn(plan, one))).length;
  return denied === 0 ? '' : `; ${number(denied, nounOf(plan))} excluded by its conformance statement`;
}

/** With the deaths of the target, where it died. */
function exitOf(basis: ExitBasis): Exit {
  const exit = judgeAnswers(basis);
  const { deaths = [], strictness } = basis;
  const death = deathSentence(deaths);
  if (death === undefined || exit.code === 130) return exit;
  const killed = strictness.failOn.includes('violations') && deaths.some((one) => isNew(one, basis));
  const unexplained = deaths.some(({ culprit }) => culprit === undefined);
  const code = killed ? 1 : exit.code === 0 && unexplained ? 3 : exit.code;
  // That the target could not be reached is said by its death.
  const answers = exit.code === 1 || exit.code === 4 ? [exit.reason] : [];
  return { code, reason: [death, ...lostText(basis), ...answers].join('; ') };
}

/** The exit by the answers alone, without the deaths of the target. */
function judgeAnswers(basis: ExitBasis): Exit {
  const { plan, scenarios, requirements, stop } = basis;
  if (stop?.kind === 'interrupted') return { code: 130, reason: stop.reason };
  const failure = failureReason(basis);
  if (failure !== undefined) return { code: 1, reason: failure };
  if (stop?.kind === 'unreachable') return { code: 3, reason: stop.reason };
  if (stop?.kind === 'misconfigured') return { code: 5, reason: stop.reason };
  const open = brokenIn(scenarios) ?? inconclusive(plan, scenarios) ?? tooLittle(basis);
  return open ?? { code: 0, reason: conformant(requirements, plan) };
}

/** Whether a request provably killed the target, and no baseline excuses that. */
function isNew({ culprit }: Death, { scenarios }: ExitBasis): boolean {
  if (culprit === undefined) return false;
  const step = scenarios.find(({ id }) => id === culprit.scenario)?.steps[culprit.step];
  return step?.checks.some(({ known }) => known !== undefined) !== true;
}

function lostText({ plan, scenarios, requirements }: ExitBasis): string[] {
  const runs = scenarios.filter(({ state }) => state === 'lost').length;
  const lost = requirements.filter(({ verdict }) => verdict === 'lost').length;
  if (runs + lost === 0) return [];
  return [`${runs} of ${number(plan.scenarios.length, 'scenario')} and ${number(lost, 'requirement')} lost`];
}

/** Scenarios that say more about the connection, or about the harness, than about the target. */
export function brokenIn(scenarios: readonly ScenarioResult[]): Exit | undefined {
  const lost = scenarios.find(lostTarget);
  if (lost !== undefined) return { code: 3, reason: `the target could not be reached in ${lost.id}` };
  const faults = scenarios.filter((one) => one.state === 'fault');
  if (faults.length === 0) return undefined;
  return { code: 3, reason: `the harness failed in ${listed(faults.map((one) => one.id))}` };
}

/** Why the run failed; of several reasons, the one that says most. */
function failureReason(basis: ExitBasis): string | undefined {
  const { plan, scenarios, requirements, strictness, baseline, survey, claims = {} } = basis;
  const noun = nounOf(plan);
  const found: Readonly<Record<Failure, () => string | undefined>> = {
    violations: () => verdictText(requirements, 'violated', noun, 'violated'),
    intermittent: () => verdictText(requirements, 'intermittent', noun, 'satisfied only intermittently'),
    advice: () => verdictText(requirements, 'advisory', nounIn[otherThan(plan.dialect)], 'not satisfied'),
    untestable: () => verdictText(checkedHere(requirements, plan), ['not testable', 'not asked'], noun, 'not testable'),
    'left-behind': () => leftovers(scenarios, survey),
    claims: () => claimsReason(claims),
  };
  const reasons = failures.filter((one) => strictness.failOn.includes(one)).map((one) => found[one]());
  return [...reasons, baseline?.problems[0]?.says].find((reason) => reason !== undefined);
}

/** Deviations that the baseline knows are reported, but not counted. */
function verdictText(
  requirements: readonly RequirementResult[],
  verdicts: Verdict | readonly Verdict[],
  noun: string,
  what: string,
): string | undefined {
  const ids = requirements
    .filter((one) => [verdicts].flat().includes(one.verdict) && one.known !== true)
    .map(({ id }) => id);
  return ids.length === 0 ? undefined : `${number(ids.length, noun)} ${what}: ${listed(ids)}`;
}

function leftovers(scenarios: readonly ScenarioResult[], survey: Survey | undefined): string | undefined {
  if (survey?.damaged !== undefined) return `a request that worked before the run fails since: ${survey.damaged}`;
  const paths = [...new Set([...scenarios.flatMap((one) => one.leftBehind), ...(survey?.left ?? [])])];
  return paths.length === 0 ? undefined : `the run left ${listed(paths)} behind`;
}

/** Less evidence than requested gives no verdict. */
function tooLittle({ plan, requirements, strictness }: ExitBasis): Exit | undefined {
  const { minEvidence } = strictness;
  const satisfied = checkedHere(requirements, plan).filter((one) => one.verdict === 'satisfied');
  const thin = satisfied.filter((one) => one.observations < minEvidence);
  if (thin.length === 0) return undefined;
  const ids = listed(thin.map((one) => one.id));
  return { code: 4, reason: `fewer than ${minEvidence} checks passed for ${thin.length} of the requirements: ${ids}` };
}

/** Those that no other shard checks as well: too little is known here of the others. */
function checkedHere(requirements: readonly RequirementResult[], { shard }: ExitPlan): readonly RequirementResult[] {
  return shard === undefined ? requirements : requirements.filter(({ id }) => !shard.elsewhere.has(id));
}

function inconclusive(
  { scenarios: planned, dialect, shard, locked = new Set() }: ExitPlan,
  scenarios: readonly ScenarioResult[],
): Exit | undefined {
  if (planned.length === 0) return nothingPlanned(shard);
  const left = skippedOf(locked, scenarios);
  if (left.length > 0)
    return { code: 4, reason: `${number(left.length, 'scenario')} of the plan skipped: ${listed(left)}` };
  const unanswered = scenarios.flatMap(({ steps }) => steps.find(isUnanswered)?.asked ?? []);
  const [open] = unanswered.map((asked) => observationOfAnswer(asked).summary);
  if (open !== undefined)
    return { code: 4, reason: unanswered.length > 1 ? `${open} and ${unanswered.length - 1} more` : open };
  const checks = scenarios.flatMap((scenario) => scenario.steps).flatMap((step) => step.checks);
  const decided = checks.filter(({ state }) => state === 'passed' || state === 'failed' || state === 'fault');
  if (decided.length === 0) return { code: 4, reason: `nothing was checked: no check was ${idle(checks)}` };
  const unsure = scenarios.filter((one) => one.steps.some((step) => step.checks.some(isOpen)));
  if (unsure.length > 0) {
    return { code: 4, reason: `not everything could be checked: ${listed(unsure.map((one) => one.id))}` };
  }
  if (decided.some((check) => isBinding(check.level))) return undefined;
  return { code: 4, reason: `nothing that counts was checked: ${harmless(decided, dialect)}` };
}

/** A plan can have fewer scenarios than shards. */
function nothingPlanned(shard: ExitPlan['shard']): Exit {
  if (shard === undefined || shard.elsewhere.size === 0) return { code: 4, reason: 'no scenario was selected' };
  return { code: 0, reason: `no scenario is in shard ${shard.index} of ${shard.count}` };
}

/** Why none of these checks could have failed the run. */
function harmless(checks: readonly CheckResult[], dialect: Dialect): string {
  if (checks.every((check) => check.level === 'gap')) return 'everything checked is implementation-defined';
  const other = otherThan(dialect);
  return `${several(nounIn[other])} only advise in this dialect. Give --dialect ${other}`;
}

/** A check that should have been decided and was not. */
function isOpen(check: CheckResult): boolean {
  return isBinding(check.level) && (check.state === 'lost' || (check.state === 'not testable' && !check.excused));
}

function idle(checks: readonly CheckResult[]): string {
  if (checks.some(({ state }) => state === 'left out')) return 'testable, applicable, and without risk';
  return checks.some(({ state }) => state === 'not applicable') ? 'testable and applicable' : 'testable';
}

function conformant(requirements: readonly RequirementResult[], plan: ExitPlan): string {
  const advised = requirements.filter(({ verdict }) => verdict === 'advisory').length;
  const noun = nounIn[otherThan(plan.dialect)];
  const advice = advised === 0 ? '' : `; as advice only: ${number(advised, noun)} not satisfied`;
  const deviations = requirements.filter(({ verdict }) => verdict === 'violated' || verdict === 'intermittent').length;
  const where = `in ${shareText(checkedShare(requirements))}`;
  const found =
    deviations === 0 ? `no deviation ${where}` : `no new deviation ${where}; ${deviations} known or excused`;
  return found + advice;
}

function otherThan(dialect: Dialect): Dialect {
  return dialects.find((one) => one !== dialect) ?? dialect;
}

const nounIn: Readonly<Record<Dialect, string>> = {
  documented: 'documented requirement',
  onem2m: 'requirement of the standard',
};

/** Plain `requirement` where those of both dialects count. */
function nounOf({ dialect, level }: ExitPlan): string {
  return dialect === 'documented' && level === 'standard' ? 'requirement' : nounIn[dialect];
}

function number(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : several(noun)}`;
}

function several(noun: string): string {
  return noun.replace(/scenario|requirement/, '$&s');
}
