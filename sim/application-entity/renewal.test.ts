import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTimestamp, writeTimestamp } from '../dialects/timestamp.ts';
import { manualClock } from '../environment/clock.ts';
import { XAE } from './ae.ts';
import { applicationBody, laboratory, signal, simulateCse } from './testing/laboratory.ts';

test('an application renews itself and its containers before they expire', async () => {
  await using lab = await laboratory();
  await using app = new XAE({ cse: lab.url, name: 'App', lifetime: 60, clock: lab.clock });
  await app.start();
  await app.push(await app.createContainer('c'), 'x');
  await lab.clock.advance('4h');
  assert.equal((await app.retrieve('c')).rn, 'c');
  assert.equal(lab.requests.filter((request) => request.startsWith('PUT')).length, (2 * 4 * 3600) / 30);
  await app.stop();
  await lab.clock.advance('1h');
  assert.match(lab.requests.at(-1) ?? '', /^DELETE/);
  assert.equal(lab.cse.core.tree.size, 1);
});

test('it takes the lifetime that the CSE gives where it asks for none, also for what it took over', async () => {
  await using lab = await laboratory();
  const former = new XAE({ cse: lab.url, name: 'App', clock: lab.clock });
  await former.start();
  await lab.clock.advance('1500s');
  await using app = new XAE({ cse: lab.url, name: 'App', clock: lab.clock });
  await app.start();
  await app.createContainer('c');
  for (let day = 0; day < 3; day++) {
    await lab.clock.advance('1d');
    const expires = readTimestamp(String((await app.retrieve('c')).et)) ?? 0;
    const seconds = (expires - lab.clock.now()) / 1_000_000;
    assert.ok(seconds > 900 && seconds <= 3600, `${seconds} s are left`);
  }
});

test('a container with a shorter lifetime sets the pace', async () => {
  await using lab = await laboratory();
  await using app = new XAE({ cse: lab.url, name: 'App', lifetime: 1000, clock: lab.clock });
  await app.start();
  await app.createContainer('c', { lifetime: 10 });
  await lab.clock.advance('2h');
  assert.equal((await app.retrieve('c')).rn, 'c');
});

test('it makes anew what a restarted CSE has forgotten, at the next push or at the next renewal', async () => {
  await using lab = await laboratory();
  const { clock, onError } = lab;
  await using app = new XAE({ cse: lab.url, name: 'App', lifetime: 60, clock, onError });
  await app.start();
  const container = await app.createContainer('c', { labels: ['mine'] });
  await lab.restartEmpty();
  await assert.rejects(app.retrieve(container), {
    name: 'RequestError',
    status: 404,
    code: 4004,
    method: 'GET',
    path: container,
  });
  assert.equal((await app.push(container, 'x')).con, 'x');
  assert.deepEqual(await app.discover({ labels: ['mine'] }), [container]);
  await fetch(`${lab.url}/onem2m/App`, { method: 'DELETE' });
  await clock.advance('31s');
  assert.deepEqual(await app.discover({ labels: ['mine'] }), [container]);
  assert.deepEqual(lab.failures, []);
});

test('pushes at the same time make it anew once', async () => {
  await using lab = await laboratory();
  await using app = new XAE({ cse: lab.url, name: 'App' });
  await app.start();
  await app.createContainer('c');
  await lab.restartEmpty();
  await assert.rejects(app.retrieve('c'), { status: 404 });
  lab.requests.length = 0;
  await Promise.all(['a', 'b', 'c', 'd'].map((text) => app.push('c', text)));
  assert.equal((await app.retrieve('c')).cni, 4);
  assert.equal(lab.requests.filter((request) => request === 'POST /onem2m').length, 1);
});

test('a push to what nobody knows is refused, with what the CSE says', async () => {
  await using lab = await laboratory();
  await using app = new XAE({ cse: lab.url, name: 'App' });
  await app.start();
  await assert.rejects(
    app.push('absent', 'x'),
    /^RequestError: POST \/onem2m\/App\/absent was answered with 404, RSC 4004: \S/,
  );
});

test('it goes on trying while the CSE is away, with pauses that grow', async () => {
  await using lab = await laboratory();
  const { clock, onError } = lab;
  await using app = new XAE({ cse: lab.url, name: 'App', lifetime: 60, clock, onError });
  await app.start();
  await lab.stop();
  await clock.advance('30s');
  const counts: number[] = [];
  for (const pause of ['1s', '2s', '4s', '8s', '16s', '32s', '60s', '60s']) {
    await clock.advance(pause);
    counts.push(lab.failures.length);
  }
  assert.deepEqual(counts, [2, 3, 4, 5, 6, 7, 8, 9]);
  assert.match(String(lab.failures[0]), /^UnreachableError: http:\/\/127\.0\.0\.1:\d+: connect ECONNREFUSED/);
  await lab.restartEmpty();
  await clock.advance('60s');
  assert.equal((await app.retrieve(app.path)).rn, 'App');
});

test('a CSE whose clock is an hour behind gets no more requests', async () => {
  const clock = manualClock();
  await using cse = await simulateCse(() => ({ status: 200, body: applicationBody(clock, 2000, -3600) }));
  await using app = new XAE({ cse: cse.url, name: 'App', clock });
  await app.start();
  await clock.advance('1h');
  assert.equal(cse.requests.filter(({ method }) => method === 'PUT').length, 3);
});

test('a CSE that answers expiration times of the past gets a request once a second', async () => {
  const clock = manualClock();
  await using cse = await simulateCse(() => ({ status: 200, body: applicationBody(clock, -5) }));
  await using app = new XAE({ cse: cse.url, name: 'App', clock });
  await app.start();
  await clock.advance('10s');
  assert.equal(cse.requests.filter(({ method }) => method === 'PUT').length, 10);
});

test('a CSE whose clock is behind, and which does not say when it modified anything, gets a request once a second', async () => {
  const clock = manualClock();
  await using cse = await simulateCse(() => {
    const et = writeTimestamp(clock.now() - 1_600_000_000);
    return { status: 200, body: { 'm2m:ae': { rn: 'App', et } } };
  });
  await using app = new XAE({ cse: cse.url, name: 'App', clock });
  await app.start();
  await clock.advance('10s');
  assert.equal(cse.requests.filter(({ method }) => method === 'PUT').length, 10);
});

test('a CSE that answers an update with nothing is taken at its word', async () => {
  const clock = manualClock();
  await using cse = await simulateCse(() => ({ status: 200 }));
  await using app = new XAE({ cse: cse.url, name: 'App', lifetime: 60, clock });
  await app.start();
  await clock.advance('5m');
  assert.equal(cse.requests.filter(({ method }) => method === 'PUT').length, 10);
});

test('a CSE that leaves the time of modification alone gets a renewal half-way to each expiration', async () => {
  const clock = manualClock();
  const created = clock.now();
  const [ct, lt] = [created, created].map(writeTimestamp);
  const lives: number[] = [];
  let expires = 0;
  await using cse = await simulateCse(() => {
    lives.push((expires - clock.now()) / 1_000_000);
    expires = clock.now() + 60_000_000;
    return { status: 200, body: { 'm2m:ae': { rn: 'App', ct, lt, et: writeTimestamp(expires) } } };
  });
  await using app = new XAE({ cse: cse.url, name: 'App', lifetime: 3600, clock });
  await app.start();
  await clock.advance('5m');
  assert.deepEqual(lives.slice(1), Array(10).fill(30));
});

test('a CSE whose clock is ahead gets times of its own clock', async () => {
  const clock = manualClock();
  const ahead = 3600 * 1_000_000;
  await using cse = await simulateCse(({ attributes }) => {
    const expires = readTimestamp(String(attributes.et ?? '')) ?? clock.now() + ahead + 60_000_000;
    if (expires <= clock.now() + ahead) return { status: 400 };
    const [lt, et] = [clock.now() + ahead, expires].map(writeTimestamp);
    return { status: 200, body: { 'm2m:ae': { rn: 'App', lt, et } } };
  });
  const failures: unknown[] = [];
  await using app = new XAE({ cse: cse.url, name: 'App', clock, onError: (error) => failures.push(error) });
  await app.start();
  await app.createContainer('c', { lifetime: 120 });
  await clock.advance('5m');
  assert.deepEqual(failures, []);
  const asked = (suffix: string) =>
    cse.requests.filter(({ method, target }) => method === 'PUT' && target.endsWith(suffix));
  assert.deepEqual([asked('/App').length, asked('/c').length], [10, 5]);
});

test('an answer without a body is looked up, where the CSE decides how long the application lives', async () => {
  const clock = manualClock();
  await using cse = await simulateCse(({ method }) =>
    method === 'GET' ? { status: 200, body: applicationBody(clock, 60) } : { status: 200 },
  );
  await using app = new XAE({ cse: cse.url, name: 'App', clock });
  await app.start();
  await clock.advance('1m');
  assert.deepEqual(
    cse.requests.map(({ method }) => method),
    ['POST', 'GET', 'PUT', 'PUT'],
  );
});

test('only what is due is renewed, and a refusal of one does not end the life of the others', async () => {
  const clock = manualClock();
  const refused = '/onem2m/App/a';
  await using cse = await simulateCse(({ method, target }) =>
    method === 'PUT' && target === refused ? { status: 403 } : { status: 200, body: applicationBody(clock, 60) },
  );
  const failures: unknown[] = [];
  await using app = new XAE({ cse: cse.url, name: 'App', clock, onError: (error) => failures.push(error) });
  await app.start();
  for (const name of ['a', 'b']) await app.createContainer(name);
  await clock.advance('31s');
  assert.deepEqual(
    cse.requests.filter(({ method }) => method === 'PUT').map(({ target }) => target),
    ['/onem2m/App', refused, '/onem2m/App/b', refused],
  );
  assert.deepEqual(failures.map(String), Array(2).fill(`RequestError: PUT ${refused} was answered with 403`));
});

test('what never expires is not renewed', async () => {
  const clock = manualClock();
  await using cse = await simulateCse(() => ({ status: 200, body: { 'm2m:ae': { rn: 'App' } } }));
  await using app = new XAE({ cse: cse.url, name: 'App', clock });
  await app.start();
  await clock.advance('1d');
  assert.equal(cse.requests.length, 1);
});

test('a renewal that is under way comes to its end before the application deregisters', async () => {
  const clock = manualClock();
  const arrived = signal();
  const released = signal();
  await using cse = await simulateCse(async ({ method }) => {
    if (method !== 'PUT') return { status: 200, body: applicationBody(clock, 60) };
    arrived.raise();
    await released.raised;
    return { status: 404 };
  });
  const failures: unknown[] = [];
  const app = new XAE({ cse: cse.url, name: 'App', clock, onError: (error) => failures.push(error) });
  await app.start();
  const moved = clock.advance('30s');
  await arrived.raised;
  const stopped = app.stop();
  released.raise();
  await Promise.all([moved, stopped]);
  assert.deepEqual(
    cse.requests.map(({ method }) => method),
    ['POST', 'PUT', 'POST', 'DELETE'],
  );
  assert.deepEqual(failures, []);
});
