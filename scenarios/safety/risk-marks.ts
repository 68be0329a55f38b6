import type { LoadedScenario, LoadedStep } from '../engine/files/load.ts';
import { isSending } from '../engine/grammar/grammar-step.ts';
import type { Plan } from '../engine/running/plan.ts';
import { type RiskChoice, reasonOfMark } from './risks.ts';

/** The plan as it is for a live target: what is marked as a risk is left out, with its reason, unless everything is allowed. */
export function withoutMarked(plan: Plan, { risky }: Pick<RiskChoice, 'risky'>): Plan {
  return risky === 'all' ? plan : { ...plan, scenarios: plan.scenarios.map(unmarked) };
}

function unmarked(scenario: LoadedScenario): LoadedScenario {
  const { risky, given, steps } = scenario;
  const leftOut = risky === undefined ? {} : { leftOut: reasonOfMark(risky) };
  return { ...scenario, given: given.map(withReason), steps: steps.map(withReason), ...leftOut };
}

function withReason(loaded: LoadedStep): LoadedStep {
  const { step } = loaded;
  return isSending(step) && step.risky !== undefined ? { ...loaded, leftOut: reasonOfMark(step.risky) } : loaded;
}
