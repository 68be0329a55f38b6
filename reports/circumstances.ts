import type { RunResult, ScenarioResult, StepResult } from '../scenarios/index.ts';

/**
 * On which installation, at which CSE and with which certificate a step acted, such as `installation mutual, at the backend,
 * certificate own, after 1h of virtual time`. Empty where a run has one CSE only and nothing special is to be said.
 */
export function circumstancesText(
  { installations }: Pick<RunResult, 'installations'>,
  { installation, steps }: Pick<ScenarioResult, 'installation' | 'steps'>,
  step: StepResult,
): string {
  const { on, exchange } = step;
  const parts = [
    installations.length > 1 && installation !== undefined ? `installation ${installation}` : '',
    on === undefined ? '' : `at the ${on}`,
    exchange?.certificate === undefined ? '' : `certificate "${exchange.certificate}"`,
    exchange?.over === undefined ? '' : `over ${exchange.over}`,
    ...(step.phase === 'cleanup' ? [] : timesBefore(step, steps)),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function timesBefore(step: StepResult, steps: readonly StepResult[]): string[] {
  return steps.slice(0, steps.indexOf(step)).flatMap(({ passed }) => (passed === undefined ? [] : timeText(passed)));
}

/** Time that had passed, such as `after 1h of virtual time`. */
function timeText({ duration, how }: NonNullable<StepResult['passed']>): string {
  return how === 'virtual' ? `after ${duration} of virtual time` : `after ${duration} of waiting`;
}
