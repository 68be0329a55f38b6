import { parseTimestamp } from '../../engine/judging/timestamp.ts';
import { addressOf } from '../model/address.ts';
import { contentAt } from '../model/contents.ts';
import { type Expected, expected, succeeds, textOf } from '../model/expected.ts';
import { newlyCreated } from '../model/held.ts';
import { kindFacts, notOfAnotherKind } from '../model/representation.ts';
import { contentOf, instancesOf, type ModelKind, type ModelResource } from '../model/resource.ts';
import { type CreateOperation, namesToChoose } from '../operations/operation.ts';
import { type Attempt, type Attributes, type Came, type Ground, type Move, textIn } from './move.ts';
import { lookForNothing, lookWhoIsThere, understood } from './read.ts';

interface Plan {
  readonly kind: ModelKind;
  readonly parent: ModelResource | undefined;
  /** Undefined where the service is to make one up. */
  readonly name: string | undefined;
  readonly sent: Readonly<Record<string, unknown>>;
  readonly operation: CreateOperation;
  /** That of the operation, unless its parent has no such address. `root`: the path /. */
  readonly form: CreateOperation['form'] | 'root';
}

export function* create(operation: CreateOperation, ground: Ground): Move {
  const plan = planOf(operation, ground);
  const { kind, parent, name, sent, form } = plan;
  const open = openBecause(plan, ground);
  const attempt: Attempt = {
    step: { create: kind, in: pathTo(plan, ground), attributes: { ...sent } as Attributes },
    by: operation.by,
    expect: open === undefined && form !== slash && operation.by === 'nobody' ? 'success' : 'either',
    expectations: [...statusOf(plan, open), ...shownOf(plan, ground)],
    about: { operation: 'create', kind, form: form === 'root' ? 'structured' : form },
  };
  const came = yield attempt;
  if (came.outcome === 'refused') return yield* lookForNothing(parent, name, ground);
  if (came.outcome === 'lost') return lose(parent, name, ground);
  const created = take(plan, came, ground);
  if (created !== undefined && parent !== undefined && limited(parent)) yield* lookWhoIsThere(parent, ground);
}

const slash = 'structured with a slash at the end';

function planOf(operation: CreateOperation, ground: Ground): Plan {
  const { model } = ground;
  const { kind, parent } = placeOf(operation, ground);
  const nameless = operation.name >= namesToChoose && kind !== 'ae';
  const name = nameless ? undefined : model.freeName(parent, operation.name % namesToChoose);
  const labels = operation.labels.map((label) => labelAt(label, ground));
  const sent = {
    ...(name !== undefined && { rn: name }),
    ...attributesOf(kind, operation),
    ...(labels.length > 0 && { lbl: labels }),
    ...(parent === undefined && ground.atBase()),
  };
  return { kind, parent, name, sent, operation, form: formOf(operation, kind, parent, ground) };
}

/** The slash at the end is shown for content instances; the path / is its counterpart for containers below the CSE base. */
function formOf(
  { form }: CreateOperation,
  kind: ModelKind,
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

const colors = ['red', 'blue', 'green'] as const;

/** Labels that nobody else has. */
export function labelAt(index: number, { model }: Ground): string {
  return `${model.names.label}-${colors[index % colors.length]}`;
}

/** Where nothing can hold it yet, what could hold it is created instead. A container can stand below the CSE base as well. */
function placeOf(
  { kind, below }: Pick<CreateOperation, 'kind' | 'below'>,
  ground: Ground,
): Pick<Plan, 'kind' | 'parent'> {
  if (kind === 'ae') return { kind, parent: undefined };
  const holders = ground.model.holdersOf(kind);
  if (kind === 'content instance') {
    if (holders.length === 0) return placeOf({ kind: 'container', below }, ground);
    return { kind, parent: holders[below % holders.length] };
  }
  if (holders.length === 0) return { kind: 'ae', parent: undefined };
  return { kind, parent: holders[below % (holders.length + 1)] };
}

function attributesOf(kind: ModelKind, { content, limit }: CreateOperation): Record<string, unknown> {
  if (kind === 'ae') return { api: 'org.example.a', rr: 'TRUE' };
  return kind === 'container' ? { ...limit } : { ...contentAt(content) };
}

/** The gap that decides what becomes of this creation; undefined where the specification says that it is done. */
function openBecause(plan: Plan, ground: Ground): Expected | undefined {
  const { kind, parent, name, sent, operation, form } = plan;
  const { model } = ground;
  if (form === 'root') return expected('container.create-at-root.status', { status: 201 });
  const full = parent === undefined ? undefined : roomIn(parent, sent);
  if (full !== undefined) return full;
  if (kind === 'ae' && isRegistered(operation.by, ground)) return sameOriginator(operation.by);
  const open =
    (name !== undefined && model.wasUsed(parent, name) ? 'lifecycle.name-free-again' : undefined) ??
    (sent.lbl === undefined ? undefined : `labels.${kindFacts[kind].area}`) ??
    placeIsOpen(plan) ??
    otherForms[form];
  return open === undefined ? undefined : expected(open, { status: 201 });
}

/** Who has one originator only can register one application entity. */
function isRegistered(by: CreateOperation['by'], { model, anyOriginator }: Ground): boolean {
  return model.all('ae').some((one) => !anyOriginator || (by !== 'nobody' && one.originator === by));
}

/** Only an originator that begins with C is an AE identifier by itself. */
function sameOriginator(by: CreateOperation['by']): Expected {
  return expected('ae.create.same-originator', { status: by === 'visitor' ? { 'one of': [201, 409] } : 409 });
}

/** Whether the kind, its place and its limits are shown by the specification. */
function placeIsOpen({ kind, parent, name, sent, form }: Plan): string | undefined {
  if (kind === 'ae') return form === 'SP-relative' ? 'sp-relative.create.ae' : undefined;
  if (kind === 'content instance') {
    return parent?.parent?.kind !== 'ae' && form !== 'SP-relative' ? 'container.nested.holds-instances' : undefined;
  }
  if (parent === undefined) return 'container.below-cse-base';
  if (parent.kind === 'container') return 'container.nested.create';
  if (name === undefined) return 'container.create.without-rn';
  if (sent.mni !== undefined) return 'retention.mni.accepted';
  if (sent.mbs !== undefined) return 'retention.mbs.accepted';
  return form === 'SP-relative' ? 'sp-relative.create.container' : undefined;
}

/** Which originator may do what is not shown; how one is written is. */
function byOriginator(by: CreateOperation['by']): Expected[] {
  return by === 'visitor' ? [understood] : [];
}

/** Forms of address that only the standard has. */
const otherForms: Readonly<Record<string, string>> = {
  absolute: 'addressing.absolute.create',
  identifier: 'addressing.identifier.create',
};

export function limited({ sent }: ModelResource): boolean {
  return sent.mni !== undefined || sent.mbs !== undefined;
}

/** The gap that decides where a content instance does not fit into what a container may hold. */
function roomIn(container: ModelResource, { con }: Plan['sent']): Expected | undefined {
  if (typeof con !== 'string' || !limited(container)) return undefined;
  const { mni = Number.POSITIVE_INFINITY, mbs = Number.POSITIVE_INFINITY } = container.sent;
  const size = Buffer.byteLength(con);
  if (Number(mni) === 0) return expected('retention.mni.zero', { status: { not: succeeds } });
  if (size > Number(mbs)) return expected('retention.mbs.too-big', { status: 406 });
  const instances = instancesOf(container);
  const bytes = instances.reduce((sum, one) => sum + Buffer.byteLength(contentOf(one)), size);
  if (!container.known || instances.length >= Number(mni))
    return expected('retention.mni.takes-the-new-one', { status: 201 });
  return bytes > Number(mbs) ? expected('retention.mbs.takes-the-new-one', { status: 201 }) : undefined;
}

function statusOf({ kind, form, operation }: Plan, open: Expected | undefined): Expected[] {
  if (open !== undefined) return form === 'root' ? [atRoot, open] : [open];
  if (operation.by !== 'nobody') return byOriginator(operation.by);
  if (form === slash) return [expected('content-instance.create.trailing-slash', { status: succeeds })];
  const known = expected('wire.request-content-type', { status: { not: 415 } });
  if (form !== 'SP-relative') return [known, expected(`${kindFacts[kind].area}.create.status`, { status: 201 })];
  return [
    known,
    expected('sp-relative.create.status', { status: 201 }),
    notOfAnotherKind('sp-relative.create.answer', kind),
  ];
}

const atRoot = expected('container.create-at-root.answer', {
  status: succeeds,
  body: { is: 'object' },
  root: { 'all of': [{ is: 'text' }, { not: { 'one of': ['m2m:cb', 'm2m:ae', 'm2m:cin'] } }] },
});

const assigned = expected('content-instance.rn.assigned-shape', {
  attributes: {
    rn: {
      'when present': { 'one of': [{ matching: '^contentInstance-[A-Za-z0-9]{16}$' }, { not: { is: 'text' } }] },
    },
  },
});

function shownOf({ kind, parent, name, sent, operation }: Plan, { model }: Ground): Expected[] {
  return [
    ...newlyCreated(kind, { parent, sent }, model),
    ...(kind === 'content instance' && name === undefined ? [assigned] : []),
    ...(kind === 'container' && operation.by === 'nobody' ? [textOf('container.cr.nobody', 'cr', 'nobody')] : []),
  ];
}

function lose(parent: ModelResource | undefined, name: string | undefined, { model }: Ground): void {
  if (name !== undefined) model.use(parent, name);
  if (parent !== undefined) parent.known = false;
}

/** What the answer tells becomes part of the model. */
function take(
  { kind, parent, name, sent, operation, form }: Plan,
  { view }: Came,
  ground: Ground,
): ModelResource | undefined {
  const { model } = ground;
  const called = name ?? textIn(view, 'rn');
  if (called === undefined || called.includes('/') || model.at(parent, called) !== undefined) {
    lose(parent, undefined, ground);
    return undefined;
  }
  for (const label of Array.isArray(sent.lbl) ? sent.lbl : []) model.labels.add(String(label));
  const shown = { ri: textIn(view, 'ri'), ct: textIn(view, 'ct'), pi: textIn(view, 'pi'), aei: textIn(view, 'aei') };
  const spRelative = form === 'SP-relative';
  const described = { kind, name: called, parent, sent: { ...sent }, originator: operation.by, spRelative, shown };
  return model.add({ ...described, expires: expiryOf(view, model.passed) });
}

/** Milliseconds by which clocks and the times of a request may differ. */
const tolerance = 60_000;

function expiryOf(view: Came['view'], passed: number): number | undefined {
  const [from, to] = ['ct', 'et'].map((name) => parseTimestamp(textIn(view, name) ?? ''));
  return from === undefined || to === undefined ? undefined : passed + Number((to - from) / 1000n) - tolerance;
}
