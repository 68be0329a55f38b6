import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mistakes } from './mistakes.ts';
import type { StandardResource } from './model/resource.ts';

test('what is larger than its container is sent only to a container of which that can be said', () => {
  const { among } = mistakes['larger than the container'];
  const container = (mbs?: number) => ({ kind: 'container', shown: { ...(mbs && { mbs }) } }) as StandardResource;
  assert.deepEqual(
    [10, 3_153_600_000, undefined].map((mbs) => among(container(mbs))),
    [true, false, false],
  );
});
