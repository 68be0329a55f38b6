import { placeOf } from '../../model/address.ts';
import { expected } from '../../model/expected.ts';
import { endOf, instancesOf, isDoubtful, type ModelResource } from '../../model/resource.ts';
import { areaOf, removeEnd } from '../../moves/ends.ts';
import { ask, type Ground, type Move, pick } from '../../moves/move.ts';
import type { StandardDoing } from '../operations/operation.ts';
import { answered } from './read.ts';

type Virtual = StandardDoing<'retrieve la or ol' | 'delete la or ol'>;

/** Reads, or deletes, what stands at the newest or the oldest end of a container. */
export function* virtual({ does, what, word, form }: Virtual, ground: Ground): Move {
  const containers = ground.model.all('container');
  const filled = containers.filter((one) => instancesOf(one).length > 0);
  const container = pick(what === 0 || filled.length === 0 ? containers : filled, what);
  if (container === undefined || !container.known || isDoubtful(container)) return;
  if (does === 'retrieve la or ol') return yield* readEnd(container, word, form, ground);
  const removed = yield* removeEnd(container, { does, word, form }, ground);
  if (removed === undefined || endOf(container, word) === undefined) return;
  yield* readEnd(container, word, 'structured', ground, `std.${areaOf(word)}.delete.next`);
}

export function* readEnd(
  container: ModelResource,
  word: Virtual['word'],
  form: Virtual['form'],
  ground: Ground,
  requirement = `std.${areaOf(word)}.retrieve`,
): Move {
  const meant = endOf(container, word);
  const below = form === 'identifier' ? [expected('std.address.virtual-below-identifier', { rsc: 2000 })] : [];
  const found = { root: 'm2m:cin', attributes: { rn: meant?.name ?? '' } };
  yield ask(
    { retrieve: `${placeOf(container, form, ground.model).path}/${word}` },
    'retrieve la or ol',
    meant === undefined ? answered(`${requirement}.none`, 4004) : [...below, ...answered(requirement, 2000, found)],
    { by: container.owner, kind: 'content instance', form },
  );
}
