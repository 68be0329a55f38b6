/** What a sequence of the onem2m dialect does. */
import fc from 'fast-check';
import { standardForms } from '../created/address.ts';
import { type GeneratedType, generatedTypes } from '../created/resource.ts';
import { type Addressing, doing, type Generated, type Limit, mostly, namesToChoose } from '../moves/arbitraries.ts';
import { invalidRequests } from '../moves/invalid-request.ts';

const contents = ['default', 1, 4, 5, 6, 8, 'one attribute', 'several attributes', 'one kind'] as const;

const index = fc.nat(7);
const labels: fc.Arbitrary<readonly number[]> = fc.uniqueArray(fc.nat(2), { maxLength: 2 });
const type = fc.constantFrom(...generatedTypes);
const seldom = <T>(one: fc.Arbitrary<T>, weight = 4) => mostly(null, weight, one);
/** Shrinks to the first. */
const form = mostly(standardForms[0], 3, fc.constantFrom(...standardForms), 2);

/** Without a possible parent, one is created first. */
const create = doing('create', {
  kind: fc.oneof(
    { weight: 3, arbitrary: fc.constant('content instance' as const) },
    { weight: 2, arbitrary: fc.constant('container' as const) },
    { weight: 2, arbitrary: fc.constant('subscription' as const) },
    { weight: 2, arbitrary: type },
  ),
  below: index,
  // From `namesToChoose` on, the CSE chooses a name.
  name: fc.nat(namesToChoose + 1),
  form,
  labels,
  content: fc.nat(7),
  limit: fc.oneof<fc.MaybeWeightedArbitrary<Limit>[]>(
    { weight: 5, arbitrary: fc.constant({}) },
    fc.record({ mni: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ mbs: fc.integer({ min: 5, max: 14 }) }),
    fc.record({ mia: fc.constantFrom(5, 60) }),
  ),
  rcn: mostly(null, 6, fc.constantFrom(...([null, 0, 1, 2, 3] as const)), 4),
  // Whether to ask for the creator.
  creator: mostly(false, 6, fc.boolean()),
  // The policy that guards it, if there is one; null for none.
  guard: seldom(index, 3),
  // Of a subscription: the events, and whether both inboxes are notified.
  events: fc.oneof<fc.MaybeWeightedArbitrary<readonly number[]>[]>(
    { weight: 4, arbitrary: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }) },
    fc.constant([]),
  ),
  both: mostly(false, 3, fc.boolean()),
  // Of a policy: what the other application entity may do.
  rights: fc.constantFrom<number[]>(0, 1, 2, 4, 8, 32, 34, 63, 62, 61, 59, 55, 31),
});
const retrieve = doing('retrieve', {
  what: index,
  form,
  content: mostly(contents[0], 3, fc.constantFrom(...contents)),
});
const update = doing('update', {
  what: index,
  form,
  // null takes them away.
  labels: fc.option(labels),
  // An attribute of the type.
  own: seldom(fc.integer({ min: 1, max: 3 }), 2),
  rcn: fc.constantFrom(...([null, null, 0, 1] as const)),
});
const remove = doing('delete', {
  what: index,
  form,
  rcn: fc.constantFrom(...([null, null, 1] as const)),
});
const ends = {
  what: index,
  word: fc.constantFrom(...(['la', 'ol'] as const)),
  form: fc.constantFrom(...(['structured', 'identifier', 'SP-relative'] as const)),
};
const bound = seldom(fc.constantFrom('the past' as const, 'the future' as const, 0, 1, 2, 3), 3);
const discover = doing('discover', {
  start: index,
  labels: fc.oneof<fc.MaybeWeightedArbitrary<readonly number[]>[]>({ weight: 2, arbitrary: labels }, fc.constant([])),
  kinds: mostly<readonly GeneratedType[], readonly GeneratedType[]>(
    [],
    2,
    fc.uniqueArray(type, { minLength: 1, maxLength: 2 }),
  ),
  // Created after or before the resource at this index, or all of them.
  after: bound,
  before: bound,
  size: fc.oneof<fc.MaybeWeightedArbitrary<{ readonly least?: number; readonly below?: number }>[]>(
    { weight: 6, arbitrary: fc.constant({}) },
    fc.record({ least: fc.integer({ min: 1, max: 6 }) }),
    fc.record({ below: fc.integer({ min: 1, max: 6 }) }),
  ),
  level: seldom(fc.integer({ min: 1, max: 3 })),
  limit: seldom(fc.integer({ min: 1, max: 3 })),
  offset: seldom(fc.integer({ min: 1, max: 3 })),
  any: mostly(false, 3, fc.boolean()),
  identifiers: mostly(false, 4, fc.boolean()),
});
const fanOut = doing('fan out', {
  what: index,
  act: fc.constantFrom(...(['retrieve', 'retrieve la', 'create', 'update', 'delete'] as const)),
  content: fc.nat(7),
});
const asAnother = doing('ask as another', {
  what: index,
  act: fc.constantFrom(...(['retrieve', 'update', 'delete', 'create', 'discover'] as const)),
  stranger: mostly(false, 5, fc.constant(true)),
});
const invalid = doing('wrong', { mistake: fc.constantFrom(...Object.keys(invalidRequests.onem2m)), what: index });

export const operation = fc.oneof(
  { weight: 18, arbitrary: create },
  { weight: 4, arbitrary: invalid },
  { weight: 6, arbitrary: retrieve },
  { weight: 4, arbitrary: update },
  { weight: 4, arbitrary: remove },
  { weight: 3, arbitrary: doing('retrieve newest or oldest', ends) },
  { weight: 2, arbitrary: doing('delete newest or oldest', ends) },
  { weight: 4, arbitrary: discover },
  { weight: 3, arbitrary: fanOut },
  { weight: 5, arbitrary: asAnother },
  { weight: 1, arbitrary: doing('advance time', { time: fc.constantFrom('1s', '1m', '10m') }) },
);

/** `route`: in a pair only. */
export type StandardOperation = Generated<typeof operation> & Addressing;

/** An operation that does this. */
export type StandardDoing<D extends StandardOperation['does']> = Extract<StandardOperation, { readonly does: D }>;

export const plainCreation: StandardDoing<'create'> = {
  ...{ does: 'create', kind: 'content instance', below: 0, name: 0, form: 'structured', labels: [], content: 0 },
  ...{ limit: {}, rcn: null, creator: false, guard: null, events: [1], both: false, rights: 0 },
};

/** Replaces what creates much beforehand by a part of that. */
export function plainer({ does, route }: StandardOperation): StandardOperation[][] {
  if (does !== 'fan out' && does !== 'ask as another') return [];
  const one = { ...plainCreation, ...(route && { route }) };
  return [[one], [one, one], [one, one, one]];
}
