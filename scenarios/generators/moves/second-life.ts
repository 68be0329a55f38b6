import { pathOf } from '../model/address.ts';
import { expected, textOf } from '../model/expected.ts';
import type { ModelResource } from '../model/resource.ts';
import { kindFacts } from '../model/resource.ts';
import type { Ground, Part } from './move.ts';
import { read } from './read.ts';

/**
 * Something has the place of what was removed before. Whether what stood below that is gone is a gap; but what is read at its path now
 * stands below the new one, and has to say so.
 */
export function* lookForLeft(created: ModelResource, ground: Ground): Part<void> {
  const left = ground.model.leftBelow(created).at(-1);
  if (left === undefined) return;
  yield* read(created, ground);
  const { ri } = created.shown;
  if (!created.read || ri === undefined) return;
  const { area } = kindFacts[left.kind];
  yield {
    step: { retrieve: `${pathOf(created, ground.model)}/${left.name}` },
    by: 'nobody',
    expect: 'either',
    expectations: [
      textOf(`${area}.pi.is-parent`, 'pi', ri),
      expected(created.kind === 'ae' ? 'ae.delete.subtree' : 'container.delete.subtree', { status: 404 }),
    ],
    about: { operation: 'look whether it is gone', kind: left.kind, form: 'structured' },
  };
}
