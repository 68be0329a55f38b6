import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '../environment/clock.ts';
import { XAE } from './ae.ts';
import { applicationBody, laboratory, signal, simulateCse } from './testing/laboratory.ts';

const container = (rn: string) =>
  ({ operation: 'create', to: 'onem2m/App', content: { 'm2m:cnt': { rn, lbl: ['new'] } } }) as const;

test('a polled discovery finds what is new, and misses nothing while the CSE is away', async () => {
  await using lab = await laboratory();
  const { clock, onError } = lab;
  await using app = new XAE({ cse: lab.url, name: 'App', clock, onError });
  await app.start();
  const found: (readonly string[])[] = [];
  const end = app.pollDiscovery({ labels: ['new'] }, { everySeconds: 10, onFound: (paths) => void found.push(paths) });
  await app.createContainer('a', { labels: ['new'] });
  await clock.advance('1s');
  await clock.advance('20s');
  assert.deepEqual(found, [['/onem2m/App/a']]);
  lab.cse.core.request(container('b'));
  await lab.stop();
  await clock.advance('10s');
  assert.match(String(lab.failures), /^UnreachableError: http:\/\/127\.0\.0\.1:\d+: connect ECONNREFUSED/);
  await lab.resume();
  await clock.advance('10s');
  assert.deepEqual(found.slice(1), [['/onem2m/App/b']]);
  end();
  lab.cse.core.request(container('c'));
  await clock.advance('1m');
  assert.equal(found.length, 2);
});

test('each poll asks from a second before the former one, in the documented form', async () => {
  await using lab = await laboratory();
  const clock = manualClock(Date.UTC(2017, 2, 2, 16, 12, 53) * 1000 + 350_093);
  await using app = new XAE({ cse: lab.url, name: 'App', clock });
  app.pollDiscovery({ labels: ['new'], under: '/~/mn-cse-1/onem2m' }, { everySeconds: 10, onFound: () => {} });
  await clock.advance('20s');
  assert.deepEqual(lab.requests, [
    'GET /~/mn-cse-1/onem2m?lbl=new&fu=1',
    'GET /~/mn-cse-1/onem2m?lbl=new&cra=2017-03-02+16%3A12%3A52.350093%2B00%3A00&fu=1',
    'GET /~/mn-cse-1/onem2m?lbl=new&cra=2017-03-02+16%3A13%3A02.350093%2B00%3A00&fu=1',
  ]);
});

test('it begins where the criteria say', async () => {
  await using lab = await laboratory();
  await using app = new XAE({ cse: lab.url, name: 'App', clock: lab.clock });
  await app.start();
  lab.cse.core.request(container('before'));
  const found: string[] = [];
  await lab.clock.advance('1s');
  const createdAfter = lab.clock.now();
  await lab.clock.advance('1s');
  lab.cse.core.request(container('behind'));
  app.pollDiscovery({ createdAfter }, { everySeconds: 5, onFound: (paths) => void found.push(...paths) });
  await lab.clock.advance('20s');
  assert.deepEqual(found, ['/onem2m/App/behind']);
});

test('nothing is reported any more once it was ended, or the application was stopped, while a poll is under way', async () => {
  for (const how of ['end', 'stop'] as const) {
    const clock = manualClock();
    const arrived = signal();
    const released = signal();
    await using cse = await simulateCse(async ({ target }) => {
      if (!target.includes('fu=1')) return { status: 200, body: applicationBody(clock, 60) };
      arrived.raise();
      await released.raised;
      return { status: 200, body: { 'm2m:uril': ['onem2m/App/c'] } };
    });
    const told: unknown[] = [];
    const app = new XAE({ cse: cse.url, name: 'App', clock, onError: (error) => told.push(error) });
    await app.start();
    const end = app.pollDiscovery({}, { everySeconds: 1, onFound: (paths) => void told.push(paths) });
    const moved = clock.advance(0);
    await arrived.raised;
    if (how === 'end') end();
    else await app.stop();
    released.raise();
    await moved;
    await clock.advance('10s');
    assert.deepEqual(told, [], how);
    await app.stop();
  }
});

test('what the listener throws is reported, and polling goes on', async () => {
  await using lab = await laboratory();
  const { clock, onError } = lab;
  await using app = new XAE({ cse: lab.url, name: 'App', clock, onError });
  await app.start();
  const found: string[] = [];
  const onFound = (paths: readonly string[]) => {
    found.push(...paths);
    throw new Error('too much');
  };
  app.pollDiscovery({ labels: ['new'] }, { everySeconds: 1, onFound });
  for (const name of ['a', 'b']) {
    lab.cse.core.request(container(name));
    await clock.advance('5s');
  }
  assert.deepEqual(found, ['/onem2m/App/a', '/onem2m/App/b']);
  assert.deepEqual(lab.failures.map(String), ['Error: too much', 'Error: too much']);
});

test('a pause that is none is refused', () => {
  const app = new XAE({ cse: 'http://127.0.0.1:1', name: 'App' });
  for (const everySeconds of [0, -1, Number.NaN]) {
    const message = `everySeconds is ${everySeconds}; it has to be more than 0`;
    assert.throws(() => app.pollDiscovery({}, { everySeconds, onFound: () => {} }), { name: 'RangeError', message });
  }
});
