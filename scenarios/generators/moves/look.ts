import { instancesOf, type Resource } from '../model/resource.ts';
import { discoverLabel } from './discover.ts';
import { readEnd } from './ends.ts';
import type { Ground, Move } from './move.ts';
import { read } from './read.ts';
import { again, readBase } from './retrieve.ts';

const newest = { word: 'latest', form: 'structured' } as const;

/** The laws of the whole tree: everything that the model holds is there and as it holds it, each end of each container, each label. */
export function* look(ground: Ground): Move {
  const { model } = ground;
  if (model.all('ae').length > 0 && model.baseIdentifier === undefined) yield* readBase(ground);
  for (const resource of model.all()) {
    if (resource.parent !== undefined && !resource.parent.known) continue;
    const { outcome, view } = yield* read(resource, ground, 'nobody', 'look at everything');
    if (outcome === 'success' && resource.readBySpRelative) yield* again(resource, 'SP-relative', view, ground);
  }
  for (const container of model.all('container')) {
    if (!container.known) continue;
    for (const by of readersOf(container)) yield* readEnd(container, { ...newest, by }, ground);
  }
  for (const label of model.labels) yield* discoverLabel(label, ground);
}

/** Who reads the newest: nobody in particular, and whose own is another one. */
function readersOf(container: Resource): string[] {
  const owners = instancesOf(container).map(({ owner }) => owner);
  if (owners.length === 0) return [];
  return [...new Set(['nobody', ...owners.filter((one) => one !== owners.at(-1))])];
}
