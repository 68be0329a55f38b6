/** Which of those that are meant: one in so many, those from the n-th on, or up to it. */
import type { Scope } from './scope.ts';
import { type Term, valueFor } from './term.ts';

export interface Nth {
  readonly every?: Term;
  readonly from?: Term;
  readonly 'up-to'?: Term;
  /** Counted for each value of it apart. */
  readonly of?: Term;
}

export interface Counting {
  readonly isOne: (scope: Scope) => boolean;
  /** How many were asked for until now. */
  readonly last: () => number;
}

export function counting(nth: Nth = {}): Counting {
  let latest = 0;
  const counts = new Map<unknown, number>();
  const isOne = (scope: Scope) => {
    const number = (term: Term, otherwise: number) => (term === undefined ? otherwise : Number(valueFor(term, scope)));
    const key = nth.of === undefined ? '' : valueFor(nth.of, scope);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    latest = count;
    const { every, from, 'up-to': last } = nth;
    return (
      count % number(every, 1) === 0 && count >= number(from, 1) && count <= number(last, Number.POSITIVE_INFINITY)
    );
  };
  return { isOne, last: () => latest };
}
