import type { Dialect } from '../grammar/dialects.ts';
import type { RequirementResult, Verdict } from '../results/requirement-result.ts';
import type { RunResult, ScenarioResult, StepResult } from '../results/result.ts';
import type { Claim, Death, DeathKind, LostRequest } from '../results/run-context.ts';

/** The reason of a requirement that was not selected. */
export const notSelected = 'not selected';

const deathTexts: Readonly<Record<DeathKind, string>> = {
  died: 'the target died',
  hangs: 'the target hung: it took connections and answered nothing',
  closes: 'the target went silent: it closed every connection without an answer',
  unavailable: 'the target went away: what stands before it answered that it is unavailable',
  drops: 'the target dropped connections, as one that dies and is back at once',
};

/** Requests that a sentence names at most. */
const mostNamed = 3;

/** The deaths of the target in one sentence, such as `the target died: POST /onem2m killed it, and again alone`. */
export function deathSentence(deaths: readonly Death[]): string | undefined {
  const [first] = deaths;
  if (first === undefined) return undefined;
  const [last = first] = deaths.slice(-1);
  const gone = last.backAfter === undefined ? ', and it has not come back' : '';
  if (deaths.length === 1) return `${deathTexts[first.kind]}${causeOf(first)}${gone}`;
  const culprits = deaths.flatMap(({ culprit }) => culprit ?? []);
  const kinds = new Set(deaths.map(({ kind }) => kind));
  const what = kinds.size === 1 ? deathTexts[first.kind].replace(/:.*/, '') : 'the target stopped answering';
  const of = culprits.length === 0 ? ', culprit not proved' : `: ${requestsNamed(culprits)} killed it`;
  return `${what} ${deaths.length} times${of}${gone}`;
}

function causeOf({ culprit, inFlight }: Death): string {
  if (culprit !== undefined) {
    const proof = culprit.seen === 'again' ? ', and again alone' : ', the only request under way';
    return `: ${requestText(culprit)} killed it${proof}`;
  }
  if (inFlight.length === 0) return ', with no request under way';
  return ` with ${requestsNamed(inFlight)} under way, culprit not proved`;
}

/** Method and path; there is no status. */
export function requestText({ method, path }: Pick<LostRequest, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** The first few, and how many more there are. */
export function listed(all: readonly string[], most = 5): string {
  const more = all.length - most;
  return more > 0 ? `${all.slice(0, most).join(', ')} and ${more} more` : all.join(', ');
}

function requestsNamed(requests: readonly LostRequest[]): string {
  return listed([...new Set(requests.map(requestText))], mostNamed);
}

/** Numbers of requirements. */
export interface CheckedShare {
  /** All in the report. */
  readonly listed: number;
  /** Of those, the ones that a client can check at some target: all that the catalogue does not call untestable. */
  readonly checkable: number;
  /** Of those, the ones that do not apply to this target as it was reached, such as HTTPS at a plain HTTP address. */
  readonly notApplicable: number;
  /** Of those, the ones with a result. */
  readonly checked: number;
}

const conclusive = new Set<Verdict>(['violated', 'intermittent', 'advisory', 'satisfied', 'implementation-defined']);

export function checkedShare(requirements: readonly RequirementResult[]): CheckedShare {
  const checkable = requirements.filter((one) => one.untestable !== true);
  const countOf = (holds: (verdict: Verdict) => boolean) => checkable.filter(({ verdict }) => holds(verdict)).length;
  return {
    listed: requirements.length,
    checkable: checkable.length,
    notApplicable: countOf((verdict) => verdict === 'not applicable'),
    checked: countOf((verdict) => conclusive.has(verdict)),
  };
}

/** Whether everything checkable was checked. */
export function isWhole({ checkable, notApplicable, checked }: CheckedShare): boolean {
  return checked > 0 && checked + notApplicable === checkable;
}

/** As a noun: `the 12 of 581 requirements that were checked`. */
export function shareText(share: CheckedShare): string {
  const { checkable, notApplicable, checked } = share;
  if (!isWhole(share)) return `the ${checked} of ${requirements(checkable)} that were checked`;
  if (notApplicable > 0) return `the ${checked} of ${requirements(checkable)} that apply to this target`;
  return `all ${requirements(checkable)} that can be checked`;
}

function requirements(count: number): string {
  return `${count} requirement${count === 1 ? '' : 's'}`;
}

/** So many refused creations, and none accepted, are no accident. */
const fewest = 5;

/** SECURITY_ASSOCIATION_REQUIRED (TS-0004, clause 6.6.3.5) has nothing to do with a dialect. */
const wantsCertificate = ({ exchange }: StepResult): boolean =>
  exchange?.answer?.headers.some(([name, value]) => name.toLowerCase() === 'x-m2m-rsc' && value === '4107') === true;

/**
 * Advice where a target refuses every creation in the documented dialect: the standard's own binding wants X-M2M-RI, X-M2M-RVI
 * and an originator with each request. Undefined where something was accepted, or too little was refused.
 */
export function dialectHint(dialect: Dialect, scenarios: readonly ScenarioResult[]): string | undefined {
  if (dialect !== 'documented') return undefined;
  const creations = scenarios.flatMap(({ steps }) =>
    steps.filter(({ exchange }) => exchange?.request.method === 'POST'),
  );
  const statusOf = ({ exchange }: StepResult) => exchange?.answer?.status ?? 0;
  if (creations.some((step) => statusOf(step) >= 200 && statusOf(step) < 300)) return undefined;
  // An expected refusal says nothing; one that blocks the rest of its scenario was not expected.
  const refused = creations.filter(
    (step) => step.problem !== undefined && Math.floor(statusOf(step) / 100) === 4 && !wantsCertificate(step),
  );
  if (refused.length < fewest) return undefined;
  return 'every creation was refused, as by a CSE that speaks oneM2M TS-0009 only: try --dialect onem2m';
}

// Claims of a conformance statement that a run contradicts.

type Claims = Pick<RunResult, 'ics' | 'profile'>;

/** Claimed, but behaves as not implemented; or denied, but behaves as implemented. */
export function contradictedIn({ ics = [] }: Claims): Claim[] {
  return ics.filter(({ claim, behaves }) =>
    claim === 'yes' ? behaves === 'not implemented' : claim === 'no' && behaves === 'implemented',
  );
}

/** Demanded by the profile, but not claimed, or claimed and behaving otherwise. */
export function unmetIn({ ics = [], profile }: Claims): Claim[] {
  const isMet = ({ claim, behaves }: Claim) => claim === 'yes' && behaves !== 'not implemented';
  return ics.filter((one) => profile?.demands.includes(one.id) === true && !isMet(one));
}

/** As a reason for a failed run; undefined where there is none. */
export function claimsReason(claims: Claims): string | undefined {
  const idsOf = (some: readonly Claim[]) => some.map(({ id }) => id).join(', ');
  const [contradicted, unmet] = [contradictedIn(claims), unmetIn(claims)];
  const parts = [
    contradicted.length > 0 && `its conformance statement is contradicted: ${idsOf(contradicted)}`,
    unmet.length > 0 && `what the profile ${claims.profile?.name} demands is not there: ${idsOf(unmet)}`,
  ];
  return parts.filter(Boolean).join('; ') || undefined;
}
