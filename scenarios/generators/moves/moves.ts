import { milliseconds } from '../../engine/grammar/duration.ts';
import { addressOf } from '../model/address.ts';
import { type Expected, expected } from '../model/expected.ts';
import type { Model } from '../model/model.ts';
import { endOf, instancesOf, type ModelResource } from '../model/resource.ts';
import type { Doing, Operation } from '../operations/operation.ts';
import { remove, update } from './change.ts';
import { create } from './create.ts';
import { createWrongly } from './create-wrongly.ts';
import { discover, discoverLabel } from './discover.ts';
import { readEnd } from './ends.ts';
import { findOut, forget } from './forget.ts';
import { ask, type Ground, type Move, type Part, pick } from './move.ts';
import { lookWhoIsThere, read } from './read.ts';
import { again, readBase, retrieve } from './retrieve.ts';
import { tolerance } from './take.ts';

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

/**
 * Milliseconds pass. What becomes of that which expires is a gap, and a look decides: what is gone is held no more, and what is still
 * there is held as before, so that everything else has to agree with that.
 */
export function* letTimePass(passed: number, { model }: Ground): Move {
  model.passed += passed;
  for (const one of model.mayHaveExpired()) {
    // It went with what stood above it.
    if (model.at(one.parent, one.name) !== one) continue;
    yield* findOut(one, { model }, certainly(one, model));
  }
}

function certainly({ kind, expires = 0, parent }: ModelResource, { passed }: Model): Expected[] {
  if (passed < expires + 2 * tolerance) return [];
  const byAge = kind === 'content instance' && parent?.held.mia !== undefined;
  return [expected(byAge ? 'retention.mia.old-ones-go' : 'common.et.expired', { status: 404 })];
}

type OnEnd = Doing<'retrieve newest or oldest' | 'delete newest or oldest'>;

/** Reads, or removes, what stands at the newest or the oldest end of a container, so many times. */
function* newestOrOldest(operation: OnEnd, ground: Ground): Move {
  const container = pick(ground.model.all('container'), operation.what);
  if (container === undefined) return;
  for (let time = 0; time < operation.times; time += 1) {
    if (operation.does === 'retrieve newest or oldest') yield* readEnd(container, operation, ground);
    else yield* removeEnd(container, operation, ground);
  }
}

/** A gap. */
function* removeEnd(container: ModelResource, { does, word, form }: OnEnd, ground: Ground): Part<void> {
  const area = word.startsWith('la') ? 'latest' : 'oldest';
  const meant = container.known ? endOf(container, word) : undefined;
  const { outcome } = yield ask(
    { delete: `${addressOf(container, form, ground.model)}/${word}` },
    does,
    container.known ? [expected(`${area}.delete`, { status: meant === undefined ? 404 : 200 })] : [],
    { kind: 'content instance', form },
  );
  if (outcome === 'refused') return;
  if (meant === undefined || outcome === 'lost') container.known = false;
  else yield* forget(meant, outcome, ground, `${area}.delete-removes-it`);
  // Which of them it was is left open.
  if (!container.known) yield* lookWhoIsThere(container, ground.model);
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
