import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleCse } from '../../testing/sample-cse.ts';
import { optionsIn } from '../language/each.ts';
import { variationRows } from '../language/row-files.ts';
import { drawVariations } from './draw.ts';
import type { Variation } from './variation.ts';
import { describeVariations, isForListener, variationClauses } from './variation-rows.ts';

/** The answers to a create, a retrieve, a discovery and a delete. */
async function answers(...variations: Variation[]) {
  const { send } = sampleCse({ variations });
  return {
    created: await send('POST', '/onem2m', { 'm2m:ae': { rn: 'App', api: 'N.äpp/lication', rr: 'TRUE' } }),
    other: await send('POST', '/onem2m', { 'm2m:ae': { rn: 'B', api: 'N.b', rr: 'TRUE' } }),
    found: await send('GET', '/onem2m?fu=1'),
    limited: await send('GET', '/onem2m?fu=1&lim=1'),
    deleted: await send('DELETE', '/onem2m/B'),
  };
}

test('the same answer has another spelling', async () => {
  const usual = await answers();
  const cases: readonly Variation[] = [
    ...[
      { keys: 'reversed' },
      { keys: 'sorted' },
      { 'white space': 'indented' },
      { 'white space': 'tabs' },
      { 'white space': 'around' },
    ],
    ...[{ escapes: 'beyond ASCII' }, { escapes: 'slashes' }, { escapes: 'letters' }],
  ] as Variation[];
  for (const variation of cases) {
    const varied = await answers(variation);
    assert.notEqual(varied.created.text, usual.created.text, describeVariations([variation]));
    assert.deepEqual(varied.created.json, usual.created.json, describeVariations([variation]));
    assert.deepEqual(varied.found.json, usual.found.json);
  }
});

test('headers, lists and the answer to a DELETE differ where nothing says how they are', async () => {
  const usual = await answers();
  const upper = await answers({ headers: 'in upper case' }, { 'media type': 'with a charset' });
  assert.equal(upper.created.headers['X-M2M-RSC'], '2001');
  assert.equal(upper.created.headers['CONTENT-TYPE'], `${usual.created.headers['Content-Type']};charset=utf-8`);
  assert.equal((await answers({ headers: 'added' })).created.headers.Via, '1.1 gate');
  const listIn = (json: unknown) => (json as { 'm2m:uril': string[] })['m2m:uril'];
  const reversed = await answers({ discovery: 'reversed' });
  assert.deepEqual(listIn(reversed.found.json), listIn(usual.found.json).toReversed());
  assert.deepEqual(listIn(reversed.limited.json), listIn(reversed.found.json).slice(0, 1));
  assert.notDeepEqual(listIn(reversed.limited.json), listIn(usual.limited.json));
  assert.equal((await answers({ 'body after a delete': 'an object' })).deleted.text, '{}');
  const empty = (await answers({ 'body after a delete': 'empty' })).deleted;
  assert.deepEqual([empty.text, empty.status, empty.headers['Content-Type']], ['', 200, undefined]);
});

test('what no source shows is refused, or left out of a request', async () => {
  const { send } = sampleCse({ variations: [{ without: 'updates' }, { et: 'ignored' }, { 'refusal body': 'a page' }] });
  const given = { rn: 'App', api: 'N.app', rr: 'TRUE', et: '2017-03-02T18:00:00.000000+00:00' };
  const { attributes } = await send('POST', '/onem2m', { 'm2m:ae': given });
  assert.notEqual(attributes.et, given.et);
  const other = sampleCse({ variations: [{ without: 'updates' }, { et: 'refused' }] });
  assert.equal((await other.send('POST', '/onem2m', { 'm2m:ae': given })).status, 400);
  assert.equal((await other.send('PUT', '/onem2m/App', { 'm2m:ae': {} })).status, 405);
});

test('each of what may be left out is refused, and nothing else', async () => {
  const refused: Readonly<Record<string, readonly [string, string, unknown?]>> = {
    updates: ['PUT', '/onem2m/App', { 'm2m:ae': { lbl: ['a'] } }],
    'removal below applications': ['DELETE', '/~/mn-cse-1/onem2m/App/data'],
    'the removal of instances': ['DELETE', '/onem2m/App/data/one'],
    'the oldest': ['GET', '/onem2m/App/data/oldest'],
    'addresses by identifier': ['GET', '/cnt0'],
    'other kinds': ['POST', '/onem2m/App', { 'm2m:sub': { nu: ['http://127.0.0.1:1/'] } }],
    'other filters': ['GET', '/onem2m?fu=1&ty=2'],
    OPTIONS: ['OPTIONS', '/onem2m'],
  };
  const listed = variationRows().flatMap(({ varies, variants }) =>
    varies === 'without' ? [...optionsIn(variants).keys()] : [],
  );
  assert.deepEqual(Object.keys(refused), listed);
  for (const [what, [method, target, body]] of Object.entries(refused)) {
    const { send } = sampleCse({ variations: [{ without: what }] });
    await send('POST', '/onem2m', { 'm2m:ae': { rn: 'App', api: 'N.app', rr: 'TRUE' } });
    assert.equal((await send('POST', '/onem2m/App', { 'm2m:cnt': { rn: 'data' } })).status, 201);
    assert.equal((await send('POST', '/onem2m/App/data', { 'm2m:cin': { con: 'a', rn: 'one' } })).status, 201);
    const { status } = await send(method, target, body);
    assert.ok(status >= 400 && status < 500, `${what}: ${status}`);
    assert.equal((await send('GET', '/~/mn-cse-1/onem2m?fu=1&lbl=a')).status, 200);
    assert.equal((await send('DELETE', '/onem2m/App')).status, 200);
  }
});

test('an expiration time that is no hint is refused as ever', async () => {
  const { send } = sampleCse({ dialect: 'onem2m', variations: [{ et: 'ignored in a create' }] });
  const creating = async (et: unknown) => (await send('POST', '/cse-in', { 'm2m:cnt': { et } })).status;
  assert.deepEqual(
    [await creating('20500101T000000'), await creating('20100101T000000'), await creating(5)],
    [201, 400, 400],
  );
});

test('additional attributes, another order of children, other statuses and types', async () => {
  const more = await answers({ attributes: 'additional' });
  assert.deepEqual(more.created.attributes.hints, [{ kept: 'here' }]);
  const { send } = sampleCse({ variations: [{ 'child list': 'reversed' }, { 'media type': 'another of JSON' }] });
  for (const rn of ['A', 'B']) await send('POST', '/onem2m', { 'm2m:ae': { rn, api: 'N.a', rr: 'TRUE' } });
  const { attributes, headers } = await send('GET', '/onem2m');
  assert.deepEqual(
    (attributes.ch as { nm: string }[]).map(({ nm }) => nm),
    ['B', 'A'],
  );
  assert.equal(headers['Content-Type'], 'application/json');
  const exact = await send('GET', '/onem2m', undefined, { accept: 'application/vnd.onem2m-res+json' });
  assert.equal(exact.headers['Content-Type'], 'application/vnd.onem2m-res+json');
});

test('a refusal has another status and message', async () => {
  const missing = async (...variations: Variation[]) => sampleCse({ variations }).send('GET', '/onem2m/none');
  assert.equal((await missing({ refusals: 'with 422' })).status, 422);
  assert.deepEqual((await missing({ 'oneM2M headers': 'left out' })).headers['X-M2M-RSC'], undefined);
  const bare = await missing({ 'refusal body': 'none' });
  assert.deepEqual([bare.status, bare.text, bare.headers['Content-Type']], [404, '', undefined]);
  const cse = sampleCse({ variations: [{ 'create at /': 'with 200' }, { 'refusal body': 'another object' }] });
  assert.equal((await cse.send('POST', '/', { 'm2m:cnt': { rn: 'data' } })).status, 200);
  assert.equal((await cse.send('POST', '/onem2m', { 'm2m:cnt': { rn: 'other' } })).status, 201);
});

test('one request in 250 has to be sent again a second later', async () => {
  const statuses = async (busy: string) => {
    const { send } = sampleCse({ variations: [{ busy }] });
    const all = [];
    for (let count = 0; count < 500; count += 1) all.push(await send('GET', '/onem2m'));
    return all.flatMap(({ status, headers }, at) => (status === 200 ? [] : [[at, status, headers['Retry-After']]]));
  };
  assert.deepEqual(await statuses('429 with seconds'), [
    [249, 429, '1'],
    [499, 429, '1'],
  ]);
  assert.deepEqual(await statuses('one 503'), [[249, 503, '1']]);
  const [[, , date] = []] = await statuses('429 with a date');
  assert.match(String(date), /GMT$/);
});

test('over another wire than HTTP nothing has to be sent again, since no primitive says when', async () => {
  const { http } = sampleCse({ variations: [{ busy: 'one 503' }] });
  const asked = { method: 'GET', target: '/onem2m', headers: {}, body: Buffer.of() };
  const statuses = [];
  for (let count = 0; count < 500; count += 1) statuses.push((await http.handle({ ...asked, wire: 'coap' })).status);
  assert.deepEqual([...new Set(statuses)], [200]);
});

test('a seed draws one to three of different kinds, the same each time', () => {
  const drawn = (seed: number) => {
    const endless = drawVariations('documented', seed);
    return Array.from({ length: 400 }, () => endless.next().value ?? []);
  };
  assert.deepEqual(drawn(3), drawn(3));
  assert.notDeepEqual(drawn(3), drawn(4));
  const all = drawn(1);
  assert.deepEqual([...new Set(all.map(({ length }) => length))].sort(), [1, 2, 3]);
  for (const one of all) assert.equal(new Set(one.flatMap((variation) => Object.keys(variation))).size, one.length);
  const documented = variationRows().filter(({ dialect }) => dialect !== 'onem2m');
  const kinds = new Set(all.flat().flatMap((one) => Object.keys(one)));
  assert.deepEqual([...kinds].sort(), [...new Set(documented.map(({ varies }) => varies))].sort());
});

test('over another wire what shows over it alone is drawn, too, and no manners of HTTP', () => {
  const kindsOver = (wire?: 'ws' | 'coap') => {
    const endless = drawVariations('onem2m', 1, wire);
    return new Set(
      Array.from({ length: 300 }, () => endless.next().value ?? [])
        .flat()
        .flatMap((one) => Object.keys(one)),
    );
  };
  const [http, ws, coap] = [kindsOver(), kindsOver('ws'), kindsOver('coap')];
  assert.deepEqual(
    [...ws].filter((one) => !http.has(one)),
    ['frames'],
  );
  assert.deepEqual([...coap].filter((one) => !http.has(one)).sort(), ['answers', 'caching']);
  assert.deepEqual(
    ['connection', 'pace', 'keys'].map((one) => [http, ws].map((kinds) => kinds.has(one))),
    [
      [true, false],
      [true, false],
      [true, true],
    ],
  );
});

test('each is allowed by a clause, and the wire shows only to a client of a live target', () => {
  assert.deepEqual(variationClauses([{ 'white space': 'tabs' }]), [
    'white space: tabs (RFC 8259, 2: insignificant white space is allowed)',
  ]);
  assert.deepEqual(
    [isForListener([{ keys: 'sorted' }]), isForListener([{ keys: 'sorted' }, { reason: 'none' }])],
    [false, true],
  );
});
