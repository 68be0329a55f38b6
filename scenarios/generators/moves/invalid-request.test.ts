import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GeneratedResource } from '../created/resource.ts';
import { invalidRequests, isApplicable } from './invalid-request.ts';

test('what is larger than its container is sent only to a container of which that can be said', () => {
  const mistake = invalidRequests.onem2m['larger than the container'] ?? assert.fail();
  const container = (mbs?: number) => ({ type: 'container', assigned: { ...(mbs && { mbs }) } }) as GeneratedResource;
  assert.deepEqual(
    [10, 3_153_600_000, undefined].map((mbs) => isApplicable(mistake, container(mbs))),
    [true, false, false],
  );
});
