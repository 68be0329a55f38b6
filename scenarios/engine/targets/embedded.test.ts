import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEmbedded } from './embedded.ts';

for (const kind of ['embedded', 'in-process'] as const) {
  test(`the ${kind} reference CSE answers for its base`, async (t) => {
    const opened = await openEmbedded({ kind, connections: 2, timeout: 5000, startedAt: performance.now() });
    assert('target' in opened);
    t.after(() => opened.target.close());
    assert.equal(opened.target.description.kind, kind);
    const exchange = await opened.target.send({ method: 'GET', path: '/onem2m', headers: [] });
    assert.equal(exchange.answer?.status, 200);
    assert.match(exchange.answer?.body ?? '', /"csi":"\/mn-cse-1"/);
  });
}
