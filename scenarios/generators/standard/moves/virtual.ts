import { expected } from '../../model/expected.ts';
import { isDoubtful } from '../../model/tree.ts';
import { pick } from '../../moves/move.ts';
import { addressOf } from '../model/address.ts';
import { answered } from '../model/answers.ts';
import { instancesOf, type StandardResource } from '../model/resource.ts';
import type { StandardDoing } from '../operations/operation.ts';
import { forget } from './change.ts';
import type { StandardGround, StandardMove } from './move.ts';

/** Reads, or deletes, what stands at the newest or the oldest end of a container. */
export function* virtual(
  { does, what, word, form }: StandardDoing<'retrieve la or ol' | 'delete la or ol'>,
  ground: StandardGround,
): StandardMove {
  const containers = ground.model.all('container');
  const filled = containers.filter((one) => instancesOf(one).length > 0);
  const container = pick(what === 0 || filled.length === 0 ? containers : filled, what);
  if (container === undefined || !container.known || isDoubtful(container)) return;
  if (does === 'retrieve la or ol') yield* readEnd(container, word, form, ground);
  else yield* removeEnd(container, word, form, ground);
}

const area = { la: 'latest', ol: 'oldest' } as const;

function endOf(container: StandardResource, word: 'la' | 'ol'): StandardResource | undefined {
  const instances = instancesOf(container);
  return word === 'la' ? instances.at(-1) : instances[0];
}

function pathTo(
  container: StandardResource,
  word: string,
  form: StandardDoing<'retrieve la or ol' | 'delete la or ol'>['form'],
  { model }: StandardGround,
): string {
  return `${addressOf(container, form, model) ?? addressOf(container, 'structured', model)}/${word}`;
}

export function* readEnd(
  container: StandardResource,
  word: 'la' | 'ol',
  form: StandardDoing<'retrieve la or ol' | 'delete la or ol'>['form'],
  ground: StandardGround,
): StandardMove {
  const meant = endOf(container, word);
  const requirement = `std.${area[word]}.retrieve`;
  const below =
    form === 'identifier' && meant !== undefined
      ? [expected('std.address.virtual-below-identifier', { rsc: 2000 })]
      : [];
  const found = { root: 'm2m:cin', attributes: { rn: meant?.name ?? '' } };
  yield {
    step: { retrieve: pathTo(container, word, form, ground) },
    by: container.owner,
    expect: 'either',
    expectations:
      meant === undefined ? answered(`${requirement}.none`, 4004) : [...below, ...answered(requirement, 2000, found)],
    about: { operation: 'retrieve la or ol', kind: 'content instance', form },
  };
}

function* removeEnd(
  container: StandardResource,
  word: 'la' | 'ol',
  form: StandardDoing<'retrieve la or ol' | 'delete la or ol'>['form'],
  ground: StandardGround,
): StandardMove {
  const meant = endOf(container, word);
  const requirement = `std.${area[word]}.delete`;
  const { outcome } = yield {
    step: { delete: pathTo(container, word, form, ground) },
    by: container.owner,
    expect: 'either',
    expectations: meant === undefined ? answered(`${requirement}.none`, 4004) : answered(requirement, 2002),
    about: { operation: 'delete la or ol', kind: 'content instance', form },
  };
  if (outcome === 'refused') return;
  if (meant === undefined || outcome === 'lost') {
    container.known = false;
    ground.events.lose();
    return;
  }
  yield* forget(meant, outcome, ground, `${requirement}.gone`);
  if (endOf(container, word) !== undefined) yield* next(container, word, ground);
}

function* next(container: StandardResource, word: 'la' | 'ol', ground: StandardGround): StandardMove {
  const meant = endOf(container, word);
  yield {
    step: { retrieve: pathTo(container, word, 'structured', ground) },
    by: container.owner,
    expect: 'either',
    expectations: answered(`std.${area[word]}.delete.next`, 2000, { attributes: { rn: meant?.name ?? '' } }),
    about: { operation: 'retrieve la or ol', kind: 'content instance', form: 'structured' },
  };
}
