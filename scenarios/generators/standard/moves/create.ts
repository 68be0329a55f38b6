import { addressOf, pathOf } from '../../model/address.ts';
import { expected } from '../../model/expected.ts';
import { instancesOf, kindFacts, type Resource } from '../../model/resource.ts';
import { type Attributes, ask, type Came, numberIn, textIn } from '../../moves/move.ts';
import type { StandardDoing } from '../operations/operation.ts';
import { answered } from './answers.ts';
import { shownOf, statusOf } from './creation-answers.ts';
import { type Plan, planOf } from './creation-plan.ts';
import type { StandardGround, StandardMove } from './move.ts';
import { asHeld, lookForNothing, takeShown } from './read.ts';

export function* create(operation: StandardDoing<'create'>, ground: StandardGround): StandardMove {
  const plan = planOf(operation, ground);
  if (plan === undefined) return;
  const { kind, parent, name, owner: by, sent, form, rcn } = plan;
  const { model, events } = ground;
  const flexible = kind === 'flex container';
  const came = yield ask(
    {
      create: kind,
      in: (parent && addressOf(parent, form, model)) ?? pathOf(parent, model),
      ...(flexible && { root: kindFacts[kind].root }),
      attributes: { ...sent } as Attributes,
      ...(rcn !== null && { query: { rcn } }),
    },
    'create',
    [...statusOf(plan, ground), ...shownOf(plan, ground)],
    { by, ...(!flexible && { expect: 'success' }), kind, form },
  );
  if (came.outcome === 'lost') {
    if (parent !== undefined) parent.known = false;
    events.lose();
  }
  if (came.outcome === 'success') return yield* settle(plan, came, ground);
  if (name !== undefined) model.use(parent, name);
}

/** Takes it into the model, and reads what the answer did not show. */
function* settle(plan: Plan, came: Came, ground: StandardGround): StandardMove {
  const { kind, parent, rcn } = plan;
  const { model } = ground;
  const before = parent === undefined ? [] : instancesOf(parent);
  const created = take(plan, came, ground);
  if (created === undefined) return;
  const goes = parent?.shown.mni === undefined ? 'std.retention.mbs.oldest-goes' : 'std.retention.mni.oldest-goes';
  for (const one of before) if (!model.holds(one)) yield* lookForNothing(one, goes, ground);
  if ((rcn ?? 1) === 1) return;
  const seen = yield ask(
    { retrieve: pathOf(created, model) },
    'retrieve',
    [
      ...(rcn === 0 ? [expected('std.create.rcn.0.created', { rsc: 2000 })] : []),
      ...answered(`std.${kindFacts[kind].area}.retrieve`, 2000),
      ...asHeld(created, model),
    ],
    { by: created.owner, expect: 'success', kind },
  );
  takeShown(created, seen);
  takeLimits(created, seen);
}

/** What the answer tells becomes part of the model. */
function take(plan: Plan, came: Came, ground: StandardGround): Resource | undefined {
  const { model, events } = ground;
  const { kind, parent, sent, owner } = plan;
  const name = plan.name ?? textIn(came.view, 'rn');
  if (name === undefined || name.includes('/') || model.at(parent, name) !== undefined) {
    if (parent !== undefined) parent.known = false;
    events.lose();
    return undefined;
  }
  const { rn: _, srv: __, et: ___, ...held } = sent;
  const created = model.add({ kind, name, parent, owner, held, shown: {} });
  takeShown(created, came);
  takeLimits(created, came);
  events.created(created);
  return created;
}

/** Limits that the CSE may set by its own policy (TS-0004 7.4.6.2.1). */
function takeLimits(resource: Resource, { view }: Came): void {
  if (resource.kind !== 'container' || view.attributes === undefined) return;
  resource.shown.mni = numberIn(view, 'mni');
  resource.shown.mbs = numberIn(view, 'mbs');
}
