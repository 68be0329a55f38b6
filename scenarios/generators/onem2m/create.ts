import { originatorPattern, pathOf, referenceTo, type StandardForm } from '../model/address.ts';
import { attribute, type Expected, expected } from '../model/expected.ts';
import { bytesOf, instancesOf, kindFacts, type ModelResource } from '../model/resource.ts';
import { lookForNothing, takeShown } from '../moves/looks.ts';
import { ask, type Came, type Move, numberIn } from '../moves/move.ts';
import type { Ground, Plan, Settled, Wording } from '../moves/wording.ts';
import { answered, asHeld, inForm } from './read.ts';

export function creation(plan: Plan, ground: Ground): ReturnType<Wording['creation']> {
  const expectations = [...statusOf(plan, ground), ...shownOf(plan, ground)];
  return { expect: plan.kind === 'flex container' ? 'either' : 'success', expectations };
}

/** What made room is gone; what the answer did not show is read. */
export function* settle({ created, plan, came, before }: Settled, ground: Ground): Move {
  const { kind, parent, rcn = null } = plan;
  const { model } = ground;
  takeLimits(created, came);
  const goes = parent?.shown.mni === undefined ? 'std.retention.mbs.oldest-goes' : 'std.retention.mni.oldest-goes';
  for (const one of before) if (!model.holds(one)) yield* lookForNothing(one, answered(goes, 4004), ground);
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

/** Limits that the CSE may set by its own policy (TS-0004 7.4.6.2.1). */
function takeLimits(resource: ModelResource, { view }: Came): void {
  if (resource.kind !== 'container' || view.attributes === undefined) return;
  resource.shown.mni = numberIn(view, 'mni');
  resource.shown.mbs = numberIn(view, 'mbs');
}

function statusOf(plan: Plan, { model }: Ground): Expected[] {
  const { kind, parent, name, form, rcn } = plan;
  const { area, root } = kindFacts[kind];
  if (tooLarge(plan)) return [...inForm(form as StandardForm), ...answered('std.retention.mbs.too-large', 5207)];
  // What does not know the form may give any of these answers, too.
  if (kind === 'flex container') return form === 'structured' ? [flexible] : [];
  const again = name !== undefined && model.wasUsed(parent, name);
  const shape = rcn === null || rcn === 1 ? { root } : {};
  return [
    ...inForm(form as StandardForm),
    ...(again ? answered('std.delete.name-free', 2001) : []),
    ...madeRoom(plan),
    ...answered(kind === 'ae' ? 'std.ae.register' : `std.${area}.create`, 2001, shape),
  ];
}

/** A content instance that is larger than `mbs` alone. */
function tooLarge({ kind, parent, sent }: Plan): boolean {
  const { mbs } = parent?.shown ?? {};
  return kind === 'content instance' && mbs !== undefined && Buffer.byteLength(String(sent.con)) > mbs;
}

function madeRoom({ kind, parent, sent }: Plan): Expected[] {
  if (kind !== 'content instance' || parent === undefined) return [];
  const { mni = Number.POSITIVE_INFINITY, mbs = Number.POSITIVE_INFINITY } = parent.shown;
  const instances = instancesOf(parent);
  if (instances.length >= mni) return answered('std.retention.mni.create', 2001);
  const bytes = bytesOf(instances) + Buffer.byteLength(String(sent.con));
  return bytes > mbs ? answered('std.retention.mbs.create', 2001) : [];
}

/** Created, or not known to the CSE. */
const flexible = expected('std.flex-container.create', {
  'one of': [
    { rsc: 2001, source: 'TS-0004 7.4.37.2.1' },
    { rsc: 4125, source: 'TS-0004 R3-R4, 6.6.3.5, SPECIALIZATION_SCHEMA_NOT_FOUND' },
    { rsc: 5001, source: 'TS-0004 6.6.3.6: what a CSE does not implement' },
    { rsc: 4108, source: 'TS-0001 9.6.3: srt lists what a CSE supports' },
    { rsc: 4000, source: 'TS-0004 R2, 7.3.3.3: no such resource type' },
  ],
});

/** What the answer holds, by rcn. */
function shownOf(plan: Plan, { model }: Ground): Expected[] {
  if (tooLarge(plan)) return [];
  const { kind, parent, name, rcn } = plan;
  const { root } = kindFacts[kind];
  if (rcn === 0) return [expected('std.create.rcn.0', { body: { is: 'absent' } })];
  const address = { matching: `(^|/)${referenceTo(parent, model)}/${name ?? '[^/]+'}$` };
  if (rcn === 2) return [expected('std.create.rcn.2', { body: { fields: { 'm2m:uri': address } } })];
  if (rcn === 3) {
    return [
      expected('std.create.rcn.3', { root: 'm2m:rce' }),
      attribute('std.create.rcn.3.address', 'uri', address),
      ...(name === undefined ? [] : [inWrapper(root, name)]),
    ];
  }
  return [...(rcn === 1 ? [expected('std.create.rcn.1', { root })] : []), ...attributesShown(plan, model)];
}

function inWrapper(root: string, name: string): Expected {
  const fields = { fields: { rn: name } };
  return expected('std.create.rcn.3.attributes', {
    'one of': [
      { attributes: { [root]: fields }, source: 'TS-0004 8.4.2: the resource below its root' },
      {
        attributes: { [root.slice(root.indexOf(':') + 1)]: fields },
        source: 'TS-0004 7.5.2, m2m:resourceWrapper: the resource under its own name',
      },
    ],
  });
}

function attributesShown(plan: Plan, model: Ground['model']): Expected[] {
  const { kind, parent, name, owner } = plan;
  const et = parent?.shown.et;
  const matching = originatorPattern(owner, model);
  const registered = (id: 'aei' | 'ri') => attribute(`std.ae.register.${id}`, id, { matching });
  return [
    ...(name === undefined ? [attribute('std.create.name-assigned', 'rn', { matching: '^[^/]+$' })] : []),
    ...(kind === 'ae' ? [registered('aei'), registered('ri')] : []),
    ...(et === undefined ? [] : [attribute('std.create.et.parent', 'et', { not: { after: et } })]),
  ];
}
