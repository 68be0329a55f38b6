import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { shipped } from '../../../certs/shipped.ts';
import { UsageError } from '../basics/diagnostics.ts';
import { closedPort, httpServer, httpsServer, tcpServer } from '../targets/test-servers.ts';
import { prepareUrl, type UrlChoice } from '../targets/url-choice.ts';
import { gatewayOf, openTestTarget } from '../test-cse.ts';
import type { Opened } from './scenario/installations.ts';

async function open(t: TestContext, choice: UrlChoice, timeout = 2000): Promise<Opened> {
  const opened = await openTestTarget(choice, { connections: 2, timeout, startedAt: performance.now() });
  if ('installations' in opened) t.after(() => opened.installations.close());
  return opened;
}

function cseIdOf(opened: Opened): string | undefined {
  return 'installations' in opened ? opened.description.cseId : undefined;
}

test('what is not given has the values of the specification’s examples', async () => {
  assert.deepEqual((await prepareUrl({ url: 'http://gateway:8000/' })).description, {
    kind: 'url',
    url: 'http://gateway:8000',
    base: 'onem2m',
    cseId: 'mn-cse-1',
    spId: 'openmtc.org',
  });
  assert.deepEqual(
    (await prepareUrl({ url: 'https://[::1]/cse/', base: '/in/', cseId: '/x', spId: '//sp' })).description,
    {
      kind: 'url',
      url: 'https://[::1]/cse',
      base: 'in',
      cseId: 'x',
      spId: 'sp',
    },
  );
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
  test(`"${url}" is no URL of a target`, async () => {
    await assert.rejects(prepareUrl({ url }), UsageError);
  });
}

test('no error of a URL shows its password, or what its query holds', async () => {
  const kept = ['mqtt://u:pa#ss@h', 'mqtt://u:12#pass@h', 'http://u:pass@h:x', 'ftp://u:pass@h', 'coaps://u:pass@h'];
  for (const url of [...kept, 'mqtt://u:a/pass@h:x', 'http://h/?token=pass', 'http://h/#pass'])
    await assert.rejects(prepareUrl({ url, dialect: 'onem2m' }), (error: Error) => {
      assert(error instanceof UsageError);
      assert.doesNotMatch(error.message, /pass(?!word)/, url);
      return true;
    });
});

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
    ['http://no-such-host.invalid', /does not answer: the host name is unknown/],
    [await tcpServer(t, () => {}), /does not answer: no complete answer within 0.2 s/],
    [
      await tcpServer(t, (socket) => socket.end('hello\r\n')),
      /does not answer as a CSE would: the answer begins with "hello"/,
    ],
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
  const target = gatewayOf(opened);
  for (let count = 0; count < 20; count += 1) {
    const exchange = await target.send({ method: 'GET', path: '/', headers: [] });
    assert.equal(exchange.failure, undefined);
  }
});

const cacert = shipped.chain;
const demanding = { requestCert: true, rejectUnauthorized: true };

test('a target over TLS that cannot be asked is unreachable, and the reason says what to do', async (t) => {
  const url = await httpsServer(t, demanding, (_, response) => response.end('{}'));
  const stranger = shipped.refused('other-authority');
  const cases: ReadonlyArray<readonly [UrlChoice['tls'], RegExp]> = [
    [{}, /does not verify: its authority is not known\. Name the chain .* with --cacert FILE, .* with -k$/],
    [{ cacert }, /"certificate required"\. Perhaps it demands a client certificate: give --cert and --key$/],
    [{ cacert, own: stranger }, /Perhaps it refuses the client certificate .*other-authority\.cert\.pem$/],
    [{ insecure: true, own: stranger, requireCert: false }, /Perhaps it refuses the client certificate/],
  ];
  for (const [tls = {}, reason] of cases) {
    const opened = await open(t, { url, tls });
    assert('unreachable' in opened);
    assert.match(opened.unreachable, reason);
  }
  assert('installations' in (await open(t, { url, tls: { cacert, own: shipped.certificate('test-ae') } })));
});

test('a target that is asked in the wrong scheme is unreachable, with a hint', async (t) => {
  const url = await httpsServer(t, {}, (_, response) => response.end('{}'));
  const opened = await open(t, { url: url.replace('https', 'http') });
  assert('unreachable' in opened);
  assert.match(opened.unreachable, /If it speaks HTTPS, write https:\/\/ in the URL$/);
});

test('the name by which the target reaches the harness is a name or an address', async () => {
  const url = 'http://gateway:8000';
  const cases = { 'Build-7': 'build-7', '192.168.1.5': '192.168.1.5', 'fe80::1': '[fe80::1]', '[::1]': '[::1]' };
  for (const [given, inboxHost] of Object.entries(cases)) {
    assert.equal((await prepareUrl({ url, inboxHost: given })).choice.inboxHost, inboxHost);
  }
  for (const inboxHost of ['', 'a b', 'http://me', 'me:80', 'me:8080', 'me/inbox', 'user@me', '1.2']) {
    await assert.rejects(prepareUrl({ url, inboxHost }), UsageError, inboxHost);
  }
});

test('a URL that holds a password is refused without showing it', async () => {
  for (const url of ['http://me:hidden@gateway:8000', 'http://:hidden@gateway:8000']) {
    const quiet = (error: Error) => error instanceof UsageError && !error.message.includes('hidden');
    await assert.rejects(prepareUrl({ url }), quiet);
  }
});

test('the backend is probed as well, and reports its identifier', async (t) => {
  const url = await httpServer(t, (_, response) => response.end('{"m2m:cb":{"csi":"/gw-7"}}'));
  const backend = await httpServer(t, (_, response) => response.end('{"m2m:cb":{"csi":"/far-8"}}'));
  const opened = await open(t, { url, backend: { url: backend } });
  assert('installations' in opened);
  assert.equal(opened.installations.opened()[0]?.backend?.description.cseId, 'far-8');
  const silent = await open(t, { url, backend: { url: await closedPort(t) } });
  assert('unreachable' in silent);
  assert.match(silent.unreachable, /^the backend http:.* does not answer: the connection was refused/);
});

test('the harness listens as the backend, over TLS where the target speaks it and there is a certificate', async (t) => {
  const plain = await httpServer(t, (_, response) => response.end('{}'));
  const secure = await httpsServer(t, {}, (_, response) => response.end('{}'));
  const playedOf = async (choice: UrlChoice) => {
    const opened = await open(t, { ...choice, asBackend: { port: 0, cseId: 'far-8', wait: 0 } });
    assert('installations' in opened);
    const { url = '', cseId } = opened.installations.opened()[0]?.simulated?.description ?? {};
    const { protocol, hostname } = new URL(url);
    return [protocol, hostname, cseId];
  };
  assert.deepEqual(await playedOf({ url: plain }), ['http:', '127.0.0.1', 'far-8']);
  assert.deepEqual(await playedOf({ url: secure, tls: { insecure: true } }), ['http:', '127.0.0.1', 'far-8']);
  const tls = { cacert, certs: shipped.path };
  assert.deepEqual(await playedOf({ url: secure, tls }), ['https:', '127.0.0.1', 'far-8']);
  // Where it is told to: nobody else can be there.
  const taken = Number(new URL(plain).port);
  await assert.rejects(open(t, { url: plain, asBackend: { port: taken } }), ({ message }: Error) =>
    message.includes(`at port ${taken}: listen EADDRINUSE`),
  );
});

test('the harness listens as the backend before it asks the gateway, says so, and waits for it to register', async (t) => {
  const told: string[] = [];
  const asked: string[] = [];
  const gateway = await httpServer(t, ({ url = '' }, response) => {
    asked.push(url);
    response.end('{}');
  });
  const onListening = (url: string) => {
    assert.deepEqual(asked, []);
    told.push(url);
    void fetch(`${url}/onem2m`, { method: 'POST', body: '{"m2m:csr":{"csi":"/gw"}}' });
  };
  const opened = await open(t, { url: gateway, asBackend: { port: 0, wait: 600_000, onListening } });
  assert('installations' in opened);
  const { simulated } = opened.installations.opened()[0] ?? {};
  assert.deepEqual([told, simulated?.log.used, simulated?.waitedInVain], [[simulated?.description.url], true, false]);
  const late = await open(t, { url: gateway, asBackend: { port: 0, wait: 1 } });
  assert('installations' in late);
  assert.equal(late.installations.opened()[0]?.simulated?.waitedInVain, true);
});

test('what cannot be used is refused before anything is sent', async () => {
  const url = 'https://gateway';
  for (const tls of [{ certs: '/no/such/directory' }, { requireCert: true }, { cacert: '/no/such/file' }]) {
    await assert.rejects(prepareUrl({ url, tls }), UsageError);
  }
});

test('in the onem2m dialect the base is asked for as the standard has it', async (t) => {
  const asked: Array<string | string[] | undefined> = [];
  const url = await httpServer(t, ({ url: path, headers }, response) => {
    asked.push(path, headers['x-m2m-origin'], headers['x-m2m-ri'], headers['x-m2m-rvi']);
    response.end('{"m2m:cb":{"csi":"/id-7"}}');
  });
  assert.equal(cseIdOf(await open(t, { url, dialect: 'onem2m', admin: 'CAdmin', release: '4' })), 'id-7');
  const [path, originator, identifier, release] = asked;
  assert.deepEqual([path, originator, release], ['/cse-in', 'CAdmin', '4']);
  await open(t, { url, dialect: 'onem2m' });
  assert.equal(asked[5], 'Ccselab');
  // Who has had an identifier before may take the request for the same, and answer nothing.
  assert.match(String(identifier), /^cselab-probe-/);
  assert.notEqual(asked[6], identifier);
});

test('without a reported CSE-ID nothing is guessed', async (t) => {
  const url = await httpServer(t, (_, response) => response.writeHead(403, { 'X-M2M-RSC': '4103' }).end());
  const opened = await open(t, { url, dialect: 'onem2m' });
  assert('unreachable' in opened);
  assert.match(opened.unreachable, /does not report its CSE-ID: 403, RSC 4103\. Give --cse-id, or with --admin/);
  assert.equal(cseIdOf(await open(t, { url, dialect: 'onem2m', cseId: 'id-8' })), 'id-8');
  const elsewhere = await httpServer(t, (_, response) => response.writeHead(404).end());
  const lost = await open(t, { url: elsewhere, dialect: 'onem2m' });
  assert('unreachable' in lost);
  assert.match(lost.unreachable, /Perhaps \/cse-in is not its CSE base: give --base$/);
});
