import { instancesOf, type ModelKind, type ModelResource } from '../model/resource.ts';
import { create } from '../moves/create.ts';
import { alike } from '../moves/look.ts';
import { type Move, pick } from '../moves/move.ts';
import { openContainers } from '../moves/plan.ts';
import type { Ground } from '../moves/wording.ts';
import { plainCreation, type StandardDoing, type StandardOperation } from '../operations/onem2m.ts';
import { askAsAnother, askedFor, kindMeant, rightsFor } from './another.ts';
import { discover } from './discover.ts';
import { fanOut, groupsOf, membersOf } from './fan-out.ts';
import { retrieve } from './retrieve.ts';
import { update } from './update.ts';

type Does = StandardOperation['does'];

const moves: { readonly [D in Does]: (operation: StandardDoing<D>, ground: Ground) => Move } = {
  ...alike,
  ...{ retrieve, update, discover, 'fan out': fanOut, 'ask as another': askAsAnother },
};

/** The requests of an operation. One that has nothing to speak of yet sends none, or creates what it lacks first. */
export function* moveOf(operation: StandardOperation, ground: Ground): Move {
  yield* beforehand(operation, ground);
  const { [operation.does]: move } = moves;
  yield* (move as (operation: StandardOperation, ground: Ground) => Move)(operation, ground);
}

/** More than what any operation lacks; some creations may be refused. */
const most = 8;

/** Creates what an operation speaks of that seldom comes about by itself, so that a sequence of one operation is a whole one. */
function* beforehand(operation: StandardOperation, ground: Ground): Move {
  for (let created = 0; created < most; created += 1) {
    const lacking = lackingOf(operation, ground);
    if (lacking === undefined) return;
    yield* create(lacking, ground);
  }
}

function lackingOf(operation: StandardOperation, ground: Ground): StandardDoing<'create'> | undefined {
  if (operation.does === 'fan out') return groupNeeded(operation, ground);
  return operation.does === 'ask as another' ? guardNeeded(operation, ground) : undefined;
}

/** What has to be created before members of a group can be reached. */
function groupNeeded({ what, act }: StandardDoing<'fan out'>, ground: Ground): StandardDoing<'create'> | undefined {
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
function guardNeeded(operation: StandardDoing<'ask as another'>, ground: Ground): StandardDoing<'create'> | undefined {
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
  parent: ModelResource | undefined,
  kind: ModelKind,
  what: number,
  { model }: Ground,
): StandardDoing<'create'> {
  const place = parent === undefined ? -1 : model.holdersOf(kind).indexOf(parent);
  return { ...plainCreation, events: [3], kind, below: Math.max(place, 0), name: what % 4 };
}
