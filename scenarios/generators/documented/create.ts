import { pathOf } from '../model/address.ts';
import { attribute, type Expected, expected, succeeds, textOf, whenPresent } from '../model/expected.ts';
import { kindFacts, labelsOf, type ModelResource } from '../model/resource.ts';
import { ask, type Came, isGone, type Move, textIn } from '../moves/move.ts';
import type { Creation, Ground, Plan, Settled, Wording } from '../moves/wording.ts';
import { limited, makeRoom, nameFree, openBecause } from './gaps.ts';
import { read, understood } from './read.ts';

export const slash = 'structured with a slash at the end';

/** The slash at the end is shown for content instances; the path / is its counterpart for containers below the CSE base. */
export function formOf({ form, kind }: Creation, parent: ModelResource | undefined): string {
  if (form !== slash || kind === 'content instance') return form;
  return kind === 'container' && parent === undefined ? 'root' : 'structured';
}

export function creation(plan: Plan, ground: Ground): ReturnType<Wording['creation']> {
  if (takesBase64(plan)) return byBase64(plan, ground);
  const open = openBecause(plan, ground);
  const isShown = open === undefined && plan.form !== slash && plan.owner === 'nobody';
  const others = [...distinct('ri', ground), ...(plan.kind === 'ae' ? distinct('aei', ground) : [])];
  return { expect: isShown ? 'success' : 'either', expectations: [...statusOf(plan, open), ...others] };
}

/** Identifiers that others have, of which rules know less where something else is in doubt. */
function distinct(name: 'ri' | 'aei', { model }: Ground): Expected[] {
  const known = [...new Set(model.all().flatMap(({ shown }) => shown[name] ?? []))];
  const requirement = name === 'ri' ? 'common.ri.distinct' : 'ae.aei.distinct';
  return known.length === 0 ? [] : [whenPresent(requirement, name, { not: { 'one of': known } })];
}

function statusOf({ kind, form, owner }: Plan, open: Expected | undefined): Expected[] {
  if (open !== undefined) return form === 'root' && open !== nameFree ? [atRoot, open] : [open];
  // Which originator may do what is not shown; how one is written is.
  if (owner !== 'nobody') return owner === 'visitor' ? [understood] : [];
  if (form === slash) return [expected('content-instance.create.trailing-slash', { status: succeeds })];
  const requirement = form === 'SP-relative' ? 'sp-relative.create.status' : `${kindFacts[kind].area}.create.status`;
  return [expected('wire.request-content-type', { status: { not: 415 } }), expected(requirement, { status: 201 })];
}

const atRoot = expected('container.create-at-root.answer', {
  status: succeeds,
  body: { is: 'object' },
  root: { 'all of': [{ is: 'text' }, { not: { 'one of': ['m2m:cb', 'm2m:ae', 'm2m:cin'] } }] },
});

/** A container that shows other limits than were wished for may hold less. */
function limitsAreKept({ sent }: Plan, { view: { attributes = {} } }: Came): boolean {
  return ['mni', 'mbs', 'mia'].every((name) => {
    const shown = attributes[name] ?? sent[name];
    return sent[name] === undefined || String(shown) === String(sent[name]);
  });
}

export function* settle({ created, plan, came }: Settled, ground: Ground): Move {
  const { parent } = plan;
  if (!limitsAreKept(plan, came)) created.known = false;
  for (const label of labelsOf(created) ?? []) ground.model.labels.add(label);
  if (parent !== undefined) yield* makeRoom(parent, ground);
  yield* lookForLeft(created, ground);
}

/**
 * Something has the place of what was removed before. Whether what stood below that is gone is a gap; but what is read at its path now
 * stands below the new one, and has to say so.
 */
function* lookForLeft(created: ModelResource, ground: Ground): Move {
  const left = ground.model.leftBelow(created).at(-1);
  if (left === undefined) return;
  const { view } = yield* read(created, ground);
  const { ri } = created.shown;
  if (ri === undefined || textIn(view, 'ri') !== ri) return;
  const { kind, name } = left;
  const belongs = textOf(`${kindFacts[kind].area}.pi.is-parent`, 'pi', ri);
  const retrieve = `${pathOf(created, ground.model)}/${name}`;
  yield ask({ retrieve }, isGone, [belongs, ...ground.words.subtreeGone(created)], { kind });
}

/** A small JSON document. */
const body = 'eyJhIjoxfQ==';

/** How its bytes are counted is not shown, so that it is not sent where they are limited. */
function takesBase64({ kind, parent, operation, form, owner }: Plan): boolean {
  const byPath = form === 'structured' || form === 'SP-relative';
  const isPossible = kind === 'content instance' && owner === 'nobody' && byPath;
  return operation.base64 === true && isPossible && parent !== undefined && !limited(parent);
}

/** Base64 text of a whole JSON document as the body creates a content instance. How the text becomes content and labels is left open, so that none of them is held. */
function byBase64(plan: Plan, ground: Ground): ReturnType<Wording['creation']> {
  const { path, form } = plan;
  const headers = { 'Content-Type': 'application/vnd.onem2m-res+json' };
  const gap = openBecause({ ...plan, name: undefined, sent: {} }, ground);
  const creates =
    form === 'SP-relative'
      ? expected('content-instance.base64-body.sp-relative', { status: 201 })
      : (gap ?? expected('content-instance.base64-body.creates', { status: succeeds }));
  const raw = { method: 'POST', path, headers, body };
  return { step: { raw }, held: {}, expect: 'either', expectations: [creates, ...ofBase64] };
}

const ofBase64 = [
  expected('content-instance.base64-body.status', { status: 201 }),
  expected('content-instance.base64-body.answer', { root: kindFacts['content instance'].root }),
  attribute('content-instance.base64-body.con', 'con', body),
  attribute('content-instance.base64-body.cnf', 'cnf', 'application/json:1'),
];
