import type { RunResult, ScenarioResult, StepResult } from '../scenarios/index.ts';

/**
 * On which installation, at which CSE and with which certificate a step acted, such as `installation mutual, at the backend,
 * certificate own`. Empty where a run has one CSE only and nothing special is to be said.
 */
export function circumstancesText(
  { installations }: Pick<RunResult, 'installations'>,
  { installation }: Pick<ScenarioResult, 'installation'>,
  { on, exchange }: Pick<StepResult, 'on' | 'exchange'>,
): string {
  const parts = [
    installations.length > 1 && installation !== undefined ? `installation ${installation}` : '',
    on === undefined ? '' : `at the ${on}`,
    exchange?.certificate === undefined ? '' : `certificate "${exchange.certificate}"`,
    exchange?.over === undefined ? '' : `over ${exchange.over}`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}
