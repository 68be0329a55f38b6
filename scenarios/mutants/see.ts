import { check } from '../check.ts';
import type { RequirementResult, RunResult } from '../engine/result.ts';
import type { Mutant, Sight, Violation } from './mutant.ts';

/** Judges the simulator with one fault, in every installation and in virtual time. */
export async function see({ fault, dialect, files }: Mutant): Promise<Sight> {
  const events = check({
    target: { kind: 'embedded', faults: [fault.id] },
    dialect,
    files,
    // What fails here fails because of the fault; to run it once more would only take time.
    again: false,
  });
  let step = await events.next();
  while (!step.done) step = await events.next();
  return sightOf(step.value);
}

function sightOf({ requirements, scenarios, exit, took }: RunResult): Sight {
  const byId = new Map(scenarios.map((scenario) => [scenario.id, scenario]));
  const violations = requirements.filter(({ verdict }) => verdict === 'violated').map(violationOf);
  const faulty = scenarios.filter(({ state }) => state === 'fault');
  const run = scenarios.filter(({ state }) => state !== 'not applicable' && state !== 'fault');
  const troubles = [
    ...faulty.map(({ id, reason = 'the harness failed' }) => `${id}: ${reason}`),
    ...(exit.code === 3 && faulty.length === 0 ? [exit.reason] : []),
  ];
  return { violations, scenarios: run.length, troubles, took };

  function violationOf({ id: requirement, violations: [first] }: RequirementResult): Violation {
    const found = first && byId.get(first.scenario)?.steps[first.step]?.checks[first.check];
    const { expected = [], actual = '' } = found ?? {};
    return { requirement, scenario: first?.scenario ?? '', expected, actual };
  }
}
