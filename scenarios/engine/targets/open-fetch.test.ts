import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createCse, createFetch } from '../../../sim/index.ts';
import { openUrl } from '../running/open-url.ts';
import { collect, fileOf, planOf } from '../test-cse.ts';
import type { Fetch } from './in-process.ts';
import { prepareFetch } from './url-choice.ts';

const limits = { timeout: 2000, connections: 1, startedAt: performance.now() };
const url = 'http://cse.example';

test('a target behind a function is guarded: what the run has not created is not changed', async (t) => {
  const sent: string[] = [];
  const answer = createFetch(createCse().http);
  const fetch: Fetch = (request) => {
    sent.push(`${request.method} ${new URL(request.url).pathname}`);
    return answer(request);
  };
  const plan = planOf(t, fileOf({ foreign: '- delete: /${base}/production\n  check: { doc.one: { status: 200 } }' }));
  const prepared = await prepareFetch({ url, fetch });
  const { scenario } = await collect(plan, (startedAt, run) => openUrl(prepared, { ...limits, startedAt, run }));
  const [check] = scenario('foreign').steps.flatMap(({ checks }) => checks);
  assert.match(check?.reason ?? '', /it would change \/onem2m\/production, which this run has not created/);
  assert.deepEqual(sent, ['GET /onem2m']);
});

test('what is created there expires, lies in the ledger before it is sent, and is gone at the end', async (t) => {
  const ledger = mkdtempSync(join(tmpdir(), 'cselab-fetch-'));
  t.after(() => rmSync(ledger, { recursive: true }));
  const answer = createFetch(createCse().http);
  const seen: Array<{ readonly body: string; readonly ledger: string }> = [];
  const fetch: Fetch = async (request) => {
    const body = await request.clone().text();
    const [file = ''] = readdirSync(ledger);
    if (request.method === 'POST') seen.push({ body, ledger: readFileSync(join(ledger, file), 'utf8') });
    return answer(request);
  };
  const container =
    '- create: container\n  in: /${base}\n  attributes: { rn: "${name}" }\n  check: { doc.one: { status: 201 } }';
  const plan = planOf(t, fileOf({ one: container }));
  const safety = { ledger, survey: true };
  const prepared = await prepareFetch({ url, fetch, lifetime: 120_000, bodyLimit: 10_000 });
  const { result } = await collect(plan, (startedAt, run) => openUrl(prepared, { ...limits, startedAt, run, safety }));
  assert.match(seen[0]?.body ?? '', /"et":"/);
  assert.match(seen[0]?.ledger ?? '', new RegExp(`"kind":"creating".*"name":"cl-${result.run}-1`));
  assert.deepEqual(readdirSync(ledger), []);
  assert.deepEqual([result.survey?.left, result.survey?.after], [[], result.survey?.before]);
  assert.equal(result.requirements.find(({ id }) => id === 'doc.one')?.verdict, 'satisfied');
});

test('in the onem2m dialect what it notifies is fetched from polling channels', async (t) => {
  const cse = createCse({ dialect: 'onem2m', base: 'cse-in', requireAuth: true, admin: 'CAdmin' });
  const text = `feature: test
dialects: [onem2m]
actors: { app: {} }
inboxes: { watcher: {} }
scenarios:
  one:
    title: one
    steps:
      - create: container
        in: "/\${base}/\${app}"
        attributes: { rn: readings }
      - create: subscription
        in: "/\${base}/\${app}/readings"
        attributes: { nu: ["\${watcher.nu}"], enc: { net: [3] } }
      - create: content instance
        in: "/\${base}/\${app}/readings"
        attributes: { con: "1" }
      - notified: watcher
        check: { std.one: { notifications: 1 } }
`;
  const prepared = await prepareFetch({ url, fetch: createFetch(cse.http), dialect: 'onem2m', admin: 'CAdmin' });
  const { scenario, result } = await collect(planOf(t, text, { dialect: 'onem2m' }), (startedAt, run) =>
    openUrl(prepared, { ...limits, startedAt, run }),
  );
  assert.equal(scenario('one').state, 'passed', scenario('one').reason);
  assert.match(result.notes?.join() ?? '', /through polling channels/);
});
