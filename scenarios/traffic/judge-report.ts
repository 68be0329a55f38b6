import { isBinding, levelIn } from '../engine/judging/levels.ts';
import { rejudge } from '../engine/judging/rejudge.ts';
import type { Exchange } from '../engine/messages/exchange.ts';
import type { CheckResult, RunResult, ScenarioResult, StepResult, Verdict } from '../engine/result.ts';
import { Judge } from '../oracle/judge.ts';
import { rulesOf } from '../oracle/rules.ts';
import { isForeign } from './recorded.ts';

const unjudged: ReadonlySet<Verdict> = new Set(['excluded', 'not applicable', 'not asked', 'left out']);

/** The report of a run, with what rules find in its exchanges that no check looked at; nothing is sent. */
export function judgeReport(report: RunResult): RunResult {
  const judged = new Set(report.requirements.filter(({ verdict }) => !unjudged.has(verdict)).map(({ id }) => id));
  const rules = rulesOf(report.dialect).filter(({ requirement }) => judged.has(requirement));
  const scale = { dialect: report.dialect, level: report.strictness.level };
  const levels = new Map(report.requirements.map((one) => [one.id, levelIn(scale, one)]));
  const scenarios = report.scenarios.map((scenario) => {
    const { gateway } = report.installations.find(({ name }) => name === scenario.installation) ?? {};
    const levelOf = (id: string) => levels.get(id) ?? 'documented';
    if (gateway === undefined) return scenario;
    return judgedScenario(scenario, new Judge({ rules, dialect: report.dialect, names: gateway, levelOf }));
  });
  return { ...report, scenarios, ...rejudge([report], scenarios, report.baseline, report.survey) };
}

function judgedScenario(scenario: ScenarioResult, judge: Judge): ScenarioResult {
  const steps = scenario.steps.map((step) => {
    const checks = step.checks.filter(({ byRule }) => byRule !== true);
    return { ...step, checks: [...checks, ...foundIn(step, checks, judge)] };
  });
  const fails = steps.some(({ checks }) => checks.some(({ state, level }) => state === 'failed' && isBinding(level)));
  return { ...scenario, steps, ...(fails && scenario.state === 'passed' && { state: 'failed' }) };
}

function foundIn({ exchange, on, passed }: StepResult, checks: readonly CheckResult[], judge: Judge): CheckResult[] {
  if (passed !== undefined) judge.passTime();
  if (exchange === undefined) return [];
  // By way of the other CSE anything may have been changed here.
  if (on !== undefined && exchange.request.method !== 'GET') judge.doubtAll();
  if (on !== undefined) return [];
  const broken = checks.filter(({ state }) => state === 'failed').map(({ requirement }) => requirement);
  if (isCut(exchange) || isForeign(exchange)) judge.overlook(exchange);
  else return judge.judge(exchange, { broken, isOrdinary: exchange.connection === undefined });
  return [];
}

/** A report keeps the beginning of long bodies. */
function isCut({ request, answer }: Exchange): boolean {
  return [request.body, answer?.body].some(
    (body) => body !== undefined && /… \(\d+ (?:bytes|characters)\)$/.test(body),
  );
}
