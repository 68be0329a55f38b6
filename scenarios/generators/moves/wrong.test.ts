import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GeneratedResource } from '../created/resource.ts';
import { canBeMadeWith, mistakes } from './wrong.ts';

test('what is larger than its container is sent only to a container of which that can be said', () => {
  const mistake = mistakes.onem2m['larger than the container'] ?? assert.fail();
  const container = (mbs?: number) => ({ kind: 'container', shown: { ...(mbs && { mbs }) } }) as GeneratedResource;
  assert.deepEqual(
    [10, 3_153_600_000, undefined].map((mbs) => canBeMadeWith(mistake, container(mbs))),
    [true, false, false],
  );
});
