import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { manualClock } from '../environment/clock.ts';
import { ApplicationEntity, XAE } from './ae.ts';
import { applicationBody, laboratory, simulateCse } from './testing/laboratory.ts';

describe('an application', () => {
  test('registers, stores text, JSON and octets, reads, discovers and deregisters', async () => {
    await using lab = await laboratory();
    const poas = ['http://127.0.0.1:9'];
    const app = new ApplicationEntity({ cse: lab.url, name: 'Weather', labels: ['outdoor'], poas });
    await app.start();
    const registered = await app.retrieve(app.path);
    assert.deepEqual(
      [registered.aei, registered.rr, registered.lbl, registered.poa, app.originator, app.path],
      ['CWeather', true, ['outdoor'], poas, 'CWeather', '/onem2m/Weather'],
    );
    const container = await app.createContainer('temperature', { labels: ['celsius'], maxInstances: 2 });
    assert.equal(container, '/onem2m/Weather/temperature');
    const text = await app.push(container, '21.0');
    assert.deepEqual([text.con, text.cnf], ['21.0', 'text/plain:0']);
    assert.equal(await app.latest(container), '21.0');
    const json = await app.push('temperature', { celsius: 21, place: 'Kamçatka' });
    assert.equal(json.cnf, 'application/json:1');
    assert.deepEqual(await app.latest('temperature'), { celsius: 21, place: 'Kamçatka' });
    assert.deepEqual(await app.content(`temperature/${json.rn}`), { celsius: 21, place: 'Kamçatka' });
    await app.push(container, Buffer.from([0, 255]));
    assert.deepEqual(await app.latest(container), Buffer.from([0, 255]));
    assert.equal((await app.retrieve(container)).cni, 2);
    await app.stop();
    assert.equal(lab.cse.core.tree.size, 1);
  });

  test('discovers paths that can be read from and pushed to as they are', async () => {
    await using lab = await laboratory();
    await using app = new XAE({ cse: lab.url, name: 'Ä & Ö', clock: lab.clock });
    await app.start();
    await app.createContainer('Wärme/0 °', { labels: ['kept'] });
    const [found = '', ...others] = await app.discover({ labels: ['kept', 'nothing'] });
    assert.deepEqual(others, []);
    await app.push(found, 'here');
    const [relative = ''] = await app.discover({ labels: ['kept'], under: '/~/mn-cse-1/onem2m' });
    assert.match(relative, /^\/~\/mn-cse-1\/onem2m\//);
    assert.equal(await app.latest(relative), 'here');
    const [absolute = ''] = await app.discover({ labels: ['kept'], under: '//openmtc.org/mn-cse-1/onem2m' });
    assert.match(absolute, /^\/_\/openmtc\.org\/mn-cse-1\/onem2m\//);
    assert.equal(await app.latest(absolute), 'here');
    assert.deepEqual(await app.discover({ labels: ['kept'], createdAfter: '2999-01-01 00:00:00.000000+00:00' }), []);
    assert.match(lab.requests.at(-1) ?? '', /\?lbl=kept&cra=2999-01-01\+00%3A00%3A00\.000000%2B00%3A00&fu=1$/);
    assert.equal((await app.discover({ labels: ['kept'], createdAfter: lab.clock.now() - 1 })).length, 1);
  });

  test('says that it is not registered where a container is created before that', async () => {
    await using lab = await laboratory();
    await using app = new ApplicationEntity({ cse: lab.url, name: 'Weather' });
    const message = '/onem2m/Weather is not registered: await start() before that';
    await assert.rejects(app.createContainer('temperature'), { name: 'ApplicationEntityError', message });
  });

  test('creates nested containers, each of them once', async () => {
    await using lab = await laboratory();
    await using app = new XAE({ cse: lab.url, name: 'App' });
    await app.start();
    const devices = await app.createContainer('devices', { labels: ['devices'] });
    const first = await app.createContainer('devices/Temp-1/measurements', { labels: ['measurements'] });
    await app.createContainer('Temp-1/commands', { in: devices });
    await app.createContainer('/onem2m/App/devices/Temp%2D2', { lifetime: 90 });
    assert.equal(first, '/onem2m/App/devices/Temp-1/measurements');
    assert.deepEqual((await app.retrieve('devices')).lbl, ['devices']);
    assert.deepEqual((await app.retrieve('devices/Temp-1')).lbl, undefined);
    assert.equal((await app.retrieve('devices/Temp-2')).rn, 'Temp-2');
    assert.equal(lab.requests.filter((request) => request.startsWith('POST')).length, 6);
    assert.equal(lab.requests.filter((request) => request.startsWith('PUT')).length, 0);
  });

  test('resumes its own resources of a former run, and no foreign ones', async () => {
    await using lab = await laboratory();
    const first = new XAE({ cse: lab.url, name: 'App', labels: ['old'] });
    await first.start();
    await first.push(await first.createContainer('c', { maxInstances: 9 }), 'kept');
    await using second = new XAE({ cse: lab.url, name: 'App', labels: ['new'], poas: ['http://127.0.0.1:9'] });
    await second.start();
    const resumed = await second.retrieve(second.path);
    assert.deepEqual([resumed.lbl, resumed.poa, resumed.rr], [['new'], ['http://127.0.0.1:9'], true]);
    assert.equal(await second.latest(await second.createContainer('c', { maxInstances: 5 })), 'kept');
    assert.equal((await second.retrieve('c')).mni, 5);
    const stranger = new XAE({ cse: lab.url, name: 'App', originatorPre: '//openmtc.org/mn-cse-1/COther' });
    await assert.rejects(stranger.start(), {
      name: 'ApplicationEntityError',
      message: '/onem2m/App is registered already, as CApp, not as COther',
    });
    const clash = new XAE({ cse: lab.url, name: 'Another', originatorPre: '//openmtc.org/mn-cse-1/CApp' });
    await assert.rejects(clash.start(), { name: 'RequestError', status: 409, code: 4105 });
  });

  test('resumes at a CSE that knows no update', async () => {
    const clock = manualClock();
    await using cse = await simulateCse(({ method }) => {
      const status = { POST: 409, PUT: 405 }[method] ?? 200;
      return status === 200 ? { status, body: applicationBody(clock, 600) } : { status };
    });
    await using app = new XAE({ cse: cse.url, name: 'App', clock });
    await app.start();
    assert.deepEqual(
      cse.requests.map(({ method }) => method),
      ['POST', 'GET', 'PUT'],
    );
  });

  test('reads the newest content at a CSE that has only the short name for it', async () => {
    await using cse = await simulateCse(({ target }) =>
      target.endsWith('/c/la') ? { status: 200, body: { 'm2m:cin': { con: 'here' } } } : { status: 404 },
    );
    await using app = new XAE({ cse: cse.url, name: 'App' });
    assert.equal(await app.latest('c'), 'here');
    await assert.rejects(app.latest('empty'), { name: 'RequestError', status: 404 });
  });

  test('is derived from, as the documentation has it', async () => {
    await using lab = await laboratory();
    const life: string[] = [];
    class Derived extends XAE {
      protected override async onStart() {
        life.push(await this.createContainer('made'));
      }
      protected override async onStop() {
        life.push('stopping');
        throw new Error('it did not want to');
      }
    }
    const app = new Derived({ cse: lab.url, name: 'App' });
    await app.start();
    await assert.rejects(app.stop(), { message: 'it did not want to' });
    assert.deepEqual(life, ['/onem2m/App/made', 'stopping']);
    assert.equal(lab.cse.core.tree.size, 1);
    await assert.rejects(app.start(), {
      name: 'ApplicationEntityError',
      message: '/onem2m/App was stopped, and cannot be started again',
    });
  });

  test('that is disposed of when the CSE has gone says so, and does not fail', async () => {
    await using lab = await laboratory();
    const app = new XAE({ cse: lab.url, name: 'App', onError: lab.onError });
    await app.start();
    await lab.stop();
    await app[Symbol.asyncDispose]();
    assert.match(String(lab.failures[0]), /^UnreachableError: http:\/\/127\.0\.0\.1:\d+: connect ECONNREFUSED/);
  });
});
