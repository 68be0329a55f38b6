import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { type RefusedKind, refusedKinds } from '../certs/pki.ts';
import { shipped } from '../certs/shipped.ts';
import { ApplicationEntity, XAE } from './ae.ts';
import { type Content, decodeContent, encodeContent } from './application-entity/content.ts';
import { manualClock } from './clock.ts';
import { createCse, serveHttp, startPair } from './index.ts';

const directory = mkdtempSync(join(tmpdir(), 'cselab-ae-test-'));
after(() => rmSync(directory, { recursive: true }));

/** A CSE whose clock, which the application has too, is moved by the test. */
async function laboratory() {
  const clock = manualClock();
  const cse = createCse({ clock });
  const server = await serveHttp(cse.http);
  const restartEmpty = async () => {
    await server.close();
    return serveHttp(createCse({ clock }).http, { port: server.port });
  };
  return { clock, cse, url: server.url, restartEmpty, [Symbol.asyncDispose]: () => server.close() };
}

const own = shipped.certificate('test-ae');
const ssl = { caCerts: shipped.chain, certFile: own.cert, keyFile: own.key, originatorPre: '//openmtc.org/mn-cse-1' };
const https = { cse: 'https://127.0.0.1:1', name: 'Test-AE' };

describe('an application', () => {
  test('registers, stores text and JSON, reads, discovers and deregisters', async () => {
    await using lab = await laboratory();
    const app = new ApplicationEntity({
      cse: lab.url,
      name: 'Weather',
      labels: ['outdoor'],
      poas: ['http://127.0.0.1:9'],
    });
    await app.start();
    const registered = await app.retrieve(app.path);
    assert.deepEqual(
      [registered.aei, registered.rr, registered.lbl, registered.poa, app.originator, app.path],
      ['CWeather', true, ['outdoor'], ['http://127.0.0.1:9'], 'CWeather', '/onem2m/Weather'],
    );
    const container = await app.createContainer('temperature', { labels: ['celsius'], maxInstances: 2 });
    assert.equal(container, '/onem2m/Weather/temperature');
    const text = await app.push(container, '21.0');
    assert.deepEqual([text.con, text.cnf], ['21.0', 'text/plain:0']);
    assert.equal(await app.latest(container), '21.0');
    const json = await app.push(container, { celsius: 21, place: 'Kamçatka' });
    assert.equal(json.cnf, 'application/json:1');
    assert.deepEqual(await app.latest(container), { celsius: 21, place: 'Kamçatka' });
    await app.push(container, Buffer.from([0, 255]));
    assert.deepEqual(await app.latest(container), Buffer.from([0, 255]));
    assert.equal((await app.retrieve(container)).cni, 2);
    assert.deepEqual(await app.discover({ labels: ['celsius', 'nothing'] }), ['onem2m/Weather/temperature']);
    assert.deepEqual(await app.discover({ labels: ['celsius'], under: '/~/mn-cse-1/onem2m' }), [
      '/mn-cse-1/onem2m/Weather/temperature',
    ]);
    await app.stop();
    assert.equal(lab.cse.core.tree.size, 1);
  });

  test('resumes what an earlier life has left, and not what is somebody else’s', async () => {
    await using lab = await laboratory();
    const first = new XAE({ cse: lab.url, name: 'App', labels: ['old'] });
    await first.start();
    await first.push(await first.createContainer('c'), 'kept');
    await using second = new XAE({ cse: lab.url, name: 'App', labels: ['new'] });
    await second.start();
    assert.deepEqual((await second.retrieve(second.path)).lbl, ['new']);
    assert.equal(await second.latest(await second.createContainer('c')), 'kept');
    const stranger = new XAE({ cse: lab.url, name: 'App', originatorPre: '//openmtc.org/mn-cse-1/COther' });
    await assert.rejects(stranger.start(), /is registered already, as CApp, not as COther/);
    const clash = new XAE({ cse: lab.url, name: 'Another', originatorPre: '//openmtc.org/mn-cse-1/CApp' });
    await assert.rejects(clash.start(), { name: 'RequestError', status: 409, code: 4105 });
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
      }
    }
    const app = new Derived({ cse: lab.url, name: 'App' });
    await app.start();
    await app.stop();
    assert.deepEqual(life, ['/onem2m/App/made', 'stopping']);
  });

  test('renews itself and its containers before they expire', async () => {
    await using lab = await laboratory();
    await using app = new ApplicationEntity({ cse: lab.url, name: 'App', lifetime: 60, clock: lab.clock });
    await app.start();
    await app.push(await app.createContainer('c'), 'x');
    await lab.clock.advance('1d');
    assert.equal((await app.retrieve('/onem2m/App/c')).rn, 'c');
    await app.stop();
    await lab.clock.advance('1h');
    assert.equal(lab.cse.core.tree.size, 1);
  });

  test('makes anew what a restarted CSE has forgotten: at the next push, or at the next renewal', async () => {
    await using lab = await laboratory();
    const failures: unknown[] = [];
    const onError = (error: unknown) => failures.push(error);
    await using app = new ApplicationEntity({ cse: lab.url, name: 'App', lifetime: 60, clock: lab.clock, onError });
    await app.start();
    const container = await app.createContainer('c', { labels: ['mine'] });
    await using _again = await lab.restartEmpty();
    await assert.rejects(app.retrieve(container), { name: 'RequestError', status: 404, code: 4004 });
    assert.equal((await app.push(container, 'x')).con, 'x');
    assert.deepEqual(await app.discover({ labels: ['mine'] }), ['onem2m/App/c']);
    await fetch(`${lab.url}/onem2m/App`, { method: 'DELETE' });
    await lab.clock.advance('31s');
    assert.deepEqual(await app.discover({ labels: ['mine'] }), ['onem2m/App/c']);
    assert.deepEqual(failures, []);
  });

  test('goes on trying while the CSE is away', async () => {
    const lab = await laboratory();
    const failures: unknown[] = [];
    const onError = (error: unknown) => failures.push(error);
    await using app = new ApplicationEntity({ cse: lab.url, name: 'App', lifetime: 60, clock: lab.clock, onError });
    await app.start();
    await lab[Symbol.asyncDispose]();
    await lab.clock.advance('42s');
    assert.deepEqual(
      failures.map((error) => (error as Error).name),
      ['UnreachableError', 'UnreachableError', 'UnreachableError'],
    );
    await using _again = await lab.restartEmpty();
    await lab.clock.advance('5s');
    assert.equal((await app.retrieve('/onem2m/App')).rn, 'App');
  });

  test('polls a discovery for what is new, and misses nothing while the CSE is away', async () => {
    const lab = await laboratory();
    const failures: unknown[] = [];
    const onError = (error: unknown) => failures.push(error);
    await using app = new ApplicationEntity({ cse: lab.url, name: 'App', clock: lab.clock, onError });
    await app.start();
    const found: (readonly string[])[] = [];
    const end = app.pollDiscovery({ labels: ['new'] }, 10, (paths) => void found.push(paths));
    await app.createContainer('a', { labels: ['new'] });
    await lab.clock.advance('1s');
    await lab.clock.advance('20s');
    assert.deepEqual(found, [['onem2m/App/a']]);
    lab.cse.core.request({ operation: 'create', to: 'onem2m/App', content: { 'm2m:cnt': { rn: 'b', lbl: ['new'] } } });
    await lab[Symbol.asyncDispose]();
    await lab.clock.advance('10s');
    assert.equal(failures.length, 1);
    await using _again = await serveHttp(lab.cse.http, { port: Number(new URL(lab.url).port) });
    await lab.clock.advance('10s');
    assert.deepEqual(found.slice(1), [['onem2m/App/b']]);
    end();
    lab.cse.core.request({ operation: 'create', to: 'onem2m/App', content: { 'm2m:cnt': { rn: 'c', lbl: ['new'] } } });
    await lab.clock.advance('1m');
    assert.equal(found.length, 2);
  });
});

describe('SSL parameters', () => {
  test('all of them: the application speaks HTTPS with its certificate, in the name of its originator', async () => {
    await using pair = await startPair({ tls: 'mutual' });
    await using app = new XAE({ ...ssl, cse: pair.gateway.url, name: 'Test-AE' });
    await app.start();
    assert.equal(app.originator, '//openmtc.org/mn-cse-1/CTest-AE');
    await app.push(await app.createContainer('c'), { over: 'TLS' });
    assert.deepEqual(await app.latest('/~/mn-cse-1/onem2m/Test-AE/c'), { over: 'TLS' });
    assert.equal((await app.retrieve('/onem2m/Test-AE/c')).cr, app.originator);
    assert.equal((await app.retrieve('/~/in-cse-1/onem2m')).csi, '/in-cse-1');
  });

  test('the chain alone is enough where no certificate is required', async () => {
    await using pair = await startPair({ tls: 'server' });
    await using app = new XAE({ cse: pair.gateway.url, name: 'App', caCerts: shipped.chain });
    await app.start();
    await using distrusting = new XAE({ cse: pair.gateway.url, name: 'App' });
    await assert.rejects(distrusting.start(), { name: 'UnreachableError' });
  });

  const notPem = join(directory, 'nonsense.pem');
  writeFileSync(notPem, 'nonsense');
  const wrong: [string, object, RegExp][] = [
    ['a missing key', { keyFile: undefined }, /keyFile is missing/],
    ['a missing certificate', { certFile: undefined }, /certFile is missing/],
    ['a missing chain', { caCerts: undefined }, /caCerts is missing/],
    ['a missing prefix', { originatorPre: undefined }, /originatorPre is missing/],
    ['plain HTTP', { cse: 'http://127.0.0.1:1' }, /is not an https URL/],
    ['no URL', { cse: 'gateway' }, /"gateway" is no URL/],
    ['a file that is not there', { certFile: join(directory, 'absent.pem') }, /certFile: ENOENT/],
    ['a certificate that is none', { certFile: notPem }, /certFile cannot be read as PEM/],
    ['a key that is none', { keyFile: notPem }, /keyFile cannot be read as PEM/],
    ['another key', { keyFile: shipped.certificate('test-ipe').key }, /keyFile does not fit/],
    [
      'another prefix',
      { originatorPre: '//openmtc.org/mn-cse-2' },
      /originatorPre does not match .* would be \/\/openmtc\.org\/mn-cse-2\/CTest-AE, .* has \/\/openmtc\.org\/mn-cse-1\/CTest-AE/,
    ],
    ['another name', { name: 'Other' }, /originatorPre does not match/],
  ];
  for (const [what, change, message] of wrong) {
    test(`${what} is refused before anything is sent`, () => {
      assert.throws(() => new XAE({ ...ssl, ...https, ...change }), { name: 'ApplicationEntityError', message });
    });
  }

  const refusals: Partial<Record<RefusedKind, RegExp>> = {
    expired: /certificate of certFile expired/,
    'no-alternative-names': /subjectAltName has no URI/,
    'dns-only': /subjectAltName has no URI/,
    'two-uris': /has \/\/openmtc\.org\/mn-cse-1\/CFirst, \/\/openmtc\.org\/mn-cse-1\/CSecond/,
    'wrong-identifier': /has \/\/openmtc\.org\/mn-cse-1\/COther/,
  };
  for (const kind of refusedKinds.filter((one) => refusals[one] !== undefined)) {
    test(`a certificate that is ${kind} is refused before anything is sent`, () => {
      const { cert, key } = shipped.refused(kind);
      const message = refusals[kind] ?? /^$/;
      assert.throws(() => new XAE({ ...ssl, ...https, certFile: cert, keyFile: key }), { message });
    });
  }

  test('a certificate that was replaced is presented from the next renewal on', async () => {
    const [certFile, keyFile] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
    copyFileSync(own.cert, certFile);
    copyFileSync(own.key, keyFile);
    await using pair = await startPair({ tls: 'mutual' });
    const clock = manualClock();
    const failures: unknown[] = [];
    const onError = (error: unknown) => failures.push(error);
    const options = {
      ...ssl,
      cse: pair.gateway.url,
      name: 'Test-AE',
      certFile,
      keyFile,
      clock,
      onError,
      lifetime: 600,
    };
    await using app = new XAE(options);
    await app.start();
    copyFileSync(shipped.refused('wrong-identifier').cert, certFile);
    copyFileSync(shipped.refused('wrong-identifier').key, keyFile);
    await clock.advance('301s');
    assert.match(String(failures[0]), /originatorPre does not match/);
  });
});

test('what is pushed is what is read, for every JSON value and all octets', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      if (typeof value === 'string') assert.equal(decodeContent(encodeContent(value)), value);
      else assert.deepEqual(decodeContent(encodeContent(value as Content)), JSON.parse(JSON.stringify(value)));
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array(), (octets) => {
      assert.deepEqual(decodeContent(encodeContent(octets)), Buffer.from(octets));
    }),
  );
});
