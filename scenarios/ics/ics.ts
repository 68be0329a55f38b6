/** An implementation conformance statement (ICS): the features that an implementation claims. */
import { ownValue } from '../engine/basics/own-value.ts';
import type { Claim } from '../engine/results/run-context.ts';
import { type FeatureId, featureIds, featureOf } from './features.ts';

export interface Ics {
  /** Name of the product. */
  readonly of: string;
  /** Others are unknown. */
  readonly claims: Readonly<Partial<Record<FeatureId, Claim['claim']>>>;
  /** Why it lacks some of them. */
  readonly reasons?: Readonly<Partial<Record<FeatureId, string>>>;
}

/** Every feature with its claim, as in the result of a run. */
export function claimsOf({ claims }: Ics): Claim[] {
  return featureIds.map((id) => ({ id, name: featureOf(id).name, claim: ownValue(claims, id) ?? 'unknown' }));
}

/** Why tests of these features do not apply: the denied ones. Undefined if none is denied. */
export function unclaimed({ of, claims, reasons = {} }: Ics, features: Iterable<FeatureId>): string | undefined {
  const denied = [...new Set(features)].filter((id) => ownValue(claims, id) === 'no');
  if (denied.length === 0) return undefined;
  return `the ICS of ${of} denies ${denied.map((id) => named(id, ownValue(reasons, id))).join(' and ')}`;
}

function named(id: FeatureId, reason: string | undefined): string {
  return `${featureOf(id).name} (${id}${reason === undefined ? '' : `: ${reason}`})`;
}
