import { addressOf, pathOf } from '../model/address.ts';
import { type Expected, expected } from '../model/expected.ts';
import type { ModelResource } from '../model/resource.ts';
import { kindFacts } from '../model/resource.ts';
import type { AddressForm, Doing } from '../operations/operation.ts';
import { forget, notThere } from './forget.ts';
import { type Attributes, type Came, type Ground, labelAt, type Move, type Part, pick, textIn } from './move.ts';
import { makeRoom } from './room.ts';

/** An update is a gap: what the answer shows of it is taken into the model. */
export function* update({ what, labels, mni }: Doing<'update'>, ground: Ground): Move {
  const resource = pick(ground.model.all(), what);
  if (resource === undefined) return;
  const { kind } = resource;
  const lbl = labels === null ? [] : labels.map((label) => labelAt(label, ground));
  const attributes = { ...(lbl.length > 0 && { lbl }), ...(kind === 'container' && mni !== null && { mni }) };
  const came = yield {
    step: { update: pathOf(resource, ground.model), kind, attributes },
    by: 'nobody',
    expect: 'either',
    expectations: updateOf(resource),
    about: { operation: 'update', kind, form: 'structured' },
  };
  if (came.outcome === 'refused') return;
  takeUpdate(resource, attributes, came, ground);
  if (kind === 'container') yield* makeRoom(resource, ground);
}

function updateOf({ kind }: ModelResource): Expected[] {
  if (kind === 'content instance') return [expected('update.content-instance', { status: 405 })];
  return [expected(`update.${kind}.status`, { status: 200 })];
}

function takeUpdate(resource: ModelResource, attributes: Attributes, { outcome, view }: Came, { model }: Ground): void {
  const { sent } = resource;
  const shown = outcome === 'success' ? view.attributes : undefined;
  if (Array.isArray(attributes.lbl)) {
    for (const label of attributes.lbl) model.labels.add(String(label));
    const kept = JSON.stringify(shown?.lbl) === JSON.stringify(attributes.lbl);
    sent.lbl = kept ? attributes.lbl : 'unknown';
  }
  if (attributes.mni !== undefined) {
    sent.mni = attributes.mni;
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
  const { kind } = resource;
  const seenAt = seen === 'structured' ? undefined : yield* seenBy(seen, resource, ground);
  const documented = kind === 'ae' && form === 'structured' && resource.originator === 'nobody';
  const { outcome } = yield {
    step: { delete: addressOf(resource, form, model) ?? pathOf(resource, model) },
    by: documented ? 'nobody' : resource.originator,
    expect: documented ? 'success' : 'either',
    expectations: documented ? removalOfAe : removalOf(resource, form),
    about: { operation: 'delete', kind, form },
  };
  if (outcome === 'refused') return;
  yield* forget(resource, outcome, ground);
  if (seenAt === undefined || outcome !== 'success') return;
  yield {
    step: { retrieve: seenAt },
    by: 'nobody',
    expect: 'either',
    expectations: [expected('lifecycle.removed-is-gone', { status: notThere })],
    about: { operation: 'look whether it is gone', kind, form: seen },
  };
}

/** The address of this form, if the resource itself is read there. Whether it is may be a gap; that it is not after its removal is none. */
function* seenBy(form: AddressForm, resource: ModelResource, { model }: Ground): Part<string | undefined> {
  const address = addressOf(resource, form, model);
  if (address === undefined) return undefined;
  const { outcome, view } = yield {
    step: { retrieve: address },
    by: 'nobody',
    expect: 'either',
    expectations: [],
    about: { operation: 'look whether it is there', kind: resource.kind, form },
  };
  const { ri } = resource.shown;
  return outcome === 'success' && ri !== undefined && textIn(view, 'ri') === ri ? address : undefined;
}

const removalOfAe = [
  expected('ae.delete.status', { status: 200 }),
  expected('ae.delete.body', { body: { is: 'present' } }),
];

function removalOf({ kind }: ModelResource, form: Doing<'delete'>['form']): Expected[] {
  const status = kind === 'ae' ? 'sp-relative.delete' : `${kindFacts[kind].area}.delete.status`;
  return [expected(form === 'SP-relative' ? 'sp-relative.delete' : status, { status: 200 })];
}
