import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SampleCse, sampleCse } from '../testing/sample-cse.ts';
import type { Messenger } from './configuration.ts';
import { CseError, statuses } from './status.ts';

/** A gateway that is registered at a backend, without sockets between them. */
async function linked({ refuses = '' } = {}) {
  const sent: string[] = [];
  const traces: (string | undefined)[] = [];
  const cut = { off: false };
  const backend = sampleCse({ dialect: 'onem2m', base: 'cloud', cseId: 'in', cseType: 'IN-CSE', requireAuth: false });
  const messenger: Messenger = {
    async send(url, request) {
      sent.push(`${request.operation} ${request.to}`);
      traces.push(request.trace?.id);
      if (Object.hasOwn(Object(request.content), refuses)) return { status: statuses.BAD_REQUEST };
      if (cut.off) throw new CseError('TARGET_NOT_REACHABLE', `${url} is silent.`);
      const answer = await backend.core.request(request);
      return { ...answer, content: JSON.parse(JSON.stringify(answer.content ?? null)) };
    },
  };
  const gateway = sampleCse({ dialect: 'onem2m', base: 'home', cseId: 'mn', requireAuth: false, messenger });
  const csr = (id: string, base: string) => ({
    'm2m:csr': { rn: id, csi: `/${id}`, cb: `/${id}/${base}`, rr: true, poa: ['http://x'] },
  });
  gateway.core.perform({ operation: 'create', to: 'home', content: csr('in', 'cloud') });
  backend.core.perform({ operation: 'create', to: 'cloud', content: csr('mn', 'home') });
  return { gateway, backend, sent, traces, cut };
}

const headers = (ty?: number) => ({
  'content-type': ty === undefined ? 'application/json' : `application/json;ty=${ty}`,
  ...{ 'x-m2m-origin': 'Cme', 'x-m2m-ri': '1', 'x-m2m-rvi': '3', accept: 'application/json' },
});

async function withAnnouncedAe() {
  const pair = await linked();
  const ae = { rn: 'app', api: 'Napp', rr: true, srv: ['3'], lbl: ['a'], apn: 'lamp', at: ['/in'], aa: ['apn'] };
  const made = await pair.gateway.send('POST', '/home', { 'm2m:ae': ae }, headers(2));
  assert.equal(made.status, 201, made.text);
  const [address] = made.attributes.at as string[];
  assert(address !== undefined);
  return { ...pair, made, address };
}

const shown = async (cse: SampleCse, address: string) => cse.send('GET', `/~${address}`, undefined, headers());

test('an announced AE has a link, attributes always announced, and those that aa names', async () => {
  const { backend, address, made } = await withAnnouncedAe();
  const { attributes } = await shown(backend, address);
  assert.equal(attributes.ty, 10_002);
  assert.equal(attributes.lnk, `/mn/${String(made.attributes.ri)}`);
  assert.deepEqual([attributes.lbl, attributes.apn, attributes.rr], [['a'], 'lamp', undefined]);
});

test('a change of an announced attribute reaches the announced resource, another one does not', async () => {
  const { gateway, backend, address, sent } = await withAnnouncedAe();
  await gateway.send('PUT', '/home/app', { 'm2m:ae': { apn: 'light', lbl: ['b'] } }, headers());
  const { attributes } = await shown(backend, address);
  assert.deepEqual([attributes.apn, attributes.lbl], ['light', ['b']]);
  const before = sent.length;
  await gateway.send('PUT', '/home/app', { 'm2m:ae': { rr: false } }, headers());
  assert.equal(sent.length, before);
});

test('attributes that aa no longer names are removed', async () => {
  const { gateway, backend, address } = await withAnnouncedAe();
  await gateway.send('PUT', '/home/app', { 'm2m:ae': { aa: ['rr'] } }, headers());
  const { attributes } = await shown(backend, address);
  assert.deepEqual([attributes.apn, attributes.rr], [undefined, true]);
});

test('a container and its instance are announced below the announced AE', async () => {
  const { gateway, backend, address } = await withAnnouncedAe();
  const container = { rn: 'c', at: ['/in'] };
  const made = await gateway.send('POST', '/home/app', { 'm2m:cnt': container }, headers(3));
  const announced = await shown(backend, String((made.attributes.at as string[])[0]));
  assert.equal(announced.attributes.ty, 10_003);
  assert.equal(announced.attributes.pi, address.split('/')[2]);
  const instance = { con: '21', at: ['/in'], aa: ['con'] };
  const created = await gateway.send('POST', '/home/app/c', { 'm2m:cin': instance }, headers(4));
  const copy = await shown(backend, String((created.attributes.at as string[])[0]));
  assert.deepEqual([copy.attributes.ty, copy.attributes.con], [10_004, '21']);
});

test('the announced resource is removed with the original, and when at no longer names the CSE', async () => {
  for (const end of ['DELETE', 'PUT']) {
    const { gateway, backend, address } = await withAnnouncedAe();
    await gateway.send(end, '/home/app', end === 'PUT' ? { 'm2m:ae': { at: null } } : undefined, headers());
    assert.equal((await shown(backend, address)).status, 404, end);
  }
});

test('where the other CSE is silent the resource is created all the same, and at names nothing', async () => {
  const { gateway, cut } = await linked();
  cut.off = true;
  const ae = { rn: 'app', api: 'Napp', rr: true, at: ['/in'] };
  const made = await gateway.send('POST', '/home', { 'm2m:ae': ae }, headers(2));
  assert.equal(made.status, 201);
  assert.deepEqual(made.attributes.at, []);
  assert.equal((await gateway.send('DELETE', '/home/app', undefined, headers())).status, 200);
});

test('a resource without announced parent is below the announced CSE base, of which there is one', async () => {
  const { gateway, backend, address } = await withAnnouncedAe();
  const made = await gateway.send('POST', '/home', { 'm2m:cnt': { rn: 'c', at: ['/in'] } }, headers(3));
  const parentOf = async (announced: string) => String((await shown(backend, announced)).attributes.pi);
  const parent = await parentOf(address);
  assert.equal(await parentOf(String((made.attributes.at as string[])[0])), parent);
  const { json, attributes } = await shown(backend, `/in/${parent}`);
  assert.deepEqual(Object.keys(json as object), ['m2m:cbA']);
  assert.deepEqual([attributes.ty, attributes.lnk], [10_005, '/mn/mn']);
});

test('the CSE base is announced again where it was removed', async () => {
  const { gateway, backend, address } = await withAnnouncedAe();
  const parent = String((await shown(backend, address)).attributes.pi);
  backend.core.perform({ operation: 'delete', to: parent });
  const made = await gateway.send('POST', '/home', { 'm2m:cnt': { rn: 'c', at: ['/in'] } }, headers(3));
  assert.equal((await shown(backend, String((made.attributes.at as string[])[0]))).attributes.ty, 10_003);
});

test('an instance is not announced where its container is not', async () => {
  const { gateway } = await withAnnouncedAe();
  await gateway.send('POST', '/home/app', { 'm2m:cnt': { rn: 'c' } }, headers(3));
  const refused = await gateway.send('POST', '/home/app/c', { 'm2m:cin': { con: '1', at: ['/in'] } }, headers(4));
  assert.equal(refused.headers['X-M2M-RSC'], '4005');
  assert.equal((await gateway.send('GET', '/home/app/c', undefined, headers())).attributes.cni, 0);
});

test('identifiers say of which CSE they are', async () => {
  const { gateway, backend } = await withAnnouncedAe();
  const rules = { acr: [{ acor: ['all'], acop: 63 }] };
  const policy = await gateway.send('POST', '/home/app', { 'm2m:acp': { pv: rules, pvs: rules } }, headers(1));
  const container = { rn: 'c', acpi: [policy.attributes.ri], at: ['/in'] };
  const made = await gateway.send('POST', '/home/app', { 'm2m:cnt': container }, headers(3));
  const { attributes } = await shown(backend, String((made.attributes.at as string[])[0]));
  assert.deepEqual(attributes.acpi, [`/mn/${String(policy.attributes.ri)}`]);
});

test('the originators of announced rules say of which CSE they are, where they are not many (TS-0001, clause 7.2)', async () => {
  const { gateway, backend } = await withAnnouncedAe();
  const acor = ['all', 'Cme', '/far/Cyou', '//sp/far/Cyou', 'C*', 'C?', 'sp.org'];
  const policy = { pv: { acr: [{ acor, acop: 2 }] }, pvs: { acr: [{ acor: ['Cme'], acop: 63 }] }, at: ['/in'] };
  const made = await gateway.send('POST', '/home/app', { 'm2m:acp': policy }, headers(1));
  const { attributes } = await shown(backend, String((made.attributes.at as string[])[0]));
  const announced = ['all', '/mn/Cme', '/far/Cyou', '//sp/far/Cyou', 'C*', 'C?', 'sp.org'];
  assert.deepEqual(attributes.pv, { acr: [{ acor: announced, acop: 2 }] });
  assert.deepEqual(attributes.pvs, { acr: [{ acor: ['/mn/Cme'], acop: 63 }] });
});

test('every attribute that names something of this CSE says so where it is announced', async () => {
  const { gateway, backend } = await withAnnouncedAe();
  const at = ['/in'];
  for (const [to, ty, root, attributes, announced] of [
    ['/home', 14, 'm2m:nod', { ni: 'x', hcl: 'csr1', hael: ['Cx', '/far/Cy'] }, { hael: ['/mn/Cx', '/far/Cy'] }],
    ['/home', 3, 'm2m:cnt', { daci: ['dac1'] }, { daci: ['/mn/dac1'] }],
    [
      ...(['/home/n', 13, 'm2m:andi'] as const),
      { mgd: 1005, dvd: 'd', dvt: 't', awi: 'n', lnh: ['d1'] },
      { awi: '/mn/n', lnh: ['/mn/d1'], dvd: 'd' },
    ],
    ['/home/app', 9, 'm2m:grp', { mnm: 2, mid: ['Cme'], macp: ['acp1'] }, { mid: ['/mn/Cme'], macp: ['/mn/acp1'] }],
  ] as const) {
    if (to === '/home/n') await gateway.send('POST', '/home', { 'm2m:nod': { rn: 'n', ni: 'y', at } }, headers(14));
    const content = { [root]: { ...attributes, at, aa: Object.keys(announced) } };
    const made = await gateway.send('POST', to, content, headers(ty));
    assert.equal(made.status, 201, made.text);
    const { attributes: copy } = await shown(backend, String((made.attributes.at as string[])[0]));
    for (const [name, value] of Object.entries(announced)) assert.deepEqual(copy[name], value, name);
  }
});

test('nodes, what they have, time series and flexible containers are announced', async () => {
  const { gateway, backend } = await withAnnouncedAe();
  const at = ['/in'];
  for (const [to, ty, content] of [
    ['/home', 14, { 'm2m:nod': { rn: 'n', ni: 'x', at } }],
    ['/home/n', 13, { 'm2m:bat': { rn: 'm', mgd: 1006, btl: 1, bts: 1, at } }],
    ['/home/app', 29, { 'm2m:ts': { rn: 't', at } }],
    ['/home/app/t', 30, { 'm2m:tsi': { rn: 'i', dgt: '20260101T120000', con: '1', at } }],
    ['/home/app', 28, { 'm2m:gis': { rn: 'f', cnd: 'x', gisn: 'y', at } }],
  ] as const) {
    const made = await gateway.send('POST', to, content, headers(ty));
    const [announced] = made.attributes.at as string[];
    assert.equal((await shown(backend, String(announced))).attributes.ty, 10_000 + ty, made.text);
  }
});

test('aa names attributes of the type, and keeps the optionally announced ones', async () => {
  const { gateway } = await linked();
  const register = (aa: readonly string[], query = '') =>
    gateway.send(
      'POST',
      `/home${query}`,
      { 'm2m:ae': { api: 'Napp', rr: true, srv: ['3'], lbl: ['a'], at: ['/in'], aa } },
      { ...headers(2), 'x-m2m-origin': 'C' },
    );
  for (const wrong of ['st', 'lb+l', 'lb l', '1lbl', 'rr,apn', 'rr,', ',', '', 'requestReachability']) {
    assert.equal((await register(['lbl', wrong])).status, 400, wrong);
  }
  assert.deepEqual((await register(['ri', 'acpi', 'lbl', 'rr'])).attributes.aa, ['lbl', 'rr']);
  assert.equal((await register([])).status, 201);
  const { attributes } = await register(['ri', 'acpi'], '?rcn=9');
  assert.equal(attributes.aa, null);
});

test('the releases that an AE supports are always announced', async () => {
  const { backend, address } = await withAnnouncedAe();
  assert.deepEqual((await shown(backend, address)).attributes.srv, ['3']);
});

test('a resource is announced at its own CSE too', async () => {
  const { gateway } = await linked();
  const made = await gateway.send('POST', '/home', { 'm2m:cnt': { rn: 'c', at: ['/mn'] } }, headers(3));
  const [address = ''] = made.attributes.at as string[];
  await gateway.send('PUT', '/home/c', { 'm2m:cnt': { lbl: ['a'] } }, headers());
  const { attributes } = await shown(gateway, address);
  assert.deepEqual([attributes.ty, attributes.lbl], [10_003, ['a']]);
  await gateway.send('DELETE', '/home/c', undefined, headers());
  assert.equal((await shown(gateway, address)).status, 404);
});

test('a flexible container is announced by the name that its definition has for that', async () => {
  const { gateway, backend } = await linked();
  const cnd = 'org.onem2m.common.moduleclass.temperature';
  const lamp = { cnd, curT0: 21, at: ['/in'], aa: ['curT0'] };
  const made = await gateway.send('POST', '/home', { 'cod:tempe': lamp }, headers(28));
  const { json } = await shown(backend, String((made.attributes.at as string[])[0]));
  assert.deepEqual(Object.keys(json as object), ['cod:tempeAnnc']);
});

test('the base of another CSE is found in every form of its registration', async () => {
  for (const cb of ['cloud', '/in/cloud', '//openmtc.org/in/cloud']) {
    const { gateway, backend } = await linked();
    gateway.core.perform({ operation: 'update', to: 'home/in', content: { 'm2m:csr': { cb } } });
    const made = await gateway.send('POST', '/home', { 'm2m:cnt': { rn: 'c', at: ['/in'] } }, headers(3));
    const [address = ''] = made.attributes.at as string[];
    assert.equal((await shown(backend, address)).attributes.ty, 10_003, cb);
  }
});

test('naming the CSE again, or what is announced there, announces nothing more; what is taken from a resource goes there too', async () => {
  const { gateway, backend, address, sent } = await withAnnouncedAe();
  const update = (ae: object) => gateway.send('PUT', '/home/app', { 'm2m:ae': ae }, headers());
  for (const at of [['/in'], [address]]) assert.deepEqual((await update({ at })).attributes.at, [address]);
  assert.deepEqual(sent.filter((one) => one.startsWith('create')).length, 2);
  await update({ lbl: null });
  const { status, attributes } = await shown(backend, address);
  assert.deepEqual([status, attributes.lbl], [200, undefined]);
});

test('a resource is announced below the resource of the other CSE that at names', async () => {
  const { gateway, backend, address } = await withAnnouncedAe();
  const made = await gateway.send('POST', '/home', { 'm2m:cnt': { rn: 'c', at: [address] } }, headers(3));
  const [announced = ''] = made.attributes.at as string[];
  assert.equal((await shown(backend, announced)).attributes.pi, address.split('/')[2]);
});

test('an unknown CSE, and one that refuses, announce nothing', async () => {
  const { gateway, backend } = await linked();
  const at = ['/nowhere', '/in'];
  const made = await gateway.send('POST', '/home', { 'm2m:cnt': { rn: 'c', at } }, headers(3));
  assert.equal((made.attributes.at as string[]).length, 1);
  backend.core.perform({ operation: 'delete', to: 'cloud/mn' });
  const again = await gateway.send('POST', '/home', { 'm2m:cnt': { rn: 'd', at: ['/in/nothing'] } }, headers(3));
  assert.deepEqual([again.status, again.attributes.at], [201, []]);
});

test('at a CSE that refuses an announced base, all is below the registration', async () => {
  const { gateway, backend } = await linked({ refuses: 'm2m:cbA' });
  const made = await gateway.send('POST', '/home', { 'm2m:cnt': { rn: 'c', at: ['/in'] } }, headers(3));
  const { attributes } = await shown(backend, String((made.attributes.at as string[])[0]));
  assert.equal(attributes.pi, backend.core.tree.byAlias('/mn')?.id);
});

test('an announcement has the trace of the request that caused it', async () => {
  const { gateway, traces } = await linked();
  const trace = { id: 'a'.repeat(32), parent: 'b'.repeat(16), flags: '01' };
  const content = { 'm2m:cnt': { rn: 'c', at: ['/in'] } };
  await gateway.core.request({ operation: 'create', to: 'home', from: 'Cme', content, trace });
  await gateway.core.request({ operation: 'update', to: 'home/c', from: 'Cme', content: { 'm2m:cnt': { at: null } } });
  assert.deepEqual(traces, [trace.id, trace.id, undefined]);
});
