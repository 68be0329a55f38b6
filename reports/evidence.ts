import type { CheckReference, CheckResult, RunResult, ScenarioResult, StepResult } from '../scenarios/index.ts';
import { groupedBy } from './grouped.ts';

/** A check with the step and scenario it stands in. */
export interface Evidence {
  readonly scenario: ScenarioResult;
  readonly step: StepResult;
  /** Counts from 1, as readers do. */
  readonly stepNumber: number;
  /** Counts from 1. */
  readonly checkNumber: number;
  readonly check: CheckResult;
}

export interface EvidenceIndex {
  /** The check that a reference points at; undefined when the result holds no such check. */
  at(reference: CheckReference): Evidence | undefined;
  /** All checks of a requirement, in the order of the run. */
  of(requirement: string): readonly Evidence[];
}

/** Reads the result once, so that checks can be looked up by reference and by requirement. */
export function indexEvidence(result: RunResult): EvidenceIndex {
  const scenarios = new Map(result.scenarios.map((scenario) => [scenario.id, scenario]));
  const byRequirement = groupedBy(result.scenarios.flatMap(evidenceIn), ({ check }) => check.requirement);
  return {
    at(reference) {
      const scenario = scenarios.get(reference.scenario);
      const step = scenario?.steps[reference.step];
      const check = step?.checks[reference.check];
      if (scenario === undefined || step === undefined || check === undefined) return undefined;
      return { scenario, step, stepNumber: reference.step + 1, checkNumber: reference.check + 1, check };
    },
    of: (requirement) => byRequirement.get(requirement) ?? [],
  };
}

/** The checks of one scenario, in order. */
export function evidenceIn(scenario: ScenarioResult): Evidence[] {
  return scenario.steps.flatMap((step, stepIndex) =>
    step.checks.map((check, checkIndex) => ({
      scenario,
      step,
      stepNumber: stepIndex + 1,
      checkNumber: checkIndex + 1,
      check,
    })),
  );
}

/** What the target did, each thing once. */
export function actualsOf(evidence: readonly Evidence[]): string[] {
  return [...new Set(evidence.map(({ check }) => check.actual))];
}

/** `file:line` of a check or step. */
export function placeText({ place }: { readonly place: CheckResult['place'] }): string {
  return `${place.file}:${place.line}`;
}
