import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SampleCse, sampleCse } from '../testing/sample-cse.ts';

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

test('a CSE identifier that would lead elsewhere in a path is refused', async () => {
  for (const csi of ['/.', '/..']) {
    const body = { 'm2m:csr': { ...csr, csi } };
    assert.equal((await sampleCse().send('POST', '/onem2m', body)).status, 400, csi);
    assert.notEqual((await register(standard(), csi, csr)).code, '2001', csi);
  }
});

test('a registered CSE has its own identifier, unless that is taken', async () => {
  assert.equal((await register(standard(), '/far', csr)).made.ri, 'far');
  assert.notEqual((await register(standard(), '/b', csr)).made.ri, 'b');
});

test('an AE registered through another CSE owns its resources', async () => {
  const cse = standard({ requireAuth: true });
  await register(cse, '/far/Cme', { rn: 'me', api: 'Nme', rr: true, srv: ['3'] }, 2);
  const content = { operation: 'create', to: 'b/me', content: { 'm2m:cnt': {} } } as const;
  assert.equal((await cse.core.request({ ...content, from: '/far/Cme' })).status.code, 2001);
  assert.equal((await cse.core.request({ ...content, from: '/near/Cme' })).status.code, 4103);
});

test('an identifier has unreserved characters only', async () => {
  const me = { api: 'Nme', rr: true, srv: ['3'] };
  for (const originator of ['C me', 'Cm\u00e9', 'C?', 'C%20', 'C#1']) {
    assert.equal((await register(standard(), originator, me, 2)).code, '4000', originator);
  }
  assert.equal((await register(standard(), 'C.m-e_~1', me, 2)).made.aei, 'C.m-e_~1');
});

test('registrations have activity and security with the members of their types', async () => {
  const ape = [{ se: [{ sce: ['* * * * * * *'] }], sti: 1, dsi: 3 }];
  const esi = { esf: [10, 40] };
  const wrong = [{ ape: {} }, { ape: [{ sti: 1 }] }, { ape: [{ se: [] }] }, { ape: [{ scet: ['*'] }] }, { esi: {} }];
  const registrees = [
    { ty: 2, originator: 'Cme', usual: { api: 'Nme', rr: true, srv: ['3'] } },
    { ty: 16, originator: '/far', usual: csr },
  ];
  for (const { ty, originator, usual } of registrees) {
    for (const one of wrong)
      assert.equal((await register(standard(), originator, { ...usual, ...one }, ty)).code, '4000');
    const { made } = await register(standard(), originator, { ...usual, ape, esi }, ty);
    assert.deepEqual([made.ape, made.esi], [ape, esi]);
  }
});

test('a CSE registers once, and an AE registers none', async () => {
  const cse = standard();
  await register(cse, '/far', csr);
  assert.equal((await register(cse, '/far', { ...csr, rn: 'again' })).code, '4117');
  assert.equal((await register(cse, 'Cme', { ...csr, csi: '/near' })).code, '4005');
  assert.equal((await register(cse, '/far/Cme', { ...csr, csi: '/near' })).code, '4005');
});

test('a CSE that registers is of one of three types', async () => {
  assert.equal((await register(standard(), '/far', { ...csr, cst: 4 })).code, '4000');
  assert.equal((await register(standard(), '/far', { ...csr, cst: 3 })).made.cst, 3);
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
