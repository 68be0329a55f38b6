import { modelKinds } from '../model/resource.ts';
import type { Operation } from './operation.ts';

type Simpler = (one: Operation) => Iterable<Operation>;

/** Operations from which, one at a time, two are changed together as well. */
const few = 8;

/**
 * Sequences that are shorter or simpler than this one. What depends on an operation in the middle is seldom all that comes after it, so
 * that parts are left out from anywhere, large ones first, before single operations are made simpler.
 */
export function* smaller(value: readonly Operation[], simpler: Simpler): Generator<Operation[], void> {
  for (let size = Math.ceil(value.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < value.length && size < value.length; from += size) yield value.toSpliced(from, size);
  }
  for (const [at, one] of value.entries()) {
    for (const other of changed(one, simpler)) yield value.with(at, other);
  }
  if (value.length > few) return;
  yield* withoutTwo(value);
  yield* withTwoChanged(value, simpler);
}

function* changed(one: Operation, simpler: Simpler): Generator<Operation, void> {
  if (one.does === 'create') {
    for (const kind of modelKinds.slice(0, modelKinds.indexOf(one.kind))) yield { ...one, kind };
  }
  yield* withLowerIndex(one);
  yield* simpler(one);
}

/** What an operation speaks of is counted from the youngest. */
function* withLowerIndex(one: Operation): Generator<Operation, void> {
  if ('what' in one) for (let what = 0; what < one.what; what += 1) yield { ...one, what };
  if ('below' in one) for (let below = 0; below < one.below; below += 1) yield { ...one, below };
  if (one.does !== 'discover' || typeof one.after !== 'number') return;
  for (let after = 0; after < one.after; after += 1) yield { ...one, after };
}

function* withoutTwo(value: readonly Operation[]): Generator<Operation[], void> {
  for (let first = 0; first < value.length && value.length > 2; first += 1) {
    const rest = value.toSpliced(first, 1);
    for (let second = first + 1; second < rest.length; second += 1) yield rest.toSpliced(second, 1);
  }
}

/** Without one operation, or with a simpler one, and with another that speaks of something younger: there are fewer to count then. */
function* withTwoChanged(value: readonly Operation[], simpler: Simpler): Generator<Operation[], void> {
  for (const [first, one] of value.entries()) {
    for (let second = first + 1; second < value.length; second += 1) {
      const other = value[second];
      if (other === undefined) continue;
      for (const lower of withLowerIndex(other)) {
        const lowered = value.with(second, lower);
        yield lowered.toSpliced(first, 1);
        for (const simple of changed(one, simpler)) yield lowered.with(first, simple);
      }
    }
  }
}
