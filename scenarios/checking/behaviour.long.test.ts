import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serveCoap } from '../../sim/coap.ts';
import { createCse, serveHttp } from '../../sim/index.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { check } from './check.ts';

test('to an update that is not answered nobody has agreed', async (t) => {
  const { http } = createCse({ dialect: 'onem2m', base: 'cse-in', requireAuth: true, admin: 'CAdmin' });
  const handle: typeof http.handle = (request) =>
    request.method === 'PUT' ? new Promise(() => {}) : http.handle(request);
  const { url, close } = await serveHttp({ ...http, refuse: (error) => http.refuse(error), handle }, { port: 0 });
  t.after(close);
  const target = { kind: 'url', url, admin: 'CAdmin', waitForTarget: 0 } as const;
  const options = { dialect: 'onem2m', ids: ['standard/blocking-update/agreed'], timeout: 500, again: false } as const;
  const { scenarios } = await lastOf(check({ target, ...options }));
  const states = scenarios[0]?.steps.flatMap(({ checks }) =>
    checks.map(({ requirement, state }) => [requirement, state]),
  );
  assert.deepEqual(
    states?.filter(([, state]) => state !== 'passed'),
    [
      ['std.blocking-update.agreed', 'failed'],
      ['std.blocking-update.done', 'not testable'],
    ],
  );
});

test('over CoAP nobody need see that a point of access is not there', async (t) => {
  const late = { id: 'late', says: 'It times out.', when: { rsc: [5103, 5107] }, does: { rsc: 4008 } } as const;
  const asked = { dialect: 'onem2m', base: 'cse-in', requireAuth: true, admin: 'CAdmin' } as const;
  const ids = ['std.blocking-update.unreachable', 'std.retargeting.unreachable'];
  const verdictsAt = async (url: string) => {
    const target = { kind: 'url', url, admin: 'CAdmin', waitForTarget: 0 } as const;
    const { requirements } = await lastOf(check({ target, dialect: 'onem2m', ids }));
    return ids.map((id) => requirements.find((one) => one.id === id)?.verdict);
  };
  const cse = createCse({ ...asked, deviations: [late] });
  for (const server of [await serveHttp(cse.http, { port: 0 }), await serveCoap(cse, { port: 0 })]) {
    t.after(() => server.close());
    const expected = server.url.startsWith('coap') ? 'satisfied' : 'violated';
    assert.deepEqual(await verdictsAt(server.url), [expected, expected]);
  }
});
