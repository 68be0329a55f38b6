import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SampleCse, sampleCse } from '../sample-cse.ts';

const register = async (cse: SampleCse, originator: string, attributes: object, ty = 16) => {
  const root = ty === 16 ? 'm2m:csr' : 'm2m:ae';
  const { headers, attributes: made } = await cse.send(
    'POST',
    '/b',
    { [root]: attributes },
    {
      'content-type': `application/json;ty=${ty}`,
      ...{ 'x-m2m-origin': originator, 'x-m2m-ri': '1', 'x-m2m-rvi': '3', accept: 'application/json' },
    },
  );
  return { code: headers['X-M2M-RSC'], made };
};
const standard = (options: Parameters<typeof sampleCse>[0] = {}) =>
  sampleCse({ dialect: 'onem2m', base: 'b', requireAuth: false, ...options });
const csr = { cb: '/far/base', rr: true, srv: ['3'] };

test('a CSE registers under the identifier that it sends, whatever it writes in csi', async () => {
  for (const given of [{}, { csi: '/far' }, { csi: '/another' }]) {
    const { code, made } = await register(standard(), '/far', { ...csr, ...given });
    assert.deepEqual([code, made.csi], ['2001', '/far']);
  }
});

test('a CSE registers once, and an AE registers none', async () => {
  const cse = standard();
  await register(cse, '/far', csr);
  assert.equal((await register(cse, '/far', { ...csr, rn: 'again' })).code, '4117');
  assert.equal((await register(cse, 'Cme', { ...csr, csi: '/near' })).code, '4005');
  assert.equal((await register(cse, '/far/Cme', { ...csr, csi: '/near' })).code, '4005');
});

test('no CSE registers at an ASN-CSE', async () => {
  assert.equal((await register(standard({ cseType: 'ASN-CSE' }), '/far', csr)).code, '4005');
});

test('from release 4 on an application identifier starts with N or R only', async () => {
  const { send } = standard();
  const body = (api: string) => ({ 'm2m:ae': { api, rr: true, srv: ['4'] } });
  for (const [api, code] of [
    ['Ra', '2001'],
    ['ra', '4000'],
  ] as const) {
    const { headers } = await send('POST', '/b', body(api), { 'x-m2m-origin': 'C', 'x-m2m-rvi': '4' });
    assert.equal(headers['X-M2M-RSC'], code, api);
  }
});

test('an application identifier starts with N, R or r', async () => {
  const cse = standard();
  for (const [api, code] of [
    ['Na', '2001'],
    ['Ra', '2001'],
    ['ra', '2001'],
    ['na', '4000'],
  ] as const) {
    assert.equal((await register(cse, 'C', { api, rr: true, srv: ['3'] }, 2)).code, code, api);
  }
});
