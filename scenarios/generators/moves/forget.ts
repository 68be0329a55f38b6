import { pathOf } from '../model/address.ts';
import { type Expected, expected, notThere } from '../model/expected.ts';
import type { ModelResource } from '../model/resource.ts';
import { readNewestWithout } from './ends.ts';
import { ask, type Came, type Ground, isGone, type Part } from './move.ts';
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
  const came = yield ask({ retrieve: pathOf(resource, model) }, isGone, [expected(requirement, { status: notThere })], {
    kind,
  });
  const below = deepestBelow(resource);
  if (below !== resource)
    yield ask({ retrieve: pathOf(below, model) }, isGone, [subtreeGoes(resource)], { kind: below.kind });
  if (came.outcome === 'refused' && came.view.status === 404) model.bury(resource);
  else {
    model.remove(resource);
    if (parent !== undefined) parent.known = false;
  }
  if (kind === 'content instance' && parent !== undefined) yield* readNewestWithout(resource, parent, ground);
}

/** Whether the subtree goes with what was removed is a gap. */
export function subtreeGoes({ kind }: ModelResource) {
  return expected(kind === 'ae' ? 'ae.delete.subtree' : 'container.delete.subtree', { status: 404 });
}

/** A look decides whether something went of which nobody can tell. */
export function* findOut(
  resource: ModelResource,
  { model }: Pick<Ground, 'model'>,
  expectations: readonly Expected[] = [],
): Part<void> {
  const outcome = yield* isThere(resource, model, { expectations });
  if (outcome === 'success') return;
  if (outcome === 'lost' && resource.parent !== undefined) resource.parent.known = false;
  model.remove(resource);
}

function deepestBelow(resource: ModelResource): ModelResource {
  const child = resource.children.at(-1);
  return child === undefined ? resource : deepestBelow(child);
}
