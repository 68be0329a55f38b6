import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createCse, serveHttp } from '../../sim/index.ts';
import type { UrlChoice } from '../engine/targets/url-choice.ts';
import { type Deviation, openTestTarget, testCse } from '../engine/test-cse.ts';
import { claimsOf, type Ics } from '../ics/ics.ts';
import { undeclared } from './undeclared.ts';

/** At the end of a run that did nothing else. */
async function notesOf(choice: UrlChoice, claims: Ics['claims'], ledger?: string): Promise<readonly string[]> {
  const limits = { connections: 4, timeout: 1000, startedAt: performance.now() };
  const safety = ledger === undefined ? {} : { ledger };
  const opened = await openTestTarget(choice, { ...limits, run: 'abc1234', safety });
  assert.ok('installations' in opened);
  const [installation] = opened.installations.opened();
  assert.ok(installation !== undefined);
  try {
    const { works, notes } = await undeclared({ run: 'abc1234', installation }, claimsOf({ of: 'it', claims }));
    return [...works.keys(), ...notes];
  } finally {
    await opened.installations.leave(false);
  }
}

/** A CSE with what it was asked, without the request by which a run begins. */
async function asked(t: TestContext, deviate?: Deviation) {
  const cse = await testCse(t, deviate);
  return { ...cse, requests: () => cse.log.slice(1) };
}

test('what works though it is denied is found, and nothing stays behind', async () => {
  for (const dialect of ['documented', 'onem2m'] as const) {
    await using server = await serveHttp(createCse({ dialect }).http);
    const notes = await notesOf(
      { url: server.url, dialect, admin: 'CAdmin' },
      { PICS_GRP: 'no', PICS_RESULT_CONTENT: 'no', PICS_NOD: 'unknown' },
    );
    assert.deepEqual(notes, ['PICS_RESULT_CONTENT', 'PICS_GRP']);
    const headers = { 'X-M2M-Origin': 'CAdmin', 'X-M2M-RI': 'a', 'X-M2M-RVI': '3' };
    const base = dialect === 'onem2m' ? 'cse-in' : 'onem2m';
    assert.doesNotMatch(await (await fetch(`${server.url}/${base}?fu=1`, { headers })).text(), /cl-abc1234/);
  }
});

test('where everything is claimed, or what is not would end fragile products, nothing is asked', async (t) => {
  const cse = await asked(t);
  assert.deepEqual(await notesOf({ url: cse.url }, {}), []);
  assert.deepEqual(cse.requests(), []);
  assert.deepEqual(await notesOf({ url: cse.url }, { PICS_NON_BLOCKING: 'no', PICS_EXPIRATION: 'no' }), []);
  assert.deepEqual(cse.requests(), ['GET /onem2m']);
});

test('each feature is asked for once, beside what it cannot be without', async (t) => {
  const cse = await asked(t);
  await notesOf({ url: cse.url }, { PICS_CIN: 'no', PICS_FCNT: 'no', PICS_PARTIAL_RETRIEVE: 'no' });
  const app = '/onem2m/cl-abc1234-cselab-probe';
  assert.deepEqual(cse.requests(), [
    'GET /onem2m?atrl=rn',
    'POST /onem2m',
    `POST ${app}`,
    `POST ${app}/values`,
    `POST ${app}`,
    `DELETE ${app}`,
    `GET ${app}`,
  ]);
});

test('what needs a container is not asked for where there is none', async (t) => {
  const cse = await asked(t, ({ body }) => (body.includes('m2m:cnt') ? { status: 405 } : undefined));
  const notes = await notesOf({ url: cse.url }, { PICS_CNT: 'no', PICS_CIN: 'no', PICS_GRP: 'no' });
  assert.deepEqual(notes, []);
  assert.equal(cse.requests().filter((one) => one.startsWith('POST ')).length, 2);
});

const silences: Readonly<Record<string, 'hang up' | 'say nothing'>> = {
  'is cut': 'hang up',
  'brings no answer in time': 'say nothing',
};

for (const [name, silence] of Object.entries(silences)) {
  test(`the first request whose connection ${name} is the last, and a note says so`, async (t) => {
    const cse = await asked(t, ({ body }) => (body.includes('m2m:grp') ? silence : undefined));
    const notes = await notesOf({ url: cse.url }, { PICS_GRP: 'no', PICS_TS: 'no', PICS_PCH: 'no' });
    assert.equal(notes.length, 1);
    assert.match(notes[0] ?? '', /^undeclared features were not tested any further: POST \/onem2m\/cl-abc1234-/);
    assert.deepEqual([...cse.tree.keys()], ['/onem2m']);
    const after = cse.requests().slice(3);
    assert.ok(
      after.every((one) => /^(DELETE|GET) /.test(one)),
      after.join(),
    );
  });
}

test('a read whose connection is cut is followed by no request at all', async (t) => {
  const cse = await asked(t, ({ path }) => (path.includes('rcn=6') ? 'hang up' : undefined));
  const notes = await notesOf({ url: cse.url }, { PICS_RESULT_CONTENT: 'no', PICS_CBOR: 'no', PICS_GRP: 'no' });
  assert.equal(notes.length, 1);
  assert.deepEqual(cse.requests(), ['GET /onem2m?rcn=6&lim=3']);
});

test('what is created is written down before in the ledger of the run, and expires as all of the run does', async (t) => {
  const ledger = mkdtempSync(join(tmpdir(), 'cselab-undeclared-'));
  t.after(() => rmSync(ledger, { recursive: true }));
  const written: string[] = [];
  const bodies: string[] = [];
  const cse = await asked(t, ({ method, body }) => {
    if (method === 'POST') {
      written.push(readFileSync(join(ledger, 'abc1234.ndjson'), 'utf8'));
      bodies.push(body);
    }
    return undefined;
  });
  const before = Date.now();
  await notesOf({ url: cse.url, lifetime: 120_000 }, { PICS_FCNT: 'no' }, ledger);
  assert.match(written[0] ?? '', /"kind":"creating".*"name":"cl-abc1234-cselab-probe"/);
  const { 'm2m:ae': { et = '' } = {} } = JSON.parse(bodies[0] ?? '') as Record<string, { et?: string }>;
  const lives = Date.parse(et.replace(/(\.\d{3})\d*/, '$1')) - before;
  assert.ok(lives > 100_000 && lives < 600_000, et);
  assert.deepEqual(readdirSync(ledger), []);
});

test('what is not to be touched is left alone', async (t) => {
  const cse = await asked(t);
  await notesOf({ url: cse.url, handsOff: ['/onem2m/production'] }, { PICS_RESULT_CONTENT: 'no' });
  // This result content would bring what is not to be read only as a reference.
  assert.deepEqual(cse.requests(), ['GET /onem2m?rcn=6&lim=3']);
  await notesOf({ url: cse.url, handsOff: ['/onem2m'] }, { PICS_RESULT_CONTENT: 'no', PICS_CBOR: 'no' });
  assert.deepEqual(cse.requests().slice(1), ['GET /onem2m']);
});
