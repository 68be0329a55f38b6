import type {
  CheckReference,
  CheckResult,
  KnownDeviation,
  RunResult,
  ScenarioResult,
  StepResult,
} from '../scenarios/index.ts';
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
  const all = result.scenarios.flatMap(evidenceIn);
  const byPlace = new Map(all.map((one) => [placeOf(one.scenario.id, one.stepNumber, one.checkNumber), one]));
  const byRequirement = groupedBy(all, ({ check }) => check.requirement);
  return {
    at: ({ scenario, step, check }) => byPlace.get(placeOf(scenario, step + 1, check + 1)),
    of: (requirement) => byRequirement.get(requirement) ?? [],
  };
}

function placeOf(scenario: string, stepNumber: number, checkNumber: number): string {
  return `${scenario} ${stepNumber} ${checkNumber}`;
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

/** What a baseline says of a failure that it knows: `vendor knows (GW-12, owner platform team, until 2027-03-31)`. */
export function excuseText({ reason = 'no reason is given', ticket, owner, expires }: KnownDeviation): string {
  const answerable = owner === undefined ? undefined : `owner ${owner}`;
  const rest = [ticket, answerable, expires === undefined ? 'no end' : `until ${expires}`];
  return `${reason} (${rest.filter((one) => one !== undefined).join(', ')})`;
}
