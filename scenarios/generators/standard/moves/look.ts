import { instancesOf, isDoubtful } from '../../model/resource.ts';
import { inboxNames } from '../../moves/move.ts';
import type { StandardGround, StandardMove } from './move.ts';
import { read } from './read.ts';
import { readEnd } from './virtual.ts';

/** The laws of the whole tree: all that the model holds is there as it holds it, and so is each end of each container. */
export function* look(ground: StandardGround): StandardMove {
  const { model } = ground;
  for (const resource of model.all()) {
    if (!isDoubtful(resource)) yield* read(resource, ground, 'look at everything');
  }
  for (const container of model.all('container')) {
    if (!container.known || isDoubtful(container) || instancesOf(container).length === 0) continue;
    yield* readEnd(container, 'la', 'structured', ground);
    yield* readEnd(container, 'ol', 'structured', ground);
  }
}

/** Each event that asks for it has been notified once; `all`: and nothing else has, wherever anybody ever subscribed. */
export function* watch({ events }: StandardGround, all: boolean): StandardMove {
  const names = all ? events.named() : events.concerned();
  for (const name of inboxNames.filter((one) => names.includes(one)))
    yield { watch: name, expectations: events.take(name) };
}
