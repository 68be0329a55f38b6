import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '../environment/clock.ts';
import { exampleMoment, type SampleCse, sampleCse } from '../testing/sample-cse.ts';

const headers = (ty?: number) => ({
  'content-type': ty === undefined ? 'application/json' : `application/json;ty=${ty}`,
  ...{ 'x-m2m-origin': 'Cme', 'x-m2m-ri': '1', 'x-m2m-rvi': '3', accept: 'application/json' },
});

const post = (cse: SampleCse, to: string, ty: number, body: object) => cse.send('POST', to, body, headers(ty));
const put = (cse: SampleCse, to: string, body: object) => cse.send('PUT', to, body, headers());
const get = (cse: SampleCse, to: string) => cse.send('GET', to, undefined, headers());
const del = (cse: SampleCse, to: string) => cse.send('DELETE', to, undefined, headers());

async function standard(options: Parameters<typeof sampleCse>[0] = {}): Promise<SampleCse> {
  const cse = sampleCse({ dialect: 'onem2m', base: 'b', requireAuth: false, ...options });
  await post(cse, '/b', 2, { 'm2m:ae': { rn: 'app', api: 'Napp', rr: true, srv: ['3'] } });
  await post(cse, '/b', 14, { 'm2m:nod': { rn: 'node', ni: 'urn:device:1' } });
  return cse;
}

test('a type that names its parents is allowed below them, and nowhere else', async () => {
  const cse = await standard();
  const channel = { 'm2m:pch': { rn: 'channel' } };
  assert.equal((await post(cse, '/b/app', 15, channel)).status, 201);
  assert.equal((await post(cse, '/b/node', 15, channel)).headers['X-M2M-RSC'], '4108');
});

const managed: ReadonlyArray<readonly [root: string, mgd: number, attributes: object]> = [
  ['fwr', 1001, { vr: '1', fwn: 'os', url: 'http://f', ud: false }],
  ['swr', 1002, { vr: '1', swn: 'app', url: 'http://s' }],
  ['mem', 1003, { mma: 1, mmt: 2 }],
  ['ani', 1004, { ant: 'mesh', ldv: ['d1'] }],
  ['andi', 1005, { dvd: 'd', dvt: 't', awi: 'n' }],
  ['bat', 1006, { btl: 23, bts: 5 }],
  ['dvi', 1007, { dlb: 'l', man: 'm', mod: 'x', dty: 't' }],
  ['dvc', 1008, { can: 'c', att: true, cas: { acn: 'a', sus: 1 }, cus: true }],
  ['rbo', 1009, {}],
  ['evl', 1010, { lgt: 1, lgd: 'x', lgst: 1 }],
];

for (const [root, mgd, attributes] of managed) {
  test(`${root} is a management object below a node, with its own attributes and no other number`, async () => {
    const cse = await standard();
    const made = await post(cse, '/b/node', 13, { [`m2m:${root}`]: { rn: 'm', mgd, ...attributes } });
    assert.equal(made.status, 201, made.text);
    for (const [name, value] of Object.entries(attributes)) assert.deepEqual(made.attributes[name], value);
    const [missing] = Object.keys(attributes).filter((name) => name !== 'ldv');
    if (missing !== undefined) {
      const refused = await post(cse, '/b/node', 13, {
        [`m2m:${root}`]: { mgd, ...attributes, [missing]: undefined },
      });
      assert.match(refused.text, new RegExp(`${missing} is missing`));
    }
    assert.equal((await post(cse, '/b/node', 13, { [`m2m:${root}`]: { mgd: 1, ...attributes } })).status, 400);
    assert.equal((await post(cse, '/b/app', 13, { [`m2m:${root}`]: { mgd, ...attributes } })).status, 403);
  });
}

test('switches of a management object act at once and exclude each other', async () => {
  const cse = await standard();
  await post(cse, '/b/node', 13, { 'm2m:rbo': { rn: 'r', mgd: 1009 } });
  assert.equal((await put(cse, '/b/node/r', { 'm2m:rbo': { rbo: true } })).attributes.rbo, false);
  assert.equal((await put(cse, '/b/node/r', { 'm2m:rbo': { rbo: true, far: true } })).status, 400);
  await post(cse, '/b/node', 13, { 'm2m:swr': { rn: 's', mgd: 1002, vr: '1', swn: 'x', url: 'u' } });
  assert.deepEqual((await put(cse, '/b/node/s', { 'm2m:swr': { in: true } })).attributes.ins, {
    acn: 'install',
    sus: 1,
  });
});

test('software is installed and activated at once, but not installed and uninstalled', async () => {
  const cse = await standard();
  await post(cse, '/b/node', 13, { 'm2m:swr': { rn: 's', mgd: 1002, vr: '1', swn: 'x', url: 'u' } });
  assert.equal((await put(cse, '/b/node/s', { 'm2m:swr': { in: true, act: true } })).status, 200);
  assert.equal((await put(cse, '/b/node/s', { 'm2m:swr': { in: true, un: true } })).status, 400);
  assert.equal((await put(cse, '/b/node/s', { 'm2m:swr': { act: true, dea: true } })).status, 400);
});

test('an area network lists the devices that name it, until they go', async () => {
  const cse = await standard();
  const network = await post(cse, '/b/node', 13, { 'm2m:ani': { rn: 'net', mgd: 1004, ant: 'mesh' } });
  const awi = network.attributes.ri;
  const device = await post(cse, '/b/node', 13, { 'm2m:andi': { rn: 'd', mgd: 1005, dvd: 'd', dvt: 't', awi } });
  assert.deepEqual((await get(cse, '/b/node/net')).attributes.ldv, [device.attributes.ri]);
  await del(cse, '/b/node/d');
  assert.equal((await get(cse, '/b/node/net')).attributes.ldv, undefined);
});

test('a node lists the AEs that link to it, until they move on or go', async () => {
  const cse = await standard();
  const node = (await get(cse, '/b/node')).attributes.ri;
  const hosted = async () => (await get(cse, '/b/node')).attributes.hael;
  await put(cse, '/b/app', { 'm2m:ae': { nl: node } });
  assert.deepEqual(await hosted(), ['Cme']);
  await put(cse, '/b/app', { 'm2m:ae': { nl: null } });
  assert.equal(await hosted(), undefined);
  await put(cse, '/b/app', { 'm2m:ae': { nl: node } });
  await cse.send('DELETE', '/b/node', undefined, headers());
  assert.equal((await get(cse, '/b/app')).attributes.nl, undefined);
});

const temperature = { cnd: 'org.onem2m.common.moduleclass.temperature', curT0: 21.5 };

test('a node that lists an AE already lists it once, and none lists nobody', async () => {
  const cse = await standard();
  const made = await post(cse, '/b', 14, { 'm2m:nod': { rn: 'other', ni: 'urn:device:2', hael: ['Cyou'] } });
  const you = { api: 'Nyou', rr: true, srv: ['3'], nl: made.attributes.ri };
  await cse.send('POST', '/b', { 'm2m:ae': you }, { ...headers(2), 'x-m2m-origin': 'Cyou' });
  assert.deepEqual((await get(cse, '/b/other')).attributes.hael, ['Cyou']);
  assert.equal((await post(cse, '/b', 14, { 'm2m:nod': { ni: 'urn:device:3', hael: [] } })).status, 400);
});

test('a management object has its switches and its status from the start, and times as they were given', async () => {
  const cse = await standard();
  const make = async (root: string, attributes: object) =>
    (await post(cse, '/b/node', 13, { [`m2m:${root}`]: attributes })).attributes;
  const firmware = await make('fwr', { mgd: 1001, vr: '1', fwn: 'os', url: 'http://f', ud: false });
  assert.deepEqual(firmware.uds, { acn: '', sus: 0 });
  const software = await make('swr', { mgd: 1002, vr: '1', swn: 'app', url: 'http://s' });
  assert.deepEqual([software.in, software.un, software.ins], [false, false, { acn: '', sus: 0 }]);
  const log = await make('evl', { mgd: 1010, lgt: 1, lgd: 'x', lgst: 1 });
  assert.deepEqual([log.lga, log.lgo], [true, true]);
  const device = await make('dvi', { mgd: 1007, dlb: 'l', man: 'm', mod: 'x', dty: 't', mfd: '20010511T214200' });
  assert.equal(device.mfd, '20010511T214200');
});

test('a flexible container has the attributes of its definition and no others', async () => {
  const cse = await standard();
  const made = await post(cse, '/b/app', 28, { 'cod:tempe': { rn: 't', ...temperature } });
  assert.deepEqual([made.status, made.attributes.curT0, made.attributes.cs, made.attributes.st], [201, 21.5, 4, 0]);
  for (const wrong of [{}, { ...temperature, curT0: 'warm' }, { ...temperature, more: 1 }]) {
    assert.equal((await post(cse, '/b/app', 28, { 'cod:tempe': wrong })).status, 400);
  }
});

test('a flexible container with a limit keeps an instance of each change', async () => {
  const cse = await standard();
  await post(cse, '/b/app', 28, { 'cod:tempe': { rn: 't', ...temperature, fcied: true, mni: 2 } });
  for (const curT0 of [22, 23]) await put(cse, '/b/app/t', { 'cod:tempe': { curT0 } });
  await put(cse, '/b/app/t', { 'cod:tempe': { mia: 100 } });
  const { attributes } = await get(cse, '/b/app/t');
  assert.deepEqual([attributes.cni, attributes.cbs, attributes.st], [2, 4, 3]);
  assert.equal((await get(cse, '/b/app/t/la')).attributes.curT0, 23);
  assert.equal((await get(cse, '/b/app/t/ol')).attributes.curT0, 22);
  assert.equal((await get(cse, '/b/app/t/la')).attributes.ty, 58);
});

test('an instance of a flexible container has its labels and its state tag', async () => {
  const cse = await standard();
  await post(cse, '/b/app', 28, { 'cod:tempe': { rn: 't', ...temperature, fcied: true } });
  await put(cse, '/b/app/t', { 'cod:tempe': { lbl: ['x'] } });
  const { attributes } = await get(cse, '/b/app/t/la');
  assert.deepEqual([attributes.lbl, attributes.st, attributes.curT0], [['x'], 1, 21.5]);
  assert.equal((await get(cse, '/b/app/t')).attributes.cni, 2);
});

test('limits of a flexible container need fcied from release 4 on, and leave room for what it holds', async () => {
  const cse = await standard();
  const of = (release: string) => ({ ...headers(28), 'x-m2m-rvi': release });
  for (const wrong of [{ mni: 5 }, { fcied: true, mbs: 0 }, { fcied: true, mbs: 3 }]) {
    const content = { 'cod:tempe': { ...temperature, ...wrong } };
    assert.equal((await cse.send('POST', '/b/app', content, of('4'))).status, 400);
  }
  const earlier = await cse.send('POST', '/b/app', { 'cod:tempe': { ...temperature, mni: 5 } }, of('3'));
  assert.deepEqual([earlier.status, earlier.attributes.cni], [201, 1]);
  await post(cse, '/b/app', 28, { 'cod:tempe': { rn: 't', ...temperature, fcied: true } });
  assert.equal((await put(cse, '/b/app/t', { 'cod:tempe': { mbs: 3 } })).status, 400);
  assert.equal((await put(cse, '/b/app/t', { 'cod:tempe': { mbs: 4 } })).status, 200);
});

test('fcied false keeps the latest instance, and without fcied none is kept', async () => {
  const cse = await standard();
  await post(cse, '/b/app', 28, { 'cod:tempe': { rn: 't', ...temperature, fcied: true, mni: 5 } });
  await put(cse, '/b/app/t', { 'cod:tempe': { curT0: 22 } });
  assert.equal((await put(cse, '/b/app/t', { 'cod:tempe': { fcied: false } })).attributes.cni, 1);
  assert.equal((await get(cse, '/b/app/t/la')).attributes.curT0, 22);
  const { attributes } = await put(cse, '/b/app/t', { 'cod:tempe': { fcied: null } });
  assert.deepEqual([attributes.cni, attributes.mni], [undefined, undefined]);
  assert.equal((await get(cse, '/b/app/t/la')).status, 404);
  assert.equal((await put(cse, '/b/app/t', { 'cod:tempe': { fcied: false } })).attributes.cni, 1);
});

test('only the CSE creates instances of a flexible container', async () => {
  const cse = await standard();
  await post(cse, '/b/app', 28, { 'cod:tempe': { rn: 't', ...temperature, fcied: true } });
  assert.equal((await post(cse, '/b/app/t', 58, { 'cod:tempe': { curT0: 1 } })).headers['X-M2M-RSC'], '4005');
});

test('an unknown definition is distinguished from one that contradicts the root key', async () => {
  const cse = await standard();
  const attributes = { red: 1, green: 2, blue: 3 };
  const codeOf = async (root: string, cnd: string) =>
    (await post(cse, '/b/app', 28, { [root]: { cnd, ...attributes } })).headers['X-M2M-RSC'];
  assert.equal(await codeOf('cod:color', 'org.onem2m.common.moduleclass.colour'), '2001');
  assert.equal(await codeOf('cod:color', 'org.onem2m.common.moduleclass.brightness'), '4000');
  assert.equal(await codeOf('cod:color', 'org.example.nobody.knows'), '4125');
  assert.equal(await codeOf('cod:nobod', 'org.example.nobody.knows'), '4125');
});

test('a definition of the installation is a type like any other', async () => {
  const flexContainers = [
    { root: 'my:lamp', cnd: 'my.lamp', attributes: { dim: { long: 'dimmed', type: 'count', mandatory: true } } },
  ] as const;
  const cse = await standard({ flexContainers });
  assert.equal((await post(cse, '/b/app', 28, { 'my:lamp': { cnd: 'my.lamp', dim: 3 } })).status, 201);
  assert.equal((await post(cse, '/b/app', 28, { 'my:lamp': { cnd: 'my.lamp', dim: -3 } })).status, 400);
});

const missingData = { rn: 's', pei: 10_000, mdd: true, mdt: 4000 };

test('a time series has instances of different times and checks its settings', async () => {
  const cse = await standard();
  const made = await post(cse, '/b/app', 29, { 'm2m:ts': missingData });
  assert.deepEqual([made.attributes.peid, made.attributes.mdc, made.attributes.mdlt], [3999, 0, undefined]);
  const instance = { dgt: '20170302T161300', con: 'a', snr: 1 };
  assert.equal((await post(cse, '/b/app/s', 30, { 'm2m:tsi': instance })).status, 201);
  assert.equal(
    (await post(cse, '/b/app/s', 30, { 'm2m:tsi': { ...instance, dgt: '2017-03-02T16:13:00' } })).status,
    409,
  );
  assert.equal((await post(cse, '/b/app/s', 30, { 'm2m:tsi': { con: 'a' } })).status, 400);
  assert.equal((await put(cse, '/b/app/s', { 'm2m:ts': { pei: 5 } })).status, 400);
  assert.equal((await post(cse, '/b/app', 29, { 'm2m:ts': { mdd: true } })).status, 400);
  assert.equal((await post(cse, '/b/app', 29, { 'm2m:ts': { pei: 1000, peid: 501 } })).status, 400);
  assert.equal((await post(cse, '/b/app', 29, { 'm2m:ts': { peid: 501 } })).status, 201);
  const early = { pei: 1000, peid: 400, mdd: true, mdt: 400 };
  assert.equal((await post(cse, '/b/app', 29, { 'm2m:ts': early })).status, 400);
});

test('a time series with a shorter interval is given a tolerance that fits it', async () => {
  const cse = await standard();
  await post(cse, '/b/app', 29, { 'm2m:ts': { rn: 's', pei: 1000 } });
  const shorter = await put(cse, '/b/app/s', { 'm2m:ts': { pei: 400 } });
  assert.deepEqual([shorter.status, shorter.attributes.pei, shorter.attributes.peid], [200, 400, 200]);
  assert.equal((await put(cse, '/b/app/s', { 'm2m:ts': { pei: 300, peid: 200 } })).status, 400);
});

test('missing data between distant instances is counted, and not listed one by one', async () => {
  const cse = await standard({ clock: manualClock(exampleMoment) });
  await post(cse, '/b/app', 29, { 'm2m:ts': { ...missingData, pei: 1000, mdt: 1000 } });
  const counted: number[] = [];
  for (const dgt of ['19700101T000000', '20991231T000000']) {
    await post(cse, '/b/app/s', 30, { 'm2m:tsi': { dgt, con: 'a' } });
    const { mdc, mdlt = [] } = (await get(cse, '/b/app/s')).attributes;
    assert((mdlt as string[]).length <= 2000);
    counted.push(Number(mdc));
  }
  assert.deepEqual(
    counted.map((number) => number > 1_000_000_000),
    [true, true],
  );
});

test('an instance that does not come in time is missing, and so is each one after it', async () => {
  const clock = manualClock(exampleMoment);
  const cse = await standard({ clock });
  await post(cse, '/b/app', 29, { 'm2m:ts': { ...missingData, mdn: 3 } });
  const missing = async () => {
    const { mdc, mdlt } = (await get(cse, '/b/app/s')).attributes;
    return [mdc, mdlt];
  };
  await clock.advance('1h');
  assert.deepEqual(await missing(), [0, undefined]);
  await post(cse, '/b/app/s', 30, { 'm2m:tsi': { dgt: '20170302T171253,350093', con: 'a' } });
  await clock.advance('13s');
  assert.deepEqual(await missing(), [0, undefined]);
  await clock.advance('1s');
  assert.deepEqual(await missing(), [1, ['20170302T171303,350093']]);
  await clock.advance('30s');
  assert.deepEqual((await missing())[0], 3);
  await put(cse, '/b/app/s', { 'm2m:ts': { mdd: false } });
  await put(cse, '/b/app/s', { 'm2m:ts': { mdd: true } });
  assert.deepEqual(await missing(), [0, undefined]);
});

test('detected missing data is dropped when the settings change without detection', async () => {
  const clock = manualClock(exampleMoment);
  const cse = await standard({ clock });
  await post(cse, '/b/app', 29, { 'm2m:ts': missingData });
  await post(cse, '/b/app/s', 30, { 'm2m:tsi': { dgt: '20170302T161253,350093', con: 'a' } });
  await clock.advance('15s');
  const paused = await put(cse, '/b/app/s', { 'm2m:ts': { mdd: false } });
  assert.deepEqual([paused.attributes.mdc, (paused.attributes.mdlt as string[]).length], [1, 1]);
  const { attributes } = await put(cse, '/b/app/s', { 'm2m:ts': { mdn: 7 } });
  assert.deepEqual([attributes.mdc, attributes.mdlt], [0, undefined]);
});

test('instances are neither retrieved nor deleted during disr, and those stored meanwhile are removed with it', async () => {
  const cse = await standard();
  await post(cse, '/b/app', 3, { 'm2m:cnt': { rn: 'c', disr: true } });
  await post(cse, '/b/app/c', 4, { 'm2m:cin': { rn: 'i', con: 'x' } });
  for (const path of ['/b/app/c/i', '/b/app/c/la', '/b/app/c/ol'])
    for (const ask of [get, del]) assert.equal((await ask(cse, path)).status, 405, path);
  assert.deepEqual((await get(cse, '/b/app?fu=1')).json, { 'm2m:uril': ['b/app/c'] });
  assert.equal((await put(cse, '/b/app/c', { 'm2m:cnt': { disr: false } })).attributes.cni, 0);
  await post(cse, '/b/app/c', 4, { 'm2m:cin': { rn: 'j', con: 'x' } });
  assert.equal((await put(cse, '/b/app/c', { 'm2m:cnt': { disr: null } })).attributes.cni, 1);
  assert.equal((await get(cse, '/b/app/c/j')).status, 200);
});

test('an instance with a deletion count is removed after so many retrievals', async () => {
  const cse = await standard();
  await post(cse, '/b/app', 3, { 'm2m:cnt': { rn: 'c' } });
  await post(cse, '/b/app/c', 4, { 'm2m:cin': { rn: 'i', con: 'x', dcnt: 2 } });
  assert.deepEqual(
    [(await get(cse, '/b/app/c/i')).attributes.dcnt, (await get(cse, '/b/app/c/i')).attributes.dcnt],
    [2, 1],
  );
  assert.equal((await get(cse, '/b/app/c/i')).status, 404);
  assert.equal((await del(cse, '/b/app/c/la')).status, 404);
});

test('the standard knows three encodings, media types for serialisations, and unreserved characters in names', async () => {
  const cse = await standard();
  await post(cse, '/b/app', 3, { 'm2m:cnt': { rn: 'c' } });
  for (const [cnf, status] of [
    ['text/plain:2', 201],
    ['text/plain:9', 400],
    ['text/plain', 400],
    ['text:0', 400],
  ] as const) {
    assert.equal((await post(cse, '/b/app/c', 4, { 'm2m:cin': { con: 'x', cnf } })).status, status, cnf);
  }
  assert.equal((await put(cse, '/b/app', { 'm2m:ae': { csz: ['wrong'] } })).status, 400);
  assert.equal((await put(cse, '/b/app', { 'm2m:ae': { csz: ['application/cbor', 'application/json'] } })).status, 200);
  const refused = await post(cse, '/b/app', 3, { 'm2m:cnt': { rn: 'what?' } });
  assert.deepEqual([refused.status, refused.headers['X-M2M-RSC']], [400, '4000']);
});
