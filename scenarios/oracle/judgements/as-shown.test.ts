import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ae, container, exchange, instance, judge, post } from '../testing/judge.ts';

test('a success has its own status, whoever asks', () => {
  const { broken } = judge();
  const headers = { 'X-M2M-Origin': '//openmtc.org/mn-cse-1/C1' };
  const box = { 'm2m:cnt': container };
  assert.deepEqual(broken('GET /onem2m/app/box', undefined, { status: 201, body: box, headers }), [
    'container.retrieve.status',
  ]);
  assert.deepEqual(broken('DELETE /onem2m/app', undefined, { status: 204, headers }), ['ae.delete.status']);
});

test('the parent of an application entity is the CSE base that was read', () => {
  const { broken } = judge();
  const read = () =>
    broken('GET /onem2m/app', undefined, {
      status: 200,
      body: { 'm2m:ae': { ...ae, ch: [{ nm: 'box', typ: 3, val: 'cnt0' }] } },
    });
  assert.deepEqual(read(), []);
  broken('GET /onem2m', undefined, { status: 200, body: { 'm2m:cb': { ri: 'cb7' } } });
  assert.deepEqual(read(), ['ae.pi.is-cse-base']);
});

test('reachability given as a boolean is given back as such, and other texts may become anything', () => {
  const { broken } = judge();
  const create = (rr: unknown) =>
    broken(
      'POST /onem2m',
      { 'm2m:ae': { rn: `a${rr}`, api: 'a', rr } },
      { status: 201, body: { 'm2m:ae': { ...ae, ri: `x${typeof rr}1`, aei: `C${typeof rr}`, rn: `a${rr}` } } },
    );
  assert.deepEqual(create('FALSE'), []);
  assert.deepEqual(create(false), ['ae.rr']);
});

test('what an identifier leads to is not shown, and an answer that was lost shows nothing', () => {
  const { broken, one } = judge();
  const base = { status: 200, body: { 'm2m:cb': { ri: 'cnt0' } } };
  assert.deepEqual(broken('GET /cnt0', undefined, base), []);
  const lost = exchange('GET /onem2m/app/box', undefined, {});
  assert.deepEqual(one.judge({ ...lost, failure: { kind: 'reset', message: 'reset' } }), []);
  assert.equal(one.judge(lost)[0]?.requirement, 'container.retrieve.status');
});

test('what is done by an identifier that was not shown may concern what has shown none', () => {
  const { ri: _, ...unnamed } = { ...container, rn: 'other' };
  const counted = { status: 200, body: { 'm2m:cnt': { ...container, rn: 'other', ri: 'cnt7', cni: 1, cbs: 3 } } };
  const told = (between: string) => {
    const { broken } = judge();
    broken('POST /onem2m/app', { 'm2m:cnt': { rn: 'other' } }, { status: 201, body: { 'm2m:cnt': unnamed } });
    broken(between, post, { status: 201, body: { 'm2m:cin': { ...instance, ri: 'cin0' } } });
    return broken('GET /onem2m/app/other', undefined, counted);
  };
  assert.deepEqual(told('POST /cnt7'), []);
  assert.deepEqual(told('POST /onem2m/app/box'), ['container.cni.counts', 'container.cbs.counts']);
});

test('cr names the originator in whatever form, and a failure is one whoever asks', () => {
  const { broken } = judge();
  const headers = { 'X-M2M-Origin': '//openmtc.org/mn-cse-1/C1' };
  const create = (rn: string, cr: string, ri: string) =>
    broken(
      'POST /onem2m/app',
      { 'm2m:cnt': { rn } },
      { status: 201, headers, body: { 'm2m:cnt': { ...container, rn, cr, ri } } },
    );
  assert.deepEqual(create('a', 'C1', 'cnt1'), []);
  assert.deepEqual(create('b', '//openmtc.org/mn-cse-1/C1', 'cnt2'), []);
  assert.deepEqual(create('c', 'nobody', 'cnt3'), ['container.cr']);
  assert.deepEqual(broken('GET /onem2m/app/box', undefined, { status: 403, headers }), []);
  assert.deepEqual(broken('GET /onem2m/app/box', undefined, { status: 500, headers }), ['container.retrieve.status']);
});

test('of many that are missing only a few are told', () => {
  const { broken, one } = judge();
  const names = ['a', 'b', 'c', 'd', 'e'];
  for (const [at, rn] of names.entries())
    broken(
      'POST /onem2m/app',
      { 'm2m:cnt': { rn } },
      { status: 201, body: { 'm2m:cnt': { ...container, rn, ri: `cnt${at + 1}` } } },
    );
  const read = exchange('GET /onem2m/app', undefined, {
    status: 200,
    body: { 'm2m:ae': { ...ae, ch: [{ nm: 'box', typ: 3, val: 'cnt0' }] } },
  });
  const [found] = one.judge(read);
  assert.equal(found?.requirement, 'ae.ch.nm');
  assert.match(String(found?.expected), /length 6.*"a".*"b"(?!.*"c")/);
});

test('what stood below a name in an earlier life is not certainly gone once nobody knows what has the name', () => {
  const { broken, one } = judge();
  const register = () =>
    broken('POST /onem2m', { 'm2m:ae': { rn: 'app', api: 'a', rr: 'TRUE' } }, { status: 201, body: { 'm2m:ae': ae } });
  assert.deepEqual(broken('DELETE /onem2m/app', undefined, { status: 200 }), []);
  register();
  one.passTime(86_400_000);
  register();
  broken('POST /onem2m/app', { 'm2m:cnt': { rn: 'box' } }, { status: 201, body: { 'm2m:cnt': container } });
  assert.deepEqual(broken('GET /onem2m/app/box', undefined, { status: 200, body: { 'm2m:cnt': container } }), []);
});
