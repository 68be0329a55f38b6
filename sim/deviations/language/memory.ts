/** Operators with memory: reported, accepted, first shown or removed values affect later answers. */
import type { Resource } from '../../core/resource.ts';
import type { HttpResponse } from '../../dialects/http-message.ts';
import {
  type Attributes,
  echoOf,
  isSuccess,
  noBytes,
  resourceIn,
  withAttributes,
  withHeaders,
  writtenResource,
} from '../vocabulary/messages.ts';
import { type Arrival, arriving } from './exchange.ts';
import { resourceAtPath } from './resource-parts.ts';
import { at } from './scope.ts';
import { matchersOf, type Selector } from './selector.ts';
import { changedBy, namedIn, type Term, valueFor } from './term.ts';
import {
  addressOf,
  type ById,
  type MemoryOperator,
  reporting,
  StaleAnswers,
  showingEach,
  type WatchedAddress,
  watching,
} from './watching.ts';

/** From a matching exchange on, its resource is shown with other attributes; `{ absent: true }` leaves one out. */
const reportingAs: MemoryOperator = (matcher, terms: Attributes) =>
  reporting(matcher, (reported, { scope }) => {
    const id = at('returned.ri', scope) ?? at('target.ri', scope);
    const entries = namedIn(terms, scope).map(([name, term, own]) => [
      name,
      valueFor(term, own, at(`returned.${name}`, own)),
    ]);
    if (id !== undefined) reported.set(id, Object.fromEntries(entries));
  });

/** Accepts other attributes than requested, but shows the requested ones. */
const acceptingAs: MemoryOperator = (matcher, terms: Attributes) => (service, core) => {
  const overrides = new Map<unknown, Attributes>();
  return arriving(matcher.arrive, async (arrival) => {
    const { request } = arrival;
    const sent = writtenResource(request)?.attributes;
    const accepted = sent && matcher.before(arrival.scope) ? changedBy(terms, sent, arrival.scope) : sent;
    const answer = await arrival.serve(accepted === sent ? request : withAttributes(request, () => accepted ?? {}));
    if (sent !== undefined && accepted !== undefined && isSuccess(answer)) remember(overrides, answer, sent, accepted);
    return showingEach(answer, (one) => ({ ...one, ...overrides.get(one.ri) }), overrides.size === 0);
  })(service, core);
};

type Overrides = Map<unknown, Attributes>;

function remember(overrides: Overrides, answer: HttpResponse, sent: Attributes, accepted: Attributes): void {
  const id = resourceIn(answer.body)?.attributes.ri;
  if (id === undefined) return;
  const before = Object.entries(overrides.get(id) ?? {}).filter(([name]) => !(name in sent));
  const names = new Set([...Object.keys(sent), ...Object.keys(accepted)]);
  const now = [...names].filter((name) => sent[name] !== accepted[name]).map((name) => [name, sent[name]] as const);
  overrides.set(id, Object.fromEntries([...before, ...now]));
}

/**
 * Changes each representation of these types, at any depth of a matching answer; `$one` is it, `$first` its first
 * representation, and `$last` the latest other one of its type.
 */
const changingAll: MemoryOperator = (matcher, termsByRoot: Readonly<Record<string, Attributes>>) => (service, core) => {
  const first = new Map<unknown, Attributes>();
  const last = new Map<unknown, Attributes>();
  const termsOf = new Map(Object.entries(termsByRoot));
  const rootOf = new Map(core.configuration.types.map(({ ty, root }) => [ty, root]));
  return watching(({ answer, scope }, isMatch) => {
    return showingEach(answer, (one) => {
      const root = rootOf.get(Number(one.ty)) ?? '';
      const terms = termsOf.get(root) ?? termsOf.get('any');
      if (terms === undefined) return one;
      const other = last.get(root);
      last.set(root, one);
      first.set(one.ri, first.get(one.ri) ?? one);
      const parts = {
        one: () => one,
        first: () => first.get(one.ri),
        last: () => (other?.ri === one.ri ? undefined : other),
      };
      return isMatch ? changedBy(terms, one, scope.with(parts)) : one;
    });
  }, matcher)(service, core);
};

/**
 * A resource removed by a matching exchange can still be read at its path, or at its identifier, as its originator read it
 * last. `children` selects children with that root instead; requests that match `until` end this for their path
 * and below.
 */
const answeringStale: MemoryOperator = (matcher, how: StaleOptions | WatchedAddress) => (service, core) => {
  const kept = new StaleAnswers();
  const { by, children, until } = typeof how === 'string' ? { by: how } : how;
  const endsStale = until && matchersOf(until).before;
  return arriving(matcher.arrive, async (arrival) => {
    if (endsStale?.(arrival.scope)) kept.endAt(String(at('path', arrival.scope)));
    const leaving = matcher.before(arrival.scope) ? leavingWith(arrival, children) : [];
    const readings = await Promise.all(leaving.map((one) => readAt(addressOf(one, by), arrival)));
    const answer = await arrival.serve(arrival.request);
    // A selected resource may stay: such as instances of a container that accepts another.
    const gone = (one: Resource) => isSuccess(answer) && resourceAtPath(addressOf(one, by), core) === undefined;
    for (const [index, one] of leaving.entries()) if (gone(one)) kept.keep(one, by, readings[index] ?? answer);
    return kept.answerTo(arrival.request, answer);
  })(service, core);
};

interface StaleOptions {
  readonly by: WatchedAddress;
  readonly children?: string;
  readonly until?: Selector;
}

/** The answer to the originator. */
function readAt(target: string, { request, serve }: Arrival) {
  return serve({ ...request, method: 'GET', target, body: noBytes });
}

function leavingWith({ target }: Arrival, children: string | undefined): readonly Resource[] {
  if (target === undefined) return [];
  if (children === undefined) return [target];
  return [...(target.children?.values() ?? [])].filter(({ type }) => type.root === children);
}

/** Repeats the first matching answer, for each value of the term. */
const caching: MemoryOperator = (matcher, key: Term) => (service, core) => {
  const known = new Map<unknown, HttpResponse>();
  return watching(({ request, answer, scope }, isMatch) => {
    if (!isMatch || !isSuccess(answer)) return answer;
    const name = valueFor(key, scope);
    const before = known.get(name);
    known.set(name, before ?? answer);
    return before === undefined ? answer : withHeaders(before, echoOf(request));
  }, matcher)(service, core);
};

/** After a change, shows the resource as it was before, until the next change. */
const stale: MemoryOperator = (matcher) => (service, core) => {
  const former = new Map<unknown, Attributes>();
  return arriving(matcher.arrive, async (arrival) => {
    const { request, serve } = arrival;
    const id = matcher.before(arrival.scope) ? at('target.ri', arrival.scope) : undefined;
    if (id === undefined) return serve(request);
    if (request.method === 'GET') return showingEach(await serve(request), (one) => former.get(one.ri) ?? one);
    const current = await readAt(String(at('path', arrival.scope)), arrival);
    const answer = await serve(request);
    const before = resourceIn(current.body)?.attributes;
    if (request.method === 'PUT' && before !== undefined && isSuccess(answer)) former.set(id, before);
    return answer;
  })(service, core);
};

export const memoryOperators: ReadonlyMap<string, MemoryOperator> = new Map<string, MemoryOperator>([
  ['keep-returning', reportingAs],
  [
    'keep-returning-for',
    (matcher, those: ById) => reporting(matcher, (reported, { scope }) => reported.setAll(those, scope)),
  ],
  ['offset', (matcher, those: ById) => reporting(matcher, (reported, { scope }) => reported.offset(those, scope))],
  ['store', acceptingAs],
  ['return-each', changingAll],
  ['keep-readable', answeringStale],
  ['cache', caching],
  ['stale', stale],
]);
