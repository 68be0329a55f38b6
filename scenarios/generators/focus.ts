import type { Catalogue } from '../engine/files/catalogue.ts';
import { didYouMean, UsageError } from '../engine/files/diagnostics.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import { featuresOf } from '../statement/features.ts';
import { type Statement, unclaimed } from '../statement/statement.ts';

export interface Focus {
  readonly focus?: readonly string[];
  readonly level?: 'documented' | 'gap';
  readonly dialect?: Dialect;
}

/** Which requirements are judged. Throws a UsageError for a focus on what does not exist. */
export function judgesOf(
  { focus = [], level = 'documented', dialect = 'documented' }: Focus,
  { requirements }: Catalogue,
  statement: Statement | undefined,
): (requirement: string) => boolean {
  const isBelow = (id: string, prefix: string) => id === prefix || id.startsWith(`${prefix}.`);
  for (const one of focus) {
    if ([...requirements.keys()].some((id) => isBelow(id, one))) continue;
    throw new UsageError(`no requirement is called "${one}"${didYouMean(one, requirements.keys())}`);
  }
  const specified = dialect === 'onem2m' ? 'standard' : 'documented';
  const chosen = new Set(
    [...requirements.values()]
      .filter(({ id, level: own }) => {
        if (statement !== undefined && unclaimed(statement, featuresOf(id)) !== undefined) return false;
        return focus.length > 0
          ? focus.some((one) => isBelow(id, one))
          : own === specified || (level === 'gap' && own === 'gap');
      })
      .map(({ id }) => id),
  );
  return (requirement) => chosen.has(requirement);
}
