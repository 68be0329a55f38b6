import type { Claim } from '../engine/result.ts';
import { featureIds, featureOf } from '../statement/features.ts';

/** `ty` of the resource types that a conformance statement denies. */
export function typesDenied(statement: readonly Claim[]): readonly number[] {
  const denied = new Set(statement.filter(({ claim }) => claim === 'no').map(({ id }) => id));
  return featureIds.flatMap((id) => (denied.has(id) ? (featureOf(id).ty ?? []) : [])).toSorted((a, b) => a - b);
}
