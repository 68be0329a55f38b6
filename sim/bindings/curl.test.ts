/** The commands of the interface specification's shape, run by curl itself. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { type HttpServer, serveHttp } from './http.ts';
import { createEchoService, type Echo } from './testing/echo-service.ts';

const absent = spawnSync('curl', ['--version']).error !== undefined;
const skip = absent ? 'curl is not installed' : false;
const MEDIA_TYPE = 'Content-Type: application/vnd.onem2m-res+json';

const folder = mkdtempSync(join(tmpdir(), 'bindings-'));
after(() => rmSync(folder, { recursive: true }));

/** Runs curl without its configuration file; resolves with what it wrote to its output. Rejects when curl fails. */
async function curl(...options: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('curl', ['-q', '-s', '-S', '--max-time', '20', ...options], {
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout;
}

const serve = (address = '127.0.0.1'): Promise<HttpServer> => serveHttp(createEchoService(), { interface: address });

function fileWith(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const echoIn = (output: string): Echo => JSON.parse(output);

describe('curl', { skip }, () => {
  test('-X POST -H -d sends a body', async () => {
    await using server = await serve();
    const body = '{"m2m:ae": {"rn": "app", "api": "api", "rr": "TRUE"}}';
    const echo = echoIn(await curl('-X', 'POST', '-H', MEDIA_TYPE, '-d', body, `${server.url}/onem2m`));
    assert.equal(echo.method, 'POST');
    assert.equal(echo.headers['content-type'], 'application/vnd.onem2m-res+json');
    assert.equal(echo.body, body);
  });

  test('--data-binary @file keeps line ends', async () => {
    await using server = await serve();
    const path = fileWith('lines.json', '{\n"a": 1\r\n}\n');
    const echo = echoIn(await curl('-H', MEDIA_TYPE, '--data-binary', `@${path}`, `${server.url}/onem2m`));
    assert.equal(echo.body, '{\n"a": 1\r\n}\n');
  });

  test('a plain GET keeps its query', async () => {
    await using server = await serve();
    const query = '?cra=2024-01-01+00%3A00%3A00.000000%2B00%3A00&lbl=a&fu=1';
    const echo = echoIn(await curl(`${server.url}/~/mn-cse-1/onem2m${query}`));
    assert.equal(echo.target, `/~/mn-cse-1/onem2m${query}`);
  });

  test('-X DELETE arrives without a body', async () => {
    await using server = await serve();
    const echo = echoIn(await curl('-X', 'DELETE', '-H', 'X-M2M-Origin: //sp/cse/ae', `${server.url}/onem2m/app`));
    assert.deepEqual([echo.method, echo.body, echo.headers['x-m2m-origin']], ['DELETE', '', '//sp/cse/ae']);
  });

  test('-I shows the headers and ends', async () => {
    await using server = await serve();
    const output = await curl('-I', `${server.url}/large`);
    assert.match(output, /^HTTP\/1\.1 200 OK\r\n/);
    assert.match(output, /\r\nContent-Length: 600000\r\n/i);
  });

  test('-X OPTIONS and --request-target * reach the service', async () => {
    await using server = await serve();
    assert.equal(echoIn(await curl('-X', 'OPTIONS', `${server.url}/onem2m`)).method, 'OPTIONS');
    assert.equal(echoIn(await curl('-X', 'OPTIONS', '--request-target', '*', server.url)).target, '*');
  });

  test('-T uploads in chunks what comes from a pipe', async () => {
    await using server = await serve();
    const path = fileWith('upload.json', `"${'b'.repeat(200_000)}"`);
    const command = `cat '${path}' | curl -q -s -S --max-time 20 -X POST -T - '${server.url}/upload'`;
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { maxBuffer: 16 * 1024 * 1024 });
    const echo = echoIn(stdout);
    assert.equal(echo.headers['transfer-encoding'], 'chunked');
    assert.equal(echo.body.length, 200_002);
  });

  test('Expect: 100-continue is met before curl gives up waiting', async () => {
    await using server = await serve();
    const options = ['-v', '--stderr', '-', '--expect100-timeout', '15', '-H', 'Expect: 100-continue', '-d', '{}'];
    const output = await curl(...options, `${server.url}/onem2m`);
    assert.match(output, /HTTP\/1\.1 100 Continue/);
    assert.match(output, /HTTP\/1\.1 200 OK/);
  });

  test('--http1.0 is served and closed', async () => {
    await using server = await serve();
    const output = await curl('--http1.0', '-i', `${server.url}/onem2m`);
    assert.match(output, /\r\nConnection: close\r\n/i);
    assert.match(output, /"target":"\/onem2m"/);
  });

  test("-g -6 reaches '[::1]'", async () => {
    await using server = await serve('::');
    const echo = echoIn(await curl('-g', '-6', `http://[::1]:${server.port}/onem2m`));
    assert.equal(echo.headers.host, `[::1]:${server.port}`);
  });

  test('--path-as-is keeps dot segments', async () => {
    await using server = await serve();
    assert.equal(echoIn(await curl('--path-as-is', `${server.url}/a/../b`)).target, '/a/../b');
  });

  test('two URLs share one connection', async () => {
    await using server = await serve();
    const output = await curl('-w', '\n%{num_connects}\n', `${server.url}/1`, `${server.url}/2`);
    const connects = output.split('\n').filter((line) => /^\d+$/.test(line));
    assert.deepEqual(connects, ['1', '0']);
  });

  test('a body over the limit is answered by 413 while curl is sending', async () => {
    await using server = await serve();
    const path = fileWith('large.json', 'c'.repeat(5 * 1024 * 1024));
    for (const expect of ['Expect:', 'Expect: 100-continue']) {
      const output = await curl('-i', '-H', expect, '--data-binary', `@${path}`, `${server.url}/onem2m`);
      assert.match(output, /^HTTP\/1\.1 413 /);
      assert.match(output, /limit of 1048576 bytes/);
    }
  });

  test('a URL over the limit is answered by 414', async () => {
    await using server = await serve();
    const output = await curl('-i', `${server.url}/${'d'.repeat(9000)}`);
    assert.match(output, /^HTTP\/1\.1 414 /);
    assert.match(output, /limit of 8192 bytes/);
  });

  test('an unknown method is answered by 405', async () => {
    await using server = await serve();
    const output = await curl('-i', '-X', 'BREW', `${server.url}/onem2m`);
    assert.match(output, /^HTTP\/1\.1 405 /);
    assert.match(output, /\r\nAllow: GET, /);
    assert.match(output, /\r\nX-M2M-RSC: 4005\r\n/);
  });
});
