/** Runs a counterexample as a scenario, and leaves out the reads that it does not need. */
import type { LoadedScenario } from '../../engine/files/load.ts';
import { nowhere, ownScenario } from '../../engine/files/scenario-entries.ts';
import type { Step } from '../../engine/grammar/grammar-step.ts';
import type { CheckResult } from '../../engine/results/result.ts';
import { notSent } from '../../engine/running/recovery.ts';
import type { ScenarioContext } from '../../engine/running/scenario/scenario-context.ts';
import { runScenario } from '../../engine/running/scenario/scenario-run.ts';
import type { Installation } from '../../engine/targets/installation.ts';
import { Judge } from '../../oracle/judge.ts';
import { allRulesOf } from '../../oracle/rules.ts';
import type { CounterexampleScenario } from './scenario.ts';

export interface ConfirmContext {
  /** The installation for one scenario, and a number that is unique in the run. */
  readonly use: () => Promise<{ readonly installation: Installation; readonly number: number }>;
  readonly run: string;
  /** Once it is aborted, nothing is left out any more. */
  readonly signal: AbortSignal;
  /** Whether the target is dead. */
  readonly isDown?: () => boolean;
}

export interface Confirmed {
  readonly scenario: CounterexampleScenario;
  /** The check that failed; absent where the scenario did not fail. */
  readonly failed?: CheckResult;
  /** Whether the target died of it. */
  readonly died?: true;
}

/** The failing scenario with as few reads as possible; unchanged if it passes. */
export async function confirm(scenario: CounterexampleScenario, requirement: string, context: ConfirmContext) {
  let best = await once(scenario, requirement, context);
  if (best.failed === undefined) return best;
  for (let at = scenario.steps.length - 2; at >= 0 && !context.signal.aborted; at -= 1) {
    const step = best.scenario.steps[at];
    if (step === undefined || !('retrieve' in step || 'discover' in step)) continue;
    const shorter = { ...best.scenario, steps: best.scenario.steps.toSpliced(at, 1) };
    if (!isWhole(shorter.steps)) continue;
    const tried = await once(shorter, requirement, context);
    if (tried.failed !== undefined) best = tried;
  }
  return best;
}

/** Whether every capture in use exists. */
function isWhole(steps: readonly Step[]): boolean {
  const captured = new Set(steps.flatMap((step) => ('capture' in step ? Object.keys(step.capture ?? {}) : [])));
  const used = JSON.stringify(steps).matchAll(/\$\{((?:ri|aei|ct|pi|rn|created)-\d+)\}/g);
  return [...used].every(([, name]) => captured.has(name ?? ''));
}

/** Judges by the rules for one requirement. */
export function byRules(
  requirement: string,
  { dialect, has }: Pick<Installation, 'dialect' | 'has'>,
): NonNullable<ScenarioContext['judge']> {
  const rules = allRulesOf(dialect).filter((rule) => rule.requirement === requirement);
  const looksAtPolicies = has.has('access control');
  return (names) => new Judge({ rules, dialect, names, looksAtPolicies, levelOf: () => 'documented' });
}

/** Runs the scenario as it is, even after an interruption. */
export async function once(
  scenario: CounterexampleScenario,
  requirement: string,
  context: ConfirmContext,
): Promise<Confirmed> {
  const { installation, number } = await context.use();
  const isChecked = scenario.steps.some((step) => Object.hasOwn(checksOf(step), requirement));
  const { steps } = await runScenario(loaded(scenario), number, {
    installation,
    run: context.run,
    levelOf: () => 'documented',
    // Rules are needed only where no check says it.
    ...(!isChecked && { judge: byRules(requirement, installation) }),
    signal: context.signal.aborted ? new AbortController().signal : context.signal,
    notSent: () => (context.isDown?.() ? notSent : undefined),
  });
  const failed = steps
    .flatMap(({ checks }) => checks)
    .find((check) => check.requirement === requirement && check.state === 'failed');
  return { scenario, ...(failed && { failed }), ...(context.isDown?.() && { died: true }) };
}

function loaded({ dialect = 'documented', actors, inboxes = {}, steps }: CounterexampleScenario): LoadedScenario {
  return ownScenario({
    ...{ id: 'counterexample', feature: 'Counterexample', title: 'Counterexample', dialect, actors, inboxes },
    steps: steps.map((step) => {
      const checks = Object.entries(checksOf(step)).flatMap(([requirement, some]) =>
        [some].flat().map((check) => ({ requirement, check, place: nowhere })),
      );
      return { step, place: nowhere, checks };
    }),
  });
}

const checksOf = (step: Step) => ('check' in step && step.check) || {};
