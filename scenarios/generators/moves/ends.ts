/** What is removed, and what stands at the newest or the oldest end of a container. */
import { type AddressForm, addressOf, placeOf } from '../model/address.ts';
import { expected, notThere } from '../model/expected.ts';
import { endOf, instancesOf, isDoubtful, type ModelResource } from '../model/resource.ts';
import { forget, lose } from './looks.ts';
import { ask, isGone, type Move, type Part, pick, textIn } from './move.ts';
import type { End, EndRead, Ground } from './wording.ts';

export function* readEnd(
  container: ModelResource,
  { by = '', ...asked }: Omit<EndRead, 'by'> & { readonly by?: string | undefined },
  { model, words }: Ground,
): Move {
  const { path, form } = placeOf(container, asked.form, model);
  const read = { ...asked, form, by: by || words.asker(container) };
  const retrieve = `${path}/${asked.word}`;
  const expectations = container.known ? words.endShown(container, read) : [];
  yield ask({ retrieve }, 'retrieve newest or oldest', expectations, { by: read.by, kind: 'content instance', form });
}

/** How the ids of requirements begin that speak of an end, by its virtual name. */
export function areaOf(word: string): 'latest' | 'oldest' {
  return word.startsWith('la') ? 'latest' : 'oldest';
}

/** Removes what stands at an end. */
function* removeEnd(container: ModelResource, { word, form: asked }: End, ground: Ground): Move {
  const { model, words } = ground;
  const meant = endOf(container, word);
  const { path, form } = placeOf(container, asked, model);
  const { outcome } = yield ask(
    { delete: `${path}/${word}` },
    'delete newest or oldest',
    words.endRemoved(areaOf(word), meant),
    { by: words.asker(container), kind: 'content instance', form },
  );
  if (outcome === 'refused') return;
  if (meant === undefined || outcome === 'lost') return lose(container, ground);
  yield* forget(meant, outcome, ground, words.endGone(areaOf(word)));
  yield* readWithout(meant, ground, word);
}

/** A content instance that was removed does not stand at an end any more, whatever does. `word`: of the end at which it stood. */
function* readWithout({ name, parent }: ModelResource, ground: Ground, word?: string): Move {
  const { ends } = ground.words;
  const end = ends.find((one) => word !== undefined && areaOf(one) === areaOf(word)) ?? ends[0];
  const removed = { name, wasThere: word !== undefined };
  if (parent !== undefined) yield* readEnd(parent, { word: end, form: 'structured', removed }, ground);
}

interface AtEnd extends End {
  readonly does: 'retrieve newest or oldest' | 'delete newest or oldest';
  readonly what: number;
  readonly by?: string;
  readonly times?: number;
}

/** Reads, or removes, what stands at an end of a container, so many times. */
export function* atEnd({ does, what, times = 1, word, form, by }: AtEnd, ground: Ground): Move {
  const containers = ground.model.all('container');
  const filled = containers.filter((one) => instancesOf(one).length > 0);
  const container = pick(what === 0 || filled.length === 0 ? containers : filled, what);
  for (let time = 0; time < times && container?.known && !isDoubtful(container); time += 1) {
    if (does === 'retrieve newest or oldest') yield* readEnd(container, { word, form, by }, ground);
    else yield* removeEnd(container, { word, form }, ground);
  }
}

interface Removal {
  readonly what: number;
  readonly form: string;
  /** By which form of address it is read just before, and looked for just after. */
  readonly seen?: AddressForm;
  /** What the answer is asked to hold. */
  readonly rcn?: 1 | null;
}

/** What is removed is gone. */
export function* remove({ what, form: asked, seen = 'structured', rcn = null }: Removal, ground: Ground): Move {
  const { model, words } = ground;
  const resource = pick(model.all(), what);
  if (resource === undefined || isDoubtful(resource)) return;
  const { kind, owner: by } = resource;
  const seenAt = seen === 'structured' ? undefined : yield* seenBy(seen, resource, ground);
  const { path, form } = placeOf(resource, asked, model);
  const { expect, expectations } = words.removal(resource, { form, rcn });
  const step = { delete: path, ...(rcn !== null && { query: { rcn } }) };
  const { outcome } = yield ask(step, 'delete', expectations, { by, expect, kind, form });
  if (outcome === 'refused') return;
  yield* forget(resource, outcome, ground);
  if (outcome !== 'success') return;
  if (kind === 'content instance') yield* readWithout(resource, ground);
  if (seenAt === undefined) return;
  const gone = expected('lifecycle.removed-is-gone', { status: notThere });
  yield ask({ retrieve: seenAt }, isGone, [gone], { kind, form: seen });
}

/** The address of this form, if the resource itself is read there. Whether it is may be a gap; that it is not after its removal is none. */
function* seenBy(form: AddressForm, resource: ModelResource, { model }: Ground): Part<string | undefined> {
  const address = addressOf(resource, form, model);
  if (address === undefined) return undefined;
  const { kind, shown } = resource;
  const { outcome, view } = yield ask({ retrieve: address }, 'look whether it is there', [], { kind, form });
  return outcome === 'success' && shown.ri !== undefined && textIn(view, 'ri') === shown.ri ? address : undefined;
}
