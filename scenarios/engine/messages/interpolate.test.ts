import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { onlyName } from '../grammar/names.ts';
import { match } from '../judging/matchers.ts';
import { interpolate, interpolateMatcher, interpolateToText, MissingValue, type NamedValue } from './interpolate.ts';

const names = new Map<string, NamedValue>([
  ['base', { value: 'onem2m' }],
  ['count', { value: 3 }],
  ['list', { value: [{ typ: 3 }] }],
  ['gone', { missing: 'attribute ri was not in the answer' }],
]);

test('a name alone keeps the type of its value, inside a text it is written as text', () => {
  const given = { a: '${count}', b: ['/${base}/x', '${list}'], c: 'n=${count} ${list}' };
  assert.deepEqual(interpolate(given, names), { a: 3, b: ['/onem2m/x', [{ typ: 3 }]], c: 'n=3 [{"typ":3}]' });
  assert.equal(interpolateToText('${count}', names), '3');
  assert.equal(onlyName('${a}${b}'), undefined);
});

test('a value that was not there is an error with its reason', () => {
  assert.throws(() => interpolate('/${gone}', names), new MissingValue('attribute ri was not in the answer'));
  assert.throws(() => interpolate('${unheard}', names), MissingValue);
});

test('what is captured is inserted as it is, whatever it looks like', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.json(), (before, after, json) => {
      const value: unknown = JSON.parse(json);
      const plain = (text: string) => text.replaceAll('${', '$');
      const known = new Map<string, NamedValue>([['x', { value }]]);
      assert.deepEqual(interpolate({ x: '${x}' }, known), { x: value });
      const shown = typeof value === 'string' ? value : JSON.stringify(value);
      assert.equal(
        interpolateToText(`${plain(before)} \${x} ${plain(after)}`, known),
        `${plain(before)} ${shown} ${plain(after)}`,
      );
    }),
  );
});

test('names are replaced in every matcher', () => {
  const cases: ReadonlyArray<readonly [Parameters<typeof interpolateMatcher>[0], unknown]> = [
    ['${count}', 3],
    [{ 'same as': '${list}' }, [{ typ: 3 }]],
    ['${list}', [{ typ: 3 }]],
    [{ equals: { n: '${count}' } }, { n: 3 }],
    [{ matching: '^/${base}$' }, '/onem2m'],
    [{ 'starts with': '${base}' }, 'onem2m/x'],
    [{ 'ends with': '${base}' }, 'x/onem2m'],
    [{ contains: '${base}' }, 'x-onem2m-y'],
    [{ 'contains exactly': ['${count}'] }, [3]],
    [{ every: { is: 'integer' } }, [1]],
    [{ fields: { rn: { not: '${base}' } } }, { rn: 'other' }],
    [{ 'when present': { 'one of': ['${count}', 4] } }, 3],
    [{ 'all of': ['${count}'] }, 3],
  ];
  for (const [matcher, value] of cases) {
    assert.equal(match(interpolateMatcher(matcher, names), value), 'passed', JSON.stringify(matcher));
  }
});

test('a captured text is a text in a regular expression too', () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      const matcher = interpolateMatcher({ matching: '^${x}$' }, new Map([['x', { value }]]));
      assert.equal(match(matcher, value), 'passed');
    }),
  );
});
