/** Everything that creates at a CSE which refuses expiration times tells it none, and says so. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createCse, type HttpService, serveHttp } from '../../sim/index.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { diff } from '../generators/differential/diff.ts';
import { explore } from '../generators/exploring/explore.ts';
import { probe } from '../probe/probe.ts';
import { targetFileText } from '../probe/target-file-text.ts';

type Handle = HttpService['handle'];
type Dialect = 'documented' | 'onem2m';

/** The reference CSE, which calls every creation with an expiration time a bad request. */
async function strict(
  t: TestContext,
  dialect: Dialect,
): Promise<{ readonly url: string; readonly told: () => number }> {
  const { http } = createCse({ dialect, ...(dialect === 'onem2m' && { admin: 'CAdmin' }) });
  let told = 0;
  const handle: Handle = (request) => {
    if (request.method !== 'POST' || !/"et":/.test(Buffer.from(request.body).toString())) return http.handle(request);
    told += 1;
    return { status: 400, headers: { 'X-M2M-RSC': '4000' }, body: '' };
  };
  const server = await serveHttp({ ...http, handle, refuse: (error) => http.refuse(error) }, { port: 0 });
  t.after(() => server.close());
  return { url: server.url, told: () => told };
}

const said = /the target refuses an expiration time \(et\).* --lifetime none/;

for (const dialect of ['documented', 'onem2m'] as const) {
  test(`explore at such a CSE finds nothing, and says why nothing expires: ${dialect}`, async (t) => {
    const { url, told } = await strict(t, dialect);
    const target = { kind: 'url', url, admin: 'CAdmin' } as const;
    const { counterexample, notes, exit } = await lastOf(explore({ target, dialect, seed: 3, runs: 10, safety: {} }));
    assert.equal(counterexample?.scenario, undefined);
    assert.equal(exit.code, 0);
    assert.equal(told(), 1);
    assert.match(notes.join(), said);
  });
}

test('a CSE that refuses them parts from one that does not in nothing else', async (t) => {
  const [{ url }, other] = [await strict(t, 'documented'), { target: { kind: 'in-process' } } as const];
  const one = { target: { kind: 'url', url }, safety: {} } as const;
  const { differences, notes } = await lastOf(diff({ targets: [one, other], seed: 3, runs: 6, level: 'documented' }));
  assert.deepEqual(differences, []);
  assert.match(notes.join(), said);
});

test('a probe creates without one, and the target file says lifetime: none', async (t) => {
  const { url } = await strict(t, 'documented');
  const result = await probe({ url }, { write: true });
  const { target, findings } = result;
  assert.equal(findings.find(({ id }) => id === 'PICS_AE')?.found, 'yes');
  assert.equal(findings.find(({ id }) => id === 'expiration times')?.found, 'no');
  assert.deepEqual(result.leftBehind, []);
  assert.ok(target);
  const text = targetFileText({ ...result, target }, { choice: { url }, directory: '/', date: '2026-11-22' });
  assert.match(text, /^lifetime: none$/m);
});
