/** What a row remembers of earlier exchanges and removed resources, and its named values. */
import type { Resource } from '../../core/resource.ts';
import { handling, type Wrap } from '../vocabulary/deviation.ts';
import { answerParts, arrivalOf, arriving, exchangeOf } from './exchange.ts';
import { matches } from './pattern.ts';
import { type RemovalCause, readingOf, resourceScope, watchRemovals } from './resource-parts.ts';
import type { DeviationRow } from './schema.ts';
import { at, type Scope } from './scope.ts';
import { matchersOf, type ScopeMatcher, type Selector } from './selector.ts';
import { type Term, valueFor } from './term.ts';
import { type ById, ReportedAttributes, StaleAnswers } from './watching.ts';

/**
 * `nth` is the number of matches so far. Arrivals have `remembered`, `nth` and the names of `let`; `learning` remembers
 * what `after` selects, once an exchange is over.
 */
export function recollectionOf(
  { after, 'on-removal': removal, let: named = {} }: Partial<DeviationRow>,
  nth: () => number,
) {
  let known: readonly unknown[] = [];
  const remember = (value: unknown) => {
    if (value !== undefined) known = [...known, value];
  };
  const arrive: typeof arrivalOf = (request, core, serve) => {
    const arrival = arrivalOf(request, core, serve);
    const memory = after === undefined && removal === undefined ? {} : { remembered: () => known };
    const scope = arrival.scope.withLive({ nth, ...memory });
    const terms = Object.entries(named).map(([name, term]) => [`let.${name}`, () => valueFor(term, whole)] as const);
    const whole: Scope = scope.withLive(Object.fromEntries(terms));
    return { ...arrival, scope: whole };
  };
  const forget = (scope: Scope, pattern: unknown) => {
    known = known.filter((value) => pattern !== undefined && !matches(value, pattern, scope));
  };
  return {
    arrive,
    remember,
    learning: after === undefined ? undefined : learningFrom(after, arrive, remember, forget),
  };
}

function learningFrom(
  { when, remember: term, until }: NonNullable<DeviationRow['after']>,
  arrive: typeof arrivalOf,
  remember: (value: unknown) => void,
  forget: (scope: Scope, pattern: unknown) => void,
): Wrap {
  const [learns, ends] = [occurrenceOf(when), until && occurrenceOf(until.when)];
  const isEarly = !speaksOfAnswer(term);
  return arriving(arrive, async (arrival) => {
    const [mayLearn, mayEnd] = [learns.before(arrival.scope), ends?.before(arrival.scope) === true];
    const early = mayLearn && isEarly ? valueFor(term, arrival.scope) : undefined;
    const answer = await arrival.serve(arrival.request);
    const { scope } = exchangeOf(arrival, answer);
    if (mayEnd && ends?.after(scope)) forget(scope, until?.forget);
    if (mayLearn && learns.after(scope)) remember(isEarly ? early : valueFor(term, scope));
    return answer;
  });
}

/** Only successful exchanges count, unless the selector names the outcome. */
function occurrenceOf(when: Selector): { readonly before: ScopeMatcher; readonly after: ScopeMatcher } {
  const { before, after } = matchersOf(when);
  const concernsOutcome = ['success', 'rsc', 'status'].some((part) => Object.hasOwn(when, part));
  return { before, after: (scope) => (concernsOutcome || at('success', scope) === true) && after(scope) };
}

/** Whether a term depends on the answer. */
function speaksOfAnswer(term: Term): boolean {
  return new RegExp(`\\$\\{?(${[...answerParts].join('|')})\\b`).test(JSON.stringify(term));
}

// Effects of removed resources, by a request or not.

const removalNames: Readonly<Record<RemovalCause, string>> = {
  itself: 'removed',
  expired: 'expired',
  'with its parent': 'with-parent',
  'to make room': 'to-make-room',
};

/** `remember` for `remembered`, `offset` as for exchanges, and `keep-readable` by `path` or by `identifier`. */
export function onRemoval(
  { when = {}, does }: NonNullable<DeviationRow['on-removal']>,
  remember: (value: unknown) => void,
): Wrap {
  const { before } = matchersOf(when);
  return (service, core) => {
    const reported = new ReportedAttributes();
    const kept = new StaleAnswers();
    let removed: Resource | undefined;
    watchRemovals(core, (resource, end) => {
      if (end !== 'with its parent') removed = resource;
      const scope = resourceScope({ removed: () => resource }, core, {
        'removed.how': () => removalNames[end],
        'removed.depth': () => levelsBelow(removed, resource),
      });
      if (!before(scope)) return;
      remember(valueFor(does.remember, scope));
      reported.offset((does.offset ?? {}) as ById, scope);
      const readableBy = does['keep-readable'];
      if (readableBy !== undefined) kept.keep(resource, readableBy, readingOf(resource, core));
    });
    return handling(async (request, inner) => reported.applyTo(kept.answerTo(request, await inner.handle(request))))(
      service,
      core,
    );
  };
}

/** 0 for the removed resource itself, 1 for its children. */
function levelsBelow(removed: Resource | undefined, resource: Resource): number {
  return resource === removed || resource.parent === undefined ? 0 : 1 + levelsBelow(removed, resource.parent);
}
