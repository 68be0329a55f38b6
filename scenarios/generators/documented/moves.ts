import { parseTimestamp, writeTimestamp } from '../../engine/judging/timestamp.ts';
import { type AddressForm, addressOf, pathOf } from '../model/address.ts';
import { type Expected, expected, sameAs } from '../model/expected.ts';
import { isDoubtful, kindFacts, labelsOf, type ModelResource } from '../model/resource.ts';
import { alike } from '../moves/look.ts';
import { type Attributes, ask, type Came, labelAt, type Move, type Part, pick } from '../moves/move.ts';
import type { Ground } from '../moves/wording.ts';
import type { Doing, Operation } from '../operations/documented.ts';
import { makeRoom } from './gaps.ts';
import { read, understood } from './read.ts';

const moves: { readonly [D in Operation['does']]: (operation: Doing<D>, ground: Ground) => Move } = {
  ...alike,
  ...{ retrieve, update, discover },
};

/** The requests of an operation. One that has nothing to speak of yet sends none. */
export function moveOf(operation: Operation, ground: Ground): Move {
  return (moves[operation.does] as (operation: Operation, ground: Ground) => Move)(operation, ground);
}

/** A read by any form of address, after one by the path relative to the CSE base, so that a difference is that of the form. */
function* retrieve({ what, form, by }: Doing<'retrieve'>, ground: Ground): Move {
  const resource = pick(ground.model.all(), what);
  if (resource === undefined || isDoubtful(resource)) return;
  if (resource.owner !== 'nobody' && ground.anyOriginator) {
    const own = yield* read(resource, ground, resource.owner);
    if (own.outcome !== 'success') return;
  }
  const { outcome, view } = yield* read(resource, ground);
  if (outcome !== 'success') return;
  if (by !== 'nobody') return void (yield* read(resource, ground, by));
  if (form !== 'structured') yield* again(resource, form, view, ground);
}

/** The same read by another form of address, after one that was answered by `before`. */
export function* again(
  resource: ModelResource,
  form: AddressForm,
  before: Came['view'],
  { model }: Ground,
): Part<void> {
  const path = addressOf(resource, form, model);
  if (path === undefined) return;
  const documented = form === 'SP-relative';
  const { outcome } = yield ask({ retrieve: path }, 'retrieve', documented ? [] : byOthers(resource, form, before), {
    ...(documented && { expect: 'success' }),
    kind: resource.kind,
    form,
  });
  if (documented && outcome === 'success') resource.readBySpRelative = true;
}

const gaps: Readonly<Partial<Record<AddressForm, string>>> = {
  absolute: 'addressing.absolute.retrieve',
  'SP-relative identifier': 'addressing.identifier.sp-relative',
  'absolute identifier': 'addressing.identifier.absolute',
};

/** What the read just before this one has shown is shown again. */
function byOthers({ kind }: ModelResource, form: AddressForm, before: Came['view']): Expected[] {
  const requirement = form === 'identifier' ? `addressing.identifier.${kindFacts[kind].area}` : gaps[form];
  return requirement === undefined ? [] : [expected(requirement, { status: 200 }), ...sameAs(before, requirement)];
}

/** An update is a gap: what the answer shows of it is taken into the model. */
function* update({ what, labels, own: mni }: Doing<'update'>, ground: Ground): Move {
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

/** Discovery by a label, and then with a creation time or a kind beside it: rows 11 and 12 of the endpoints. */
function* discover({ label, after, kind, by }: Doing<'discover'>, ground: Ground): Move {
  const lbl = labelAt(label, ground);
  yield* discoverLabel(lbl, ground);
  if (by === 'visitor') yield asking({ lbl }, ground, { by }, [understood]);
  else if (by !== 'nobody') yield asking({ lbl }, ground, { by });
  const cra = timeOf(after, ground);
  if (cra !== undefined) yield asking({ cra, lbl }, ground, { expect: 'success' });
  if (kind !== null) yield* discoverKind(lbl, kind, ground);
}

type Where = Readonly<Record<string, string | number>>;

/** What is found by a label, rules know; which originator finds what is not shown. */
function asking(
  where: Where,
  { model: { names } }: Pick<Ground, 'model'>,
  more: Parameters<typeof ask>[3],
  expectations: Parameters<typeof ask>[2] = [],
) {
  const step = { discover: `/~/${names.cseId}/${names.base}`, where };
  return ask(step, 'discover', expectations, { form: 'SP-relative', ...more });
}

export function* discoverLabel(lbl: string, ground: Pick<Ground, 'model'>): Move {
  yield asking({ lbl }, ground, { expect: 'success' });
}

/** The kind beside the label is a gap. */
function* discoverKind(lbl: string, kind: ModelResource['kind'], ground: Ground): Move {
  const all = ground.model.all();
  const found = all.filter((one) => one.kind === kind && labelsOf(one)?.includes(lbl)).length;
  const isOpen = all.some((one) => isDoubtful(one) || labelsOf(one) === undefined);
  const counted = expected('discovery.filter.different-criteria', { status: 200, found: { length: found } });
  yield asking({ lbl, ty: kindFacts[kind].ty }, ground, { kind }, isOpen ? [] : [counted]);
}

/** In the documented form, with a space. */
function timeOf(after: Doing<'discover'>['after'], { model }: Ground): string | undefined {
  if (after === null) return undefined;
  if (after === 'the past') return '2001-01-01 00:00:00.000000+00:00';
  if (after === 'the future') return '2999-01-01 00:00:00.000000+00:00';
  const instant = parseTimestamp(pick(model.all(), after)?.shown.ct ?? '');
  return instant === undefined ? undefined : writeTimestamp(instant, 'with a space');
}
