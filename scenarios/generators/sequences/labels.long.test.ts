/** What a filter by label does wrong has one name, and so one level, whoever finds it: check, or explore. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCse, serveHttp } from '../../../sim/index.ts';
import { check } from '../../checking/check.ts';
import { lastOf } from '../../engine/running/last-of.ts';
import { explore } from '../exploring/explore.ts';

const rows = [
  ['stateful.index.new-label-unknown', 'discovery.label.finds'],
  ['stateful.index.old-label-kept', 'discovery.label.leaves-out-others'],
  ['stateful.index.lists-removed', 'lifecycle.removed-is-gone'],
] as const;

for (const [deviation, requirement] of rows) {
  test(`${deviation} is ${requirement} to check and to explore`, async () => {
    const target = { kind: 'in-process', deviations: [deviation] } as const;
    const ids = ['documented/labels', 'documented/discovery'];
    const { requirements } = await lastOf(check({ ids, target, again: false }));
    const violated = requirements.filter(({ verdict }) => verdict === 'violated');
    assert.deepEqual(
      violated.map(({ id }) => id),
      [requirement],
    );
    const { counterexample } = await lastOf(explore({ target, focus: [requirement], seed: 5, runs: 300 }));
    assert.equal(counterexample?.requirement, requirement);
  });
}

test('an update without an effect on labels convicts no filter', async () => {
  const cse = createCse();
  const handle: typeof cse.http.handle = (request) =>
    cse.http.handle(request.method === 'PUT' ? { ...request, method: 'GET', body: new Uint8Array() } : request);
  await using server = await serveHttp({ ...cse.http, handle });
  const target = { kind: 'url', url: server.url } as const;
  const { requirements } = await lastOf(check({ ids: ['documented/labels/update'], target, again: false }));
  const filter = requirements.filter(({ id, verdict }) => id.startsWith('discovery.label.') && verdict !== 'excluded');
  assert.deepEqual(new Set(filter.map(({ verdict }) => verdict)), new Set(['not testable']));
});
