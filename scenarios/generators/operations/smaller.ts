import fc from 'fast-check';
import { generatedTypes } from '../created/resource.ts';
import { Shrinking } from '../search/seeded.ts';

/** Replacements for an operation: a simpler one, or several. */
type Simpler<One> = (one: One) => Iterable<readonly One[]>;

/** An operation of any dialect, which names its resource by an index from the youngest. */
interface Operation {
  readonly does: string;
  readonly kind?: unknown;
}

/** Most operations of one sequence. */
export const longestSequence = 30;

/** Sequences up to this length are also shrunk in two places at once. */
const few = 8;

/** Of operations of one dialect. `plainer`: replacements for one, which have none themselves. */
export function sequencesOf<One extends Operation>(
  operation: fc.Arbitrary<One>,
  plainer: (one: One) => readonly One[][] = () => [],
): fc.Arbitrary<One[]> {
  function* simpler(one: One): Generator<readonly One[], void> {
    yield* plainer(one);
    for (const { value } of operation.shrink(one, undefined)) yield [value];
  }
  const made = fc.array(operation, { minLength: 1, maxLength: longestSequence, size: 'max' });
  return new Shrinking(made, (value) => smaller(value, simpler));
}

/**
 * Shorter or simpler sequences than this one. Later operations seldom all depend on one in the middle, so parts are left out anywhere,
 * large ones first, before single operations are made simpler.
 */
export function* smaller<One extends Operation>(value: readonly One[], simpler: Simpler<One>): Generator<One[], void> {
  for (let size = Math.ceil(value.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < value.length && size < value.length; from += size) yield value.toSpliced(from, size);
  }
  for (const [at, one] of value.entries()) {
    for (const others of changed(one, simpler)) yield value.toSpliced(at, 1, ...others);
  }
  if (value.length > few) return;
  yield* withoutTwo(value);
  yield* withTwoChanged(value, simpler);
}

function* changed<One extends Operation>(one: One, simpler: Simpler<One>): Generator<readonly One[], void> {
  const { does, kind } = one;
  const all: readonly unknown[] = generatedTypes;
  if (does === 'create') for (const plainer of all.slice(0, all.indexOf(kind))) yield [{ ...one, kind: plainer }];
  for (const lower of withLowerIndex(one)) yield [lower];
  yield* simpler(one);
}

function* withLowerIndex<One extends Operation>(one: One): Generator<One, void> {
  for (const name of ['what', 'below', 'after']) {
    const index = (one as Readonly<Record<string, unknown>>)[name];
    for (let lower = 0; typeof index === 'number' && lower < index; lower += 1) yield { ...one, [name]: lower };
  }
}

function* withoutTwo<One>(value: readonly One[]): Generator<One[], void> {
  for (let first = 0; first < value.length && value.length > 2; first += 1) {
    const rest = value.toSpliced(first, 1);
    for (let second = first + 1; second < rest.length; second += 1) yield rest.toSpliced(second, 1);
  }
}

/** Without one operation, or with a simpler one, and with a lower index in another: there are fewer resources to count then. */
function* withTwoChanged<One extends Operation>(value: readonly One[], simpler: Simpler<One>): Generator<One[], void> {
  for (const [first, one] of value.entries()) {
    for (const [second, other] of value.entries()) {
      if (second <= first) continue;
      for (const lower of withLowerIndex(other)) {
        const lowered = value.with(second, lower);
        yield lowered.toSpliced(first, 1);
        for (const others of changed(one, simpler)) yield lowered.toSpliced(first, 1, ...others);
      }
    }
  }
}
