import { addressOf } from '../model/address.ts';
import { expected } from '../model/expected.ts';
import { endOf, type Resource } from '../model/resource.ts';
import type { Doing } from '../operations/operation.ts';
import { readEnd } from './ends.ts';
import { forget } from './forget.ts';
import { ask, type Ground, type Move, type Part, pick } from './move.ts';
import { lookWhoIsThere } from './read.ts';

type Operation = Doing<'retrieve newest or oldest' | 'delete newest or oldest'>;

/** Reads, or removes, what stands at the newest or the oldest end of a container, so many times. */
export function* newestOrOldest(operation: Operation, ground: Ground): Move {
  const container = pick(ground.model.all('container'), operation.what);
  if (container === undefined) return;
  for (let time = 0; time < operation.times; time += 1) {
    if (operation.does === 'retrieve newest or oldest') yield* readEnd(container, operation, ground);
    else yield* removeEnd(container, operation, ground);
  }
}

/** A gap. */
function* removeEnd(container: Resource, { does, word, form }: Operation, ground: Ground): Part<void> {
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
