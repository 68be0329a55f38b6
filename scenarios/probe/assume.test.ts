import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCse, serveHttp } from '../../sim/index.ts';
import { ConnectionSlots, Pace } from '../engine/targets/exchanging/load-limits.ts';
import { closedPort } from '../engine/targets/test-servers.ts';
import { prepareUrl, type UrlChoice } from '../engine/targets/url-choice.ts';
import { testCse } from '../engine/test-cse.ts';
import { assume } from './assume.ts';
import { productServer } from './testing/products.ts';

const limits = { timeout: 2000 };
const assumed = async (choice: UrlChoice) => assume(await prepareUrl(choice), limits);

test('a target that is as it was said to be is read once, and lacks nothing', async (t) => {
  const cse = await testCse(t);
  const { prepared, assumed: said, ics } = await assumed({ url: cse.url, base: 'onem2m' });
  assert.deepEqual(cse.log, ['GET /onem2m']);
  assert.equal(ics, undefined);
  assert.equal(prepared.description.base, 'onem2m');
  assert.match(said.join('\n'), /its CSE-ID is \/test-cse, as its CSE base says/);
});

test('the reference CSE has every kind in both dialects', async () => {
  for (const dialect of ['documented', 'onem2m'] as const) {
    await using server = await serveHttp(createCse({ dialect }).http);
    const { ics, assumed: said } = await assumed({ url: server.url, dialect, admin: 'CAdmin' });
    assert.equal(ics, undefined);
    assert.match(said[0] ?? '', new RegExp(`^speaks the ${dialect} dialect: its timestamps are such as`));
  }
});

test('a base with another name is found, and with it what the CSE lacks', async (t) => {
  const { url, log } = await productServer(t, 'mobius');
  const { prepared, ics } = await assumed({ url, dialect: 'onem2m', base: 'Mobius' });
  assert.equal(prepared.description.spId, 'keti.re.kr');
  assert.equal(prepared.choice.spId, 'keti.re.kr');
  assert.deepEqual(ics?.claims, { PICS_PCH: 'no', PICS_FCNT: 'no', PICS_TS: 'no' });
  assert.equal(log.length, 1);
});

test('a dialect that does not seem to fit is told, and kept', async (t) => {
  const base = { rn: 'onem2m', csi: '/a', ct: '20261120T222559', srt: [1, 2, 3, 4, 23, 28, 29, 13, 14, 15, 16] };
  const cse = await testCse(t, () => ({ status: 200, body: { 'm2m:cb': base } }));
  const { prepared, assumed: said } = await assumed({ url: cse.url });
  assert.match(
    said[0] ?? '',
    /^is checked by the documented dialect, though it looks like --dialect onem2m: its timest/,
  );
  assert.equal(prepared.choice.dialect, undefined);
  assert.ok(said.includes('no groups and their fan-out points: ty 9 is not in srt of its CSE base'));
});

test('OpenMTC is what the documented dialect describes, whatever its timestamps', async (t) => {
  const { url } = await productServer(t, 'openMtc');
  const { assumed: said } = await assumed({ url });
  assert.equal(said[0], 'speaks the documented dialect: it looks like OpenMTC, which that dialect describes');
});

test('of a product that a target file is shipped for, that file is named', async (t) => {
  const { url } = await productServer(t, 'mobius');
  const { assumed: said } = await assumed({ url, dialect: 'onem2m', base: 'Mobius' });
  assert.ok(said.includes('looks like Mobius: --target mobius says what is known of it'), said.join('\n'));
});

test('what the user said is never replaced', async (t) => {
  const { url } = await productServer(t, 'acme');
  const { prepared } = await assumed({ url, dialect: 'onem2m', admin: 'CAdmin', spId: 'mine', base: 'cse-in' });
  assert.deepEqual([prepared.description.spId, prepared.description.base], ['mine', 'cse-in']);
});

test('a usual name is found by a few more reads', async () => {
  await using server = await serveHttp(createCse({ base: 'in-cse' }).http);
  const { prepared, assumed: said } = await assumed({ url: server.url });
  assert.equal(prepared.description.base, 'in-cse');
  assert.ok(said.includes('its CSE base is /in-cse, which answers, while /onem2m does not'));
});

test('of a target that does not answer nothing is assumed', async (t) => {
  const choice = { url: await closedPort(t), waitForTarget: 0 };
  const { prepared, assumed: said } = await assumed(choice);
  assert.deepEqual([prepared.choice, said], [choice, []]);
});

test('what is not to be touched is not read, and nothing is assumed of it', async (t) => {
  const cse = await testCse(t);
  const { assumed: said } = await assumed({ url: cse.url, handsOff: ['/onem2m'] });
  assert.deepEqual([said, cse.log], [[], []]);
  const { assumed: more } = await assumed({ url: cse.url, handsOff: ['/cse-in/production'] });
  assert.deepEqual(cse.log, ['GET /onem2m']);
  assert.notDeepEqual(more, []);
});

test('its reads wait for the turns that the run was promised as well, over the connections of the run', async (t) => {
  const cse = await testCse(t, ({ path }) => (path === '/onem2m' ? { status: 404 } : undefined));
  let turns = 0;
  const clock = { now: () => turns++, pause: async () => {} };
  const lanes = new ConnectionSlots(1);
  const prepared = await prepareUrl({ url: cse.url });
  const polite = { ...prepared, loadLimits: { pace: new Pace({ requests: 1, per: 1 }, clock), slots: lanes } };
  await lanes
    .use(async () => {
      const assuming = assume(polite, limits);
      await new Promise(setImmediate);
      assert.deepEqual(cse.log, []);
      return { assuming };
    })
    .then(({ assuming }) => assuming);
  assert.ok(cse.log.length > 1);
  assert.equal(turns, cse.log.length);
});
