import type { StandardKind } from '../model/kinds.ts';
import type { StandardAsAnother, StandardCreate, StandardFanOut } from '../operations/operation.ts';
import type { StandardGround } from './move.ts';

const rights = [63, 1, 2, 4, 8, 34, 0, 62] as const;

/** What has to be created before members of a group can be reached; undefined where a group is there. */
export function groupNeeded({ what }: StandardFanOut, { model }: StandardGround): StandardCreate | undefined {
  if (model.all('group').some(({ held }) => Array.isArray(held.mid))) return undefined;
  const containers = model.all('container').filter(({ held }) => held.acpi === undefined);
  return { ...plain(containers.length < 2 ? 'container' : 'group', what), guard: null };
}

/** What has to be created before anybody can be kept out: a policy, and a container that it guards. */
export function guardNeeded(
  { what }: StandardAsAnother,
  { model, guards }: StandardGround,
): StandardCreate | undefined {
  if (!guards) return undefined;
  if (model.all('access control policy').length === 0) return plain('access control policy', what);
  return model.all('container').some(({ held }) => Array.isArray(held.acpi)) ? undefined : plain('container', what);
}

function plain(kind: StandardKind, what: number): StandardCreate {
  return {
    ...{ does: 'create', kind, below: 0, name: what % 4, form: 'structured', labels: [], content: 0, limit: {} },
    ...{ rcn: null, creator: false, guard: 0, events: [3], both: false, rights: rights[what % rights.length] ?? 0 },
  };
}
