import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onem2m } from '../dialects/onem2m.ts';
import { type AttributeType, Unreadable, type Value } from './attribute-types.ts';

const point: AttributeType = {
  members: {
    x: { type: 'integer', long: 'abscissa', mandatory: true },
    y: { type: 'integer' },
  },
  check: ({ x, y }) => (x === y ? 'x and y are the same' : undefined),
};
const points: AttributeType = {
  members: { all: { type: { listOf: point, atLeast: 1 }, long: 'points' } },
  listAs: 'all',
};
const level: AttributeType = { oneOf: [1, 2, 'most'], orRange: [10, 20] };

for (const [type, given, read] of [
  [level, 1, 1],
  [level, 'most', 'most'],
  [level, 10, 10],
  [level, 20, 20],
  [{ listOf: 'integer' }, [], []],
  [{ listOf: 'integer' }, [0, 1], [0, 1]],
  [point, { x: 1, y: null }, { x: 1 }],
  [point, { abscissa: 1, y: 2 }, { x: 1, y: 2 }],
  [points, { points: [{ x: 1 }] }, { all: [{ x: 1 }] }],
  [points, [{ abscissa: 1 }], { all: [{ x: 1 }] }],
  [points, {}, {}],
] as readonly (readonly [AttributeType, unknown, Value])[]) {
  test(`${JSON.stringify(given)} is read as ${JSON.stringify(read)}, and written so`, () => {
    assert.deepEqual(onem2m.read(type, given), read);
    assert.deepEqual(onem2m.write(type, read), read);
  });
}

for (const [type, given, says] of [
  [level, 3, 'must be one of 1, 2, most, or 10 to 20'],
  [level, 9, 'must be one of 1, 2, most, or 10 to 20'],
  [level, 21, 'must be one of 1, 2, most, or 10 to 20'],
  [level, 10.5, 'must be one of 1, 2, most, or 10 to 20'],
  [{ oneOf: [1, 2] }, '1', 'must be one of 1, 2'],
  [{ oneOf: [1, 2] }, true, 'must be one of 1, 2'],
  [{ listOf: 'integer' }, 1, 'must be a list'],
  [{ listOf: 'integer', atLeast: 1 }, [], 'must not be empty'],
  [{ listOf: 'integer' }, [1, -1], '[1] must be a non-negative integer'],
  [point, 1, 'must be an object'],
  [point, null, 'must be an object'],
  [point, [{ x: 1 }], 'must be an object'],
  [point, { x: 1, z: 1 }, 'has no member "z"'],
  [point, { x: -1 }, 'x must be a non-negative integer'],
  [point, { y: 1 }, 'lacks the member x'],
  [point, { x: 1, y: 1 }, 'x and y are the same'],
  [points, [], 'all must not be empty'],
  [points, { all: [{ x: 1 }, {}] }, 'all [1] lacks the member x'],
] as readonly (readonly [AttributeType, unknown, string])[]) {
  test(`${JSON.stringify(given)} ${says}`, () => assert.deepEqual(onem2m.read(type, given), new Unreadable(says)));
}

test('members that the type has not are not written', () => {
  assert.deepEqual(onem2m.write(point, { x: 1, other: 2, toString: 3 }), { x: 1 });
});
