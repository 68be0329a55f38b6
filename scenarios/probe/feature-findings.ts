/** What the target can do, feature by feature, from all that was seen of it. */
import type { Dialect } from '../engine/grammar/dialects.ts';
import { type FeatureId, featureIds, featureOf, isOptional } from '../statement/features.ts';
import { type FeatureFinding, type Finding, featureFinding } from './finding.ts';

/** Features of which nothing is left without another. */
const parts: Partial<Readonly<Record<FeatureId, FeatureId>>> = {
  PICS_SUB_VERIFICATION: 'PICS_SUB',
  PICS_SUB_BATCH: 'PICS_SUB',
  PICS_SUB_LATEST: 'PICS_SUB',
  PICS_SUB_RATE_LIMIT: 'PICS_SUB',
  PICS_SUB_STATISTICS: 'PICS_SUB',
  PICS_SUB_BLOCKING_UPDATE: 'PICS_SUB',
  PICS_TS_MISSING_DATA: 'PICS_TS',
  PICS_CNT_RETENTION: 'PICS_CNT',
  PICS_CNT_AGE: 'PICS_CNT',
};

/** Why a probe does not find it out. */
const reasons: Partial<Readonly<Record<FeatureId, string>>> = {
  PICS_NON_BLOCKING: 'not asked, since such requests end some CSEs',
  PICS_EXPIRATION: 'not asked, since a probe does not wait for time to pass',
  PICS_CNT_AGE: 'not asked, since a probe does not wait for time to pass',
  PICS_CONTENT_QUERY: 'not asked, since it needs contents',
  PICS_RETARGETING: 'not asked, since it needs another CSE',
};

/** The kinds without which nothing can be judged are claimed as long as nothing says that they are missing. */
const core: ReadonlySet<FeatureId> = new Set(['PICS_AE', 'PICS_CNT', 'PICS_CIN']);

/** One finding for every feature. What was tried out says more than what the CSE base lists. */
export function mergedFeatures(findings: readonly Finding[], wrote: boolean, dialect: Dialect): FeatureFinding[] {
  const seen = new Map<FeatureId, FeatureFinding>();
  for (const finding of findings) {
    if (!isFeatureFinding(finding)) continue;
    const before = seen.get(finding.id);
    seen.set(finding.id, before === undefined ? finding : both(before, finding));
  }
  for (const [id, finding] of seen) seen.set(id, judgedAnyway(finding, dialect));
  return featureIds.map((id) => {
    const whole = parts[id];
    if (whole !== undefined && seen.get(whole)?.found === 'no') {
      return featureFinding(id, 'no', `it has no ${featureOf(whole).name}`);
    }
    return seen.get(id) ?? featureFinding(id, 'unknown', reasons[id] ?? unseen(id, wrote, dialect));
  });
}

export function isFeatureFinding(finding: Finding): finding is FeatureFinding {
  return finding.topic === 'implements';
}

/** Whether a target file claims it though nobody saw it. */
export function isCore(id: string): boolean {
  return core.has(id as FeatureId);
}

/** What a CSE lists and then refuses stays claimed, for a run to judge. */
function both(before: FeatureFinding, later: FeatureFinding): FeatureFinding {
  const evidence = `${before.evidence}; ${later.evidence}`;
  if (later.found === 'unknown') return { ...before, evidence };
  if (featureOf(later.id).ty !== undefined && before.found === 'yes') return { ...before, evidence };
  return { ...later, evidence };
}

/** No CSE takes out by a refusal what its dialect documents. */
function judgedAnyway(finding: FeatureFinding, dialect: Dialect): FeatureFinding {
  if (finding.found !== 'no' || isOptional(finding.id, dialect)) return finding;
  const evidence = `${finding.evidence}; the interface specification documents it, so that a run judges it`;
  return { ...finding, found: 'unknown', evidence };
}

function unseen(id: FeatureId, wrote: boolean, dialect: Dialect): string {
  if (id === 'PICS_BASE64_BODY' && dialect === 'onem2m') return 'not asked, since only the documented dialect has it';
  return wrote
    ? 'not asked, since it shows only in notifications, or in what stands at the CSE base'
    : 'not asked without --write';
}
