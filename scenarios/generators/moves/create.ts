import { addressOf, pathOf } from '../model/address.ts';
import { attribute, type Expected, expected, succeeds, textOf, whenPresent } from '../model/expected.ts';
import { type DocumentedKind, kindFacts, labelsOf, type ModelResource } from '../model/resource.ts';
import { type Doing, namesToChoose } from '../operations/operation.ts';
import { nameFree, openBecause, type Plan } from './create-gaps.ts';
import { needed } from './create-wrongly.ts';
import { lose } from './looks.ts';
import { type Attributes, ask, type Came, type Ground, isGone, labelAt, type Move, type Part, textIn } from './move.ts';
import { nothingCreated, read, understood } from './read.ts';
import { limited, makeRoom } from './room.ts';
import { takeCreated } from './take.ts';

type Place = Pick<Plan, 'kind' | 'parent'>;

/** One or several, at one place. Where nothing can hold it yet, what can hold it is created before. */
export function* create(operation: Doing<'create'>, ground: Ground): Move {
  const holder = holderFor(operation, ground);
  if (holder !== undefined) yield* create(holder, ground);
  const place = placeOf(operation, ground);
  if (place === undefined) return;
  for (let time = 0; time < operation.times; time += 1) yield* createAt(place, operation, ground);
}

function holderFor({ kind, limit }: Doing<'create'>, { model }: Ground): Doing<'create'> | undefined {
  if (kind === 'ae' || model.holdersOf(kind).length > 0) return undefined;
  return kind === 'container' ? { ...simplest, kind: 'ae' } : { ...simplest, kind: 'container', limit };
}

const simplest = {
  does: 'create',
  below: 0,
  name: 0,
  form: 'structured',
  labels: [],
  content: 0,
  limit: {},
  by: 'nobody',
  base64: false,
  times: 1,
} as const;

function* createAt(place: Place, operation: Doing<'create'>, ground: Ground): Part<void> {
  const plan = planOf(place, operation, ground);
  const { kind, parent, name, held, form } = plan;
  if (takesBase64(plan)) return yield* createByBase64(plan, pathTo(plan, ground), ground);
  const { by } = operation;
  const open = openBecause(plan, ground);
  const isShown = open === undefined && form !== slash && by === 'nobody';
  const came = yield ask(
    { create: kind, in: pathTo(plan, ground), attributes: { ...held } as Attributes },
    'create',
    [...statusOf(plan, open), ...distinct('ri', ground), ...(kind === 'ae' ? distinct('aei', ground) : [])],
    { by, ...(isShown && { expect: 'success' }), kind, form: form === 'root' ? 'structured' : form },
  );
  if (came.outcome === 'refused') return yield* nothingCreated(parent, name, ground);
  if (came.outcome === 'lost') {
    if (name !== undefined) ground.model.use(parent, name);
    return lose(parent, ground);
  }
  const known = limitsAreKept(held, came);
  const spRelative = form === 'SP-relative';
  const created = takeCreated({ kind, parent, name, owner: by, held: { ...held }, known, spRelative }, came, ground);
  if (created === undefined) return;
  for (const label of labelsOf(created) ?? []) ground.model.labels.add(label);
  if (parent !== undefined) yield* makeRoom(parent, ground);
  yield* lookForLeft(created, ground);
}

/** A container that shows other limits than were wished for may hold less. */
function limitsAreKept(held: Plan['held'], { view: { attributes = {} } }: Came): boolean {
  return ['mni', 'mbs', 'mia'].every((name) => {
    const shown = attributes[name] ?? held[name];
    return held[name] === undefined || String(shown) === String(held[name]);
  });
}

const slash = 'structured with a slash at the end';

function planOf({ kind, parent }: Place, operation: Doing<'create'>, ground: Ground): Plan {
  const { model } = ground;
  // Directly below the CSE base nobody could tell it from what others create there.
  const nameless = operation.name >= namesToChoose && parent !== undefined;
  const name = nameless ? undefined : model.freeName(parent, operation.name % namesToChoose);
  const labels = operation.labels.map((label) => labelAt(label, ground));
  const held = {
    ...(name !== undefined && { rn: name }),
    ...(kind === 'container' ? operation.limit : needed(kind, operation.content)),
    ...(labels.length > 0 && { lbl: labels }),
    ...(parent === undefined && ground.atBase()),
  };
  return { kind, parent, name, held, operation, form: formOf(operation, kind, parent, ground) };
}

/** The slash at the end is shown for content instances; the path / is its counterpart for containers below the CSE base. */
function formOf(
  { form }: Doing<'create'>,
  kind: DocumentedKind,
  parent: ModelResource | undefined,
  { model }: Ground,
): Plan['form'] {
  if (form === slash && kind !== 'content instance') {
    return kind === 'container' && parent === undefined ? 'root' : 'structured';
  }
  return addressOf(parent, form, model) === undefined ? 'structured' : form;
}

function pathTo({ form, parent }: Plan, { model }: Ground): string {
  return form === 'root' ? '/' : (addressOf(parent, form, model) ?? '/');
}

/** A container can stand below the CSE base as well. Undefined where there is still nothing that can hold it. */
function placeOf({ kind, below }: Doing<'create'>, { model }: Ground): Place | undefined {
  if (kind === 'ae') return { kind, parent: undefined };
  const holders = model.holdersOf(kind);
  if (holders.length === 0) return undefined;
  return { kind, parent: holders[below % (kind === 'container' ? holders.length + 1 : holders.length)] };
}

function statusOf({ kind, form, operation }: Plan, open: Expected | undefined): Expected[] {
  if (open !== undefined) return form === 'root' && open !== nameFree ? [atRoot, open] : [open];
  // Which originator may do what is not shown; how one is written is.
  if (operation.by !== 'nobody') return operation.by === 'visitor' ? [understood] : [];
  if (form === slash) return [expected('content-instance.create.trailing-slash', { status: succeeds })];
  const known = expected('wire.request-content-type', { status: { not: 415 } });
  if (form !== 'SP-relative') return [known, expected(`${kindFacts[kind].area}.create.status`, { status: 201 })];
  return [known, expected('sp-relative.create.status', { status: 201 })];
}

const atRoot = expected('container.create-at-root.answer', {
  status: succeeds,
  body: { is: 'object' },
  root: { 'all of': [{ is: 'text' }, { not: { 'one of': ['m2m:cb', 'm2m:ae', 'm2m:cin'] } }] },
});

/** Identifiers that others have, of which rules know less where something else is in doubt. */
function distinct(name: 'ri' | 'aei', { model }: Ground): Expected[] {
  const known = [...new Set(model.all().flatMap(({ shown }) => shown[name] ?? []))];
  const requirement = name === 'ri' ? 'common.ri.distinct' : 'ae.aei.distinct';
  return known.length === 0 ? [] : [whenPresent(requirement, name, { not: { 'one of': known } })];
}

/**
 * Something has the place of what was removed before. Whether what stood below that is gone is a gap; but what is read at its path now
 * stands below the new one, and has to say so.
 */
function* lookForLeft(created: ModelResource, ground: Ground): Part<void> {
  const left = ground.model.leftBelow(created).at(-1);
  if (left === undefined) return;
  yield* read(created, ground);
  const { ri } = created.shown;
  if (!created.read || ri === undefined) return;
  const { kind, name } = left;
  const belongs = textOf(`${kindFacts[kind].area}.pi.is-parent`, 'pi', ri);
  yield ask(
    { retrieve: `${pathOf(created, ground.model)}/${name}` },
    isGone,
    [belongs, ...ground.words.subtreeGone(created)],
    {
      kind,
    },
  );
}

/** A small JSON document. */
const body = 'eyJhIjoxfQ==';

/** How its bytes are counted is not shown, so that it is not sent where they are limited. */
function takesBase64({ kind, parent, operation, form }: Plan): boolean {
  const { base64, by } = operation;
  const byPath = form === 'structured' || form === 'SP-relative';
  return base64 && kind === 'content instance' && by === 'nobody' && byPath && parent !== undefined && !limited(parent);
}

/** Base64 text of a whole JSON document as the body creates a content instance. Everything else about it is a gap. */
function* createByBase64(plan: Plan, path: string, ground: Ground): Part<void> {
  const { kind, parent, form } = plan;
  const headers = { 'Content-Type': 'application/vnd.onem2m-res+json' };
  const raw = { method: 'POST', path, headers, body };
  const came = yield ask({ raw }, 'create by base64 text', [creates(plan, ground), ...gaps], { kind, form });
  const { outcome, view } = came;
  if (outcome === 'refused') return;
  if (outcome !== 'success' || view.root !== root || textIn(view, 'rn') === undefined) return lose(parent, ground);
  // How the text becomes content and labels is left open, so that none of them is held.
  takeCreated({ kind, parent, name: undefined, owner: 'nobody', held: {} }, came, ground);
}

function creates(plan: Plan, ground: Ground) {
  if (plan.form === 'SP-relative') return expected('content-instance.base64-body.sp-relative', { status: 201 });
  const gap = openBecause({ ...plan, name: undefined, held: {} }, ground);
  return gap ?? expected('content-instance.base64-body.creates', { status: succeeds });
}

const { root } = kindFacts['content instance'];
const gaps = [
  expected('content-instance.base64-body.status', { status: 201 }),
  expected('content-instance.base64-body.answer', { root }),
  attribute('content-instance.base64-body.con', 'con', body),
  attribute('content-instance.base64-body.cnf', 'cnf', 'application/json:1'),
];
