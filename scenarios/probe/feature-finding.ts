import { type FeatureId, featureOf } from '../statement/features.ts';
import type { FeatureFinding, Found } from './finding.ts';

export function featureFinding(id: FeatureId, found: Found, evidence: string): FeatureFinding {
  return { topic: 'implements', id, name: featureOf(id).name, found, evidence };
}
