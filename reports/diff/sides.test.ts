import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OrderedFlag, sidesOf } from './sides.ts';

/** Each flag by its name and what is said. */
const given = (...flags: ReadonlyArray<readonly [name: string, value?: unknown]>): OrderedFlag[] =>
  flags.map(([name, value = true]) => ({ name, value }));
const reading = { hasUrl: (target: string) => target.endsWith('.yaml'), deviations: [] };

test('targets are named by URL, file and process, in their order', () => {
  assert.deepEqual(sidesOf(given(['url', 'http://a'], ['url', 'http://b']), reading), [
    { url: 'http://a' },
    { url: 'http://b' },
  ]);
  assert.deepEqual(sidesOf(given(['inProcess'], ['target', 'a.yaml']), reading), [
    { inProcess: true },
    { target: 'a.yaml' },
  ]);
});

test('a URL after a target file that has none is its address, and else a target of its own', () => {
  assert.deepEqual(sidesOf(given(['target', 'acme'], ['url', 'http://a'], ['url', 'http://b']), reading), [
    { target: 'acme', url: 'http://a' },
    { url: 'http://b' },
  ]);
  assert.deepEqual(sidesOf(given(['target', 'a.yaml'], ['url', 'http://b']), reading), [
    { target: 'a.yaml' },
    { url: 'http://b' },
  ]);
});

test('beside a single target stands the reference CSE, and a deviation is for the first in process', () => {
  assert.deepEqual(sidesOf(given(['url', 'http://a']), reading), [{ url: 'http://a' }, { inProcess: true }]);
  const deviating = { ...reading, deviations: ['latest.oldest'] };
  assert.deepEqual(sidesOf([], deviating), [{ inProcess: true, deviations: ['latest.oldest'] }, { inProcess: true }]);
  assert.deepEqual(sidesOf(given(['url', 'http://a']), deviating), [
    { url: 'http://a' },
    { inProcess: true, deviations: ['latest.oldest'] },
  ]);
});

test('what is said once holds for both, and what is said twice for each; headers are for both', () => {
  const flags = given(
    ['base', 'x'],
    ['url', 'http://a'],
    ['url', 'http://b'],
    ['base', 'y'],
    ['insecure'],
    ['header', 'A: 1'],
    ['header', 'B: 2'],
    ['header', 'C: 3'],
  );
  const header = ['A: 1', 'B: 2', 'C: 3'];
  assert.deepEqual(sidesOf(flags, reading), [
    { url: 'http://a', base: 'x', insecure: true, header },
    { url: 'http://b', base: 'y', insecure: true, header },
  ]);
});

test('the reference CSE beside a URL is given nothing of what is said of that', () => {
  assert.deepEqual(sidesOf(given(['inProcess'], ['url', 'http://b'], ['base', 'y']), reading), [
    { inProcess: true },
    { url: 'http://b', base: 'y' },
  ]);
});

test('what cannot be meant is refused', () => {
  const url = ['url', 'http://a'] as const;
  const refused: ReadonlyArray<readonly [flags: OrderedFlag[], deviations: readonly string[]]> = [
    [[], []],
    [given(url, url, url), []],
    [given(url, url, ['base', 'x'], ['base', 'y'], ['base', 'z']), []],
    [given(url, url), ['latest.oldest']],
  ];
  for (const [flags, deviations] of refused) {
    assert.throws(() => sidesOf(flags, { ...reading, deviations }), { name: 'UsageError' });
  }
});
