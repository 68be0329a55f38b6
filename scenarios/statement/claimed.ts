import type { LoadedCheck } from '../engine/files/load.ts';
import type { Step } from '../engine/grammar/grammar-step.ts';
import type { FeatureId } from './features.ts';
import { featuresOf, isBelow, scopeOf } from './scope.ts';
import type { Statement } from './statement.ts';

type PermittedOutcome = NonNullable<LoadedCheck['check']['one of']>[number];

/** Features that are parameters of a request: the variants by which checks of these requirements let a target be without them. */
const withoutParameter: Partial<
  Record<FeatureId, { readonly of: readonly string[]; readonly variants: readonly string[] }>
> = {
  PICS_CONTENT_QUERY: { of: ['std.filter.cfq', 'std.filter.cfs'], variants: ['not implemented', 'not known'] },
  PICS_CONDITIONAL_RETRIEVE: { of: ['std.retrieve.conditional'], variants: ['not implemented', 'not known'] },
  PICS_NON_BLOCKING: {
    of: ['std.request.synchronous', 'std.request.asynchronous', 'std.request.flexible'],
    variants: ['not implemented', 'not supported'],
  },
  PICS_CBOR: { of: ['std.cbor'], variants: ['JSON', 'refused'] },
};

/** Definitions of management objects are optional one by one: where one is not implemented, others may be. */
const byDefinition: ReadonlySet<FeatureId> = new Set(['PICS_MGMT_OBJ']);

/**
 * The check as it is for a target that claims outright, with `yes`, what the check is about: a permitted outcome that stands
 * for not having it at all is no longer permitted. What the statement does not mention is judged as without a statement.
 */
export function claimed(loaded: LoadedCheck, step: Step, { claims }: Statement): LoadedCheck {
  const { check, requirement } = loaded;
  const outcomes = check['one of'];
  const outright = featuresOf(requirement).filter((id) => claims[id] === 'yes');
  if (outcomes === undefined || outright.length === 0) return loaded;
  const denied = outright.flatMap((id) => outcomes.filter((one) => denies(one, id, { requirement, step })));
  const left = outcomes.filter((outcome) => !denied.includes(outcome));
  return denied.length === 0 || left.length === 0 ? loaded : { ...loaded, check: { ...check, 'one of': left } };
}

/** Whether the outcome says that the target has not the feature at all. */
function denies(
  { variant = '', rsc }: PermittedOutcome,
  id: FeatureId,
  { requirement, step }: { readonly requirement: string; readonly step: Step },
): boolean {
  const parameter = withoutParameter[id];
  if (parameter !== undefined) {
    return parameter.variants.includes(variant) && parameter.of.some((one) => isBelow(requirement, one));
  }
  if (!('create' in step) || !scopeOf(id).kinds?.includes(step.create)) return false;
  // TS-0001 9.6.3: a kind that is refused as a child everywhere does not stand in srt.
  if (variant === 'not supported' && rsc === 4108) return true;
  return variant === 'not implemented' && !byDefinition.has(id);
}
