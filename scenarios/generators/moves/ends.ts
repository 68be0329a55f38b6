/** Reads of what stands at the newest or the oldest end of a container. */
import { addressOf, pathOf } from '../model/address.ts';
import { type Expected, expected, whenPresent } from '../model/expected.ts';
import { contentOf, instancesOf, type ModelResource } from '../model/resource.ts';
import type { Doing, Originator, VirtualName } from '../operations/operation.ts';
import type { Ground, Part } from './move.ts';
import { understood } from './read.ts';

export function endOf(container: ModelResource, word: VirtualName): ModelResource | undefined {
  const instances = instancesOf(container);
  return word.startsWith('la') ? instances.at(-1) : instances[0];
}

export function* readEnd(
  container: ModelResource,
  { word, form, by }: Pick<Doing<'retrieve newest or oldest' | 'delete newest or oldest'>, 'word' | 'form' | 'by'>,
  { model }: Ground,
): Part<void> {
  const meant = container.known ? endOf(container, word) : undefined;
  const documented = word === 'latest' && form === 'structured' && meant !== undefined;
  yield {
    step: { retrieve: `${addressOf(container, form, model)}/${word}` },
    by,
    expect: documented && by === 'nobody' ? 'success' : 'either',
    expectations: documented
      ? [...statusFor(by), ...newestOf(container, meant)]
      : gapsOf(container, { meant, word, form }),
    about: { operation: 'retrieve newest or oldest', kind: 'content instance', form },
  };
}

/** Which originator may do what is not shown. */
function statusFor(by: Originator): Expected[] {
  if (by === 'nobody') return [expected('latest.status', { status: 200 })];
  return by === 'visitor' ? [understood] : [];
}

/** Row 7 of the endpoints. */
function newestOf(container: ModelResource, newest: ModelResource): Expected[] {
  const others = instancesOf(container).filter((one) => one !== newest);
  const names = others.map(({ name }) => name);
  const contents = others.map(contentOf).filter((con) => con !== '' && con !== contentOf(newest));
  const requirement = 'latest.newest';
  const not = (name: string, values: string[]) =>
    values.length === 0 ? [] : [whenPresent(requirement, name, { not: { 'one of': [...new Set(values)] } })];
  return [...not('rn', names), ...(contentOf(newest) === '' ? [] : not('con', contents))];
}

interface Asked {
  readonly meant: ModelResource | undefined;
  readonly word: VirtualName;
  readonly form: Doing<'retrieve newest or oldest' | 'delete newest or oldest'>['form'];
}

function gapsOf(container: ModelResource, { meant, word, form }: Asked): Expected[] {
  if (!container.known) return [];
  const newest = word.startsWith('la');
  if (meant === undefined)
    return [expected(newest ? 'latest.empty-container' : 'oldest.empty-container', { status: 404 })];
  const short = newest ? 'latest.short-name' : word === 'ol' ? 'oldest.short-name' : 'oldest.retrieve';
  const requirement = form === 'SP-relative' ? 'sp-relative.latest' : short;
  return [expected(requirement, { status: 200, attributes: { rn: meant.name } })];
}

/** A removed content instance is not the newest any more, whatever is. */
export function* readNewestWithout({ name }: ModelResource, container: ModelResource, { model }: Ground): Part<void> {
  const meant = container.known ? endOf(container, 'latest') : undefined;
  yield {
    step: { retrieve: `${pathOf(container, model)}/latest` },
    by: 'nobody',
    expect: meant === undefined ? 'either' : 'success',
    expectations: [
      whenPresent('lifecycle.removed-is-gone', 'rn', { not: name }),
      ...(meant === undefined
        ? gapsOf(container, { meant, word: 'latest', form: 'structured' })
        : [...statusFor('nobody'), ...newestOf(container, meant)]),
    ],
    about: { operation: 'look whether it is gone', kind: 'content instance', form: 'structured' },
  };
}
