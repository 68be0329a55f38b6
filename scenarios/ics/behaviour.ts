/** Compares the features that a run shows with the ICS of the target. */

import { getOrAdd } from '../engine/basics/memoize.ts';
import { factsOf, resourceTypes } from '../engine/grammar/vocabulary.ts';
import { isSuccess, viewOf, viewOfRequest } from '../engine/judging/answer.ts';
import type { Exchange } from '../engine/results/exchange.ts';
import type { CheckResult, ScenarioResult, StepResult } from '../engine/results/result.ts';
import type { Claim } from '../engine/results/run-context.ts';
import { type FeatureId, featureIds, featureOf, featureOfType } from './features.ts';

/** Evidence in a few words, by feature. */
type EvidenceTexts = ReadonlyMap<string, string>;

/**
 * The claims with the behaviour of the target: a feature is implemented if an exchange or check shows it, and not implemented if
 * every check that could show it failed. Without evidence nothing is added, nor for parts of a missing feature. `found`: evidence from
 * outside the scenarios.
 */
export function behavedAs(
  claims: readonly Claim[],
  scenarios: readonly ScenarioResult[],
  found: EvidenceTexts = new Map(),
): Claim[] {
  const { works, fails } = signsIn(scenarios);
  const isMissing = (id: FeatureId) => fails.has(id) && !works.has(id) && !found.has(id);
  return claims.map((claim) => {
    const evidence = found.get(claim.id) ?? works.get(claim.id);
    if (evidence !== undefined) return { ...claim, behaves: 'implemented', shown: evidence };
    const id = claim.id as FeatureId;
    const failure = fails.get(id);
    const { within } = featureOf(id);
    if (failure === undefined || (within !== undefined && isMissing(within))) return claim;
    return { ...claim, behaves: 'not implemented', shown: failure };
  });
}

interface Sign {
  readonly of: FeatureId;
  readonly shows: 'works' | 'fails';
  readonly says: string;
}

/** The first sign of each feature. */
function signsIn(scenarios: readonly ScenarioResult[]): Readonly<Record<Sign['shows'], EvidenceTexts>> {
  const signsOf = (step: StepResult, id: string) => [...signsOfExchange(step), ...signsOfChecks(step, id)];
  const signs = scenarios.flatMap(({ id, steps }) => steps.flatMap((step) => signsOf(step, id)));
  const firsts = (shows: Sign['shows']): EvidenceTexts =>
    new Map(signs.flatMap((one) => (one.shows === shows ? [[one.of, one.says] as const] : [])).toReversed());
  return { works: firsts('works'), fails: firsts('fails') };
}

function signsOfExchange({ exchange }: StepResult): Sign[] {
  if (exchange === undefined || !isSuccess(exchange)) return [];
  const { request, answer } = exchange;
  const says = `${request.method} ${request.path} was answered with ${answer?.status}`;
  return featuresIn(exchange).map((of) => ({ of, shows: 'works', says }));
}

function signsOfChecks(step: StepResult, scenario: string): Sign[] {
  return step.checks.flatMap((check) =>
    (decidedBy.get(check.requirement) ?? []).flatMap((of) => {
      const shows = signOf(check, step, of);
      const came = shows === 'works' ? 'passed' : `failed: ${check.actual}`;
      return shows === undefined ? [] : { of, shows, says: `${check.requirement} in ${scenario} ${came}` };
    }),
  );
}

/** Features that a successful request shows. */
function featuresIn(exchange: Exchange): FeatureId[] {
  const { request, tls } = exchange;
  const { status, headers, found } = viewOf(exchange);
  // TS-0009 6.2.3: the start of the path is the scope of the identifier; 202 acknowledges a non-blocking request.
  const shown = new Map<string, boolean>(
    Object.entries({
      PICS_SP_RELATIVE_RESOURCE_ID_FORMAT: request.path.startsWith('/~/'),
      PICS_ABSOLUTE_RESOURCE_ID_FORMAT: request.path.startsWith('/_/'),
      PICS_DISCOVERY: found !== undefined && /[?&]fu=1\b/.test(request.path),
      PICS_NON_BLOCKING: status === 202,
      PICS_CBOR: /cbor/.test(headers.get('content-type') ?? ''),
      PICS_TLS: tls?.handshake === 'completed',
    }),
  );
  const abilities = featureIds.filter((id) => shown.get(id) === true);
  return request.method === 'POST' ? [...featuresMade(exchange), ...abilities] : abilities;
}

/** Features of the created resource type, by `ty`, or else by the root. */
function featuresMade({ request }: Exchange): FeatureId[] {
  const { root, headers } = viewOfRequest(request);
  const ty = /\bty=(\d+)/.exec(headers.get('content-type') ?? '')?.[1];
  if (ty === undefined && root === undefined) return [];
  const types = resourceTypes.filter((type) => {
    const facts = factsOf(type);
    return ty === undefined ? facts.root === root : `${facts.ty}` === ty;
  });
  return types.flatMap((type) => featureOfType(type) ?? []);
}

/** Features by the requirements whose checks decide them. */
const decidedBy = new Map<string, FeatureId[]>();
for (const id of featureIds)
  for (const requirement of featureOf(id)['shown by'] ?? []) getOrAdd(decidedBy, requirement, () => []).push(id);

/** Outcomes that mean a missing feature, and one that is undecided: each specialization is optional. */
const [absentVariants, undecidable] = [['not implemented', 'not supported'], 'definition not known'];

function signOf({ state, variant = '', byRule, intermittent }: CheckResult, step: StepResult, of: FeatureId) {
  if (byRule === true || intermittent === true || variant === undecidable) return undefined;
  const denies = [...absentVariants, ...(featureOf(of).parameter?.variants ?? [])].includes(variant);
  if (state === 'passed' && !denies) return 'works';
  const failed = state === 'passed' || state === 'failed';
  return failed && !isForWantOfRights(step) ? 'fails' : undefined;
}

/** Refused for lack of rights, which shows nothing of the feature (TS-0004 6.6.3.5). */
function isForWantOfRights({ exchange }: StepResult): boolean {
  if (exchange === undefined) return false;
  const { rsc, status = 0 } = viewOf(exchange);
  return rsc === undefined ? [401, 403].includes(status) : [4103, 4107].includes(rsc);
}
