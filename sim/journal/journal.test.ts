import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { manualClock, systemClock } from '../environment/clock.ts';
import { exampleMoment, sampleCse } from '../testing/sample-cse.ts';
import type { NotificationCriteria, RequestCriteria } from './criteria.ts';
import { RequestJournal } from './journal.ts';
import type { RequestExpectationError } from './near-miss.ts';

const instance = (con: string) => ({ 'm2m:cin': { con, cnf: 'text/plain:0' } });

/** A CSE in which an application has pushed 20.5. */
async function measured() {
  const cse = sampleCse();
  const origin = { 'x-m2m-origin': 'CApp' };
  await cse.send('POST', '/onem2m', { 'm2m:ae': { rn: 'App', api: 'N.app', rr: false } }, origin);
  await cse.send('POST', '/onem2m/App', { 'm2m:cnt': { rn: 'temperature' } }, origin);
  await cse.send('POST', '/onem2m/App/temperature?rcn=1', instance('20.5'), origin);
  return { ...cse, push: (con: string) => cse.send('POST', '/onem2m/App/temperature', instance(con), origin) };
}

const none = { within: 0 };

describe('a journal', () => {
  test('keeps what came, from whom, and what was answered', async () => {
    const { requests } = await measured();
    const [first, , third] = requests.entries;
    assert.deepEqual(
      [first?.number, first?.method, first?.path, first?.originator, first?.operation, first?.at],
      [1, 'POST', '/onem2m', 'CApp', 'create', exampleMoment],
    );
    assert.deepEqual([first?.answer?.status, first?.answer?.code, first?.answer?.root], [201, 2001, 'm2m:ae']);
    assert.ok((first?.milliseconds ?? -1) >= 0);
    assert.deepEqual([third?.query, third?.attributes.con, third?.content], [{ rcn: '1' }, '20.5', '20.5']);
    assert.equal(String(third), 'POST /onem2m/App/temperature?rcn=1 from CApp, answered 201 (2001)');
    assert.equal((JSON.parse(JSON.stringify(third)) as { answer: { code: number } }).answer.code, 2001);
  });

  test('finds a request by any of its parts', async () => {
    const { requests } = await measured();
    const criteria: RequestCriteria[] = [
      { method: 'POST', path: '/onem2m/App/temperature' },
      { path: 'onem2m/App/temperature', body: { con: '20.5' } },
      { path: /temperature$/, body: { 'm2m:cin': { con: /^20/ } } },
      { root: 'm2m:cin', content: (value: string) => Number(value) > 20 },
      { query: { rcn: '1' }, originator: /^C/, status: 201, code: 2001 },
      { operation: 'create', headers: { 'Content-Type': /json/ }, root: 'm2m:cin' },
    ];
    for (const one of criteria) assert.equal((await requests.expectRequest(one, none)).number, 3, JSON.stringify(one));
    assert.deepEqual(requests.matching({ method: 'DELETE' }), []);
  });

  test('finds a notification by its content', async () => {
    const requests = new RequestJournal({ clock: systemClock() });
    for (const con of ['20.5', '21.5']) {
      const body = JSON.stringify({ 'm2m:sgn': { nev: { net: 3, rep: { 'm2m:cin': { con } } }, sur: 'watch' } });
      requests.settle(requests.enter({ method: 'POST', target: '/app', headers: {}, body }), undefined, 'cut');
    }
    assert.equal((await requests.expectRequest({ content: '21.5' }, none)).number, 2);
    assert.deepEqual(requests.matching({ content: 'm2m:cin' }), []);
  });

  test('finds a notification in an aggregated one', async () => {
    const requests = new RequestJournal({ clock: systemClock() });
    const about = (con: string) => ({ nev: { net: 3, rep: { 'm2m:cin': { con, rn: `at-${con}` } } }, sur: 'watch' });
    const send = (sent: object) => {
      const body = JSON.stringify(sent);
      requests.settle(requests.enter({ method: 'POST', target: '/app', headers: {}, body }), undefined, 'cut');
    };
    send({ 'm2m:sgn': { sur: 'watch', vrq: true } });
    send({ 'm2m:agn': { 'm2m:sgn': [about('20.5'), about('21.5')] } });
    send({ 'm2m:cin': { con: '22.5' } });
    const found = await requests.expectNotification({ content: '21.5', eventType: 3, subscription: /^w/ }, none);
    assert.deepEqual([found.attributes.rn, found.target], ['at-21.5', '/app']);
    assert.equal((await requests.expectNotification({ isVerification: true }, none)).subscription, 'watch');
    await assert.rejects(
      requests.expectNotification({ content: '22.5', root: 'm2m:cin' }, none),
      ({ message, nearest }: RequestExpectationError) =>
        nearest?.number === 2 && message.includes('notification.content: expected "22.5", was "20.5"'),
    );
  });

  test('names the nearest request and each part that differs', async () => {
    const { requests } = await measured();
    const expected = { method: 'POST', path: '/onem2m/App/temperature', body: { con: '21.0' }, originator: 'COther' };
    await assert.rejects(requests.expectRequest(expected, none), {
      name: 'RequestExpectationError',
      message: [
        'No request matched within 0ms:',
        '  POST /onem2m/App/temperature from COther, body {"con":"21.0"}',
        'no. 3, the nearest of 3 requests, differs:',
        '  POST /onem2m/App/temperature?rcn=1 from CApp, answered 201 (2001)',
        '  originator: expected "COther", was "CApp"',
        '  body.con: expected "21.0", was "20.5"',
      ].join('\n'),
    });
    const elsewhere = { method: 'POST', path: '/onem2m/App/humidity', root: 'm2m:cin' };
    await assert.rejects(requests.expectRequest(elsewhere, none), /path: expected .*humidity", was .*temperature"/);
  });

  test('reports that nothing came, and what came unexpectedly', async () => {
    const { requests } = sampleCse();
    await assert.rejects(requests.expectRequest({ method: 'GET' }, none), /No request came\./);
    const busy = await measured();
    busy.requests.expectNoRequest({ method: 'DELETE' });
    assert.throws(() => busy.requests.expectNoRequest({ root: 'm2m:cin' }), /no\. 3, POST/);
  });

  test('refuses an unknown criterion, by which no request would ever be missed', async () => {
    const { requests } = sampleCse();
    const wrong = { con: '20.5', pth: '/onem2m' } as RequestCriteria;
    assert.throws(() => requests.expectNoRequest(wrong), /no criterion "con"; the nearest is "code"/);
    await assert.rejects(requests.nextRequest(wrong, none), TypeError);
    const notification = { contents: 'on' } as NotificationCriteria;
    await assert.rejects(requests.expectNotification(notification, none), /no criterion "contents".*"content"/);
  });

  test('waits for a request without polling', async () => {
    const { requests, push } = await measured();
    const coming = requests.expectRequest({ body: { con: '22' } }, { within: '1m' });
    const next = requests.nextRequest({ root: 'm2m:cin' }, { within: '1m' });
    await push('21');
    await push('22');
    assert.equal((await coming).number, 5);
    assert.equal((await next).number, 4);
  });

  test('waits in the time of a manual clock, and ends when that stands still', async () => {
    const clock = manualClock();
    const requests = new RequestJournal({ clock });
    const late = requests.expectRequest({ method: 'GET' }, { within: '1h' });
    clock.schedule(3_000_000, () => {
      requests.settle(requests.enter({ method: 'GET', target: '/', headers: {}, body: '' }), undefined, 'cut');
    });
    await clock.advance('1h');
    assert.equal((await late).problem, 'cut');
    const never = requests.expectRequest({ method: 'PUT' }, { within: '1h' });
    const rejected = assert.rejects(never, /within 1h/);
    await clock.advance('2h');
    await rejected;
    await assert.rejects(requests.expectRequest({ method: 'PUT' }, { within: 10 }), /the clock stood still/);
  });

  test('drops the oldest beyond its bounds, and counts them', () => {
    const facts = (body: string) => ({ method: 'POST', target: '/', headers: {}, body });
    const few = new RequestJournal({ clock: systemClock(), maxEntries: 10 });
    for (let count = 0; count < 25; count++) few.settle(few.enter(facts('')), { status: 200, headers: {}, body: '' });
    assert.deepEqual([few.entries.length, few.dropped, few.entries[0]?.number, few.last?.number], [10, 15, 16, 25]);
    const small = new RequestJournal({ clock: systemClock(), maxBytes: 100 });
    for (let count = 0; count < 5; count++)
      small.settle(small.enter(facts('x'.repeat(30))), { status: 200, headers: {}, body: 'y' });
    assert.deepEqual([small.entries.length, small.dropped], [3, 2]);
    small.clear();
    assert.deepEqual([small.entries.length, small.dropped], [0, 0]);
  });

  test('calls its listeners for each request and each answer, whatever they throw', async () => {
    const heard: string[] = [];
    const failures: unknown[] = [];
    const cse = sampleCse({ onError: (error) => failures.push(error) });
    const end = cse.requests.subscribe(({ kind, entry }) => {
      heard.push(`${kind} ${entry.number} ${entry.answer?.status}`);
      throw new Error('of a listener');
    });
    await cse.send('GET', '/onem2m');
    end();
    await cse.send('GET', '/onem2m');
    assert.deepEqual(heard, ['request 1 undefined', 'answer 1 200']);
    assert.equal(failures.length, 2);
  });

  test('stays empty where nothing is to be kept', async () => {
    const cse = sampleCse({ journal: 0 });
    await cse.send('GET', '/onem2m');
    assert.deepEqual(cse.requests.entries, []);
  });
});
