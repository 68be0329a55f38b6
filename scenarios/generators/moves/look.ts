import { instancesOf } from '../model/resource.ts';
import { discoverLabel } from './discover.ts';
import type { Ground, Move } from './move.ts';
import { readEnd } from './newest.ts';
import { read } from './read.ts';
import { readBase } from './retrieve.ts';

/** The laws of the whole tree: everything that the model holds is there and as it holds it, each end of each container, each label. */
export function* look(ground: Ground): Move {
  const { model } = ground;
  if (model.all('ae').length > 0 && model.baseIdentifier === undefined) yield* readBase(ground);
  for (const resource of model.all()) {
    if (resource.parent !== undefined && !resource.parent.known) continue;
    yield* read(resource, ground, 'nobody', 'look at everything');
  }
  for (const container of model.all('container')) {
    if (container.known && instancesOf(container).length > 0) yield* readEnd(container, 'latest', 'structured', ground);
  }
  for (const label of model.labels) yield* discoverLabel(label, ground);
}
