import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask } from '../moves/move.ts';
import { forwarded, pathThrough } from './through.ts';

const names = { base: 'onem2m', cseId: 'in-cse-1', spId: 'openmtc.org', label: 'x' };

test('a path is forwarded in the form that names its CSE', () => {
  const paths = ['/onem2m/x-a', '/cnt0', '/', '/~/in-cse-1/onem2m/x-a', '/_/openmtc.org/in-cse-1/onem2m/x-a'];
  assert.deepEqual(
    paths.map((path) => pathThrough(path, 'SP-relative', names)),
    ['/onem2m/x-a', '/cnt0', '/onem2m', '/onem2m/x-a', '/onem2m/x-a'].map((path) => `/~/in-cse-1${path}`),
  );
  assert.equal(pathThrough('/onem2m', 'absolute', names), '/_/openmtc.org/in-cse-1/onem2m');
});

test('a request that is written by the letter does not go through the other CSE', () => {
  const raw = { raw: { method: 'POST', path: '/onem2m' } } as const;
  assert.equal(forwarded(ask(raw, 'create'), { at: 'backend', through: 'SP-relative' }, names), undefined);
});
