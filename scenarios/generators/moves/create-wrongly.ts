import { pathOf } from '../model/address.ts';
import { contentAt } from '../model/contents.ts';
import { type Expected, expected } from '../model/expected.ts';
import { kindFacts } from '../model/representation.ts';
import type { ModelKind, ModelResource } from '../model/resource.ts';
import type { Doing, Mistake } from '../operations/operation.ts';
import type { AttemptStep, Attributes, Ground, Move } from './move.ts';
import { lookForNothing } from './read.ts';

/**
 * A creation that is wrong in one way. What becomes of it is a gap, so that any answer is permitted; but where it is refused, and a
 * look shows that nothing was created, everything is held as before.
 */
export function* createWrongly(operation: Doing<'create wrongly'>, ground: Ground): Move {
  const { kind, mistake } = operation;
  const parent = parentFor(operation, ground);
  if (kind !== 'ae' && parent === undefined) return;
  const wrong = wrongly(operation, parent, ground);
  if (wrong === undefined) return;
  const { name, path = pathOf(parent, ground.model), attributes } = wrong;
  const came = yield {
    step: stepOf(mistake, { kind, path, attributes, name }),
    by: 'nobody',
    expect: 'either',
    expectations: refusalOf(kind, mistake),
    about: { operation: `create wrongly: ${mistake}`, kind, form: 'structured' },
  };
  const { model } = ground;
  const concerned = model.at(parent, name);
  if (mistake === 'name taken' && concerned !== undefined) {
    if (came.outcome === 'refused') return;
    model.remove(concerned);
  }
  if (mistake === 'below what is not there' && came.outcome === 'refused') return;
  if (came.outcome === 'refused') return yield* lookForNothing(parent, usable(mistake) ? name : undefined, ground);
  model.use(parent, name);
  if (parent !== undefined) parent.known = false;
}

/** What could hold the kind; what cannot, where that is the mistake. */
function parentFor({ kind, mistake, below }: Doing<'create wrongly'>, { model }: Ground): ModelResource | undefined {
  if (mistake !== 'below what cannot hold it') {
    const holders = model.holdersOf(kind);
    return holders[below % Math.max(holders.length, 1)];
  }
  const holders = new Set(model.holdersOf(kind));
  const others = model.all().filter((one) => !holders.has(one));
  return others[below % Math.max(others.length, 1)];
}

interface Wrong {
  readonly name: string;
  readonly path?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Undefined where there is nothing to make this mistake with. */
function wrongly(
  { kind, mistake, content }: Doing<'create wrongly'>,
  parent: ModelResource | undefined,
  { model }: Ground,
): Wrong | undefined {
  const name = model.freeName(parent, 0);
  const right = { rn: name, ...needed(kind, content) };
  switch (mistake) {
    case 'name taken': {
      const [taken] = (parent === undefined ? model.all('ae') : parent.children).slice(-1);
      return taken && { name: taken.name, attributes: { ...right, rn: taken.name } };
    }
    case 'reserved name':
      return parent === undefined ? undefined : { name: 'latest', attributes: { ...right, rn: 'latest' } };
    case 'unknown attribute':
      return { name, attributes: { ...right, unknownAttribute: 1 } };
    case 'attribute of another type':
      return { name, attributes: { ...right, lbl: 'x' } };
    case 'attribute of the service':
      return { name, attributes: { ...right, ri: 'x1' } };
    case 'without what is needed':
      return kind === 'container' ? undefined : { name, attributes: { rn: name } };
    case 'below what cannot hold it':
      return parent === undefined ? undefined : { name, attributes: right };
    case 'below what is not there':
      return parent === undefined ? undefined : { name, path: `${pathOf(parent, model)}/nowhere`, attributes: right };
    case 'two root keys':
      return { name, attributes: right };
  }
}

function needed(kind: ModelKind, content: number): Readonly<Record<string, unknown>> {
  if (kind === 'ae') return { api: 'org.example.a', rr: 'TRUE' };
  return kind === 'container' ? {} : contentAt(content);
}

/** Whether something of that name could be read if it had been created; `latest` means something else. */
function usable(mistake: Mistake): boolean {
  return mistake !== 'reserved name';
}

interface Request {
  readonly kind: ModelKind;
  readonly path: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly name: string;
}

function stepOf(mistake: Mistake, { kind, path, attributes, name }: Request): AttemptStep {
  if (mistake !== 'two root keys') return { create: kind, in: path, attributes: { ...attributes } as Attributes };
  const body = JSON.stringify({ [kindFacts[kind].root]: attributes, 'm2m:other': {} });
  const headers = { 'Content-Type': 'application/vnd.onem2m-res+json' };
  return { raw: { method: 'POST', path, headers, body }, creates: `${path}/${name}` };
}

/** What the reference CSE does; the requirements are gaps. */
function refusalOf(kind: ModelKind, mistake: Mistake): Expected[] {
  const { area } = kindFacts[kind];
  const refused: Readonly<Record<Mistake, Expected | undefined>> = {
    'name taken': expected(`${area}.create.name-clash`, { status: 409 }),
    'reserved name': expected(
      kind === 'container' ? 'container.create.reserved-names' : 'content-instance.create.reserved-name',
      { status: 409 },
    ),
    'unknown attribute': expected(`${area}.create.unknown-attribute`, { status: 400 }),
    'attribute of another type': expected('labels.not-a-list', { status: 400 }),
    'attribute of the service': expected('ae.create.read-only', { status: 400 }),
    'without what is needed': expected(
      kind === 'ae' ? 'ae.create.without-api' : 'content-instance.create.without-con',
      { status: 400 },
    ),
    'below what cannot hold it': expected(belowOthers[kind], { status: 403 }),
    'below what is not there': expected('container.create.unknown-parent', { status: 404 }),
    'two root keys': expected('body.two-roots', { status: 400 }),
  };
  const one = refused[mistake];
  return one === undefined ? [] : [one];
}

const belowOthers: Readonly<Record<ModelKind, string>> = {
  ae: 'ae.create.below-ae',
  container: 'container.create.below-content-instance',
  'content instance': 'content-instance.create.below-ae',
};
