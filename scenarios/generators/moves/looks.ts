/** How the model finds out what is held: by what answers show, and by looks at whether something is there. */
import { addressOf, pathOf } from '../model/address.ts';
import type { Expected } from '../model/expected.ts';
import type { Model } from '../model/model.ts';
import { descendantsOf, instancesOf, type ModelResource } from '../model/resource.ts';
import { ask, type Came, isGone, type Move, type Part, textIn } from './move.ts';
import type { Ground } from './wording.ts';

const note = 'What is expected from here on depends on whether this is there.';

/** Whether something is still there. Nothing is judged but what is expected by the caller. */
function* isThere(
  resource: ModelResource,
  { model, words }: Ground,
  expectations: readonly Expected[] = [],
): Part<Came['outcome']> {
  const step = { note, retrieve: pathOf(resource, model) };
  const more = { by: words.asker(resource), kind: resource.kind };
  const { outcome, view } = yield ask(step, 'look whether it is there', expectations, more);
  return outcome === 'refused' && view.status !== 404 ? 'lost' : outcome;
}

/** A look decides whether something went of which nobody can tell. */
function* findOut(resource: ModelResource, ground: Ground, expectations: readonly Expected[] = []): Part<void> {
  const outcome = yield* isThere(resource, ground, expectations);
  if (outcome === 'success') return;
  if (outcome === 'lost' && resource.parent !== undefined) resource.parent.known = false;
  ground.model.remove(resource);
}

/** Finds out which content instances a container holds, where that cannot be told. */
export function* lookWhoIsThere(
  container: ModelResource,
  ground: Ground,
  expectationsOf: (number: number) => readonly Expected[] = () => [],
): Part<void> {
  for (const [at, instance] of instancesOf(container).entries()) {
    const outcome = yield* isThere(instance, ground, expectationsOf(at));
    if (outcome === 'lost') container.known = false;
    if (outcome === 'refused') ground.model.remove(instance);
  }
}

/** Nobody can tell any more what it holds, nor what is notified. */
export function lose(resource: ModelResource | undefined, { events }: Ground): void {
  if (resource !== undefined) resource.known = false;
  events.lose();
}

/** Makes sure that what is gone is not answered any more; whether it certainly is. */
export function* lookForNothing(
  resource: ModelResource,
  expectations: readonly Expected[],
  { model, words }: Ground,
  form = 'structured',
): Part<boolean> {
  const { kind, parent } = resource;
  const address = addressOf(resource, form, model);
  if (address === undefined) return true;
  const { outcome, view } = yield ask({ retrieve: address }, isGone, expectations, { by: words.asker(resource), kind });
  if (outcome !== 'refused' && parent !== undefined) parent.known = false;
  return outcome === 'refused' && view.status === 404;
}

/** Takes what was removed out of the model, after a look at whether it is gone, which `requirement` says. */
export function* forget(resource: ModelResource, outcome: Came['outcome'], ground: Ground, requirement?: string): Move {
  const { model, events, words } = ground;
  if (outcome !== 'success') {
    events.lose();
    return yield* findOut(resource, ground);
  }
  events.deleted(resource);
  const gone = yield* lookForNothing(resource, words.gone(resource, requirement), ground);
  const below = descendantsOf(resource).at(-1);
  if (below !== undefined)
    for (const form of words.subtreeForms) yield* lookForNothing(below, words.subtreeGone(resource), ground, form);
  if (gone) return model.bury(resource);
  if (resource.parent !== undefined) resource.parent.known = false;
  model.remove(resource);
}

/** Makes sure that nothing was created where a creation was refused. */
export function* lookForNone(parent: ModelResource | undefined, name: string, { model, words }: Ground): Move {
  model.use(parent, name);
  if (words.nothingStored === undefined) return;
  const step = { retrieve: `${pathOf(parent, model)}/${name}` };
  const { outcome, view } = yield ask(step, 'look whether it is there', words.nothingStored);
  if ((outcome !== 'refused' || view.status !== 404) && parent !== undefined) parent.known = false;
}

/**
 * Milliseconds pass. Whether what expires is gone already need not be certain, and a look decides: what is gone is held no more, and
 * what is still there is held as before, so that everything else has to agree with that.
 */
export function* letTimePass(passed: number, ground: Ground): Move {
  const { model, events, words } = ground;
  model.passed += passed;
  for (const one of model.mayHaveExpired()) {
    // It went with what stood above it.
    if (!model.holds(one)) continue;
    events.lose();
    yield* findOut(one, ground, words.expired(one, model.passed));
  }
}

type Created = Omit<Parameters<Model['add']>[0], 'name' | 'shown' | 'expires'> & {
  /** Undefined where the CSE made one up. */
  readonly name: string | undefined;
};

/** What was created becomes part of the model, as the answer shows it. Undefined where that does not say what was created. */
export function takeCreated({ name, ...created }: Created, came: Came, ground: Ground): ModelResource | undefined {
  const { model, events, words } = ground;
  const { parent } = created;
  const called = name ?? textIn(came.view, 'rn');
  if (called === undefined || called.includes('/') || model.at(parent, called) !== undefined) {
    lose(parent, ground);
    return undefined;
  }
  const life = words.lifeOf(created, came.view);
  const expires = life === undefined ? undefined : model.passed + life;
  const resource = model.add({ ...created, name: called, expires, shown: {} });
  takeShown(resource, came);
  events.created(resource);
  return resource;
}

/** What the CSE has set is what holds from now on. */
export function takeShown({ shown }: ModelResource, { outcome, view }: Came): void {
  if (outcome !== 'success' || view.attributes === undefined) return;
  for (const name of ['ri', 'ct', 'aei'] as const) shown[name] ??= textIn(view, name);
  shown.et = textIn(view, 'et') ?? shown.et;
}
