import { type GeneratedResource, instancesOf } from '../created/resource.ts';
import { create } from './create.ts';
import { atEnd, readEnd, remove } from './ends.ts';
import { lookWhoIsThere } from './looks.ts';
import type { Move } from './move.ts';
import type { MoveContext } from './move-context.ts';
import { read, readIn } from './read.ts';
import { wrongly } from './wrong.ts';

/** What the dialects do alike. After time has passed it is looked at what is left. */
export const alike = {
  ...{ create, delete: remove, wrong: wrongly, 'retrieve newest or oldest': atEnd, 'delete newest or oldest': atEnd },
  'advance time': (_: unknown, context: MoveContext) => lookWhoIsThere(context.created.all(), context),
};

/** All that was created, and each end of each container. */
export function* look(context: MoveContext): Move {
  const { created, words } = context;
  for (const resource of created.all()) {
    yield* read(resource, context, { operation: 'look at everything' });
    if (resource.readBySpRelative) yield* readIn('SP-relative', resource, context);
  }
  for (const container of created.all('container')) {
    if (instancesOf(container).length === 0) continue;
    for (const word of words.ends)
      for (const by of readersOf(container, context))
        yield* readEnd(container, { word, form: 'structured', by }, context);
  }
  if (words.lookAround) yield* words.lookAround(context);
}

/** Who reads the newest: its usual asker, and whose own is another one. */
function readersOf(container: GeneratedResource, { words }: MoveContext): string[] {
  const owners = instancesOf(container).map(({ owner }) => owner);
  return [...new Set([words.asker(container), ...owners.filter((one) => one !== owners.at(-1))])];
}
