import fc from 'fast-check';
import { modelKinds } from '../model/resource.ts';
import { addressForms, mistakes, namesToChoose, type Operation, originators, virtualNames } from './operation.ts';

/** Operations of one sequence at the most. */
export const longestSequence = 30;

const index = fc.nat(7);
const name = fc.nat(namesToChoose + 1);
const labels = fc.uniqueArray(fc.nat(2), { maxLength: 2 });
const kind = fc.constantFrom(...modelKinds);
/** Mostly nobody: what depends on an originator is a gap. */
const by = fc.oneof({ weight: 8, arbitrary: fc.constant(originators[0]) }, fc.constantFrom(...originators));
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

const create = fc.record({
  does: fc.constant('create' as const),
  kind: fc.oneof({ weight: 2, arbitrary: fc.constant('content instance' as const) }, kind),
  below: index,
  name,
  form: createForm,
  labels,
  content: fc.nat(7),
  limit: fc.oneof(
    { weight: 6, arbitrary: fc.constant({}) },
    fc.record({ mni: fc.nat(3) }),
    fc.record({ mbs: fc.integer({ min: 0, max: 12 }) }),
  ),
  by,
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
  form: fc.oneof({ weight: 2, arbitrary: twoForms }, fc.constantFrom(...addressForms)),
  by,
});
const update = fc.record({
  does: fc.constant('update' as const),
  what: index,
  labels: fc.option(labels),
  mni: fc.option(fc.nat(3)),
});
const remove = fc.record({ does: fc.constant('delete' as const), what: index, form: twoForms });
const virtual = (does: 'retrieve newest or oldest' | 'delete newest or oldest') =>
  fc.record({ does: fc.constant(does), what: index, word: fc.constantFrom(...virtualNames), form: twoForms });
const discover = fc.record({
  does: fc.constant('discover' as const),
  label: fc.nat(2),
  after: fc.constantFrom(null, 'the past' as const, 'the future' as const, 0, 1, 2, 3),
  kind: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, kind),
});
const advance = fc.record({
  does: fc.constant('advance time' as const),
  time: fc.constantFrom('1ms', '1s', '1m', '10m'),
});

const operation: fc.Arbitrary<Operation> = fc.oneof(
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

const made = fc.array(operation, { minLength: 1, maxLength: longestSequence, size: 'max' });

/**
 * Sequences of operations. What depends on an operation in the middle is seldom all that comes after it, so that shrinking leaves out
 * parts from anywhere, large ones first, before it makes single operations simpler.
 */
class Sequences extends fc.Arbitrary<Operation[]> {
  override generate(random: fc.Random, biasFactor: number | undefined): fc.Value<Operation[]> {
    return new fc.Value([...made.generate(random, biasFactor).value], undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is Operation[] {
    return made.canShrinkWithoutContext(value);
  }

  override shrink(value: Operation[]): fc.Stream<fc.Value<Operation[]>> {
    return fc.stream(smaller(value)).map((one) => new fc.Value(one, undefined));
  }
}

function* smaller(value: readonly Operation[]): Generator<Operation[], void> {
  for (let size = Math.ceil(value.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < value.length && size < value.length; from += size) yield value.toSpliced(from, size);
  }
  for (const [at, one] of value.entries()) {
    for (const simpler of operation.shrink(one, undefined)) yield value.with(at, simpler.value);
  }
}

export const sequences: fc.Arbitrary<Operation[]> = new Sequences();
