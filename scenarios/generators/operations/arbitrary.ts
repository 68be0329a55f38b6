import fc from 'fast-check';
import { modelKinds } from '../model/resource.ts';
import {
  addressForms,
  type CreateOperation,
  mistakes,
  namesToChoose,
  type Operation,
  originators,
  virtualNames,
} from './operation.ts';
import { smaller } from './smaller.ts';

/** Operations of one sequence at the most. */
export const longestSequence = 30;

/** The first of them comes often, so that operations meet: the youngest, and the same name below every parent and after a removal. */
const index = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 3, arbitrary: fc.nat(7) });
const name = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(namesToChoose + 1) });
const labels = fc.oneof({ weight: 1, arbitrary: fc.constant([]) }, fc.uniqueArray(fc.nat(2), { maxLength: 2 }));
const kind = fc.constantFrom(...modelKinds);
/** Mostly nobody: what depends on an originator is a gap. */
const by = fc.oneof({ weight: 5, arbitrary: fc.constant(originators[0]) }, fc.constantFrom(...originators));
/** Mostly once; some things show only where there are many, or each so many times. */
const times = fc.oneof(
  { weight: 12, arbitrary: fc.constant(1) },
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 4 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 12 }) },
);
/** Both shrink to the first. */
const createForm = fc.oneof(
  { weight: 5, arbitrary: fc.constant('structured' as const) },
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      ...(['structured', 'structured with a slash at the end', 'SP-relative', 'absolute', 'identifier'] as const),
    ),
  },
);
const twoForms = fc.constantFrom(...(['structured', 'SP-relative'] as const));
const anyForm = fc.constantFrom(...addressForms);

type Limit = CreateOperation['limit'];
const noLimit: Limit = {};
const limit = fc.constantFrom<Limit[]>(
  ...Array.from({ length: 9 }, () => noLimit),
  ...[1, 2, 3, 0].map((mni) => ({ mni })),
  ...[1, 2, 3, 0, 4, 12].map((mbs) => ({ mbs })),
  ...[300, 300].map((mia) => ({ mia })),
);

const create = fc.record({
  does: fc.constant('create' as const),
  kind: fc.oneof({ weight: 1, arbitrary: fc.constant('content instance' as const) }, { weight: 1, arbitrary: kind }),
  below: index,
  name,
  form: createForm,
  labels,
  content: fc.nat(7),
  limit,
  by,
  base64: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.boolean()),
  times,
});
const createWrongly = fc.record({
  does: fc.constant('create wrongly' as const),
  mistake: fc.constantFrom(...mistakes),
  kind,
  below: index,
  content: fc.nat(7),
});
const retrieve = fc.record({
  does: fc.constant('retrieve' as const),
  what: index,
  form: fc.oneof({ weight: 2, arbitrary: twoForms }, anyForm),
  by,
});
const update = fc.record({
  does: fc.constant('update' as const),
  what: index,
  labels: fc.option(labels),
  mni: fc.option(fc.nat(3)),
});
const remove = fc.record({
  does: fc.constant('delete' as const),
  what: index,
  form: twoForms,
  seen: fc.oneof({ weight: 3, arbitrary: fc.constant(addressForms[0]) }, anyForm),
});
const virtual = (does: 'retrieve newest or oldest' | 'delete newest or oldest') =>
  fc.record({
    does: fc.constant(does),
    what: index,
    word: fc.oneof({ weight: 3, arbitrary: fc.constant(virtualNames[0]) }, fc.constantFrom(...virtualNames)),
    form: twoForms,
    by,
    times,
  });
const discover = fc.record({
  does: fc.constant('discover' as const),
  label: fc.nat(2),
  after: fc.constantFrom(null, 'the past' as const, 'the future' as const, 0, 1, 2, 3),
  kind: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, kind),
  by,
});
/** Longer than content instances live by some limits; or than anything lives that nobody wished to live longer. */
const advance = fc.record({
  does: fc.constant('advance time' as const),
  time: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('1ms', '1s', '1m') },
    { weight: 4, arbitrary: fc.constant('10m') },
    { weight: 1, arbitrary: fc.constant('1h') },
  ),
});

export const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 12, arbitrary: create },
  { weight: 3, arbitrary: createWrongly },
  { weight: 6, arbitrary: retrieve },
  { weight: 2, arbitrary: update },
  { weight: 3, arbitrary: remove },
  { weight: 3, arbitrary: virtual('retrieve newest or oldest') },
  { weight: 1, arbitrary: virtual('delete newest or oldest') },
  { weight: 3, arbitrary: discover },
  { weight: 1, arbitrary: advance },
);

class Sequences extends fc.Arbitrary<Operation[]> {
  readonly #operation: fc.Arbitrary<Operation>;
  readonly #made: fc.Arbitrary<Operation[]>;

  constructor(one: fc.Arbitrary<Operation>) {
    super();
    this.#operation = one;
    this.#made = fc.array(one, { minLength: 1, maxLength: longestSequence, size: 'max' });
  }

  override generate(random: fc.Random, biasFactor: number | undefined): fc.Value<Operation[]> {
    return new fc.Value([...this.#made.generate(random, biasFactor).value], undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is Operation[] {
    return this.#made.canShrinkWithoutContext(value);
  }

  override shrink(value: Operation[]): fc.Stream<fc.Value<Operation[]>> {
    const simpler = (one: Operation) => this.#operation.shrink(one, undefined).map((simple) => simple.value);
    return fc.stream(smaller(value, simpler)).map((one) => new fc.Value(one, undefined));
  }
}

/** Of operations of one kind. */
export function sequencesOf(one: fc.Arbitrary<Operation>): fc.Arbitrary<Operation[]> {
  return new Sequences(one);
}

export const sequences: fc.Arbitrary<Operation[]> = sequencesOf(operation);
