/** What is removed, and what stands at the newest or the oldest end of a container. */
import { addressOf, placeOf } from '../created/address.ts';
import { endOf, type GeneratedResource, instancesOf } from '../created/resource.ts';
import { forget, lookForNothing } from './looks.ts';
import { ask, type Move, pick } from './move.ts';
import type { MoveContext, VirtualChild } from './move-context.ts';

interface EndRead extends VirtualChild {
  readonly by?: string | undefined;
}

export function* readEnd(
  container: GeneratedResource,
  { word, by = '', form: asked }: EndRead,
  context: MoveContext,
): Move {
  const { created, words } = context;
  const { path, form } = placeOf(container, asked, created);
  const about = { by: by || words.asker(container), kind: 'content instance', form };
  yield ask({ retrieve: `${path}/${word}` }, 'retrieve newest or oldest', about);
}

/** Removes what stands at an end, and reads what stands there then. */
function* removeEnd(container: GeneratedResource, { word, form: asked }: VirtualChild, context: MoveContext): Move {
  const { created, words } = context;
  const meant = endOf(container, word);
  const { path, form } = placeOf(container, asked, created);
  const about = { by: words.asker(container), kind: 'content instance', form };
  const came = yield ask({ delete: `${path}/${word}` }, 'delete newest or oldest', about);
  if (came.outcome === 'refused' || meant === undefined) return;
  yield* forget(meant, came, context);
  const end = words.ends.find((one) => one[0] === word[0]) ?? words.ends[0];
  yield* readEnd(container, { word: end, form: 'structured' }, context);
}

interface AtEnd extends EndRead {
  readonly does: 'retrieve newest or oldest' | 'delete newest or oldest';
  readonly what: number;
  readonly times?: number;
}

/** Reads, or removes, what stands at an end of a container, so many times. */
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
  /** By which form of address it is read just before, and looked for just after. */
  readonly seen?: string;
  /** What the answer is asked to hold. */
  readonly rcn?: 1 | null;
}

export function* remove({ what, form: asked, seen = 'structured', rcn = null }: Removal, context: MoveContext): Move {
  const { created, words } = context;
  const resource = pick(created.all(), what);
  if (resource === undefined) return;
  const { kind, parent, owner: by } = resource;
  const seenAt = seen === 'structured' ? undefined : addressOf(resource, seen, created);
  if (seenAt !== undefined) yield ask({ retrieve: seenAt }, 'look whether it is there', { kind, form: seen });
  const { path, form } = placeOf(resource, asked, created);
  const step = { delete: path, ...(rcn !== null && { query: { rcn } }) };
  const came = yield ask(step, 'delete', { by, kind, form });
  if (came.outcome === 'refused') return;
  yield* forget(resource, came, context);
  if (kind === 'content instance' && parent !== undefined)
    yield* readEnd(parent, { word: words.ends[0], form: 'structured' }, context);
  if (seenAt !== undefined) yield* lookForNothing(resource, seen, context);
}
