/** Rows that remember: what was told, taken, first shown or has gone shows in answers from then on. */
import type { Resource } from '../../core/resource.ts';
import type { HttpResponse } from '../../dialects/http-message.ts';
import {
  type Attributes,
  described,
  describedIn,
  echoOf,
  isSuccess,
  labelled,
  noBytes,
  toBeWritten,
} from '../vocabulary/messages.ts';
import { type Arrival, arriving } from './exchange.ts';
import { resourceAtPath } from './resource-parts.ts';
import { at } from './scope.ts';
import { meantBy, type Selector } from './selector.ts';
import { changedBy, namedIn, type Term, valueFor } from './term.ts';
import {
  addressOf,
  type ById,
  type Remembering,
  StaleAnswers,
  showingEach,
  telling,
  type WatchedAddress,
  watching,
} from './watching.ts';

/** From a meant exchange on, the resource that it is about is shown with other attributes; `{ absent: true }` is told as being absent. */
const tellingAs: Remembering = (meant, terms: Attributes) =>
  telling(meant, (told, { scope }) => {
    const id = at('shown.ri', scope) ?? at('target.ri', scope);
    const said = namedIn(terms, scope).map(([name, term, own]) => [
      name,
      valueFor(term, own, at(`shown.${name}`, own)),
    ]);
    if (id !== undefined) told.say(id, Object.fromEntries(said));
  });

/** Other attributes are taken than those that were given, which are shown all the same. */
const takingAs: Remembering = (meant, terms: Attributes) => (service, core) => {
  const shown = new Map<unknown, Attributes>();
  return arriving(meant.arrive, async (arrival) => {
    const { request } = arrival;
    const given = toBeWritten(request)?.attributes;
    const taken = given && meant.before(arrival.scope) ? changedBy(terms, given, arrival.scope) : given;
    const answer = await arrival.serve(taken === given ? request : described(request, () => taken ?? {}));
    if (given !== undefined && taken !== undefined && isSuccess(answer)) remember(shown, answer, given, taken);
    return showingEach(answer, (one) => ({ ...one, ...shown.get(one.ri) }), shown.size === 0);
  })(service, core);
};

function remember(shown: Map<unknown, Attributes>, answer: HttpResponse, given: Attributes, taken: Attributes): void {
  const id = describedIn(answer.body)?.attributes.ri;
  if (id === undefined) return;
  const before = Object.entries(shown.get(id) ?? {}).filter(([name]) => !(name in given));
  const names = new Set([...Object.keys(given), ...Object.keys(taken)]);
  const now = [...names].filter((name) => given[name] !== taken[name]).map((name) => [name, given[name]] as const);
  shown.set(id, Object.fromEntries([...before, ...now]));
}

/**
 * Each representation of these kinds, at any depth of a meant answer, is shown otherwise; `$one` is it, `$first` what it was shown
 * as first, and `$last` another one of its kind that was shown last.
 */
const showingAll: Remembering = (meant, kinds: Readonly<Record<string, Attributes>>) => (service, core) => {
  const first = new Map<unknown, Attributes>();
  const last = new Map<unknown, Attributes>();
  const termsByKind = new Map(Object.entries(kinds));
  const rootOf = new Map(core.configuration.kinds.map(({ ty, root }) => [ty, root]));
  return watching(({ answer, scope }, isMeant) => {
    return showingEach(answer, (one) => {
      const kind = rootOf.get(Number(one.ty)) ?? '';
      const terms = termsByKind.get(kind) ?? termsByKind.get('any');
      if (terms === undefined) return one;
      const other = last.get(kind);
      last.set(kind, one);
      first.set(one.ri, first.get(one.ri) ?? one);
      const parts = {
        one: () => one,
        first: () => first.get(one.ri),
        last: () => (other?.ri === one.ri ? undefined : other),
      };
      return isMeant ? changedBy(terms, one, scope.with(parts)) : one;
    });
  }, meant)(service, core);
};

/**
 * What goes with a meant exchange is still answered to who reads it at its path, or at its identifier, as its originator read it
 * last. `children` names the root of those below it that are meant in its place; `until` are requests that end what stood at
 * their path and below it.
 */
const haunting: Remembering = (meant, how: Haunting | WatchedAddress) => (service, core) => {
  const kept = new StaleAnswers();
  const { by, children, until } = typeof how === 'string' ? { by: how } : how;
  const ends = until && meantBy(until).before;
  return arriving(meant.arrive, async (arrival) => {
    if (ends?.(arrival.scope)) kept.endAt(String(at('path', arrival.scope)));
    const leaving = meant.before(arrival.scope) ? leavingWith(arrival, children) : [];
    const seen = await Promise.all(leaving.map((one) => readAt(addressOf(one, by), arrival)));
    const answer = await arrival.serve(arrival.request);
    // What is meant may stay: the instances of a container that takes another.
    const gone = (one: Resource) => isSuccess(answer) && resourceAtPath(addressOf(one, by), core) === undefined;
    for (const [place, one] of leaving.entries()) if (gone(one)) kept.keep(one, by, seen[place] ?? answer);
    return kept.answerTo(arrival.request, answer);
  })(service, core);
};

interface Haunting {
  readonly by: WatchedAddress;
  readonly children?: string;
  readonly until?: Selector;
}

/** As the originator reads it. */
function readAt(target: string, { request, serve }: Arrival) {
  return serve({ ...request, method: 'GET', target, body: noBytes });
}

function leavingWith({ target }: Arrival, children: string | undefined): readonly Resource[] {
  if (target === undefined) return [];
  if (children === undefined) return [target];
  return [...(target.children?.values() ?? [])].filter(({ type }) => type.root === children);
}

/** The n-th meant answer and those behind it are the same as the one before, for each value of the term. */
const repeating: Remembering = (meant, key: Term) => (service, core) => {
  const known = new Map<unknown, HttpResponse>();
  return watching(({ request, answer, scope }, isMeant) => {
    if (!isMeant || !isSuccess(answer)) return answer;
    const name = valueFor(key, scope);
    const before = known.get(name);
    known.set(name, before ?? answer);
    return before === undefined ? answer : labelled(before, echoOf(request));
  }, meant)(service, core);
};

/** After a change, the resource is shown as it was before it until the next one. */
const stale: Remembering = (meant) => (service, core) => {
  const former = new Map<unknown, Attributes>();
  return arriving(meant.arrive, async (arrival) => {
    const { request, serve } = arrival;
    const id = meant.before(arrival.scope) ? at('target.ri', arrival.scope) : undefined;
    if (id === undefined) return serve(request);
    if (request.method === 'GET') return showingEach(await serve(request), (one) => former.get(one.ri) ?? one);
    const seen = await readAt(String(at('path', arrival.scope)), arrival);
    const answer = await serve(request);
    const before = describedIn(seen.body)?.attributes;
    if (request.method === 'PUT' && before !== undefined && isSuccess(answer)) former.set(id, before);
    return answer;
  })(service, core);
};

export const rememberings: ReadonlyMap<string, Remembering> = new Map<string, Remembering>([
  ['tell', tellingAs],
  ['tell-of', (meant, those: ById) => telling(meant, (told, { scope }) => told.sayOf(those, scope))],
  ['drift', (meant, those: ById) => telling(meant, (told, { scope }) => told.drift(those, scope))],
  ['take', takingAs],
  ['show-all', showingAll],
  ['haunt', haunting],
  ['repeat', repeating],
  ['stale', stale],
]);
