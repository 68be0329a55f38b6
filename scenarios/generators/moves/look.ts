import { addressFor, addressOf } from '../created/address.ts';
import { endOf, type GeneratedResource, instancesOf } from '../created/resource.ts';
import { create } from './create.ts';
import { sendInvalid } from './invalid-request.ts';
import { checkPresence, expectAbsent, forget, read, readIn } from './looks.ts';
import { ask, type Move, pick } from './move.ts';
import type { MoveContext, VirtualChild } from './move-context.ts';

interface EndRead extends VirtualChild {
  readonly by?: string | undefined;
}

export function* readEnd(
  container: GeneratedResource,
  { word, by = '', form: requested }: EndRead,
  context: MoveContext,
): Move {
  const { created, traits } = context;
  const { path, form } = addressFor(container, requested, created);
  const about = { by: by || traits.asker(container), type: 'content instance', form };
  yield ask({ retrieve: `${path}/${word}` }, 'retrieve newest or oldest', about);
}

/** Deletes the instance at an end, and reads what is there then. */
function* removeEnd(container: GeneratedResource, { word, form: requested }: VirtualChild, context: MoveContext): Move {
  const { created, traits } = context;
  const resource = endOf(container, word);
  const { path, form } = addressFor(container, requested, created);
  const about = { by: traits.asker(container), type: 'content instance', form };
  const response = yield ask({ delete: `${path}/${word}` }, 'delete newest or oldest', about);
  if (response.outcome === 'refused' || resource === undefined) return;
  yield* forget(resource, response, context);
  const end = traits.ends.find((one) => one[0] === word[0]) ?? traits.ends[0];
  yield* readEnd(container, { word: end, form: 'structured' }, context);
}

interface AtEnd extends EndRead {
  readonly does: 'retrieve newest or oldest' | 'delete newest or oldest';
  readonly what: number;
  readonly times?: number;
}

/** Reads or deletes the instance at an end of a container, so many times. */
export function* atEnd({ does, what, times = 1, ...end }: AtEnd, context: MoveContext): Move {
  const containers = context.created.all('container');
  const filled = containers.filter((one) => instancesOf(one).length > 0);
  const container = pick(what === 0 || filled.length === 0 ? containers : filled, what);
  if (container === undefined) return;
  for (let time = 0; time < times; time += 1) {
    if (does === 'retrieve newest or oldest') yield* readEnd(container, end, context);
    else yield* removeEnd(container, end, context);
  }
}

interface Removal {
  readonly what: number;
  readonly form: string;
  /** Form of address for the reads just before and just after. */
  readonly seen?: string;
  /** Result content of the answer. */
  readonly rcn?: 1 | null;
}

export function* remove(removal: Removal, context: MoveContext): Move {
  const { what, form: requested, seen = 'structured', rcn = null } = removal;
  const { created, traits } = context;
  const resource = pick(created.all(), what);
  if (resource === undefined) return;
  const { type, parent, owner: by } = resource;
  const seenAt = seen === 'structured' ? undefined : addressOf(resource, seen, created);
  if (seenAt !== undefined) yield ask({ retrieve: seenAt }, 'look whether it is there', { type, form: seen });
  const { path, form } = addressFor(resource, requested, created);
  const step = { delete: path, ...(rcn !== null && { query: { rcn } }) };
  const response = yield ask(step, 'delete', { by, type, form });
  if (response.outcome === 'refused') return;
  yield* forget(resource, response, context);
  if (type === 'content instance' && parent !== undefined)
    yield* readEnd(parent, { word: traits.ends[0], form: 'structured' }, context);
  if (seenAt !== undefined) yield* expectAbsent(resource, seen, context);
}

/** Moves of both dialects. After time has passed, reads what is left. */
export const sharedMoves = {
  ...{ create, delete: remove, wrong: sendInvalid },
  ...{ 'retrieve newest or oldest': atEnd, 'delete newest or oldest': atEnd },
  'advance time': (_: unknown, context: MoveContext) => checkPresence(context.created.all(), context),
};

/** Reads all that was created, and each end of each container. */
export function* look(context: MoveContext): Move {
  const { created, traits } = context;
  for (const resource of created.all()) {
    yield* read(resource, context, { operation: 'look at everything' });
    if (resource.readBySpRelative) yield* readIn('SP-relative', resource, context);
  }
  for (const container of created.all('container')) {
    if (instancesOf(container).length === 0) continue;
    for (const word of traits.ends)
      for (const by of readersOf(container, context))
        yield* readEnd(container, { word, form: 'structured', by }, context);
  }
  if (traits.lookFurther) yield* traits.lookFurther(context);
}

/** Who reads the newest: the usual originator, and owners of others. */
function readersOf(container: GeneratedResource, { traits }: MoveContext): string[] {
  const owners = instancesOf(container).map(({ owner }) => owner);
  return [...new Set([traits.asker(container), ...owners.filter((one) => one !== owners.at(-1))])];
}
