/** An implementation conformance statement: which features an implementation claims to have. */
import type { Claim } from '../engine/result.ts';
import { type FeatureId, featureIds, featureOf } from './features.ts';

export interface Statement {
  /** Whose statement it is: the name of the product. */
  readonly of: string;
  /** What is not listed is claimed. */
  readonly claims: Readonly<Partial<Record<FeatureId, Claim['claim']>>>;
}

/** Every feature with its claim, as it stands in the result of a run. */
export function claimsOf({ claims }: Statement): Claim[] {
  return featureIds.map((id) => ({ id, name: featureOf(id).name, claim: claims[id] ?? 'yes' }));
}

/** Why what needs these features is not judged; undefined where all of them are claimed. */
export function unclaimed({ of, claims }: Statement, features: Iterable<FeatureId>): string | undefined {
  const needed = [...new Set(features)];
  const said = (claim: Claim['claim']) => needed.filter((id) => claims[id] === claim).map(named);
  const [without, open] = [said('no'), said('unknown')];
  const parts = [
    ...(without.length > 0 ? [`does not claim ${without.join(' and ')}`] : []),
    ...(open.length > 0 ? [`leaves open whether it has ${open.join(' and ')}`] : []),
  ];
  return parts.length === 0 ? undefined : `the statement of ${of} ${parts.join(', and ')}`;
}

function named(id: FeatureId): string {
  return `${featureOf(id).name} (${id})`;
}
