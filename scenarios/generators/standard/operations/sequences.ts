import fc from 'fast-check';

/**
 * Sequences of operations. What depends on an operation in the middle is seldom all that comes after it, so that shrinking leaves out
 * parts from anywhere, large ones first, before it makes single operations simpler.
 */
export class Sequences<T> extends fc.Arbitrary<T[]> {
  readonly #operation: fc.Arbitrary<T>;
  readonly #plainer: (operation: T) => readonly T[][];
  readonly #made: fc.Arbitrary<T[]>;

  /** `plainer`: operations of another kind that may do in the place of one; they have none themselves. */
  constructor(operation: fc.Arbitrary<T>, maxLength: number, plainer: (operation: T) => readonly T[][] = () => []) {
    super();
    this.#operation = operation;
    this.#plainer = plainer;
    this.#made = fc.array(operation, { minLength: 1, maxLength, size: 'max' });
  }

  override generate(random: fc.Random, biasFactor: number | undefined): fc.Value<T[]> {
    return new fc.Value([...this.#made.generate(random, biasFactor).value], undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is T[] {
    return this.#made.canShrinkWithoutContext(value);
  }

  override shrink(value: T[]): fc.Stream<fc.Value<T[]>> {
    return fc.stream(this.#smaller(value)).map((one) => new fc.Value(one, undefined));
  }

  *#smaller(value: readonly T[]): Generator<T[], void> {
    for (let size = Math.ceil(value.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let from = 0; from < value.length && size < value.length; from += size) yield value.toSpliced(from, size);
    }
    for (const [at, one] of value.entries()) {
      for (const instead of this.#plainer(one)) yield value.toSpliced(at, 1, ...instead);
      for (const simpler of this.#operation.shrink(one, undefined)) yield value.with(at, simpler.value);
    }
  }
}
