import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createCse } from '../cse/create-cse.ts';
import { startNode } from '../topology/node.ts';
import { faithfulnessOf, imitating } from './product.ts';
import { ProductFileError, productOf, readProduct } from './product-file.ts';
import { serveProduct } from './serve-product.ts';

const folder = mkdtempSync(join(tmpdir(), 'cselab-products-'));
after(() => rmSync(folder, { recursive: true }));

const file = {
  imitates: 'Example',
  settings: { dialect: 'documented', base: 'b', 'without types': [3], 'access control': false },
  deviations: { 'ae.rr': 'ae.rr.missing' },
  'not imitated': ['ae.ch'],
  beyond: ['ae.aei'],
  ways: [{ id: 'label', says: 'It is labelled.', does: { headers: { Via: 'x' } } }],
  disturbance: ['dead PATCH'],
};

async function registered(options: Parameters<typeof createCse>[0]) {
  await using cse = createCse({ ...options, journal: 0 });
  const send = (method: string, target: string, body: object) =>
    cse.http.handle({
      ...{ method, target, body: new TextEncoder().encode(JSON.stringify(body)) },
      headers: { 'content-type': 'application/json' },
    });
  const ae = await send('POST', '/b', { 'm2m:ae': { rn: 'a', api: 'Na', rr: true } });
  return { ae, container: await send('POST', '/b/a', { 'm2m:cnt': {} }) };
}

test('a product is settings, deviations, ways and a mark, each of which shows', async () => {
  const product = productOf(file, 'example');
  const { ae, container } = await registered(imitating(product));
  assert.equal(ae.status, 201);
  assert.deepEqual([ae.headers.Via, ae.headers.Server], ['x', 'cselab as example']);
  assert.doesNotMatch(String(ae.body), /"rr"/);
  assert.notEqual(container.status, 201, 'it has no containers');
  assert.deepEqual(faithfulnessOf(product), { violated: 2, inCommon: 1, beyond: 1 });
});

test('a deviation of its own stands for several requirements, once', () => {
  const row = { id: 'own', says: 'It does.', violates: 'ae.rr', also: ['ae.ch'], does: { drop: ['rr', 'ch'] } };
  const deviations = { 'ae.rr': 'own', 'ae.aei': 'ae.aei.missing', 'ae.ch': 'own' };
  const product = productOf({ imitates: 'Example', settings: {}, rows: [row], deviations }, 'example');
  const given = imitating(product).deviations ?? [];
  assert.deepEqual(given.slice(0, -1), [row, 'ae.aei.missing']);
  assert.equal(faithfulnessOf(product).inCommon, 3);
  const alone = productOf(
    { imitates: 'Example', settings: {}, rows: [row], deviations: ['own', 'ae.aei.missing'] },
    '',
  );
  assert.deepEqual(imitating(alone).deviations?.slice(0, -1), [row, 'ae.aei.missing']);
  assert.deepEqual(new Set(alone.deviations), new Set(product.deviations));
});

test('a request that kills a product is not answered, nor is any after it', async () => {
  await using server = await serveProduct(productOf(file, 'example'));
  assert.equal((await fetch(`${server.url}/b`)).status, 200);
  await assert.rejects(fetch(`${server.url}/b`, { method: 'PATCH' }));
  await assert.rejects(fetch(`${server.url}/b`));
});

test('what killed it is reported', async () => {
  const deaths: string[] = [];
  const settings = { cse: { base: 'b' }, http: {}, disturbances: ['dead DELETE /b/x'] };
  await using node = await startNode(settings, { onDeath: (request) => deaths.push(request) });
  await node.startDisturbing();
  await fetch(`${node.url}/b/y`, { method: 'DELETE' });
  await assert.rejects(fetch(`${node.url}/b/x?rcn=1`, { method: 'DELETE' }));
  assert.deepEqual(deaths, ['DELETE /b/x?rcn=1']);
});

test('a file is a product by its name, and each error in it is reported with its location', async () => {
  const path = join(folder, 'mine.yaml');
  writeFileSync(path, 'imitates: Mine\nsettings: { base: b }\ndeviations: { ae.rr: ae.rr.missing }\n');
  assert.equal((await readProduct(path)).name, 'mine');
  for (const [text, message] of [
    [
      'imitates: Mine\nsettings: {}\ndeviations:\n  ae.rr: ae.rr.mising\n',
      /mine\.yaml:4:10: there is no deviation called "ae\.rr\.mising"/,
    ],
    [
      'imitates: Mine\nsettings: {}\ndeviations: [ae.aei.missing, ae.rr.mising]\n',
      /mine\.yaml:3:30: there is no deviation called "ae\.rr\.mising"/,
    ],
    ['imitates: Mine\nsettings: { bas: b }\ndeviations: {}\n', /mine\.yaml:2:11: Unrecognized key: "bas"/],
    [
      'imitates: Mine\nsettings: {}\ndeviations: {}\ndisturbance: [dead patch]\n',
      /mine\.yaml:4:15: "patch" is neither METHOD/,
    ],
    [
      'imitates: Mine\nsettings: {}\ndeviations: {}\nways: [{ id: a, says: b, does: { bend: 1 } }]\n',
      /mine\.yaml:4:\d+: Unrecognized key: "bend"/,
    ],
    ['settings: {}\n', /imitates is missing/],
    ['- {', /mine\.yaml:/],
  ] as const) {
    writeFileSync(path, text);
    await assert.rejects(readProduct(path), (error: Error) => {
      assert.ok(error instanceof ProductFileError);
      assert.match(error.message, message);
      return true;
    });
  }
});
