/** Where a CSE sends nothing, whoever names it as a target. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SampleCse, sampleCse } from '../testing/sample-cse.ts';
import { HttpClient } from './client.ts';
import { type HttpServer, serveHttp } from './http.ts';
import { reserved, TargetRules } from './target-rules.ts';
import { createEchoService, type EchoService } from './testing/echo-service.ts';

interface Receiver extends AsyncDisposable {
  readonly echo: EchoService;
  readonly server: HttpServer;
}

const steering: typeof serveHttp = async (...of) => reserved(await serveHttp(...of));

async function receiver(serve: typeof serveHttp): Promise<Receiver> {
  const echo = createEchoService();
  const server = await serve(echo, { interface: '127.0.0.1' });
  return { echo, server, [Symbol.asyncDispose]: () => server.close() };
}

/** Every way to write 127.0.0.1 that a URL has, and names and addresses that lead there as well. */
const ways = (port: number): string[] =>
  [
    ...[
      '127.0.0.1',
      'localhost',
      'LOCALHOST.',
      '0.0.0.0',
      '0',
      '127.1',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '127.0.0.2',
    ],
    ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::1]', '[::]', 'a.localhost', 'user:word@127.0.0.1', '127.0.0.1.'],
  ].map((host) => `http://${host}:${port}/reset`);

async function subscribed(cse: SampleCse, nu: string): Promise<{ status: number; text: string }> {
  const { status, text } = await cse.send('POST', '/onem2m', { 'm2m:sub': { nu: [nu] } });
  return { status, text: text.replaceAll(nu, 'URL') };
}

test('a port at which a CSE is steered gets nothing from a CSE of its process, however it is named', async () => {
  await using steered = await receiver(steering);
  const cse = sampleCse();
  for (const url of ways(steered.server.port)) assert.notEqual((await subscribed(cse, url)).status, 201, url);
  assert.deepEqual(steered.echo.targets, []);
});

test('other ports of this machine do', async () => {
  await using other = await receiver(serveHttp);
  assert.equal((await subscribed(sampleCse(), `http://127.0.0.1:${other.server.port}/inbox`)).status, 201);
  assert.deepEqual(other.echo.targets, ['/inbox']);
});

test('a target that redirects to another leads nowhere', async () => {
  await using other = await receiver(serveHttp);
  const location = `${other.server.url}/reset`;
  const handle = async () => ({ status: 307, headers: { Location: location, 'X-M2M-RSC': '2000' }, body: '' });
  await using redirecting = await serveHttp({ ...createEchoService(), handle });
  await subscribed(sampleCse(), `${redirecting.url}/inbox`);
  assert.deepEqual(other.echo.targets, []);
});

test('private networks are denied by configuration, by name and by address', async () => {
  await using near = await receiver(serveHttp);
  const cse = sampleCse({ notifyDeny: ['private'] });
  for (const url of ways(near.server.port)) assert.notEqual((await subscribed(cse, url)).status, 201, url);
  assert.deepEqual(near.echo.targets, []);
});

test('a list denies by the address alone', () => {
  const denies = (deny: readonly string[], address: string) => new TargetRules({ deny }).of('http://x:80')(address);
  const inside = ['10.1.2.3', '172.16.0.1', '192.168.0.9', '127.0.0.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'];
  for (const address of [...inside, '::1', '::', 'fd00::1', 'fe80::1', '::ffff:10.0.0.1']) {
    assert.ok(denies(['private'], address), address);
  }
  for (const address of ['8.8.8.8', '172.32.0.1', '2001:db8::1', '::ffff:8.8.8.8']) {
    assert.ok(!denies(['private'], address), address);
  }
  assert.ok(denies(['192.0.2.0/24'], '192.0.2.7') && !denies(['192.0.2.0/24'], '192.0.3.7'));
  assert.ok(denies(['2001:db8::/32'], '2001:db8::7') && denies(['192.0.2.1'], '192.0.2.1'));
  for (const wrong of ['', 'public', '10.0.0.0/33', '10.0.0.0/', '10.0.0/8', 'a.example', '10.0.0.0/8/8']) {
    assert.throws(() => new TargetRules({ deny: [wrong] }), TypeError, wrong);
  }
});

test('what the installation itself names is exempt from the list', async () => {
  await using near = await receiver(serveHttp);
  await using client = new HttpClient({ targets: new TargetRules({ deny: ['private'], trusted: [near.server.url] }) });
  const answer = await client.send(near.server.url, { method: 'GET', target: '/x', headers: {} });
  assert.equal(answer.status, 200);
});

test('an answer does not tell why a target was not reached', async () => {
  const closed = await serveHttp(createEchoService());
  await closed.close();
  await using secure = await receiver(serveHttp);
  await using steered = await receiver(steering);
  const cse = sampleCse();
  const noTls = secure.server.url.replace('http:', 'https:');
  const urls = [`${closed.url}/`, `${steered.server.url}/`, 'http://nowhere.invalid/', `${noTls}/`];
  const answers = await Promise.all(urls.map((url) => subscribed(cse, url)));
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
});
