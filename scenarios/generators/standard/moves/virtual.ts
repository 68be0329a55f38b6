import { expected } from '../../model/expected.ts';
import { endOf, instancesOf, isDoubtful, type ModelResource } from '../../model/resource.ts';
import { ask, pick } from '../../moves/move.ts';
import type { StandardDoing } from '../operations/operation.ts';
import { forget } from './change.ts';
import type { StandardGround, StandardMove } from './move.ts';
import { answered, lose, placeOf } from './read.ts';

type Virtual = StandardDoing<'retrieve la or ol' | 'delete la or ol'>;

/** Reads, or deletes, what stands at the newest or the oldest end of a container. */
export function* virtual({ does, what, word, form }: Virtual, ground: StandardGround): StandardMove {
  const containers = ground.model.all('container');
  const filled = containers.filter((one) => instancesOf(one).length > 0);
  const container = pick(what === 0 || filled.length === 0 ? containers : filled, what);
  if (container === undefined || !container.known || isDoubtful(container)) return;
  if (does === 'retrieve la or ol') yield* readEnd(container, word, form, ground);
  else yield* removeEnd(container, word, form, ground);
}

const area = { la: 'latest', ol: 'oldest' } as const;

export function* readEnd(
  container: ModelResource,
  word: Virtual['word'],
  form: Virtual['form'],
  ground: StandardGround,
  requirement = `std.${area[word]}.retrieve`,
): StandardMove {
  const meant = endOf(container, word);
  const below = form === 'identifier' ? [expected('std.address.virtual-below-identifier', { rsc: 2000 })] : [];
  const found = { root: 'm2m:cin', attributes: { rn: meant?.name ?? '' } };
  yield ask(
    { retrieve: `${placeOf(container, form, ground).path}/${word}` },
    'retrieve la or ol',
    meant === undefined ? answered(`${requirement}.none`, 4004) : [...below, ...answered(requirement, 2000, found)],
    { by: container.owner, kind: 'content instance', form },
  );
}

function* removeEnd(
  container: ModelResource,
  word: Virtual['word'],
  form: Virtual['form'],
  ground: StandardGround,
): StandardMove {
  const meant = endOf(container, word);
  const requirement = `std.${area[word]}.delete`;
  const { outcome } = yield ask(
    { delete: `${placeOf(container, form, ground).path}/${word}` },
    'delete la or ol',
    meant === undefined ? answered(`${requirement}.none`, 4004) : answered(requirement, 2002),
    { by: container.owner, kind: 'content instance', form },
  );
  if (outcome === 'refused') return;
  if (meant === undefined || outcome === 'lost') return lose(container, ground);
  yield* forget(meant, outcome, ground, `${requirement}.gone`);
  if (endOf(container, word) !== undefined)
    yield* readEnd(container, word, 'structured', ground, `${requirement}.next`);
}
