import { expected } from '../../model/expected.ts';
import type { Attributes } from '../../moves/move.ts';
import { type Attempt, type Came, numberIn, textIn } from '../../moves/move.ts';
import { addressOf, pathOf } from '../model/address.ts';
import { answered } from '../model/answers.ts';
import { asHeld } from '../model/held.ts';
import { kindFacts } from '../model/kinds.ts';
import { instancesOf, type StandardResource } from '../model/resource.ts';
import type { StandardDoing } from '../operations/operation.ts';
import { shownOf, statusOf } from './creation-answers.ts';
import { type Plan, planOf } from './creation-plan.ts';
import type { StandardGround, StandardMove } from './move.ts';
import { lookForNothing, takeShown } from './read.ts';

export function* create(operation: StandardDoing<'create'>, ground: StandardGround): StandardMove {
  const plan = planOf(operation, ground);
  if (plan === undefined) return;
  const { parent, name } = plan;
  const came = yield attemptOf(plan, ground);
  if (came.outcome === 'lost') {
    if (parent !== undefined) parent.known = false;
    ground.events.lose();
  }
  if (came.outcome !== 'success') {
    if (name !== undefined) ground.model.use(parent, name);
    return;
  }
  yield* settle(plan, came, ground);
}

/** Takes it into the model, and reads what the answer did not show. */
function* settle(plan: Plan, came: Came, ground: StandardGround): StandardMove {
  const before = plan.parent === undefined ? [] : instancesOf(plan.parent);
  const created = take(plan, came, ground);
  if (created === undefined) return;
  const goes = plan.parent?.shown.mni === undefined ? 'std.retention.mbs.oldest-goes' : 'std.retention.mni.oldest-goes';
  for (const one of before) if (!ground.model.holds(one)) yield* lookForNothing(one, goes, ground);
  if ((plan.rcn ?? 1) === 1) return;
  const requirement = plan.rcn === 0 ? [expected('std.create.rcn.0.created', { rsc: 2000 })] : [];
  const { model } = ground;
  const seen = yield {
    step: { retrieve: pathOf(created, model) },
    by: created.owner,
    expect: 'success',
    expectations: [
      ...requirement,
      ...answered(`std.${kindFacts[plan.kind].area}.retrieve`, 2000),
      ...asHeld(created, model),
    ],
    about: { operation: 'retrieve', kind: plan.kind, form: 'structured' },
  };
  takeShown(created, seen);
  takeLimits(created, seen);
}

function attemptOf(plan: Plan, ground: StandardGround): Attempt {
  const { kind, parent, owner, sent, form, rcn } = plan;
  const { model } = ground;
  const base = `/${model.names.base}`;
  const flexible = kind === 'flex container';
  return {
    step: {
      create: kind,
      in: parent === undefined ? base : (addressOf(parent, form, model) ?? pathOf(parent, model)),
      ...(flexible && { root: kindFacts[kind].root }),
      attributes: { ...sent } as Attributes,
      ...(rcn !== null && { query: { rcn } }),
    },
    by: owner,
    expect: flexible ? 'either' : 'success',
    expectations: [...statusOf(plan, ground), ...shownOf(plan, ground)],
    about: { operation: 'create', kind, form },
  };
}

/** What the answer tells becomes part of the model. */
function take(plan: Plan, came: Came, ground: StandardGround): StandardResource | undefined {
  const { model, events } = ground;
  const { kind, parent, sent, owner } = plan;
  const name = plan.name ?? textIn(came.view, 'rn');
  if (name === undefined || name.includes('/') || model.at(parent, name) !== undefined) {
    if (parent !== undefined) parent.known = false;
    events.lose();
    return undefined;
  }
  const { rn: _, srv: __, et: ___, ...held } = sent;
  const created = model.add({ kind, name, parent, owner, held: { ...held }, shown: {} });
  takeShown(created, came);
  takeLimits(created, came);
  if (kind === 'subscription') events.subscribed(created);
  events.created(created);
  return created;
}

/** Limits that the CSE may set by its own policy (TS-0004 7.4.6.2.1). */
function takeLimits(resource: StandardResource, { view }: Came): void {
  if (resource.kind !== 'container' || view.attributes === undefined) return;
  resource.shown.mni = numberIn(view, 'mni');
  resource.shown.mbs = numberIn(view, 'mbs');
}
