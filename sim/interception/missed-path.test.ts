import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { missedPath } from './near-miss.ts';

const identity = { base: 'onem2m', cseId: 'mn-cse-1', spId: 'openmtc.org' };

describe('a path at which nothing is', () => {
  const meant: Readonly<Record<string, string>> = {
    '/oneM2M/app': '/onem2m/app',
    '/onem2n/app/data/latest': '/onem2m/app/data/latest',
    '/onem2mm': '/onem2m',
    '/mn-cse-1/onem2m/app': '/~/mn-cse-1/onem2m/app',
    '/~/onem2m/app': '/~/mn-cse-1/onem2m/app',
    '/~/mn-cse1/onem2m/app': '/~/mn-cse-1/onem2m/app',
    '/~/mn-cse-1/oneM2M/app': '/~/mn-cse-1/onem2m/app',
    '/_/openmtc.ogr/mn-cse-1/onem2m': '/_/openmtc.org/mn-cse-1/onem2m',
    '/api/v1/onem2m/app': '/onem2m/app',
  };
  for (const [path, expected] of Object.entries(meant)) {
    test(`${path} was meant to be ${expected}`, () => {
      const finding = missedPath(path, identity);
      assert.deepEqual([finding?.kind, finding?.meant], ['path', expected]);
    });
  }

  test('that begins like no address gets the beginnings of addresses', () => {
    assert.deepEqual(missedPath('/users/7', identity), {
      kind: 'path',
      says: 'Nothing of the CSE begins with /users; its base is /onem2m.',
    });
  });

  for (const path of [
    '/onem2m/absent',
    '/-/absent',
    '/~/mn-cse-1/onem2m/absent',
    '/~/mn-cse-1/c-100',
    '/~/another/base',
  ]) {
    test(`${path} is an address, and simply leads nowhere`, () => assert.equal(missedPath(path, identity), undefined));
  }
});

test('a short name is not nearly every other short name', () => {
  assert.equal(missedPath('/in', { ...identity, base: 'mn' })?.meant, undefined);
});
