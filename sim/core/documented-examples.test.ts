/** The examples of the specification's tables, field for field, on a fresh CSE at the moment of those examples. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleCse } from '../testing/sample-cse.ts';

const moment = '2017-03-02T16:12:53.350093+00:00';
const lifetimeLater = '2017-03-02T16:46:13.350093+00:00';
const ae = { 'm2m:ae': { rn: 'app', api: 'N.example', rr: 'TRUE' } };
const container = { 'm2m:cnt': { rn: 'temperature' } };
const instance = { 'm2m:cin': { con: 'aGVsbG8=', cnf: 'application/json:1' } };

test('row 1: an AE is created with the documented fields', async () => {
  const cse = sampleCse();
  const answer = await cse.send('POST', '/onem2m', ae);
  assert.equal(answer.status, 201);
  assert.equal(answer.headers['X-M2M-RSC'], '2001');
  assert.deepEqual(answer.json, {
    'm2m:ae': {
      ri: 'ae0',
      rn: 'app',
      ty: 2,
      pi: 'cb0',
      ct: moment.replace('093', '094'),
      lt: moment.replace('093', '094'),
      et: lifetimeLater.replace('093', '094'),
      aei: 'C0',
      api: 'N.example',
      rr: true,
      nl: 'dummy',
    },
  });
});

test('rows 2 and 3: a container stands below the AE, which then lists it', async () => {
  const cse = sampleCse();
  await cse.send('POST', '/onem2m', ae);
  const created = await cse.send('POST', '/onem2m/app', container);
  assert.equal(created.status, 201);
  const { ct, lt, et, ...rest } = created.attributes;
  assert.deepEqual(rest, { ri: 'cnt0', rn: 'temperature', ty: 3, pi: 'ae0', cr: 'nobody', cni: 0, cbs: 0, st: '0' });
  assert.deepEqual([ct, lt], [moment.replace('093', '095'), moment.replace('093', '095')]);
  assert.equal(et, lifetimeLater.replace('093', '094'), "bounded by the AE's");
  const read = await cse.send('GET', '/onem2m/app');
  assert.deepEqual(read.attributes.ch, [{ typ: 3, nm: 'temperature', val: 'cnt0' }]);
  const elsewhere = await cse.send('GET', '/~/mn-cse-1/onem2m/app');
  assert.deepEqual(elsewhere.attributes.ch, read.attributes.ch, 'the identifier is the same in every form of address');
});

test('row 4: POST / creates below the CSE base', async () => {
  const cse = sampleCse();
  const created = await cse.send('POST', '/', container);
  assert.equal(created.status, 201);
  assert.equal(created.attributes.pi, 'cb0');
  assert.equal((await cse.send('GET', '/onem2m/temperature')).status, 200);
});

test('rows 5 to 7: an instance is stored, counted and read as latest', async () => {
  const cse = sampleCse();
  await cse.send('POST', '/onem2m', ae);
  await cse.send('POST', '/onem2m/app', container);
  const created = await cse.send('POST', '/onem2m/app/temperature/', instance);
  assert.equal(created.status, 201);
  const { ct, lt, et, rn, ...rest } = created.attributes;
  assert.deepEqual(rest, {
    ri: 'cin0',
    ty: 4,
    pi: 'cnt0',
    con: 'aGVsbG8=',
    cnf: 'application/json:1',
    cs: 8,
    st: '0',
  });
  assert.match(String(rn), /^contentInstance-[A-Za-z0-9]{16}$/);
  assert.deepEqual((await cse.send('GET', '/onem2m/app/temperature/latest')).json, created.json);
  const counted = (await cse.send('GET', '/onem2m/app/temperature')).attributes;
  assert.deepEqual([counted.cni, counted.cbs, counted.st], [1, 8, '1']);
});

test('row 8: a deleted AE is gone with everything below it', async () => {
  const cse = sampleCse();
  const created = await cse.send('POST', '/onem2m', ae);
  await cse.send('POST', '/onem2m/app', container);
  const deleted = await cse.send('DELETE', '/onem2m/app');
  assert.equal(deleted.status, 200);
  assert.deepEqual(deleted.json, created.json);
  for (const path of ['/onem2m/app', '/onem2m/app/temperature', '/cnt0', '/ae0']) {
    assert.equal((await cse.send('GET', path)).status, 404, path);
  }
  assert.equal(cse.core.tree.size, 1);
});

test('rows 9 and 10: the service-provider-relative form reaches the same resources', async () => {
  const cse = sampleCse();
  await cse.send('POST', '/onem2m', ae);
  await cse.send('POST', '/onem2m/app', container);
  const created = await cse.send('POST', '/~/mn-cse-1/onem2m/app/temperature', instance);
  assert.equal(created.status, 201);
  const read = await cse.send('GET', '/~/mn-cse-1/onem2m/app/temperature/latest');
  assert.deepEqual(read.json, created.json);
});

test('rows 11 and 12: discovery by label and creation time, polled as an application polls', async () => {
  const cse = sampleCse();
  await cse.send('POST', '/onem2m', ae);
  await cse.send('POST', '/onem2m/app', { 'm2m:cnt': { rn: 'a', lbl: ['sensor'] } });
  const query = '/~/mn-cse-1/onem2m?lbl=sensor&fu=1';
  assert.deepEqual((await cse.send('GET', query)).json, { 'm2m:uril': ['/mn-cse-1/onem2m/app/a'] });
  const polled = (second: number) => `${query}&cra=2017-03-02+16%3A12%3A${second}.000000%2B00%3A00`;
  assert.deepEqual((await cse.send('GET', polled(53))).json, { 'm2m:uril': ['/mn-cse-1/onem2m/app/a'] });
  assert.deepEqual((await cse.send('GET', polled(54))).json, { 'm2m:uril': [] });
  cse.clock.microseconds += 2_000_000;
  await cse.send('POST', '/onem2m/app', { 'm2m:cnt': { rn: 'b', lbl: ['sensor'] } });
  assert.deepEqual((await cse.send('GET', polled(54))).json, { 'm2m:uril': ['/mn-cse-1/onem2m/app/b'] });
});
