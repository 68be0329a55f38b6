import { milliseconds } from '../../engine/grammar/duration.ts';
import { instancesOf, type ModelResource } from '../model/resource.ts';
import type { Doing, Operation } from '../operations/operation.ts';
import { remove, update } from './change.ts';
import { create } from './create.ts';
import { createWrongly } from './create-wrongly.ts';
import { discover, discoverLabel } from './discover.ts';
import { readEnd, readNewestWithout, removeEnd } from './ends.ts';
import { letTimePass } from './looks.ts';
import { type Ground, type Move, pick } from './move.ts';
import { read } from './read.ts';
import { again, readBase, retrieve } from './retrieve.ts';

const moves: { readonly [D in Operation['does']]: (operation: Doing<D>, ground: Ground) => Move } = {
  ...{ create, retrieve, update, delete: remove, discover, 'create wrongly': createWrongly },
  'advance time': ({ time }, ground) => letTimePass(milliseconds(time), ground),
  'retrieve newest or oldest': newestOrOldest,
  'delete newest or oldest': newestOrOldest,
};

/** The requests of an operation. One that has nothing to speak of yet sends none. */
export function moveOf(operation: Operation, ground: Ground): Move {
  return (moves[operation.does] as (operation: Operation, ground: Ground) => Move)(operation, ground);
}

type OnEnd = Doing<'retrieve newest or oldest' | 'delete newest or oldest'>;

/** Reads, or removes, what stands at the newest or the oldest end of a container, so many times. */
function* newestOrOldest(operation: OnEnd, ground: Ground): Move {
  const container = pick(ground.model.all('container'), operation.what);
  if (container === undefined) return;
  for (let time = 0; time < operation.times; time += 1) {
    if (operation.does === 'retrieve newest or oldest') yield* readEnd(container, operation, ground);
    else {
      const removed = yield* removeEnd(container, operation, ground);
      if (removed !== undefined) yield* readNewestWithout(removed, ground);
    }
  }
}

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
function readersOf(container: ModelResource): string[] {
  const owners = instancesOf(container).map(({ owner }) => owner);
  if (owners.length === 0) return [];
  return [...new Set(['nobody', ...owners.filter((one) => one !== owners.at(-1))])];
}
