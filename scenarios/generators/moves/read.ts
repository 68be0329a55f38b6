import { pathOf } from '../model/address.ts';
import { type Expected, expected, succeeds } from '../model/expected.ts';
import { asHeld } from '../model/held.ts';
import { instancesOf, kindFacts, type ModelResource } from '../model/resource.ts';
import type { Originator } from '../operations/operation.ts';
import { type Came, type Ground, type Part, textIn } from './move.ts';

/** A read by the path relative to the CSE base, of what the model holds. */
export function* read(
  resource: ModelResource,
  ground: Ground,
  by: Originator = 'nobody',
  operation = 'retrieve',
): Part<Came> {
  const { model } = ground;
  const came = yield {
    step: { retrieve: pathOf(resource, model) },
    by,
    expect: by === 'nobody' ? 'success' : 'either',
    expectations: [...statusOf(resource, by, ground), ...asHeld(resource)],
    about: { operation, kind: resource.kind, form: 'structured' },
  };
  if (came.outcome === 'success' && textIn(came.view, 'ri') === resource.shown.ri) resource.read = true;
  return came;
}

/** The most particular requirement first, so that it is the one that is named. */
function statusOf(resource: ModelResource, by: Originator, { plain }: Ground): Expected[] {
  const { kind, parent, sent, spRelative, originator } = resource;
  const area = kindFacts[kind].area;
  if (by !== 'nobody') return by === 'visitor' ? [understood] : [];
  const nested =
    kind === 'content instance' ? parent?.parent?.kind === 'container' : parent?.kind !== 'ae' && kind === 'container';
  return [
    ...(plain && originator !== 'nobody'
      ? [expected('wire.originator.not-needed-over-http', { status: succeeds })]
      : []),
    ...(spRelative ? [expected('sp-relative.create.same-tree', { status: succeeds })] : []),
    ...(sent.rn === undefined ? [expected('common.rn.path-segment', { status: succeeds })] : []),
    expected(nested ? 'common.rn.path-segment' : `${area}.retrieve.status`, { status: nested ? succeeds : 200 }),
  ];
}

/** An originator of the documented form, where it is not shown whether it may do this. */
export const understood = expected('wire.originator.absolute-form', {
  'one of': [
    { source: 'Wire conventions, originator header', status: succeeds },
    {
      variant: 'understood, but not authorised',
      source: 'Authentication: which originator may do what is not shown',
      status: { 'one of': [401, 403] },
    },
  ],
});

const decides = 'What is expected from here on depends on whether this is there.';

/** Whether something is still there. A look, at which nothing is judged but gaps. */
export function* isThere(
  resource: ModelResource,
  { model }: Ground,
  expectations: readonly Expected[] = [],
): Part<Came['outcome']> {
  const { outcome, view } = yield {
    step: { note: decides, retrieve: pathOf(resource, model) },
    by: 'nobody',
    expect: 'either',
    expectations,
    about: { operation: 'look whether it is there', kind: resource.kind, form: 'structured' },
  };
  return outcome === 'refused' && view.status !== 404 ? 'lost' : outcome;
}

/** Finds out which content instances a container holds, where that cannot be told. */
export function* lookWhoIsThere(
  container: ModelResource,
  ground: Ground,
  toExpect: (number: number) => readonly Expected[] = () => [],
): Part<void> {
  for (const [at, instance] of instancesOf(container).entries()) {
    const outcome = yield* isThere(instance, ground, toExpect(at));
    if (outcome === 'lost') container.known = false;
    if (outcome === 'refused') ground.model.remove(instance);
  }
}

/** Makes sure that nothing was created where a creation was refused. */
export function* lookForNothing(
  parent: ModelResource | undefined,
  name: string | undefined,
  { model }: Ground,
): Part<void> {
  if (name === undefined) {
    if (parent !== undefined) parent.known = false;
    return;
  }
  model.use(parent, name);
  const { outcome, view } = yield {
    step: { retrieve: `${pathOf(parent, model)}/${name}` },
    by: 'nobody',
    expect: 'either',
    expectations: [expected('body.refused-stores-nothing', { status: 404 })],
    about: { operation: 'look whether it is there', form: 'structured' },
  };
  if (parent !== undefined && !(outcome === 'refused' && view.status === 404)) parent.known = false;
}
