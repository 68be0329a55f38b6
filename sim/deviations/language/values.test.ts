import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { matches } from './pattern.ts';
import { at, Scope } from './scope.ts';
import { valueFor } from './term.ts';

const scope = new Scope({
  target: () => ({ ri: 'cnt1' }),
  'target.instances': () => [{ ri: 'cin1' }, { ri: 'cin2' }],
  list: () => ['a', ['b']],
  dotted: () => 'a.b',
  moment: () => '20300101T000000',
});

describe('a path', () => {
  it('leads into parts that have a dot in their names', () => {
    assert.deepEqual(
      ['target.ri', 'target.instances.-1.ri', 'target.instances.length', 'other.ri'].map((path) => at(path, scope)),
      ['cnt1', 'cin2', 2, undefined],
    );
  });
});

describe('a function', () => {
  const cases: readonly (readonly [unknown, unknown, unknown])[] = [
    [{ translate: ['01', 'ab'] }, '0-10', 'a-ba'],
    [{ 'from-base64': true }, 'aGk=', 'hi'],
    [{ 'from-json': true }, '{"a":1}', { a: 1 }],
    [{ 'from-json': true }, '{', '{'],
    [{ seconds: true }, '1970-01-01T00:01:00.500000+00:00', 60],
    [{ reverse: true }, 'abc', 'cba'],
    [{ reverse: true }, [1, 2], [2, 1]],
    [{ sort: 'rn' }, [{ rn: 'b' }, { rn: 'a' }], [{ rn: 'a' }, { rn: 'b' }]],
    [{ join: '-' }, ['a', 'b'], 'a-b'],
    [{ append: 'x' }, ['y'], ['y', 'x']],
    [{ sum: true }, [1, '2'], 3],
    [{ hex: true }, 'hi', '6869'],
    [{ replace: ['^${dotted}', '<${dotted}>'] }, 'a.b.c', '<a.b>.c'],
    [{ replace: ['^${dotted}', ''] }, 'axb', 'axb'],
    [{ 'latin-1': true }, 'ü', 'Ã¼'],
    [{ count: true }, 'abc', 3],
    [{ count: '$target.ri' }, ['cnt1', 'cnt2', 'cnt1'], 2],
    [{ first: 1 }, { a: 1, b: 2 }, { a: 1 }],
    [{ omit: { matching: ':' } }, { ri: 'a', 'm2m:cnt': [] }, { ri: 'a' }],
    [{ omit: '$list.0' }, { a: 1, b: 2 }, { b: 2 }],
    [{ get: 'a.0' }, { a: ['b'] }, 'b'],
    [{ map: { set: { of: '$entry.ri' } } }, [{ ri: 'a' }], [{ ri: 'a', of: 'a' }]],
  ];
  for (const [term, was, is] of cases)
    it(`${JSON.stringify(term)} makes ${JSON.stringify(is)} of ${JSON.stringify(was)}`, () => {
      assert.deepEqual(valueFor(term, scope, was), is);
    });
});

describe('a test', () => {
  const cases: readonly (readonly [unknown, unknown, unknown])[] = [
    [{ in: '$list' }, 'b', 'c'],
    [{ 'in-any-case': '$target.ri' }, 'CNT1', 'CNT2'],
    [{ keys: { contains: 'ri' } }, { ri: 1 }, { rn: 'ri' }],
    [{ matching: '^${target.ri}' }, 'cnt12', 'cn'],
    [{ matching: '^${dotted}$' }, 'a.b', 'axb'],
    ['${target.ri}/x', 'cnt1/x', 'cnt2/x'],
    [{ before: '$moment' }, '2029-12-31T23:59:59.000000+00:00', '20300101T000000'],
    [{ after: '$moment' }, '20300101T000001', 'never'],
    [{ contains: null }, { a: null }, { a: 1 }],
    [{ every: 1 }, { a: 1, b: 1 }, { a: 1, b: 2 }],
  ];
  for (const [pattern, passes, fails] of cases)
    it(`${JSON.stringify(pattern)} passes ${passes}, and not ${fails}`, () => {
      assert.deepEqual([matches(passes, pattern, scope), matches(fails, pattern, scope)], [true, false]);
    });
});
