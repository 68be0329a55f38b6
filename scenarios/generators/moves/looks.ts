/** How it is found out what is there: by what answers show, and by looks at whether something is there. */
import { addressOf, pathOf } from '../created/address.ts';
import { descendantsOf, type GeneratedResource, instancesOf } from '../created/resource.ts';
import { ask, type Came, isGone, type Move, type Part, textIn } from './move.ts';
import type { MoveContext } from './move-context.ts';

const isThere = 'look whether it is there';

/** A look decides whether something went of which nobody can tell. */
function* findOut(resource: GeneratedResource, { created, words }: MoveContext): Move {
  const about = { by: words.asker(resource), kind: resource.kind };
  const { outcome } = yield ask({ retrieve: pathOf(resource, created) }, isThere, about);
  if (outcome === 'refused') created.remove(resource);
}

export function* lookWhoIsThere(all: readonly GeneratedResource[], context: MoveContext): Move {
  for (const one of all) if (context.created.holds(one)) yield* findOut(one, context);
}

/** After an accepted removal, or one of which nobody can tell: whether it is there, and what stood below it. */
export function* forget(resource: GeneratedResource, { outcome }: Pick<Came, 'outcome'>, context: MoveContext): Move {
  const { created, words } = context;
  if (outcome === 'lost') return yield* findOut(resource, context);
  yield* lookForNothing(resource, 'structured', context);
  const below = descendantsOf(resource).at(-1);
  if (below !== undefined) for (const form of words.subtreeForms) yield* lookForNothing(below, form, context);
  created.remove(resource);
}

export function* lookForNothing(resource: GeneratedResource, form: string, { created, words }: MoveContext): Move {
  const retrieve = addressOf(resource, form, created);
  const about = { by: words.asker(resource), kind: resource.kind, form };
  if (retrieve !== undefined) yield ask({ retrieve }, isGone, about);
}

/** What a name stands for where its creation was not accepted. */
export function* lookForNone(parent: GeneratedResource | undefined, name: string, { created }: MoveContext): Move {
  yield ask({ retrieve: `${pathOf(parent, created)}/${name}` }, isThere);
}

/** Instances that are left after a limit may have cost some. */
export function lookAtInstances(container: GeneratedResource, context: MoveContext): Move {
  return lookWhoIsThere(instancesOf(container), context);
}

type Made = Pick<GeneratedResource, 'kind' | 'parent' | 'owner' | 'held'> & {
  /** Undefined where the CSE made one up. */
  readonly name: string | undefined;
};

/** Takes note of what was created, as the answer shows it. Undefined where that does not say what was created. */
export function takeCreated(
  { name, ...made }: Made,
  came: Came,
  { created }: MoveContext,
): GeneratedResource | undefined {
  const called = name ?? textIn(came.view, 'rn');
  if (called === undefined || called.includes('/') || created.at(made.parent, called) !== undefined) return undefined;
  const resource = created.add({ ...made, name: called });
  takeShown(resource, came);
  return resource;
}

export function takeShown({ shown }: GeneratedResource, { outcome, view }: Came): void {
  if (outcome !== 'success' || view.attributes === undefined) return;
  for (const name of ['ri', 'ct'] as const) shown[name] ??= textIn(view, name);
  const { mbs } = view.attributes;
  if (typeof mbs === 'number') shown.mbs = mbs;
}

/** A read by the path relative to the CSE base. */
export function* read(
  resource: GeneratedResource,
  context: MoveContext,
  { by = context.words.asker(resource), operation = 'retrieve' }: { by?: string; operation?: string } = {},
): Part<Came> {
  const came = yield ask({ retrieve: pathOf(resource, context.created) }, operation, { by, kind: resource.kind });
  takeShown(resource, came);
  return came;
}

/** The same read in another form of address, where that can be told. */
export function* readIn(form: string, resource: GeneratedResource, { created }: MoveContext): Move {
  const retrieve = addressOf(resource, form, created);
  if (retrieve === undefined) return;
  const { outcome } = yield ask({ retrieve }, 'retrieve', { kind: resource.kind, form });
  if (form === 'SP-relative' && outcome === 'success') resource.readBySpRelative = true;
}
