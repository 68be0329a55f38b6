import { pathOf } from '../model/address.ts';
import { expected } from '../model/expected.ts';
import type { ModelResource } from '../model/resource.ts';
import { readNewestWithout } from './ends.ts';
import type { Came, Ground, Part } from './move.ts';
import { isThere } from './read.ts';

/** Takes what was removed out of the model, after a look at whether it is gone, which `requirement` says. */
export function* forget(
  resource: ModelResource,
  outcome: Came['outcome'],
  ground: Ground,
  requirement = 'lifecycle.removed-is-gone',
): Part<void> {
  if (outcome !== 'success') return yield* findOut(resource, ground);
  const { model } = ground;
  const { kind, parent } = resource;
  const came = yield {
    step: { retrieve: pathOf(resource, model) },
    by: 'nobody',
    expect: 'either',
    expectations: [expected(requirement, { status: notThere })],
    about: { operation: 'look whether it is gone', kind, form: 'structured' },
  };
  const deepest = deepestBelow(resource);
  if (deepest !== resource) yield* lookBelow(deepest, kind, ground);
  if (came.outcome === 'refused' && came.view.status === 404) model.bury(resource);
  else {
    model.remove(resource);
    if (parent !== undefined) parent.known = false;
  }
  if (kind === 'content instance' && parent !== undefined) yield* readNewestWithout(resource, parent, ground);
}

export const notThere = { not: { between: [200, 299] } } satisfies { not: { between: [number, number] } };

/** Nobody can tell from its answer whether the removal took place. */
function* findOut(resource: ModelResource, ground: Ground): Part<void> {
  const outcome = yield* isThere(resource, ground);
  if (outcome === 'success') return;
  if (outcome === 'lost' && resource.parent !== undefined) resource.parent.known = false;
  ground.model.remove(resource);
}

function deepestBelow(resource: ModelResource): ModelResource {
  const child = resource.children.at(-1);
  return child === undefined ? resource : deepestBelow(child);
}

/** Whether the subtree goes with what was removed is a gap. */
function* lookBelow(below: ModelResource, kind: ModelResource['kind'], { model }: Ground): Part<void> {
  yield {
    step: { retrieve: pathOf(below, model) },
    by: 'nobody',
    expect: 'either',
    expectations: [expected(kind === 'ae' ? 'ae.delete.subtree' : 'container.delete.subtree', { status: 404 })],
    about: { operation: 'look whether it is gone', kind: below.kind, form: 'structured' },
  };
}
