import { milliseconds } from '../../engine/grammar/duration.ts';
import { inboxNames } from '../model/events.ts';
import { instancesOf, isDoubtful, type ModelResource } from '../model/resource.ts';
import { create } from './create.ts';
import { atEnd, readEnd, remove } from './ends.ts';
import { letTimePass } from './looks.ts';
import type { Move, Part, Watch } from './move.ts';
import type { Ground } from './wording.ts';
import { wrongly } from './wrong.ts';

/** What the dialects do alike. */
export const alike = {
  ...{ create, delete: remove, wrong: wrongly, 'retrieve newest or oldest': atEnd, 'delete newest or oldest': atEnd },
  'advance time': ({ time }: { readonly time: string }, ground: Ground) => letTimePass(milliseconds(time), ground),
};

/** The laws of the whole tree: all that the model holds is there as it holds it, and so is each end of each container. */
export function* look(ground: Ground): Move {
  const { model, words } = ground;
  for (const resource of model.all()) if (!isDoubtful(resource)) yield* words.lookAt(resource, ground);
  for (const container of model.all('container')) {
    if (!container.known || isDoubtful(container) || instancesOf(container).length === 0) continue;
    for (const word of words.ends)
      for (const by of readersOf(container, ground))
        yield* readEnd(container, { word, form: 'structured', by }, ground);
  }
  yield* words.lookAround(ground);
}

/** Who reads the newest: its usual asker, and whose own is another one. */
function readersOf(container: ModelResource, { words }: Ground): string[] {
  const owners = instancesOf(container).map(({ owner }) => owner);
  return [...new Set([words.asker(container), ...owners.filter((one) => one !== owners.at(-1))])];
}

/** Each event that asks for it has been notified once; `all`: and nothing else has, wherever anybody ever subscribed. */
export function* watch({ events }: Ground, all: boolean): Part<void, Watch> {
  const names = all ? events.named() : events.concerned();
  for (const name of inboxNames.filter((one) => names.includes(one)))
    yield { watch: name, expectations: events.take(name) };
}
