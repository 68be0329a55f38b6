import { addressOf } from '../model/address.ts';
import { type Expected, expected, whenPresent } from '../model/expected.ts';
import { notOfAnotherKind } from '../model/representation.ts';
import { contentOf, instancesOf, type ModelResource } from '../model/resource.ts';
import type { VirtualName, VirtualOperation } from '../operations/operation.ts';
import { forget } from './change.ts';
import type { Ground, Move, Part } from './move.ts';

/** Reads, or removes, what stands at the newest or the oldest end of a container. */
export function* newestOrOldest({ does, what, word, form }: VirtualOperation, ground: Ground): Move {
  const containers = ground.model.all('container').reverse();
  const container = containers[what % Math.max(containers.length, 1)];
  if (container === undefined) return;
  if (does === 'retrieve newest or oldest') return yield* readEnd(container, word, form, ground);
  const meant = endOf(container, word);
  const { outcome } = yield {
    step: { delete: `${addressOf(container, form, ground.model)}/${word}` },
    by: 'nobody',
    expect: 'either',
    expectations: [
      expected(word.startsWith('la') ? 'latest.delete' : 'oldest.delete', { status: meant === undefined ? 404 : 200 }),
    ],
    about: { operation: does, kind: 'content instance', form },
  };
  if (outcome === 'refused') return;
  // Which of them it was is left open.
  if (meant === undefined || outcome === 'lost') container.known = false;
  else yield* forget(meant, outcome, ground);
}

function endOf(container: ModelResource, word: VirtualName): ModelResource | undefined {
  const instances = instancesOf(container);
  return word.startsWith('la') ? instances.at(-1) : instances[0];
}

export function* readEnd(
  container: ModelResource,
  word: VirtualName,
  form: VirtualOperation['form'],
  { model }: Ground,
): Part<void> {
  const meant = container.known ? endOf(container, word) : undefined;
  const documented = word === 'latest' && form === 'structured' && meant !== undefined;
  yield {
    step: { retrieve: `${addressOf(container, form, model)}/${word}` },
    by: 'nobody',
    expect: documented ? 'success' : 'either',
    expectations: documented ? latestOf(container, meant) : gapsOf(container, meant, word, form),
    about: { operation: 'retrieve newest or oldest', kind: 'content instance', form },
  };
}

/** Row 7 of the endpoints. */
function latestOf(container: ModelResource, newest: ModelResource): Expected[] {
  const others = instancesOf(container).filter((one) => one !== newest);
  const names = others.map(({ name }) => name);
  const contents = others.map(contentOf).filter((con) => con !== contentOf(newest));
  const requirement = 'latest.newest';
  const not = (name: string, values: string[]) =>
    values.length === 0 ? [] : [whenPresent(requirement, name, { not: { 'one of': [...new Set(values)] } })];
  return [
    expected('latest.status', { status: 200 }),
    notOfAnotherKind('latest.answers-content-instance', 'content instance'),
    ...not('rn', names),
    ...not('con', contents),
  ];
}

function gapsOf(
  container: ModelResource,
  meant: ModelResource | undefined,
  word: VirtualName,
  form: string,
): Expected[] {
  if (!container.known) return [];
  const newest = word.startsWith('la');
  if (meant === undefined)
    return [expected(newest ? 'latest.empty-container' : 'oldest.empty-container', { status: 404 })];
  const short = newest ? 'latest.short-name' : word === 'ol' ? 'oldest.short-name' : 'oldest.retrieve';
  const requirement = form === 'SP-relative' ? 'sp-relative.latest' : short;
  return [expected(requirement, { status: 200, attributes: { rn: meant.name } })];
}
