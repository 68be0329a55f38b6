import { addressOf } from '../model/address.ts';
import { expected } from '../model/expected.ts';
import type { ModelResource } from '../model/resource.ts';
import type { Doing } from '../operations/operation.ts';
import { endOf, readEnd } from './ends.ts';
import { forget } from './forget.ts';
import { type Ground, type Move, type Part, pick } from './move.ts';
import { lookWhoIsThere } from './read.ts';

/** Reads, or removes, what stands at the newest or the oldest end of a container, so many times. */
export function* newestOrOldest(
  operation: Doing<'retrieve newest or oldest' | 'delete newest or oldest'>,
  ground: Ground,
): Move {
  const { does, what, times } = operation;
  const container = pick(ground.model.all('container'), what);
  if (container === undefined) return;
  for (let time = 0; time < times; time += 1) {
    if (does === 'retrieve newest or oldest') yield* readEnd(container, operation, ground);
    else yield* removeEnd(container, operation, ground);
  }
}

/** A gap. */
function* removeEnd(
  container: ModelResource,
  operation: Doing<'retrieve newest or oldest' | 'delete newest or oldest'>,
  ground: Ground,
): Part<void> {
  const { does, word, form } = operation;
  const area = word.startsWith('la') ? 'latest' : 'oldest';
  const meant = container.known ? endOf(container, word) : undefined;
  const { outcome } = yield {
    step: { delete: `${addressOf(container, form, ground.model)}/${word}` },
    by: 'nobody',
    expect: 'either',
    expectations: container.known ? [expected(`${area}.delete`, { status: meant === undefined ? 404 : 200 })] : [],
    about: { operation: does, kind: 'content instance', form },
  };
  if (outcome === 'refused') return;
  if (meant === undefined || outcome === 'lost') container.known = false;
  else yield* forget(meant, outcome, ground, `${area}.delete-removes-it`);
  // Which of them it was is left open.
  if (!container.known) yield* lookWhoIsThere(container, ground);
}
