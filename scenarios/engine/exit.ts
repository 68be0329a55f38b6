import { type Dialect, dialects } from './grammar.ts';
import { isBinding, levelIn } from './levels.ts';
import type { Plan } from './plan.ts';
import type { CheckResult, Exit, RequirementResult, ScenarioResult } from './result.ts';
import { lostTarget } from './scenario-state.ts';
import type { Stop } from './verdict.ts';

/** The exit code and its reason; of several that apply, the one that says most about the target. */
export function judgeExit(
  plan: Plan,
  scenarios: readonly ScenarioResult[],
  requirements: readonly RequirementResult[],
  stop: Stop | undefined,
): Exit {
  if (stop?.kind === 'interrupted') return { code: 130, reason: stop.reason };
  const violated = requirements.filter((one) => one.verdict === 'violated');
  if (violated.length > 0) {
    const ids = violated.map((one) => one.id);
    return { code: 1, reason: `${number(ids.length, nouns[plan.dialect])} violated: ${list(ids)}` };
  }
  if (stop?.kind === 'unreachable') return { code: 3, reason: stop.reason };
  const lost = scenarios.find(lostTarget);
  if (lost !== undefined) return { code: 3, reason: `the target could not be reached in ${lost.id}` };
  const faults = scenarios.filter((one) => one.state === 'fault');
  if (faults.length > 0) return { code: 3, reason: `the harness failed in ${list(faults.map((one) => one.id))}` };
  return inconclusive(plan, scenarios) ?? { code: 0, reason: conformant(requirements, plan.dialect) };
}

function inconclusive(plan: Plan, scenarios: readonly ScenarioResult[]): Exit | undefined {
  if (plan.scenarios.length === 0) return { code: 4, reason: 'no scenario was selected' };
  const checks = scenarios.flatMap((scenario) => scenario.steps).flatMap((step) => step.checks);
  const judged = checks.filter((check) => check.state !== 'not testable' && check.state !== 'not applicable');
  if (judged.length === 0) return { code: 4, reason: `nothing was judged: no check was ${idle(checks)}` };
  const open = scenarios.filter((one) => one.steps.some((step) => step.checks.some(isOpen)));
  if (open.length > 0) {
    return { code: 4, reason: `not everything could be judged: ${list(open.map((one) => one.id))}` };
  }
  if (judged.some((check) => isBinding(check.level))) return undefined;
  return { code: 4, reason: `nothing was judged that counts: ${harmless(judged, plan.dialect)}` };
}

/** Why none of these checks could have failed the run. */
function harmless(judged: readonly CheckResult[], dialect: Dialect): string {
  if (judged.every((check) => check.level === 'gap')) return 'the specification leaves open what was looked at';
  const other = otherThan(dialect);
  return `${nouns[other][1]} only advise in this dialect. Give --dialect ${other}`;
}

/** A requirement that should have been judged and was not. */
function isOpen(check: CheckResult): boolean {
  return isBinding(check.level) && check.state === 'not testable' && !check.excused;
}

function idle(checks: readonly CheckResult[]): string {
  return checks.some((check) => check.state === 'not applicable') ? 'testable and applicable' : 'testable';
}

function conformant(requirements: readonly RequirementResult[], dialect: Dialect): string {
  const guests = requirements.filter((one) => levelIn(dialect, one) === 'advisory');
  const satisfied = requirements.filter((one) => one.verdict === 'satisfied' && !guests.includes(one));
  return `no deviation found; ${number(satisfied.length, nouns[dialect])} satisfied${advice(guests, dialect)}`;
}

/** What does not count here is told where it is not kept. */
function advice(guests: readonly RequirementResult[], dialect: Dialect): string {
  const broken = guests.filter((one) => one.verdict === 'advisory').length;
  return broken === 0 ? '' : `; as advice only: ${number(broken, nouns[otherThan(dialect)])} not satisfied`;
}

function otherThan(dialect: Dialect): Dialect {
  return dialects.find((one) => one !== dialect) ?? dialect;
}

/** One, and several. */
type Nouns = readonly [string, string];
const nouns: Readonly<Record<Dialect, Nouns>> = {
  documented: ['documented requirement', 'documented requirements'],
  onem2m: ['requirement of the standard', 'requirements of the standard'],
};

function number(count: number, [one, several]: Nouns): string {
  return `${count} ${count === 1 ? one : several}`;
}

function list(ids: readonly string[]): string {
  const shown = ids.slice(0, 5).join(', ');
  return ids.length > 5 ? `${shown} and ${ids.length - 5} more` : shown;
}
