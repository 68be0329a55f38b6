/** The rules that this project decided where the specification is silent, one test for each. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SampleCse, sampleCse } from '../testing/sample-cse.ts';

const second = 1_000_000;

/** A CSE with the AE `app` and below it the container `c`. */
async function prepared(container: Record<string, unknown> = {}): Promise<SampleCse> {
  const cse = sampleCse();
  await cse.send('POST', '/onem2m', { 'm2m:ae': { rn: 'app', api: 'x', rr: true } });
  await cse.send('POST', '/onem2m/app', { 'm2m:cnt': { rn: 'c', ...container } });
  return cse;
}

const put = (cse: SampleCse, rn: string, con = rn) => cse.send('POST', '/onem2m/app/c', { 'm2m:cin': { rn, con } });

async function counters(cse: SampleCse) {
  const { cni, cbs, st } = (await cse.send('GET', '/onem2m/app/c')).attributes;
  return { cni, cbs, st };
}

test('identifiers count up for each type and are never reused', async () => {
  const cse = await prepared();
  await put(cse, 'one');
  await cse.send('DELETE', '/onem2m/app/c/one');
  assert.equal((await put(cse, 'two')).attributes.ri, 'cin1');
  assert.equal((await cse.send('POST', '/onem2m/app/c', { 'm2m:cin': { rn: 'two', con: '' } })).status, 409);
  assert.equal((await put(cse, 'three')).attributes.ri, 'cin2', 'a refused create uses no number');
});

test('an AE names itself by an originator that starts with C, once', async () => {
  const cse = sampleCse();
  const register = (rn: string, origin?: string) =>
    cse.send(
      'POST',
      '/onem2m',
      { 'm2m:ae': { rn, api: 'x', rr: true } },
      origin === undefined ? {} : { 'x-m2m-origin': origin },
    );
  assert.equal((await register('a', '//openmtc.org/mn-cse-1/CMeter')).attributes.aei, 'CMeter');
  assert.equal((await register('b', 'C1')).attributes.aei, 'C1');
  assert.equal((await register('c')).attributes.aei, 'C0');
  assert.equal((await register('d', 'Someone')).attributes.aei, 'C2', 'C1 is taken');
  assert.equal((await register('e', 'C')).attributes.aei, 'C3');
  assert.equal((await register('f', 'CMeter')).headers['X-M2M-RSC'], '4105');
  await cse.send('DELETE', '/onem2m/a');
  assert.equal((await register('f', 'CMeter')).status, 201);
});

test('reachability is read from texts and booleans, and always returned as a boolean', async () => {
  for (const [given, returned] of [
    ['TRUE', true],
    ['true', true],
    ['FALSE', false],
    ['false', false],
    [true, true],
  ]) {
    const answer = await sampleCse().send('POST', '/onem2m', { 'm2m:ae': { api: 'x', rr: given } });
    assert.equal(answer.attributes.rr, returned);
  }
  for (const given of ['yes', 'True', 1, {}]) {
    assert.equal((await sampleCse().send('POST', '/onem2m', { 'm2m:ae': { api: 'x', rr: given } })).status, 400);
  }
});

test('null and an empty list mean an absent attribute', async () => {
  const cse = await prepared();
  const created = await cse.send('POST', '/onem2m/app', {
    'm2m:cnt': { rn: 'n', acpi: [], ri: null, lbl: null, mni: null },
  });
  assert.equal(created.status, 201);
  await cse.send('PUT', '/onem2m/app/n', { 'm2m:cnt': { lbl: ['kept'], mni: 5 } });
  const updated = await cse.send('PUT', '/onem2m/app/n', { 'm2m:cnt': { lbl: [], mni: null, rn: null } });
  assert.deepEqual([updated.attributes.lbl, updated.attributes.mni], [['kept'], 5]);
});

test('a refusal says everything that is wrong in one sentence', async () => {
  const answer = await sampleCse().send('POST', '/onem2m', { 'm2m:ae': { ri: 'ae7', colour: 'red', rr: 7 } });
  assert.deepEqual([answer.status, answer.headers['X-M2M-RSC']], [400, '4000']);
  const { 'm2m:dbg': sentence } = answer.json as Record<string, string>;
  assert.match(
    String(sentence),
    /^ri cannot be given in a create; "colour" is not an attribute of m2m:ae; rr must be .*; api is missing\.$/,
  );
});

test('an update changes what it names, moves lt and st, and shows the whole representation', async () => {
  const cse = await prepared({ mbs: 100 });
  cse.clock.microseconds += second;
  const updated = await cse.send('PUT', '/onem2m/app/c', { 'm2m:cnt': { mni: 3 } });
  assert.deepEqual([updated.status, updated.headers['X-M2M-RSC']], [200, '2004']);
  const { mni, mbs, st, ct, lt } = updated.attributes;
  assert.deepEqual([mni, mbs, st], [3, 100, '1']);
  assert.ok(String(lt) > String(ct));
  for (const wrong of [{ 'm2m:ae': {} }, { 'm2m:cnt': { rn: 'other' } }, { 'm2m:cnt': { cni: 4 } }]) {
    assert.equal((await cse.send('PUT', '/onem2m/app/c', wrong)).status, 400);
  }
});

test('a content instance is never updated', async () => {
  const cse = await prepared();
  await put(cse, 'one');
  const answer = await cse.send('PUT', '/onem2m/app/c/one', { 'm2m:cin': { lbl: ['x'] } });
  assert.deepEqual([answer.status, answer.headers['X-M2M-RSC']], [405, '4005']);
  assert.equal(answer.headers.Allow, 'GET, HEAD, DELETE, OPTIONS');
});

test('cs counts bytes of UTF-8', async () => {
  const cse = await prepared();
  for (const con of ['', 'plain', 'é', '€', '😀', 'aé€😀z']) {
    const answer = await cse.send('POST', '/onem2m/app/c', { 'm2m:cin': { con } });
    assert.equal(answer.attributes.cs, Buffer.byteLength(con), JSON.stringify(con));
  }
});

test('latest, oldest and their short names follow what is held; an empty container has neither', async () => {
  const cse = await prepared();
  for (const end of ['latest', 'la', 'oldest', 'ol'])
    assert.equal((await cse.send('GET', `/onem2m/app/c/${end}`)).status, 404);
  for (const rn of ['one', 'two', 'three']) await put(cse, rn);
  const names = async () =>
    Promise.all(
      ['latest', 'la', 'oldest', 'ol'].map(async (end) => (await cse.send('GET', `/cnt0/${end}`)).attributes.rn),
    );
  assert.deepEqual(await names(), ['three', 'three', 'one', 'one']);
  assert.equal((await cse.send('DELETE', '/onem2m/app/c/la')).attributes.rn, 'three');
  assert.equal((await cse.send('DELETE', '/onem2m/app/c/oldest')).attributes.rn, 'one');
  assert.deepEqual(await names(), ['two', 'two', 'two', 'two']);
  assert.equal((await cse.send('PUT', '/onem2m/app/c/la', { 'm2m:cin': {} })).status, 405);
});

test('mni lets the oldest go, at a create and at an update', async () => {
  const cse = await prepared({ mni: 2 });
  for (const rn of ['one', 'two', 'three']) await put(cse, rn);
  assert.deepEqual(await counters(cse), { cni: 2, cbs: 8, st: '4' });
  assert.equal((await cse.send('GET', '/onem2m/app/c/one')).status, 404);
  await cse.send('PUT', '/onem2m/app/c', { 'm2m:cnt': { mni: 1 } });
  assert.deepEqual(await counters(cse), { cni: 1, cbs: 5, st: '6' });
  await cse.send('PUT', '/onem2m/app/c', { 'm2m:cnt': { mni: 0 } });
  assert.equal((await put(cse, 'four')).headers['X-M2M-RSC'], '5207');
});

test('mbs lets the oldest go until the new one fits; one that can never fit is refused and nothing is lost', async () => {
  const cse = await prepared({ mbs: 10 });
  for (const rn of ['one', 'two', 'three']) await put(cse, rn, 'xxxx');
  assert.deepEqual(await counters(cse), { cni: 2, cbs: 8, st: '4' });
  const refused = await put(cse, 'big', 'x'.repeat(11));
  assert.deepEqual([refused.status, refused.headers['X-M2M-RSC']], [406, '5207']);
  assert.deepEqual(await counters(cse), { cni: 2, cbs: 8, st: '4' });
  await put(cse, 'full', 'x'.repeat(10));
  assert.deepEqual(await counters(cse), { cni: 1, cbs: 10, st: '7' });
});

test('mia lets instances go by age, also those held when it is set', async () => {
  const cse = await prepared();
  await put(cse, 'old');
  cse.clock.microseconds += 5 * second;
  await cse.send('PUT', '/onem2m/app/c', { 'm2m:cnt': { mia: 10 } });
  await put(cse, 'young');
  cse.clock.microseconds += 6 * second;
  assert.equal((await cse.send('GET', '/onem2m/app/c/old')).status, 404);
  assert.deepEqual(await counters(cse), { cni: 1, cbs: 5, st: '4' });
  cse.clock.microseconds += 6 * second;
  assert.equal((await cse.send('GET', '/onem2m/app/c/latest')).status, 404);
  await put(cse, 'older');
  cse.clock.microseconds += 5 * second;
  const { attributes } = await cse.send('PUT', '/onem2m/app/c', { 'm2m:cnt': { mia: 2 } });
  assert.equal(attributes.cni, 0);
});

test('what expires is gone with its subtree, from names, identifiers, discovery and counters', async () => {
  const cse = await prepared({ lbl: ['here'] });
  await put(cse, 'one');
  cse.clock.microseconds += 2000 * second + 10;
  for (const path of ['/onem2m/app', '/cnt0', '/cin0', '/onem2m/app/c/latest']) {
    assert.equal((await cse.send('GET', path)).status, 404, path);
  }
  assert.deepEqual((await cse.send('GET', '/onem2m?fu=1&lbl=here')).json, { 'm2m:uril': [] });
  assert.equal((await cse.send('GET', '/onem2m')).attributes.ch, undefined);
  assert.equal(cse.core.tree.size, 1);
});

test('an expiration time can be asked for, is bounded by the parent, and draws in what is below', async () => {
  const cse = await prepared();
  const later = '2017-03-02T23:00:00.000000+00:00';
  assert.equal((await cse.send('PUT', '/onem2m/app', { 'm2m:ae': { et: later } })).attributes.et, later);
  assert.equal((await cse.send('PUT', '/onem2m/app/c', { 'm2m:cnt': { et: '20170303T000000' } })).attributes.et, later);
  const sooner = '2017-03-02T17:00:00.000000+00:00';
  await cse.send('PUT', '/onem2m/app', { 'm2m:ae': { et: sooner } });
  assert.equal((await cse.send('GET', '/onem2m/app/c')).attributes.et, sooner);
  assert.equal((await cse.send('PUT', '/onem2m/app', { 'm2m:ae': { et: '2017-03-02T16:00:00' } })).status, 400);
});

test('names: clash, reserved, impossible', async () => {
  const cse = await prepared();
  const statusOf = async (rn: unknown) => {
    const answer = await cse.send('POST', '/onem2m/app', { 'm2m:cnt': { rn } });
    return `${answer.status} ${answer.headers['X-M2M-RSC']}`;
  };
  assert.equal(await statusOf('c'), '409 4105');
  for (const rn of ['la', 'ol', 'latest', 'oldest', 'fopt', 'pcu']) assert.equal(await statusOf(rn), '409 4105', rn);
  for (const rn of ['', '.', '..', 'a/b', 'a\nb', 7, { a: 1 }, 'x'.repeat(1025)])
    assert.equal(await statusOf(rn), '400 4000');
});

test('types are created only where allowed', async () => {
  const cse = await prepared();
  await put(cse, 'one');
  const refused: [string, unknown][] = [
    ['/onem2m/app', { 'm2m:ae': { api: 'x', rr: true } }],
    ['/onem2m', { 'm2m:cin': { con: 'x' } }],
    ['/onem2m/app', { 'm2m:cin': { con: 'x' } }],
    ['/onem2m/app/c/one', { 'm2m:cnt': {} }],
  ];
  for (const [path, body] of refused) {
    const answer = await cse.send('POST', path, body);
    assert.deepEqual([answer.status, answer.headers['X-M2M-RSC']], [403, '4108'], path);
  }
  assert.equal((await cse.send('POST', '/onem2m', { 'm2m:cb': {} })).status, 403);
  assert.equal((await cse.send('POST', '/onem2m', { 'm2m:xyz': {} })).status, 400);
});

test('rcn shapes the answer of each operation, and is refused where TS-0004 has none', async () => {
  const cse = await prepared();
  await put(cse, 'one');
  const json = async (method: string, target: string, body?: unknown) => (await cse.send(method, target, body)).json;
  const keys = (value: unknown) => Object.keys(Object.values(value as object)[0] as object);
  assert.equal(keys(await json('GET', '/onem2m/app/c?rcn=1')).includes('ch'), false);
  assert.equal(keys(await json('GET', '/onem2m/app/c')).includes('ch'), true);
  assert.equal(keys(await json('GET', '/onem2m/app/c?rcn=4')).includes('m2m:cin'), true);
  assert.deepEqual(await json('GET', '/onem2m/app?rcn=6'), { 'm2m:rrl': { rrf: [{ typ: 3, nm: 'c', val: 'cnt0' }] } });
  assert.deepEqual(keys(await json('GET', '/onem2m/app?rcn=8')), ['m2m:cnt']);
  assert.deepEqual(await json('POST', '/onem2m/app?rcn=2', { 'm2m:cnt': { rn: 'd' } }), { 'm2m:uri': 'onem2m/app/d' });
  assert.deepEqual(keys(await json('POST', '/onem2m/app?rcn=3', { 'm2m:cnt': { rn: 'e' } })), ['uri', 'm2m:cnt']);
  assert.equal(await json('PUT', '/onem2m/app/d?rcn=0', { 'm2m:cnt': { mni: 1 } }), undefined);
  assert.equal(await json('DELETE', '/onem2m/app/d?rcn=0'), undefined);
  for (const refused of ['GET 0', 'GET 2', 'GET 3', 'GET 7', 'GET 9', 'PUT 5', 'POST 4', 'POST 5', 'DELETE 3']) {
    const [method = '', rcn] = refused.split(' ');
    assert.equal((await cse.send(method, `/onem2m/app?rcn=${rcn}`, { 'm2m:cnt': {} })).status, 400, refused);
  }
});

test('base64 text of a whole JSON document becomes a content instance', async () => {
  const cse = await prepared();
  const text = btoa('{"value":21}');
  for (const body of [text, `${text}\n`, `${text.slice(0, 8)}\r\n${text.slice(8)}`]) {
    const answer = await cse.send('POST', '/onem2m/app/c', body);
    assert.deepEqual([answer.status, answer.attributes.con, answer.attributes.cnf], [201, text, 'application/json:1']);
  }
  for (const body of [btoa('{"value":'), btoa('\xff'), 'not base64!', 'AAA', '"text"', '7', '[]']) {
    assert.equal((await cse.send('POST', '/onem2m/app/c', body)).status, 400, body);
  }
  assert.equal((await cse.send('POST', '/onem2m/app', text)).headers['X-M2M-RSC'], '4108');
});

test('another CSE is not reachable, another path is not found', async () => {
  const cse = await prepared();
  const codeAt = async (path: string) => (await cse.send('GET', path)).headers['X-M2M-RSC'];
  assert.equal(await codeAt('/~/in-cse-1/onem2m'), '5103');
  assert.equal(await codeAt('/~/mn-cse-1x/onem2m'), '5103');
  assert.equal(await codeAt('/_/other.sp/mn-cse-1/onem2m'), '5103');
  for (const path of [
    '/',
    '/nothing',
    '/onem2m/app/nothing',
    '/onem2m//app',
    '//onem2m',
    '/onem2m/app/la',
    '/onem2m/a%2Fb',
  ]) {
    assert.equal(await codeAt(path), '4004', path);
  }
});

test('a criterion without fu=1 is a condition on the retrieve', async () => {
  const cse = await prepared({ lbl: ['red'] });
  assert.equal((await cse.send('GET', '/onem2m/app/c?lbl=red')).status, 200);
  assert.equal((await cse.send('GET', '/onem2m/app/c?lbl=blue')).status, 404);
});
