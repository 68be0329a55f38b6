/** Targets that are asked in CBOR: what they answer, and what they ought not to, is told as it would be in JSON. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCse, createFetch } from '../../sim/index.ts';
import { commentOf, exportedOf } from '../captures/exported.ts';
import type { Serialization } from '../engine/grammar/dialects.ts';
import { socketless } from '../engine/messages/target.ts';
import { lastOf } from '../engine/running/last-of.ts';
import type { Fetch } from '../engine/targets/in-process.ts';
import { noCertificates } from '../engine/targets/installation.ts';
import { runLineOf } from '../safety/ledger-line.ts';
import { check } from './check.ts';

const ids = ['create', 'headers', 'cbor'].map((one) => `standard/${one}`);

async function judged(serialization: Serialization, around: (answer: Fetch) => Fetch = (answer) => answer, only = ids) {
  const cse = createCse({ dialect: 'onem2m', base: 'cse-in', requireAuth: true, admin: 'CAdmin' });
  const types: unknown[] = [];
  const answer: Fetch = (request) => {
    types.push(request.headers.get('content-type'), request.headers.get('accept'));
    return createFetch(cse.http)(request);
  };
  const names = { kind: 'fetch', url: 'http://cse.example', admin: 'CAdmin', waitForTarget: 0 } as const;
  const target = { ...names, fetch: around(answer), serialization };
  const result = await lastOf(check({ target, dialect: 'onem2m', ids: only, timeout: 500 }));
  const verdicts = new Map(result.requirements.map(({ id, verdict }) => [id, verdict]));
  return { ...result, types, verdicts, left: cse.core.tree.size };
}

test('in CBOR a CSE is judged as it is in JSON, but for what is about the text of JSON', async () => {
  const [inJson, inCbor] = [await judged('json'), await judged('cbor')];
  assert.ok(inJson.summary.verdicts.satisfied > 100);
  const others = [...inJson.verdicts].filter(([id, verdict]) => inCbor.verdicts.get(id) !== verdict);
  assert.deepEqual(others, [['std.content.broken', 'satisfied']]);
  assert.equal(inCbor.verdicts.get('std.content.broken'), 'not testable');
  assert.deepEqual([inCbor.exit.code, inCbor.left], [0, inJson.left]);
  assert.ok(inCbor.types.includes('application/cbor;ty=3') && inCbor.types.includes('application/cbor'));
  assert.ok(!inCbor.types.includes('application/json') && !inCbor.types.includes('application/json;ty=3'));
  assert.equal(inCbor.target.serialization, 'cbor');
});

test('what is sent and answered is shown as JSON, with a line that sends the octets', async () => {
  const { scenarios } = await judged('cbor', undefined, ['standard/create']);
  const exchanges = scenarios.flatMap(({ steps }) => steps.flatMap(({ exchange }) => exchange ?? []));
  const created = exchanges.find(({ request, answer }) => request.method === 'POST' && answer?.status === 201);
  assert.match(created?.request.body ?? '', /^\{"m2m:/);
  assert.match(created?.answer?.body ?? '', /^\{"m2m:/);
  assert.match(
    created?.curl ?? '',
    /^printf '\\241.* \| curl .*-H 'Content-Type: application\/cbor;ty=\d+' --data-binary @- /,
  );
});

test('archives of a run in CBOR are in JSON, and say so', async () => {
  const all = exportedOf(await judged('cbor', undefined, ['standard/create']));
  const types = all.flatMap(({ exchange: { request, answer } }) =>
    [...request.headers, ...(answer?.headers ?? [])].flatMap(([name, value]) =>
      /^(accept|content-type)$/i.test(name) ? value.replace(/;.*/, '') : [],
    ),
  );
  assert.deepEqual([...new Set(types)], ['application/json']);
  assert.ok(all.every((one) => commentOf(one).endsWith('(in CBOR, which is written here as JSON)')));
  const [inJson] = exportedOf(await judged('json', undefined, ['standard/create']));
  assert.doesNotMatch(inJson?.title ?? 'none', /CBOR/);
});

/** With another content in place of each that is answered with success; the CSE base is read as it is. */
const instead =
  (
    change: (content: Uint8Array<ArrayBuffer>) => {
      readonly body: Uint8Array<ArrayBuffer> | string;
      readonly type?: string;
    },
  ) =>
  (answer: Fetch): Fetch =>
  async (request) => {
    const given = await answer(request);
    if (!given.ok || new URL(request.url).pathname === '/cse-in') return given;
    const { body, type = 'application/cbor' } = change(new Uint8Array(await given.arrayBuffer()));
    const headers = new Headers(given.headers);
    headers.set('Content-Type', type);
    return new Response(body, { status: given.status, headers });
  };

test('JSON that is said to be CBOR, and CBOR that is cut, are answers that cannot be read', async () => {
  for (const change of [
    () => ({ body: '{"m2m:ae":{}}' }),
    (content: Uint8Array<ArrayBuffer>) => ({ body: content.subarray(0, -1) }),
    () => ({ body: new Uint8Array(100_000).fill(0x81) }),
  ]) {
    const { verdicts, scenarios, exit } = await judged('cbor', instead(change), ['standard/cbor', 'standard/retrieve']);
    assert.equal(verdicts.get('std.cbor.answer'), 'violated', exit.reason);
    assert.equal(exit.code, 1);
    const actual = scenarios.flatMap(({ steps }) => steps.flatMap(({ checks }) => checks.map((one) => one.actual)));
    assert.ok(
      actual.some((one) => /body is "h'(7b226d|a1|8181)/.test(one)),
      actual.join('\n'),
    );
  }
});

test('who refuses CBOR is said to do so, and nothing is judged', async () => {
  for (const status of [406, 415]) {
    const refuses = () => async () => new Response(null, { status });
    const { exit, scenarios } = await judged('cbor', refuses);
    assert.match(exit.reason, new RegExp(`: ${status}. Give --serialization json: it does not speak CBOR$`));
    assert.deepEqual([exit.code, scenarios.length], [3, 0]);
  }
});

test('who answers in JSON is read, and violates what says that what came in CBOR is answered in it', async () => {
  const inJson = (answer: Fetch): Fetch => {
    return async (request) => {
      const headers = new Headers(request.headers);
      headers.set('Accept', 'application/json');
      const body = request.body === null ? null : Buffer.from(await request.arrayBuffer());
      return answer(new Request(request.url, { method: request.method, headers, body }));
    };
  };
  const { verdicts, summary } = await judged('cbor', inJson, ['standard/retrieve', 'standard/cbor']);
  assert.equal(verdicts.get('std.cbor.answer'), 'satisfied');
  assert.equal(verdicts.get('std.cbor.as-asked'), 'violated');
  assert.equal(summary.verdicts.violated, 1);
});

test('a ledger says in which serialization what is left can be removed', () => {
  const names = { base: 'cse-in', cseId: 'id-in', spId: 'sp' };
  const description = { kind: 'url', url: 'http://cse.example', ...names, serialization: 'cbor' } as const;
  const gateway = socketless({ description, objection: () => undefined }, () => Promise.reject(new Error('unsent')));
  const parties = { gateway, dialect: 'onem2m', release: '3', certificates: noCertificates } as const;
  const { kind: _kind, ...site } = description;
  assert.deepEqual(runLineOf({ run: 'r', startedAt: '' }, {}, parties).gateway, site);
});

test('what is documented is not asked in CBOR', async () => {
  const target = { kind: 'fetch', url: 'http://cse.example', serialization: 'cbor' } as const;
  await assert.rejects(lastOf(check({ target, dialect: 'documented' })), /the documented dialect is JSON only/);
});
