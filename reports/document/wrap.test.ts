import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cut, displayWidth, hardWrap, wrap, wrapList } from './screen.ts';

test('text is wrapped at spaces, with a hanging indent', () => {
  assert.deepEqual(wrap('one two three four five six seven eight', 28, '  expected  '), [
    '  expected  one two three',
    '            four five six',
    '            seven eight',
  ]);
});

test('a word that is too long is cut, a path is not', () => {
  assert.deepEqual(wrap(`a ${'x'.repeat(40)}`, 30, ''), ['a', 'x'.repeat(30), 'x'.repeat(10)]);
  const path = `/onem2m/${'x'.repeat(60)}`;
  assert.deepEqual(wrap(`at ${path} now`, 30, ''), ['at', path, 'now']);
});

test('wrapping loses no word', () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1 });
  fc.assert(
    fc.property(words, fc.integer({ min: 20, max: 90 }), (list, columns) => {
      const lines = wrap(list.join(' '), columns, '- ');
      assert.deepEqual(
        lines
          .map((line) => line.slice(2))
          .join(' ')
          .split(' '),
        list,
      );
      assert.ok(lines.every((line) => line.length <= columns));
    }),
    { seed: 3 },
  );
});

test('cutting into pieces loses no character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 30 }), (text, columns) => {
      const pieces = hardWrap(text, columns);
      assert.equal(pieces.join(''), text);
      assert.ok(pieces.every((piece) => displayWidth(piece) <= columns));
    }),
    { seed: 5 },
  );
});

test('a piece holds one character at least, and a path is cut only where it is absurd', () => {
  assert.deepEqual(hardWrap('日本', 1), ['日', '本']);
  assert.deepEqual(wrap('x'.repeat(17), 10, '> '), [`> ${'x'.repeat(16)}`, '  x']);
  const path = `/${'x'.repeat(199)}`;
  assert.deepEqual(wrap(path, 100), [path]);
  assert.deepEqual(wrap(`${path}y`, 100), [path.slice(0, 100), path.slice(100), 'y']);
});

test('ids are listed with commas and never cut', () => {
  const long = 'content-instance.'.repeat(4);
  assert.deepEqual(wrapList(['a.b', long, 'c.d'], 40, '      '), ['      a.b,', `      ${long},`, '      c.d']);
});

test('wide and joining characters count as a terminal shows them', () => {
  assert.deepEqual(['abc', '日本', '🚪', 'e\u0301'].map(displayWidth), [3, 4, 2, 1]);
  assert.equal(cut('abcdef', 4), 'abc…');
  assert.equal(cut('abcd', 4), 'abcd');
});
