import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Matcher } from '../grammar/grammar-check.ts';
import { show } from '../messages/display.ts';
import { type MatchOutcome, match } from './matchers.ts';
import { predicate } from './sentences.ts';

const stamp = '2017-03-02T16:12:53.350093+00:00';
const absent = undefined;

/** Each matcher: its sentence, values that pass, values that fail, values of which nothing can be said. */
const table: ReadonlyArray<
  readonly [Matcher, sentence: string, passing: unknown[], failing: unknown[], open?: unknown[]]
> = [
  ['a', 'is "a"', ['a'], ['b', absent, null, ['a']]],
  [1, 'is 1', [1], ['1', 2, absent]],
  [true, 'is true', [true], ['true', 'TRUE', absent]],
  [null, 'is null', [null], [absent, 0, '']],
  [{ is: 'text' }, 'is a string', ['', 'a'], [1, null, absent]],
  [{ is: 'integer' }, 'is an integer', [0, -1], [1.5, '1', absent]],
  [{ is: 'number' }, 'is a number', [1.5], ['1', absent]],
  [{ is: 'boolean' }, 'is a boolean', [false], ['false', absent]],
  [{ is: 'list' }, 'is an array', [[]], [{}, 'x', absent]],
  [{ is: 'object' }, 'is an object', [{}], [[], null, absent]],
  [{ is: 'timestamp' }, 'is a timestamp of the shape YYYY-MM-DDTHH:MM:SS.ffffff+00:00', [stamp], ['2017', 1, absent]],
  [{ is: 'present' }, 'is present', [null, 0, ''], [absent]],
  [{ is: 'absent' }, 'is absent', [absent], [null, '']],
  [{ equals: { a: [1] } }, 'is {"a":[1]}', [{ a: [1] }], [{ a: ['1'] }, { a: [1], b: 2 }, absent]],
  [{ 'same as': '1' }, 'is "1"', ['1'], [1, absent]],
  [{ matching: '^ae\\d+$' }, 'matches /^ae\\d+$/', ['ae0'], ['xae0', 5, absent]],
  [{ 'starts with': 'C' }, 'starts with "C"', ['C', 'C1'], ['S', 5, absent]],
  [{ 'ends with': '/a' }, 'ends with "/a"', ['/a', 'b/a'], ['a', '/a/', 5, absent]],
  [{ contains: 'b' }, 'contains "b"', ['abc', ['a', 'b']], ['xyz', ['ab'], 5, absent]],
  [
    { contains: { fields: { typ: 3 } } },
    'contains an element that has fields of which typ is 3',
    [[{ typ: 2 }, { typ: 3 }]],
    [[{ typ: 2 }], [], 'x', absent],
  ],
  [
    { 'contains exactly': ['a', { is: 'text' }] },
    'has exactly these elements, in any order: "a", one that is a string',
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    [['b', 'c'], ['a'], ['a', 'b', 'c'], 'ab', absent],
  ],
  [{ 'contains exactly': [] }, 'is an empty array', [[]], [['a'], '', absent]],
  [{ every: { is: 'text' } }, 'has only elements of which each is a string', [['a'], []], [['a', 1], 'a', absent]],
  [{ length: 2 }, 'has the length 2', ['ab', '😀é', [1, 2]], ['a', [], 2, absent]],
  [{ between: [200, 299] }, 'is between 200 and 299', [200, 299, 250], [199, 300, '250', absent]],
  [
    { after: stamp },
    `is after ${stamp}`,
    ['2017-03-02T16:12:53.350094+00:00', '2017-03-02T17:12:54.000000+00:30'],
    [stamp, '2017-03-02T17:00:00.000000+01:00', 'soon', absent],
  ],
  [{ before: stamp }, `is before ${stamp}`, ['2016-01-01T00:00:00Z'], [stamp, 5, absent]],
  [
    { fields: { nm: 'x', val: { is: 'text' } } },
    'has fields of which nm is "x" and val is a string',
    [{ nm: 'x', val: '', more: 1 }],
    [{ nm: 'x' }, [], absent],
  ],
  [
    { fields: Object.fromEntries([['toString', { is: 'absent' } as const]]) },
    'has fields of which toString is absent',
    [{}],
    [{ toString: 1 }],
  ],
  [{ not: 'a' }, 'is not "a"', ['b', null], ['a'], [absent]],
  [{ not: { is: 'absent' } }, 'is not absent', ['a'], [absent]],
  [{ not: { contains: 'a' } }, 'does not contain "a"', ['b', []], ['a', ['a']], [absent]],
  [{ not: { 'starts with': 'C' } }, 'does not start with "C"', ['S'], ['C'], [absent]],
  [{ not: { 'ends with': 'C' } }, 'does not end with "C"', ['S'], ['aC'], [absent]],
  [{ not: { matching: 'x' } }, 'does not match /x/', ['a'], ['x'], [absent]],
  [{ not: { 'one of': [1, 2] } }, 'is none of 1, 2', [3], [1], [absent]],
  [{ not: { between: [1, 3] } }, 'is not between 1 and 3', [4], [2], [absent]],
  [{ not: { 'one of': [{ is: 'text' }, 1] } }, 'is not so that it is a string or is 1', [2], ['a', 1], [absent]],
  [{ 'when present': { is: 'text' } }, 'is a string, when it is present', ['a'], [1, null], [absent]],
  [{ 'one of': [200, 201, 204] }, 'is 200, 201 or 204', [201], [202, absent]],
  [{ 'one of': [{ is: 'absent' }, 'x'] }, 'is absent or is "x"', [absent, 'x'], ['y']],
  [{ 'all of': [{ is: 'text' }, { length: 1 }] }, 'is a string and has the length 1', ['a'], ['ab', [1], absent]],
];

for (const [matcher, sentence, passing, failing, open = []] of table) {
  test(`${JSON.stringify(matcher)} ${sentence}`, () => {
    assert.equal(predicate(matcher), sentence);
    const judged = (values: readonly unknown[]): MatchOutcome[] => values.map((value) => match(matcher, value));
    assert.deepEqual(
      judged(passing),
      passing.map(() => 'passed'),
    );
    assert.deepEqual(
      judged(failing),
      failing.map(() => 'failed'),
    );
    assert.deepEqual(
      judged(open),
      open.map(() => 'unobserved'),
    );
  });
}

test('an optional value does not prevent other checks', () => {
  const matcher: Matcher = { fields: { a: { 'when present': 1 }, b: 2 } };
  assert.equal(match(matcher, { b: 2 }), 'passed');
  assert.equal(match(matcher, { b: 3 }), 'failed');
  assert.equal(match(matcher, { a: 2, b: 2 }), 'failed');
  assert.equal(match({ fields: { a: { 'when present': 1 } } }, {}), 'unobserved');
});

test('elements and matchers are paired up, whatever their order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 4 })), fc.func(fc.nat()), (values, order) => {
      const matchers = values.map((value, at): Matcher => (at % 2 === 0 ? value : { between: [value, value] }));
      const shuffled = values.map((value, at) => ({ value, key: order(at) })).sort((a, b) => a.key - b.key);
      assert.equal(
        match(
          { 'contains exactly': matchers },
          shuffled.map(({ value }) => value),
        ),
        'passed',
      );
    }),
  );
});

test('a long value is shown in part', () => {
  assert.equal(show('a'.repeat(500)).length, 160 + '… (502 characters)'.length);
  assert.equal(show(undefined), 'absent');
});
