/** Findings of a probe, with the request and the answer as evidence. */
import type { Dialect } from '../engine/grammar/dialects.ts';
import type { Death } from '../engine/results/run-context.ts';
import { type FeatureId, featureIds, featureOf, isOptional } from '../ics/features.ts';

export type Found = 'yes' | 'no' | 'unknown';

/** Topics of findings, in display order. */
export const topics = ['identity', 'speech', 'addresses', 'originators', 'connection', 'implements'] as const;
export type FindingTopic = (typeof topics)[number];

export interface Finding {
  readonly topic: FindingTopic;
  /** Such as `base`, or the id of a feature: `PICS_GRP`. */
  readonly id: string;
  readonly name: string;
  readonly found: Found;
  /** The value, if it is more than yes or no. */
  readonly value?: string;
  /** One sentence: request and answer, without control characters or line breaks. */
  readonly evidence: string;
}

export interface FeatureFinding extends Finding {
  readonly topic: 'implements';
  readonly id: FeatureId;
}

/** Configuration of a target, as far as found. */
export interface FoundTarget {
  readonly url: string;
  readonly dialect: Dialect;
  readonly base: string;
  readonly cseId?: string;
  readonly spId?: string;
  /** For requests (onem2m dialect). */
  readonly release?: string;
  readonly product?: string;
  readonly version?: string;
  /** An originator that may read the CSE base where a stranger may not. */
  readonly admin?: string;
  /** The originators that may register, if not everybody may. */
  readonly mayRegister?: readonly string[];
  readonly accessControl?: boolean;
  readonly requireCert?: boolean;
  /** If it refuses expiration times. */
  readonly lifetime?: 'none';
}

/** Findings, with the values of the target that they determine. */
export type ProbeFindings<Keys extends keyof FoundTarget = never> = Pick<ProbeResult, 'findings'> &
  Partial<Pick<FoundTarget, Keys>>;

/** `no cse`: it answers, but not as a CSE whose base could be found. */
export type ProbeOutcome = 'found' | 'no cse' | 'unreachable' | 'interrupted';

export interface ProbeResult {
  readonly url: string;
  readonly outcome: ProbeOutcome;
  /** The outcome in a sentence, with a remedy. */
  readonly says: string;
  readonly target?: FoundTarget;
  readonly findings: readonly Finding[];
  /** Whether it created resources. */
  readonly wrote: boolean;
  /** Paths of created resources that could not be deleted. */
  readonly leftBehind: readonly string[];
  /** Id in the names of created resources, for `cselab cleanup`; absent if there are none. */
  readonly run?: string;
  /** The target stopped answering; `scenario` and `step` identify the request of the probe. Absent if it never did. */
  readonly deaths?: readonly Death[];
  /** Number of requests sent. */
  readonly requests: number;
  /** Milliseconds. */
  readonly took: number;
}

/** Text of the target on one line, shortened, with invisible characters escaped. */
export function quoted(text: string, longest = 80): string {
  const start = [...text.slice(0, longest * 2)].slice(0, longest).join('');
  const escaped = (character: string) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  const shown = start.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, escaped);
  return start.length < text.length ? `${shown}…` : shown;
}

/** Some CSEs take a name and a password as the originator: only well-known ones are shown. */
export function shownOriginator(originator: string): string {
  return originator === 'admin:admin' ? originator : originator.replace(/^([^/:]*):.+$/s, '$1:***');
}

/** Sorted by topic, with the first of each id. */
export function inOrder(findings: readonly Finding[]): Finding[] {
  const ids = new Map<string, Finding>();
  for (const finding of findings) if (!ids.has(finding.id)) ids.set(finding.id, finding);
  return topics.flatMap((topic) => [...ids.values()].filter((finding) => finding.topic === topic));
}

export function featureFinding(id: FeatureId, found: Found, evidence: string): FeatureFinding {
  return { topic: 'implements', id, name: featureOf(id).name, found, evidence };
}

/** A finding with a value: found if there is one. */
export function valueFinding(
  topic: FindingTopic,
  id: string,
  name: string,
  value: string | undefined,
  evidence: string,
): Finding {
  const about = { topic, id, name };
  return value ? { ...about, found: 'yes', value, evidence } : { ...about, found: 'unknown', evidence };
}

interface AnswerFacts {
  readonly answered: boolean;
  readonly success: boolean;
  readonly evidence: string;
}

export function refusedBy({ answered, success }: AnswerFacts): Found {
  if (!answered) return 'unknown';
  return success ? 'no' : 'yes';
}

/** Whether an originator may do something: `does` in the third person, as `reads`, `what` as `read the CSE base`. */
export function mayFinding(named: string, does: string, what: string, answer: AnswerFacts): Finding {
  const value = shownOriginator(named);
  const about = { topic: 'originators', id: `${does} as ${value}`, name: `${value} may ${what}` } as const;
  const found = !answer.answered ? 'unknown' : answer.success ? 'yes' : 'no';
  return { ...about, found, value, evidence: answer.evidence };
}

// The features of the target, from all findings.

/** One finding for every feature. A test counts more than the list in the CSE base. */
export function mergedFeatures(findings: readonly Finding[], wrote: boolean, dialect: Dialect): FeatureFinding[] {
  const seen = new Map<FeatureId, FeatureFinding>();
  for (const finding of findings) {
    if (!isFeatureFinding(finding)) continue;
    const before = seen.get(finding.id);
    seen.set(finding.id, before === undefined ? finding : both(before, finding));
  }
  for (const [id, finding] of seen) seen.set(id, keptIfDocumented(finding, dialect));
  return featureIds.map((id) => {
    const { within } = featureOf(id);
    if (within !== undefined && seen.get(within)?.found === 'no')
      return featureFinding(id, 'no', `it has no ${featureOf(within).name}`);
    return seen.get(id) ?? featureFinding(id, 'unknown', whyUnseen(id, wrote, dialect));
  });
}

export function isFeatureFinding(finding: Finding): finding is FeatureFinding {
  return finding.topic === 'implements';
}

/** A resource type that is listed but refused stays claimed, for a run to check. */
function both(before: FeatureFinding, later: FeatureFinding): FeatureFinding {
  const evidence = `${before.evidence}; ${later.evidence}`;
  if (later.found === 'unknown') return { ...before, evidence };
  if (featureOf(later.id).ty !== undefined && before.found === 'yes') return { ...before, evidence };
  return { ...later, evidence };
}

/** A refusal does not deny a documented feature. */
function keptIfDocumented(finding: FeatureFinding, dialect: Dialect): FeatureFinding {
  if (finding.found !== 'no' || isOptional(finding.id, dialect)) return finding;
  const evidence = `${finding.evidence}; the interface specification documents it, so that a run checks it`;
  return { ...finding, found: 'unknown', evidence };
}

/** Why there is no finding. */
function whyUnseen(id: FeatureId, wrote: boolean, dialect: Dialect): string {
  const { 'not probed': why } = featureOf(id);
  if (why !== undefined) return `not tested, since ${why}`;
  if (id === 'PICS_BASE64_BODY' && dialect === 'onem2m') return 'not tested, since only the documented dialect has it';
  return wrote
    ? 'not tested, since it shows only in notifications, or in resources at the CSE base'
    : 'not tested without --write';
}
