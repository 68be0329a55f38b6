import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { UsageError } from '../diagnostics.ts';
import { describeUrl, openUrl, type UrlChoice } from './open-url.ts';
import type { Opened } from './target.ts';
import { closedPort, httpServer, tcpServer } from './test-servers.ts';

async function open(t: TestContext, choice: UrlChoice, timeout = 2000): Promise<Opened> {
  const opened = await openUrl(choice, { connections: 2, timeout, startedAt: performance.now() });
  if ('target' in opened) t.after(() => opened.target.close());
  return opened;
}

function cseIdOf(opened: Opened): string | undefined {
  return 'target' in opened ? opened.target.description.cseId : undefined;
}

test('what is not given has the values of the specification’s examples', () => {
  assert.deepEqual(describeUrl({ url: 'http://gateway:8000/' }), {
    kind: 'url',
    url: 'http://gateway:8000',
    base: 'onem2m',
    cseId: 'mn-cse-1',
    spId: 'openmtc.org',
  });
  assert.deepEqual(describeUrl({ url: 'https://[::1]/cse/', base: '/in/', cseId: '/x', spId: '//sp' }), {
    kind: 'url',
    url: 'https://[::1]/cse',
    base: 'in',
    cseId: 'x',
    spId: 'sp',
  });
});

for (const url of [
  'gateway',
  '',
  'ftp://gateway',
  'htttp://gateway',
  'http://u:p@gateway',
  'http://gateway/?a=1',
  'http://gateway/#x',
]) {
  test(`"${url}" is no URL of a target`, () => {
    assert.throws(() => describeUrl({ url }), UsageError);
  });
}

test('the CSE id is read from the CSE base, unless one is given', async (t) => {
  const url = await httpServer(t, (_, response) => response.end('{"m2m:cb":{"csi":"/gw-7"}}'));
  assert.equal(cseIdOf(await open(t, { url })), 'gw-7');
  assert.equal(cseIdOf(await open(t, { url, cseId: 'mine' })), 'mine');
});

for (const body of ['', 'no', '{"m2m:cb":{"csi":"/a/../b"}}', '{"m2m:cb":{"csi":7}}', '{"m2m:ae":{"csi":"/x"}}']) {
  test(`a base that answers ${body || 'nothing'} leaves the default`, async (t) => {
    const url = await httpServer(t, (_, response) => response.writeHead(403).end(body));
    assert.equal(cseIdOf(await open(t, { url })), 'mn-cse-1');
  });
}

test('a target that cannot be asked is unreachable, with a plain reason', async (t) => {
  const cases: ReadonlyArray<readonly [url: string, reason: RegExp]> = [
    [await closedPort(t), /does not answer: the connection was refused/],
    ['http://no-such-host.invalid', /does not answer: the host name is not known/],
    [await tcpServer(t, () => {}), /does not answer: no complete answer within 0.2 s/],
    [await tcpServer(t, (socket) => socket.end('hello\r\n')), /does not answer: the answer begins with "hello"/],
    [(await httpServer(t, (_, response) => response.end())).replace('http', 'https'), /does not answer: TLS: /],
  ];
  for (const [url, reason] of cases) {
    const opened = await open(t, { url }, 200);
    assert('unreachable' in opened, url);
    assert.match(opened.unreachable, reason);
  }
});

test('a target that closes every connection without a word is asked on new ones', async (t) => {
  const url = await tcpServer(t, (socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}')),
  );
  const opened = await open(t, { url });
  assert('target' in opened);
  const { target } = opened;
  for (let count = 0; count < 20; count += 1) {
    const exchange = await target.send({ method: 'GET', path: '/', headers: [] });
    assert.equal(exchange.failure, undefined);
  }
});
