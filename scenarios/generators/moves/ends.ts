/** Reads of what stands at the newest or the oldest end of a container. */
import { addressOf, pathOf } from '../model/address.ts';
import { type Expected, expected, whenPresent } from '../model/expected.ts';
import { contentOf, endOf, instancesOf, type ModelResource } from '../model/resource.ts';
import type { Doing } from '../operations/operation.ts';
import { ask, type Ground, isGone, type Part } from './move.ts';

type Asked = Pick<Doing<'retrieve newest or oldest' | 'delete newest or oldest'>, 'word' | 'form'> & {
  readonly by: string;
};

export function* readEnd(container: ModelResource, { word, form, by }: Asked, { model }: Ground): Part<void> {
  const documented = word === 'latest' && form === 'structured' && meantBy(word, container) !== undefined;
  yield ask(
    { retrieve: `${addressOf(container, form, model)}/${word}` },
    'retrieve newest or oldest',
    expectationsOf(container, { word, form, by }),
    { by, ...(documented && by === 'nobody' && { expect: 'success' }), kind: 'content instance', form },
  );
}

function meantBy(word: string, container: ModelResource): ModelResource | undefined {
  return container.known ? endOf(container, word) : undefined;
}

/** Row 7 of the endpoints; everything else is a gap, and which originator may do what is not shown. */
function expectationsOf(container: ModelResource, { word, form, by }: Asked): Expected[] {
  if (!container.known) return [];
  const meant = meantBy(word, container);
  const newest = word.startsWith('la');
  if (meant === undefined)
    return [expected(newest ? 'latest.empty-container' : 'oldest.empty-container', { status: 404 })];
  if (word === 'latest' && form === 'structured') return [...statusFor(by), ...newestOf(container, meant)];
  const short = newest ? 'latest.short-name' : word === 'ol' ? 'oldest.short-name' : 'oldest.retrieve';
  const requirement = form === 'SP-relative' ? 'sp-relative.latest' : short;
  return [expected(requirement, { status: 200, attributes: { rn: meant.name } })];
}

/** To whom the newest is not shown, none may be there. */
function statusFor(by: string): Expected[] {
  return by === 'nobody' ? [expected('latest.status', { status: 200 })] : [];
}

function newestOf(container: ModelResource, newest: ModelResource): Expected[] {
  const others = instancesOf(container).filter((one) => one !== newest);
  const names = others.map(({ name }) => name);
  const contents = others.map(contentOf).filter((con) => con !== '' && con !== contentOf(newest));
  const not = (name: string, values: string[]) =>
    values.length === 0 ? [] : [whenPresent('latest.newest', name, { not: { 'one of': [...new Set(values)] } })];
  return [...not('rn', names), ...(contentOf(newest) === '' ? [] : not('con', contents))];
}

/** A removed content instance is not the newest any more, whatever is. */
export function* readNewestWithout({ name }: ModelResource, container: ModelResource, { model }: Ground): Part<void> {
  const asked = { word: 'latest', form: 'structured', by: 'nobody' } as const;
  const another = whenPresent('lifecycle.removed-is-gone', 'rn', { not: name });
  yield ask(
    { retrieve: `${pathOf(container, model)}/latest` },
    isGone,
    [another, ...expectationsOf(container, asked)],
    { ...(meantBy('latest', container) !== undefined && { expect: 'success' }), kind: 'content instance' },
  );
}
