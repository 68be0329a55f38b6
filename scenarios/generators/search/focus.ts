import { didYouMean, UsageError } from '../../engine/basics/diagnostics.ts';
import type { Catalogue, Requirement } from '../../engine/files/catalogue.ts';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import type { TargetDescription } from '../../engine/results/result.ts';
import { bindingOf } from '../../engine/targets/wires/route.ts';
import { featuresOf } from '../../ics/features.ts';
import { type Ics, unclaimed } from '../../ics/ics.ts';
import { appliesOver } from '../../ics/over-wire.ts';

export interface Focus {
  readonly focus?: readonly string[];
  readonly except?: readonly string[];
  readonly level?: 'documented' | 'gap';
  readonly dialect?: Dialect;
}

/** What a target claims to have, if it does, and how it is reached. */
interface CheckedTarget {
  readonly description: Pick<TargetDescription, 'url'>;
  readonly ics?: Ics | undefined;
}

/** A name stands for a requirement, or for all below a prefix. */
const isBelow = (id: string, prefix: string) => id === prefix || id.startsWith(`${prefix}.`);

/** Which requirements are known to be broken: an answer that breaks one is not reported, whatever else it breaks. */
export function exceptionFilter({ except = [] }: Pick<Focus, 'except'>): (requirement: string) => boolean {
  return (requirement) => except.some((one) => isBelow(requirement, one));
}

/** Which requirements are checked. Throws a UsageError for names that do not exist. */
export function requirementFilter(
  { focus = [], except = [], level = 'documented', dialect = 'documented' }: Focus,
  { requirements }: Catalogue,
  target?: CheckedTarget,
): (requirement: string) => boolean {
  const isExcepted = exceptionFilter({ except });
  for (const one of [...focus, ...except]) {
    if ([...requirements.keys()].some((id) => isBelow(id, one))) continue;
    throw new UsageError(`no requirement is called "${one}"${didYouMean(one, requirements.keys())}`);
  }
  const specified = dialect === 'onem2m' ? 'standard' : 'documented';
  const levels: readonly string[] = level === 'gap' ? [specified, 'gap'] : [specified];
  const isPossible = (one: Requirement, { description, ics }: CheckedTarget) =>
    appliesOver(one, bindingOf(description.url)?.wire ?? 'HTTP') &&
    (ics === undefined || unclaimed(ics, featuresOf(one.id)) === undefined);
  const isFocused = (id: string, own: string) =>
    focus.length > 0 ? focus.some((one) => isBelow(id, one)) : levels.includes(own);
  const chosen = [...requirements.values()].filter(({ id, level: own }) => isFocused(id, own) && !isExcepted(id));
  const possible = target === undefined ? chosen : chosen.filter((one) => isPossible(one, target));
  const checked = new Set(possible.map(({ id }) => id));
  return (requirement) => checked.has(requirement);
}
