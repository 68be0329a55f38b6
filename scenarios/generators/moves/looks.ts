/** Finds out what exists: by what answers show, and by reads. */
import { addressOf, pathOf } from '../created/address.ts';
import { descendantsOf, type GeneratedResource, instancesOf } from '../created/resource.ts';
import { type AttemptResponse, absenceCheck, ask, type Move, type Part, textIn } from './move.ts';
import type { MoveContext } from './move-context.ts';

const presenceCheck = 'look whether it is there';

/** A read decides whether something still exists. */
function* checkPresenceOf(resource: GeneratedResource, { created, traits }: MoveContext): Move {
  const about = { by: traits.asker(resource), type: resource.type };
  const { outcome } = yield ask({ retrieve: pathOf(resource, created) }, presenceCheck, about);
  if (outcome === 'refused') created.remove(resource);
}

export function* checkPresence(all: readonly GeneratedResource[], context: MoveContext): Move {
  for (const one of all) if (context.created.holds(one)) yield* checkPresenceOf(one, context);
}

/** After an accepted or an unanswered removal: looks for it and its descendants. */
export function* forget(resource: GeneratedResource, { outcome }: AttemptResponse, context: MoveContext): Move {
  const { created, traits } = context;
  if (outcome === 'lost') return yield* checkPresenceOf(resource, context);
  yield* expectAbsent(resource, 'structured', context);
  const below = descendantsOf(resource).at(-1);
  if (below !== undefined) for (const form of traits.subtreeForms) yield* expectAbsent(below, form, context);
  created.remove(resource);
}

export function* expectAbsent(resource: GeneratedResource, form: string, { created, traits }: MoveContext): Move {
  const retrieve = addressOf(resource, form, created);
  const about = { by: traits.asker(resource), type: resource.type, form };
  if (retrieve !== undefined) yield ask({ retrieve }, absenceCheck, about);
}

/** Reads a name whose creation was not accepted. */
export function* readUnaccepted(parent: GeneratedResource | undefined, name: string, { created }: MoveContext): Move {
  yield ask({ retrieve: `${pathOf(parent, created)}/${name}` }, presenceCheck);
}

/** Reads which instances are left after a limit. */
export function checkInstances(container: GeneratedResource, context: MoveContext): Move {
  return checkPresence(instancesOf(container), context);
}

type MadeResource = Pick<GeneratedResource, 'type' | 'parent' | 'owner' | 'attributes'> & {
  /** Undefined if the CSE chose one. */
  readonly name: string | undefined;
};

/** Records what was created, as the answer shows it. Undefined if that does not say what was created. */
export function recordCreated(
  { name, ...made }: MadeResource,
  response: AttemptResponse,
  { created }: MoveContext,
): GeneratedResource | undefined {
  const rn = name ?? textIn(response.view, 'rn');
  if (rn === undefined || rn.includes('/') || created.at(made.parent, rn) !== undefined) return undefined;
  const resource = created.add({ ...made, name: rn });
  recordAssigned(resource, response);
  return resource;
}

export function recordAssigned({ assigned }: GeneratedResource, { outcome, view }: AttemptResponse): void {
  if (outcome !== 'success' || view.attributes === undefined) return;
  for (const name of ['ri', 'ct'] as const) assigned[name] ??= textIn(view, name);
  const { mbs } = view.attributes;
  if (typeof mbs === 'number') assigned.mbs = mbs;
}

/** A read by the CSE-relative path. */
export function* read(
  resource: GeneratedResource,
  context: MoveContext,
  { by = context.traits.asker(resource), operation = 'retrieve' }: { by?: string; operation?: string } = {},
): Part<AttemptResponse> {
  const response = yield ask({ retrieve: pathOf(resource, context.created) }, operation, { by, type: resource.type });
  recordAssigned(resource, response);
  return response;
}

/** The same read in another form of address, if it is known. */
export function* readIn(form: string, resource: GeneratedResource, { created }: MoveContext): Move {
  const retrieve = addressOf(resource, form, created);
  if (retrieve === undefined) return;
  const { outcome } = yield ask({ retrieve }, 'retrieve', { type: resource.type, form });
  if (form === 'SP-relative' && outcome === 'success') resource.readBySpRelative = true;
}
