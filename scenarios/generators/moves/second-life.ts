import { pathOf } from '../model/address.ts';
import { textOf } from '../model/expected.ts';
import { kindFacts, type Resource } from '../model/resource.ts';
import { isGone, subtreeGoes } from './forget.ts';
import { ask, type Ground, type Part } from './move.ts';
import { read } from './read.ts';

/**
 * Something has the place of what was removed before. Whether what stood below that is gone is a gap; but what is read at its path now
 * stands below the new one, and has to say so.
 */
export function* lookForLeft(created: Resource, ground: Ground): Part<void> {
  const left = ground.model.leftBelow(created).at(-1);
  if (left === undefined) return;
  yield* read(created, ground);
  const { ri } = created.shown;
  if (!created.read || ri === undefined) return;
  const { kind, name } = left;
  const belongs = textOf(`${kindFacts[kind].area}.pi.is-parent`, 'pi', ri);
  yield ask({ retrieve: `${pathOf(created, ground.model)}/${name}` }, isGone, [belongs, subtreeGoes(created)], {
    kind,
  });
}
