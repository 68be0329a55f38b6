/** How it is found out what is there: by what answers show, and by looks at whether something is there. */
import { addressOf, pathOf } from '../created/address.ts';
import { descendantsOf, type GeneratedResource, instancesOf } from '../created/resource.ts';
import { type AttemptResponse, absenceCheck, ask, type Move, type Part, textIn } from './move.ts';
import type { MoveContext } from './move-context.ts';

const presenceCheck = 'look whether it is there';

/** A look decides whether something went of which nobody can tell. */
function* checkPresenceOf(resource: GeneratedResource, { created, traits }: MoveContext): Move {
  const about = { by: traits.asker(resource), type: resource.type };
  const { outcome } = yield ask({ retrieve: pathOf(resource, created) }, presenceCheck, about);
  if (outcome === 'refused') created.remove(resource);
}

export function* checkPresence(all: readonly GeneratedResource[], context: MoveContext): Move {
  for (const one of all) if (context.created.holds(one)) yield* checkPresenceOf(one, context);
}

/** After an accepted removal, or one of which nobody can tell: whether it is there, and what stood below it. */
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

/** What a name stands for where its creation was not accepted. */
export function* readUnaccepted(parent: GeneratedResource | undefined, name: string, { created }: MoveContext): Move {
  yield ask({ retrieve: `${pathOf(parent, created)}/${name}` }, presenceCheck);
}

/** Instances that are left after a limit may have cost some. */
export function checkInstances(container: GeneratedResource, context: MoveContext): Move {
  return checkPresence(instancesOf(container), context);
}

type MadeResource = Pick<GeneratedResource, 'type' | 'parent' | 'owner' | 'attributes'> & {
  /** Undefined where the CSE made one up. */
  readonly name: string | undefined;
};

/** Takes note of what was created, as the answer shows it. Undefined where that does not say what was created. */
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

/** A read by the path relative to the CSE base. */
export function* read(
  resource: GeneratedResource,
  context: MoveContext,
  { by = context.traits.asker(resource), operation = 'retrieve' }: { by?: string; operation?: string } = {},
): Part<AttemptResponse> {
  const response = yield ask({ retrieve: pathOf(resource, context.created) }, operation, { by, type: resource.type });
  recordAssigned(resource, response);
  return response;
}

/** The same read in another form of address, where that can be told. */
export function* readIn(form: string, resource: GeneratedResource, { created }: MoveContext): Move {
  const retrieve = addressOf(resource, form, created);
  if (retrieve === undefined) return;
  const { outcome } = yield ask({ retrieve }, 'retrieve', { type: resource.type, form });
  if (form === 'SP-relative' && outcome === 'success') resource.readBySpRelative = true;
}
