import fc from 'fast-check';
import { standardForms } from '../model/address.ts';
import { standardKinds } from '../model/kinds.ts';
import { contents, namesToChoose, type StandardOperation, standardMistakes } from './operation.ts';
import { Sequences } from './sequences.ts';

/** Operations of one sequence at the most. */
const longestSequence = 30;

const index = fc.nat(7);
const labels = fc.uniqueArray(fc.nat(2), { maxLength: 2 });
const kind = fc.constantFrom(...standardKinds);
const seldom = <T>(one: fc.Arbitrary<T>, weight = 4) =>
  fc.oneof({ weight, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: one });
/** Shrinks to the first. */
const form = fc.oneof(
  { weight: 3, arbitrary: fc.constant(standardForms[0]) },
  { weight: 2, arbitrary: fc.constantFrom(...standardForms) },
);

const create = fc.record({
  does: fc.constant('create' as const),
  kind: fc.oneof(
    { weight: 3, arbitrary: fc.constant('content instance' as const) },
    { weight: 2, arbitrary: fc.constant('container' as const) },
    { weight: 2, arbitrary: fc.constant('subscription' as const) },
    { weight: 2, arbitrary: kind },
  ),
  below: index,
  name: fc.nat(namesToChoose + 1),
  form,
  labels,
  content: fc.nat(7),
  limit: fc.oneof(
    { weight: 5, arbitrary: fc.constant({}) },
    fc.record({ mni: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ mbs: fc.integer({ min: 5, max: 14 }) }),
    fc.record({ mia: fc.constantFrom(5, 60) }),
  ),
  rcn: fc.oneof(
    { weight: 6, arbitrary: fc.constant(null) },
    { weight: 4, arbitrary: fc.constantFrom(...([null, 0, 1, 2, 3] as const)) },
  ),
  creator: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, fc.boolean()),
  guard: seldom(index, 3),
  events: fc.oneof(
    { weight: 4, arbitrary: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }) },
    fc.constant([]),
  ),
  both: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.boolean()),
  rights: fc.constantFrom(0, 1, 2, 4, 8, 32, 34, 63, 62, 61, 59, 55, 31),
});
const wrong = fc.record({
  does: fc.constant('wrong' as const),
  mistake: fc.constantFrom(...standardMistakes),
  what: index,
});
const retrieve = fc.record({
  does: fc.constant('retrieve' as const),
  what: index,
  form,
  content: fc.oneof({ weight: 3, arbitrary: fc.constant(contents[0]) }, fc.constantFrom(...contents)),
});
const update = fc.record({
  does: fc.constant('update' as const),
  what: index,
  form,
  labels: fc.option(labels),
  own: seldom(fc.integer({ min: 1, max: 3 }), 2),
  rcn: fc.constantFrom(...([null, null, 0, 1] as const)),
});
const remove = fc.record({
  does: fc.constant('delete' as const),
  what: index,
  form,
  rcn: fc.constantFrom(...([null, null, 1] as const)),
});
const virtual = (does: 'retrieve la or ol' | 'delete la or ol') =>
  fc.record({
    does: fc.constant(does),
    what: index,
    word: fc.constantFrom(...(['la', 'ol'] as const)),
    form: fc.constantFrom(...(['structured', 'identifier', 'SP-relative'] as const)),
  });
const bound = seldom(fc.constantFrom('the past' as const, 'the future' as const, 0, 1, 2, 3), 3);
const discover = fc.record({
  does: fc.constant('discover' as const),
  start: index,
  labels: fc.oneof({ weight: 2, arbitrary: labels }, fc.constant([])),
  kinds: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.uniqueArray(kind, { minLength: 1, maxLength: 2 })),
  after: bound,
  before: bound,
  size: fc.oneof(
    { weight: 6, arbitrary: fc.constant({}) },
    fc.record({ least: fc.integer({ min: 1, max: 6 }) }),
    fc.record({ below: fc.integer({ min: 1, max: 6 }) }),
  ),
  level: seldom(fc.integer({ min: 1, max: 3 })),
  limit: seldom(fc.integer({ min: 1, max: 3 })),
  offset: seldom(fc.integer({ min: 1, max: 3 })),
  any: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.boolean()),
  identifiers: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.boolean()),
});
const fanOut = fc.record({
  does: fc.constant('fan out' as const),
  what: index,
  act: fc.constantFrom(...(['retrieve', 'retrieve la', 'create', 'update', 'delete'] as const)),
  content: fc.nat(7),
});
const asAnother = fc.record({
  does: fc.constant('ask as another' as const),
  what: index,
  act: fc.constantFrom(...(['retrieve', 'update', 'delete', 'create', 'discover'] as const)),
  stranger: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
});
const advance = fc.record({
  does: fc.constant('advance time' as const),
  time: fc.constantFrom('1s', '1m', '10m'),
});

export const operation: fc.Arbitrary<StandardOperation> = fc.oneof(
  { weight: 18, arbitrary: create },
  { weight: 4, arbitrary: wrong },
  { weight: 6, arbitrary: retrieve },
  { weight: 4, arbitrary: update },
  { weight: 4, arbitrary: remove },
  { weight: 3, arbitrary: virtual('retrieve la or ol') },
  { weight: 2, arbitrary: virtual('delete la or ol') },
  { weight: 4, arbitrary: discover },
  { weight: 3, arbitrary: fanOut },
  { weight: 5, arbitrary: asAnother },
  { weight: 1, arbitrary: advance },
);

const plainCreation: StandardOperation = {
  ...{ does: 'create', kind: 'content instance', below: 0, name: 0, form: 'structured', labels: [], content: 0 },
  ...{ limit: {}, rcn: null, creator: false, guard: null, events: [1], both: false, rights: 0 },
};

/** What creates much beforehand may be there for one part of that alone. */
function plainer({ does, route }: StandardOperation): StandardOperation[][] {
  if (does !== 'fan out' && does !== 'ask as another') return [];
  const one = { ...plainCreation, ...(route && { route }) };
  return [[one], [one, one], [one, one, one]];
}

/** Sequences of such operations. */
export function standardSequencesOf(one: fc.Arbitrary<StandardOperation>): fc.Arbitrary<StandardOperation[]> {
  return new Sequences(one, longestSequence, plainer);
}

export const standardSequences: fc.Arbitrary<StandardOperation[]> = standardSequencesOf(operation);
