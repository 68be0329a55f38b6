import { instancesOf, type Kind, type Resource } from '../../model/resource.ts';
import { pick } from '../../moves/move.ts';
import { plainCreation, type StandardDoing, type StandardOperation } from '../operations/operation.ts';
import { askedFor, kindMeant, rightsFor } from './another.ts';
import { create } from './create.ts';
import { openContainers } from './creation-plan.ts';
import { groupsOf, membersOf } from './fan-out.ts';
import type { StandardGround, StandardMove } from './move.ts';

/** More than what any operation lacks; some creations may be refused. */
const most = 8;

/** Creates what an operation speaks of that seldom comes about by itself, so that a sequence of one operation is a whole one. */
export function* beforehand(operation: StandardOperation, ground: StandardGround): StandardMove {
  for (let created = 0; created < most; created += 1) {
    const lacking = lackingOf(operation, ground);
    if (lacking === undefined) return;
    yield* create(lacking, ground);
  }
}

function lackingOf(operation: StandardOperation, ground: StandardGround): StandardDoing<'create'> | undefined {
  if (operation.does === 'fan out') return groupNeeded(operation, ground);
  return operation.does === 'ask as another' ? guardNeeded(operation, ground) : undefined;
}

/** What has to be created before members of a group can be reached. */
function groupNeeded(
  { what, act }: StandardDoing<'fan out'>,
  ground: StandardGround,
): StandardDoing<'create'> | undefined {
  const { model } = ground;
  const group = pick(groupsOf(ground), what);
  if (group !== undefined) {
    const empty = membersOf(group, ground)?.find((one) => instancesOf(one).length === 0);
    return act === 'retrieve la' && empty !== undefined ? below(empty, 'content instance', what, ground) : undefined;
  }
  const open = openContainers(model);
  const ae = model.all('ae').find(({ owner }) => owner === open.at(-1)?.owner) ?? model.all('ae')[0];
  const several = open.filter(({ owner }) => owner === ae?.owner).length >= 2;
  return below(ae, several ? 'group' : 'container', what, ground);
}

/** What has to be created before anybody can be kept out: a policy, what it guards, and a content instance in that. */
function guardNeeded(
  operation: StandardDoing<'ask as another'>,
  ground: StandardGround,
): StandardDoing<'create'> | undefined {
  const { model, guards, anyOriginator } = ground;
  if (!guards || !anyOriginator) return undefined;
  const { what, act } = operation;
  const policy = model.all('access control policy').at(-1);
  const rights = rightsFor(what, act);
  if (policy === undefined) return { ...below(model.all('ae').at(-1), 'access control policy', what, ground), rights };
  const meant = kindMeant(what, act);
  if (askedFor(operation, ground).some(({ kind }) => kind === meant)) return undefined;
  const container = askedFor({ what: 0, act: 'discover' }, ground).findLast(({ known }) => known);
  if (container !== undefined) return below(container, 'content instance', what, ground);
  return { ...below(policy.parent, 'container', what, ground), guard: 0 };
}

function below(
  parent: Resource | undefined,
  kind: Kind,
  what: number,
  { model }: StandardGround,
): StandardDoing<'create'> {
  const place = parent === undefined ? -1 : model.holdersOf(kind).indexOf(parent);
  return { ...plainCreation, events: [3], kind, below: Math.max(place, 0), name: what % 4 };
}
