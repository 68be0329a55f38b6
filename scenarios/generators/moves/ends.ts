/** What stands at the newest or the oldest end of a container. */
import { addressOf, pathOf, placeOf } from '../model/address.ts';
import { type Expected, expected, whenPresent } from '../model/expected.ts';
import { contentOf, endOf, instancesOf, type ModelResource } from '../model/resource.ts';
import type { Doing } from '../operations/operation.ts';
import { forget, lookWhoIsThere, lose } from './looks.ts';
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

/** How the ids of requirements begin that speak of an end, by its virtual name. */
export function areaOf(word: string): 'latest' | 'oldest' {
  return word.startsWith('la') ? 'latest' : 'oldest';
}

/** Removes what stands at an end, in either dialect; what certainly was removed comes back. */
export function* removeEnd(
  container: ModelResource,
  { does, word, form }: { readonly does: string; readonly word: string; readonly form: string },
  ground: Ground,
): Part<ModelResource | undefined> {
  const { model, words } = ground;
  const meant = meantBy(word, container);
  const { outcome } = yield ask(
    { delete: `${placeOf(container, form, model).path}/${word}` },
    does,
    container.known ? words.endRemoved(areaOf(word), meant) : [],
    { by: words.asker(container), kind: 'content instance', form },
  );
  if (outcome === 'refused') return undefined;
  if (meant === undefined || outcome === 'lost') lose(container, ground);
  else yield* forget(meant, outcome, ground, words.endGone(areaOf(word)));
  // Which of them it was is left open.
  if (!container.known) yield* lookWhoIsThere(container, ground);
  return outcome === 'success' ? meant : undefined;
}

/** A content instance that was removed is not the newest any more, whatever is. */
export function* readNewestWithout({ kind, name, parent: container }: ModelResource, { model }: Ground): Part<void> {
  if (kind !== 'content instance' || container === undefined) return;
  const asked = { word: 'latest', form: 'structured', by: 'nobody' } as const;
  const another = whenPresent('lifecycle.removed-is-gone', 'rn', { not: name });
  yield ask(
    { retrieve: `${pathOf(container, model)}/latest` },
    isGone,
    [another, ...expectationsOf(container, asked)],
    { ...(meantBy('latest', container) !== undefined && { expect: 'success' }), kind },
  );
}
