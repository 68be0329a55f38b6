import { ownValue } from '../engine/basics/own-value.ts';
import type { LoadedCheck, LoadedScenario, LoadedStep } from '../engine/files/load.ts';
import type { Plan } from '../engine/files/plan.ts';
import { entriesOf } from '../engine/files/scenario-entries.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import type { Step } from '../engine/grammar/grammar-step.ts';
import { expectationOf } from '../engine/grammar/vocabulary.ts';
import { type FeatureId, featureOf, featuresOf, isBelow, isOfFeature } from './features.ts';
import { claimsOf, type Ics, unclaimed } from './ics.ts';
import { featuresOfNeeds, featuresOfStep } from './step-features.ts';

/**
 * Applies an ICS to a plan: scenarios and checks of denied features are not applicable, with the reason, and features that are
 * claimed must be there.
 */
export function applyIcs(plan: Plan, ics: Ics): Plan {
  const applied = (scenario: LoadedScenario) => withIcs(scenario, plan.dialect, ics);
  const { scenarios, others } = plan;
  return { ...plan, scenarios: scenarios.map(applied), others: others.map(applied), claims: claimsOf(ics) };
}

function withIcs(scenario: LoadedScenario, dialect: Dialect, ics: Ics): LoadedScenario {
  if (scenario.inapplicable !== undefined) return scenario;
  const needed = entriesOf(scenario, dialect).filter(({ step }) => expectationOf(step) === 'success');
  const features = [...featuresOfNeeds(scenario.needs), ...needed.flatMap(({ step }) => featuresOfStep(step))];
  const without = unclaimed(ics, features);
  const steps = doubted(scenario.steps.map((step) => stepWithIcs(step, ics)));
  const checks = steps.flatMap((step) => step.checks);
  const idle = checks.length > 0 && checks.every((check) => check.inapplicable !== undefined);
  const inapplicable = without ?? (idle ? reasonsOf(checks) : undefined);
  return { ...scenario, steps, ...(inapplicable !== undefined && { inapplicable, denied: true }) };
}

/** A refusal of a denied feature shows nothing either, whatever refusal was expected. */
function stepWithIcs({ checks, ...step }: LoadedStep, ics: Ics): LoadedStep {
  const needed = featuresOfStep(step.step);
  const isDenied = unclaimed(ics, needed) !== undefined;
  return {
    ...step,
    ...(isDenied && { denied: true }),
    checks: checks.map((check) => {
      const inapplicable = unclaimed(ics, [...needed, ...featuresOf(check.requirement)]);
      return inapplicable === undefined ? claimed(check, step.step, ics) : { ...check, inapplicable, denied: true };
    }),
  };
}

/**
 * A step only about denied features may be refused, and then blocks nothing. Steps after one that changes the target, or captures
 * values, can no longer be checked.
 */
function doubted(steps: readonly LoadedStep[]): LoadedStep[] {
  let doubt: string | undefined;
  return steps.map(({ step, checks, ...rest }) => {
    const idle = checks.length > 0 && checks.every((check) => check.inapplicable !== undefined);
    const own = idle && expectationOf(step) !== 'refusal' ? reasonsOf(checks) : undefined;
    const left = doubt === undefined ? checks : checks.map((check) => behind(check, doubt ?? ''));
    const lenient = own !== undefined || doubt !== undefined ? eitherWay(step) : step;
    if (own !== undefined && leavesTraces(step)) doubt ??= own;
    return { ...rest, step: lenient, checks: left };
  });
}

function behind(check: LoadedCheck, doubt: string): LoadedCheck {
  return { ...check, inapplicable: check.inapplicable ?? `comes after a step for which ${doubt}`, denied: true };
}

function eitherWay(step: Step): Step {
  return 'advance' in step || expectationOf(step) !== 'success' ? step : { ...step, expect: 'either' };
}

function leavesTraces(step: Step): boolean {
  const captures = 'capture' in step && Object.keys(step.capture ?? {}).length > 0;
  return captures || !('retrieve' in step || 'discover' in step);
}

function reasonsOf(checks: readonly LoadedCheck[]): string {
  return [...new Set(checks.flatMap(({ inapplicable }) => inapplicable ?? []))].join('; ');
}

type PermittedOutcome = NonNullable<LoadedCheck['check']['one of']>[number];

/**
 * The check for a target that claims its feature with `yes`: outcomes that mean the lack of the feature are no longer permitted.
 * Features that the ICS does not mention are checked as without an ICS.
 */
function claimed(loaded: LoadedCheck, step: Step, { claims }: Ics): LoadedCheck {
  const { check, requirement } = loaded;
  const outcomes = check['one of'];
  const outright = featuresOf(requirement).filter((id) => ownValue(claims, id) === 'yes');
  if (outcomes === undefined || outright.length === 0) return loaded;
  const left = outcomes.filter((one) => !outright.some((id) => denies(one, id, requirement, step)));
  const isSame = left.length === outcomes.length || left.length === 0;
  return isSame ? loaded : { ...loaded, check: { ...check, 'one of': left } };
}

/** Whether the outcome means that the target lacks the feature. */
function denies({ variant = '', rsc }: PermittedOutcome, id: FeatureId, requirement: string, step: Step): boolean {
  const { parameter, 'by definition': byDefinition } = featureOf(id);
  if (parameter !== undefined)
    return parameter.variants.includes(variant) && parameter.of.some((one) => isBelow(requirement, one));
  if (!('create' in step) || !isOfFeature(step.create, id)) return false;
  // TS-0001 9.6.3: a resource type that is refused as a child everywhere is not in srt.
  if (variant === 'not supported' && rsc === 4108) return true;
  return variant === 'not implemented' && byDefinition === undefined;
}
