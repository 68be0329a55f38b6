import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { ApplicationEntity, createCse, serveHttp, startInbox } from '../index.ts';
import { sampleCse } from '../testing/sample-cse.ts';

const subscription = (url: string) => ({ 'm2m:sub': { rn: 'sub', nu: [url], su: url, nct: 1, enc: { net: [3] } } });
const instance = (con: string) => ({ 'm2m:cin': { con, cnf: 'text/plain:0' } });

async function subscribed() {
  const cse = sampleCse();
  await cse.send('POST', '/onem2m', { 'm2m:cnt': { rn: 'c' } });
  const inbox = cse.openInbox();
  const answer = await cse.send('POST', '/onem2m/c', subscription(`${inbox.url}/of/me`));
  assert.equal(answer.status, 201, answer.text);
  return { cse, inbox, push: (con: string) => cse.send('POST', '/onem2m/c', instance(con)) };
}

describe('an inbox', () => {
  test('in memory takes what a CSE notifies', async () => {
    const { cse, inbox, push } = await subscribed();
    await push('20.5');
    await push('21.0');
    const first = await inbox.next();
    assert.deepEqual([first.content, first.root, first.eventType, first.target], ['20.5', 'm2m:cin', 3, '/of/me']);
    assert.match(first.subscription ?? '', /sub/);
    assert.equal((await inbox.next({ where: ({ content }) => content === '21.0' })).attributes.con, '21.0');
    assert.deepEqual([inbox.all.length, inbox.unread.length], [2, 0]);
    inbox.expectEmpty();
    const sent = await cse.sent.expectRequest({ operation: 'notify', status: 200 });
    assert.equal(sent.to, inbox.url);
  });

  test('answers verifications, and keeps them apart', async () => {
    await using cse = createCse({ dialect: 'onem2m' });
    const inbox = cse.openInbox();
    await cse.seed({ resources: [{ ae: { rn: 'App', api: 'N.a', rr: false }, originator: 'CApp' }] });
    const content = { 'm2m:sub': { rn: 'sub', nu: [inbox.url], enc: { net: [3] }, nct: 1 } };
    const { status } = await cse.core.request({
      ...{ operation: 'create', to: 'cse-in/App', from: 'CApp', requestIdentifier: '1', releaseVersionIndicator: '4' },
      ...{ resourceType: 23, content },
    });
    assert.equal(status.code, 2001);
    assert.deepEqual([inbox.verifications.length, inbox.all.length], [1, 0]);
  });

  test('tells the end of a subscription', async () => {
    const { cse, inbox } = await subscribed();
    await cse.send('DELETE', '/onem2m/c');
    assert.equal((await inbox.next()).isDeletion, true);
  });

  test('says what else came when what is awaited does not', async () => {
    const { inbox, push } = await subscribed();
    await assert.rejects(inbox.next({ within: 10 }), {
      name: 'InboxError',
      message: /^No notification came within 10ms/,
    });
    await push('20.5');
    await inbox.next();
    await push('21.5');
    await assert.rejects(
      inbox.next({ within: 100, where: ({ content }) => content === '22' }),
      /1 other came, the first m2m:cin "21\.5" \(net 3\) from/,
    );
    assert.throws(() => inbox.expectEmpty(), /1 notifications are unread/);
    inbox.clear();
    assert.deepEqual([inbox.all, inbox.unread], [[], []]);
  });

  test('that is closed is reached no more', async () => {
    const { cse, inbox, push } = await subscribed();
    await inbox.close();
    const sent = cse.sent.nextRequest({ operation: 'notify' });
    await push('20.5');
    assert.equal((await sent).problem, `${inbox.url}: disconnected by the test`);
    assert.deepEqual(inbox.all, []);
  });

  test('has a port of its own for CSEs of other processes', async () => {
    await using cse = createCse();
    await using server = await serveHttp(cse.http);
    await using inbox = await startInbox();
    await using app = new ApplicationEntity({ cse: server.url, name: 'App', poas: [inbox.url] });
    await app.start();
    await app.createContainer('c');
    const headers = { 'content-type': 'application/vnd.onem2m-res+json' };
    const body = JSON.stringify(subscription(inbox.url));
    const created = await fetch(`${server.url}/onem2m/App/c`, { method: 'POST', headers, body });
    assert.equal(created.status, 201);
    await app.push('c', { celsius: 21 });
    assert.deepEqual((await inbox.next({ within: '20s' })).content, { celsius: 21 });
    assert.equal((await fetch(inbox.url)).status, 405);
  });

  test('says that what came is no HTTP', async () => {
    await using inbox = await startInbox();
    const socket = connect(Number(new URL(inbox.url).port), '127.0.0.1');
    socket.end('POST cse/app HTTP/1.1\r\nHost: here\r\nContent-Length: 2\r\n\r\n{}');
    await once(socket.resume(), 'close');
    assert.equal(inbox.refusals.length, 1);
    await assert.rejects(
      inbox.next({ within: 10 }),
      /^InboxError: No notification came within 10ms; 1 malformed came: /,
    );
    inbox.clear();
    assert.deepEqual(inbox.refusals, []);
  });
});
