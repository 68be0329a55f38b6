import fc from 'fast-check';

/** What is made as fast-check makes it, and made smaller in an order of its own. */
class Shrinking<One> extends fc.Arbitrary<One> {
  readonly #made: fc.Arbitrary<One>;
  readonly #smaller: (one: One) => Generator<One, void>;

  constructor(made: fc.Arbitrary<One>, smaller: (one: One) => Generator<One, void>) {
    super();
    this.#made = made;
    this.#smaller = smaller;
  }

  override generate(random: fc.Random, biasFactor: number | undefined): fc.Value<One> {
    return new fc.Value(this.#made.generate(random, biasFactor).value, undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is One {
    return this.#made.canShrinkWithoutContext(value);
  }

  override shrink(value: One): fc.Stream<fc.Value<One>> {
    return fc.stream(this.#smaller(value)).map((one) => new fc.Value(one, undefined));
  }
}

export function shrinking<One>(
  made: fc.Arbitrary<One>,
  smaller: (one: One) => Generator<One, void>,
): fc.Arbitrary<One> {
  return new Shrinking(made, smaller);
}
