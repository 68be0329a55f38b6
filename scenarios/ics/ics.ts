/** An implementation conformance statement: which features an implementation claims to have. */
import { ownValue } from '../engine/basics/own-value.ts';
import type { Claim } from '../engine/results/run-context.ts';
import { type FeatureId, featureIds, featureOf } from './features.ts';

export interface Ics {
  /** Whose statement it is: the name of the product. */
  readonly of: string;
  /** What is not listed is unknown. */
  readonly claims: Readonly<Partial<Record<FeatureId, Claim['claim']>>>;
  /** Why it does without some of them. */
  readonly reasons?: Readonly<Partial<Record<FeatureId, string>>>;
}

/** Every feature with its claim, as it stands in the result of a run. */
export function claimsOf({ claims }: Ics): Claim[] {
  return featureIds.map((id) => ({ id, name: featureOf(id).name, claim: ownValue(claims, id) ?? 'unknown' }));
}

/** Why what needs these features is not judged: only what is denied takes anything out. Undefined where none of them is. */
export function unclaimed({ of, claims, reasons = {} }: Ics, features: Iterable<FeatureId>): string | undefined {
  const denied = [...new Set(features)].filter((id) => ownValue(claims, id) === 'no');
  if (denied.length === 0) return undefined;
  return `the statement of ${of} denies ${denied.map((id) => named(id, ownValue(reasons, id))).join(' and ')}`;
}

function named(id: FeatureId, reason: string | undefined): string {
  return `${featureOf(id).name} (${id}${reason === undefined ? '' : `: ${reason}`})`;
}
