import { addressOf, pathOf } from '../model/address.ts';
import { type Expected, expected } from '../model/expected.ts';
import { kindFacts } from '../model/representation.ts';
import type { ModelResource } from '../model/resource.ts';
import type { DeleteOperation, UpdateOperation } from '../operations/operation.ts';
import { labelAt, limited } from './create.ts';
import type { Attributes, Came, Ground, Move } from './move.ts';
import { isThere, lookWhoIsThere } from './read.ts';

/** An update is a gap: what the answer shows of it is taken into the model. */
export function* update({ what, labels, mni }: UpdateOperation, ground: Ground): Move {
  const all = ground.model.all().reverse();
  const resource = all[what % Math.max(all.length, 1)];
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
  if (kind === 'container' && limited(resource)) yield* lookWhoIsThere(resource, ground);
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
  if (attributes.mni !== undefined) sent.mni = attributes.mni;
  if (outcome === 'lost') resource.known = false;
}

/** The removal of an application entity is shown; that of the other kinds is a gap. What is removed is gone. */
export function* remove({ what, form }: DeleteOperation, ground: Ground): Move {
  const { model } = ground;
  const all = model.all().reverse();
  const resource = all[what % Math.max(all.length, 1)];
  if (resource === undefined) return;
  const { kind } = resource;
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
}

const removalOfAe = [
  expected('ae.delete.status', { status: 200 }),
  expected('ae.delete.body', { body: { is: 'present' } }),
];

function removalOf({ kind }: ModelResource, form: DeleteOperation['form']): Expected[] {
  const status = kind === 'ae' ? 'sp-relative.delete' : `${kindFacts[kind].area}.delete.status`;
  return [expected(form === 'SP-relative' ? 'sp-relative.delete' : status, { status: 200 })];
}

/** Takes what was removed out of the model, after a look at whether it is gone. */
export function* forget(resource: ModelResource, outcome: Came['outcome'], ground: Ground): Move {
  const { model } = ground;
  const { kind, parent } = resource;
  const below = resource.children.at(-1);
  if (outcome === 'success') {
    const came = yield {
      step: { retrieve: pathOf(resource, model) },
      by: 'nobody',
      expect: 'either',
      expectations: [expected('lifecycle.removed-is-gone', { status: { not: { between: [200, 299] } } })],
      about: { operation: 'look whether it is gone', kind, form: 'structured' },
    };
    if (came.outcome !== 'refused' && parent !== undefined) parent.known = false;
    if (below !== undefined) yield* lookBelow(below, kind, ground);
  } else if ((yield* isThere(resource, ground)) === 'success') {
    return;
  }
  model.remove(resource);
}

/** Whether the subtree goes with what was removed is a gap. */
function* lookBelow(below: ModelResource, kind: ModelResource['kind'], { model }: Ground): Move {
  yield {
    step: { retrieve: pathOf(below, model) },
    by: 'nobody',
    expect: 'either',
    expectations: [expected(kind === 'ae' ? 'ae.delete.subtree' : 'container.delete.subtree', { status: 404 })],
    about: { operation: 'look whether it is gone', kind: below.kind, form: 'structured' },
  };
}
