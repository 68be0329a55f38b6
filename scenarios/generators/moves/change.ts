import { type AddressForm, addressOf, pathOf, placeOf } from '../model/address.ts';
import { expected, notThere } from '../model/expected.ts';
import { kindFacts, type ModelResource } from '../model/resource.ts';
import type { Doing } from '../operations/operation.ts';
import { readNewestWithout } from './ends.ts';
import { forget } from './looks.ts';
import {
  type Attributes,
  ask,
  type Came,
  type Ground,
  isGone,
  labelAt,
  type Move,
  type Part,
  pick,
  textIn,
} from './move.ts';
import { makeRoom } from './room.ts';

/** An update is a gap: what the answer shows of it is taken into the model. */
export function* update({ what, labels, mni }: Doing<'update'>, ground: Ground): Move {
  const resource = pick(ground.model.all(), what);
  if (resource === undefined) return;
  const { kind } = resource;
  const lbl = labels === null ? [] : labels.map((label) => labelAt(label, ground));
  const attributes = { ...(lbl.length > 0 && { lbl }), ...(kind === 'container' && mni !== null && { mni }) };
  const expectation =
    kind === 'content instance'
      ? expected('update.content-instance', { status: 405 })
      : expected(`update.${kind}.status`, { status: 200 });
  const step = { update: pathOf(resource, ground.model), kind, attributes };
  const came = yield ask(step, 'update', [expectation], { kind });
  if (came.outcome === 'refused') return;
  takeUpdate(resource, attributes, came, ground);
  if (kind === 'container') yield* makeRoom(resource, ground);
}

function takeUpdate(resource: ModelResource, attributes: Attributes, { outcome, view }: Came, { model }: Ground): void {
  const { held } = resource;
  const shown = outcome === 'success' ? view.attributes : undefined;
  if (Array.isArray(attributes.lbl)) {
    for (const label of attributes.lbl) model.labels.add(String(label));
    const kept = JSON.stringify(shown?.lbl) === JSON.stringify(attributes.lbl);
    held.lbl = kept ? attributes.lbl : 'unknown';
  }
  if (attributes.mni !== undefined) {
    held.mni = attributes.mni;
    // Which limit holds cannot be told.
    if (shown?.mni !== attributes.mni) resource.known = false;
  }
  if (outcome === 'lost') resource.known = false;
}

/** The removal of an application entity is shown; that of the other kinds is a gap. What is removed is gone. */
export function* remove({ what, form, seen }: Doing<'delete'>, ground: Ground): Move {
  const { model } = ground;
  const resource = pick(model.all(), what);
  if (resource === undefined) return;
  const { kind, owner } = resource;
  const seenAt = seen === 'structured' ? undefined : yield* seenBy(seen, resource, ground);
  const documented = kind === 'ae' && form === 'structured' && owner === 'nobody';
  const status =
    form === 'SP-relative' || kind === 'ae' ? 'sp-relative.delete' : `${kindFacts[kind].area}.delete.status`;
  const { outcome } = yield ask(
    { delete: placeOf(resource, form, model).path },
    'delete',
    documented ? removalOfAe : [expected(status, { status: 200 })],
    { by: owner, ...(documented && { expect: 'success' }), kind, form },
  );
  if (outcome === 'refused') return;
  yield* forget(resource, outcome, ground);
  if (outcome !== 'success') return;
  yield* readNewestWithout(resource, ground);
  if (seenAt === undefined) return;
  const gone = expected('lifecycle.removed-is-gone', { status: notThere });
  yield ask({ retrieve: seenAt }, isGone, [gone], { kind, form: seen });
}

/** The address of this form, if the resource itself is read there. Whether it is may be a gap; that it is not after its removal is none. */
function* seenBy(form: AddressForm, resource: ModelResource, { model }: Ground): Part<string | undefined> {
  const address = addressOf(resource, form, model);
  if (address === undefined) return undefined;
  const { kind, shown } = resource;
  const { outcome, view } = yield ask({ retrieve: address }, 'look whether it is there', [], { kind, form });
  return outcome === 'success' && shown.ri !== undefined && textIn(view, 'ri') === shown.ri ? address : undefined;
}

const removalOfAe = [
  expected('ae.delete.status', { status: 200 }),
  expected('ae.delete.body', { body: { is: 'present' } }),
];
