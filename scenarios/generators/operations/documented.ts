/** What a sequence of the documented dialect does. */
import fc from 'fast-check';
import { addressForms } from '../created/address.ts';
import { documentedTypes } from '../created/resource.ts';
import { type Addressing, doing, type Generated, type Limit, mostly, namesToChoose } from '../moves/arbitraries.ts';
import { invalidRequests } from '../moves/invalid-request.ts';

/** `nobody` sends no originator. */
const originators = ['nobody', 'visitor', 'guest'] as const;

const virtualNames = ['latest', 'la', 'oldest', 'ol'] as const;

/** The first comes often, so that operations meet: the youngest, and the same name below every parent and after a removal. */
const index = mostly(0, 2, fc.nat(7), 3);
const name = mostly(0, 3, fc.nat(namesToChoose + 1), 2);
const labels: fc.Arbitrary<readonly number[]> = mostly([], 1, fc.uniqueArray(fc.nat(2), { maxLength: 2 }));
const type = fc.constantFrom(...documentedTypes);
/** Mostly nobody: what depends on an originator is a gap. */
const by = mostly(originators[0], 5, fc.constantFrom(...originators));
/** Mostly once; some deviations show only with many, or every nth time. */
const times = fc.oneof(
  { weight: 12, arbitrary: fc.constant(1) },
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 4 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 12 }) },
);
/** Identifiers with the CSE before them are only read. */
const createForm = mostly(addressForms[0], 5, fc.constantFrom(...addressForms.slice(0, 5)), 5);
const twoForms = fc.constantFrom(...(['structured', 'SP-relative'] as const));
const anyForm = fc.constantFrom(...addressForms);

const noLimit: Limit = {};
const limit = fc.constantFrom<Limit[]>(
  ...Array.from({ length: 9 }, () => noLimit),
  ...[1, 2, 3, 0].map((mni) => ({ mni })),
  ...[1, 2, 3, 0, 4, 12].map((mbs) => ({ mbs })),
  ...[300, 300].map((mia) => ({ mia })),
);

/** Without a possible parent, one is created first. */
const create = doing('create', {
  kind: mostly('content instance', 1, type),
  below: index,
  // From `namesToChoose` on, the service chooses a name (of content instances and containers).
  name,
  form: createForm,
  labels,
  content: fc.nat(7),
  // Of a container, or of the one created first.
  limit,
  by,
  // Of a content instance: the body is base64 text and nothing else.
  base64: mostly(false, 9, fc.boolean()),
  // How many are created, one by one, below the same parent.
  times,
});
const wrong = doing('wrong', {
  mistake: fc.constantFrom(...new Set(Object.keys(invalidRequests.documented).map((one) => one.replace(/^.*: /, '')))),
  kind: type,
  what: index,
  content: fc.nat(7),
});
const retrieve = doing('retrieve', {
  what: index,
  form: fc.oneof({ weight: 2, arbitrary: twoForms }, anyForm),
  by,
});
const update = doing('update', {
  what: index,
  labels: fc.option(labels),
  // The most content instances of a container.
  own: fc.option(fc.nat(3)),
});
const remove = doing('delete', {
  what: index,
  form: twoForms,
  // For the reads just before and just after.
  seen: mostly(addressForms[0], 3, anyForm),
});
/** So many times, one after the other. */
const ends = {
  what: index,
  word: mostly(virtualNames[0], 3, fc.constantFrom(...virtualNames)),
  form: twoForms,
  by,
  times,
};
const discover = doing('discover', {
  label: fc.nat(2),
  // The creation time of the resource at this index; before or after everything.
  after: fc.constantFrom(null, 'the past' as const, 'the future' as const, 0, 1, 2, 3),
  // Beside the label.
  kind: mostly(null, 3, type),
  by,
});
/** Longer than some limits let content instances live, or than the default lifetime of resources. */
const time = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('1ms', '1s', '1m') },
  { weight: 4, arbitrary: fc.constant('10m') },
  { weight: 1, arbitrary: fc.constant('1h') },
);

export const operation = fc.oneof(
  { weight: 12, arbitrary: create },
  { weight: 3, arbitrary: wrong },
  { weight: 6, arbitrary: retrieve },
  { weight: 2, arbitrary: update },
  { weight: 3, arbitrary: remove },
  { weight: 3, arbitrary: doing('retrieve newest or oldest', ends) },
  { weight: 1, arbitrary: doing('delete newest or oldest', ends) },
  { weight: 3, arbitrary: discover },
  { weight: 1, arbitrary: doing('advance time', { time }) },
);

/** `route`: in a pair only. */
export type DocumentedOperation = Generated<typeof operation> & Addressing;

/** An operation that does this. */
export type Doing<D extends DocumentedOperation['does']> = Extract<DocumentedOperation, { readonly does: D }>;
