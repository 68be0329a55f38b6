import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { createCse, serveHttp } from '../../sim/index.ts';
import { closedPort, httpServer, tcpServer } from '../engine/targets/test-servers.ts';
import { testCse } from '../engine/test-cse.ts';
import { TargetFile } from '../target-files/target-file.ts';
import type { FoundTarget, ProbeResult } from './finding.ts';
import { probe } from './probe.ts';
import { targetFileText } from './target-file-text.ts';

const found = ({ findings }: ProbeResult, id: string) => findings.find((finding) => finding.id === id)?.found;

function fileOf(result: ProbeResult, choice: Parameters<typeof probe>[0]) {
  const { target } = result;
  assert.ok(target !== undefined);
  return targetFileText({ ...result, target }, { choice, directory: '/somewhere/else', date: '2026-11-21' });
}

// Most of a probe is waiting, so as to be polite.
describe('probe', { concurrency: 8 }, () => {
  test('the reference CSE of the documented dialect is found, and everything is removed again', async () => {
    const cse = createCse({ base: 'gate', cseId: 'far-cse' });
    await using server = await serveHttp(cse.http);
    const result = await probe({ url: server.url, base: 'gate' }, { write: true });
    assert.equal(result.outcome, 'found');
    const expected: FoundTarget = {
      url: server.url,
      dialect: 'documented',
      base: 'gate',
      cseId: 'far-cse',
      spId: 'openmtc.org',
      accessControl: false,
    };
    assert.deepEqual(result.target, expected);
    assert.deepEqual(result.leftBehind, []);
    assert.equal(found(result, 'needs originator'), 'no');
    assert.deepEqual(await children(server.url, '/gate'), []);
  });

  test('the reference CSE of the onem2m dialect is found, with who may do what', async () => {
    await using server = await serveHttp(createCse({ dialect: 'onem2m' }).http);
    const result = await probe({ url: server.url }, { write: true });
    assert.deepEqual(result.target, {
      url: server.url,
      dialect: 'onem2m',
      base: 'cse-in',
      cseId: 'id-in',
      spId: 'openmtc.org',
      release: '4',
      admin: 'CAdmin',
      accessControl: true,
    });
    for (const id of ['PICS_GRP', 'PICS_SUB', 'PICS_FCNT', 'PICS_PCH', 'PICS_CNT_RETENTION', 'PICS_CBOR']) {
      assert.equal(found(result, id), 'yes', id);
    }
    assert.equal(found(result, 'PICS_NON_BLOCKING'), 'unknown');
    assert.deepEqual(await children(server.url, '/cse-in'), []);
  });

  test('every finding has the request and the answer, or says why there is none', async () => {
    await using server = await serveHttp(createCse({ dialect: 'onem2m' }).http);
    const { findings } = await probe({ url: server.url });
    const evident = /(GET|POST) \/\S* ?.*: \d{3}|of its CSE base|not tested|the URL is one|are the same/;
    assert.deepEqual(
      findings.filter(({ evidence }) => !evident.test(evidence)),
      [],
    );
  });

  test('the target file of a probe is one that can be used, and holds no secret', async () => {
    await using server = await serveHttp(createCse({ dialect: 'onem2m' }).http);
    const choice = { url: server.url, headers: [['X-Api-Key', 'sesame']] as const, admin: 'root:hidden' };
    const result = await probe(choice);
    const text = fileOf(result, choice);
    const file = TargetFile.parse(parse(text));
    assert.deepEqual(file.headers, { 'X-Api-Key': '${env.CSELAB_X_API_KEY}' });
    assert.equal(file.originators?.admin, '${env.CSELAB_ADMIN}');
    assert.equal(file.dialect, 'onem2m');
    assert.match(text, /^# yaml-language-server: \$schema=.*target\.schema\.json\n/);
    assert.match(text, /# not found: version:/);
    assert.doesNotMatch(text, /sesame|hidden/);
  });

  test('where a name of its own is refused, it goes on with the identifier that it is given', async () => {
    await using server = await serveHttp(createCse({ dialect: 'onem2m', registrars: ['nobody'] }).http);
    const result = await probe({ url: server.url }, { write: true });
    assert.equal(found(result, 'registers as S'), 'yes');
    assert.equal(found(result, 'PICS_CNT_RETENTION'), 'yes');
    assert.deepEqual([result.target?.mayRegister, result.leftBehind], [undefined, []]);
  });

  test('where only the administrator may register, the target file says so', async (t) => {
    const cse = await testCse(t, ({ method, path, headers: { 'x-m2m-origin': originator } }) => {
      const refused = method === 'POST' ? path === '/onem2m' && originator !== 'CAdmin' : originator === 'Ccselab';
      return refused ? { status: 403 } : undefined;
    });
    const result = await probe({ url: cse.url }, { write: true });
    assert.deepEqual([result.target?.admin, result.target?.mayRegister], ['CAdmin', ['CAdmin']]);
    assert.deepEqual(TargetFile.parse(parse(fileOf(result, { url: cse.url }))).originators, {
      admin: 'CAdmin',
      'may register': ['CAdmin'],
    });
    assert.deepEqual(result.leftBehind, []);
  });

  test('an originator that holds a password is shown without it', async () => {
    await using server = await serveHttp(createCse({ dialect: 'onem2m', admin: 'root:hidden' }).http);
    const result = await probe({ url: server.url, admin: 'root:hidden' }, { write: true });
    assert.equal(result.target?.admin, 'root:***');
    assert.doesNotMatch(JSON.stringify(result), /hidden/);
    assert.deepEqual(result.leftBehind, []);
  });

  test('the probe only reads unless it is told that it may write', async (t) => {
    const cse = await testCse(t);
    const result = await probe({ url: cse.url });
    assert.equal(result.outcome, 'found');
    assert.ok(cse.log.every((line) => line.startsWith('GET ')));
    assert.ok(cse.log.length <= 32);
  });

  test('what cannot be removed is told', async (t) => {
    const cse = await testCse(t, ({ method }) => (method === 'DELETE' ? { status: 403 } : undefined));
    const { leftBehind } = await probe({ url: cse.url }, { write: true });
    assert.match(leftBehind[0] ?? '', /^\/onem2m\/cl-[a-z0-9]{7}-cselab-probe$/);
  });

  test('what is said to be removed and is still there is told', async (t) => {
    const cse = await testCse(t, ({ method }) => (method === 'DELETE' ? { status: 200 } : undefined));
    const { leftBehind } = await probe({ url: cse.url }, { write: true });
    assert.match(leftBehind[0] ?? '', /^\/onem2m\/cl-[a-z0-9]{7}-cselab-probe$/);
  });

  test('what is created is written down before, and forgotten when it is gone', async (t) => {
    const ledger = folder(t);
    const written: string[] = [];
    const cse = await testCse(t, ({ method }) => {
      const [file = ''] = readdirSync(ledger);
      if (method === 'POST') written.push(readFileSync(join(ledger, file), 'utf8'));
      return undefined;
    });
    const { run = '', leftBehind } = await probe({ url: cse.url }, { write: true, ledger });
    assert.match(written[0] ?? '', new RegExp(`"creating",.*"in":"/onem2m",.*"name":"cl-${run}-cselab-probe"`));
    assert.deepEqual([leftBehind, readdirSync(ledger)], [[], []]);
  });

  test('what could not be removed keeps its ledger', async (t) => {
    const ledger = folder(t);
    const cse = await testCse(t, ({ method }) => (method === 'DELETE' ? { status: 403 } : undefined));
    const { run } = await probe({ url: cse.url }, { write: true, ledger });
    assert.deepEqual(readdirSync(ledger), [`${run}.ndjson`]);
  });

  test('what is not to be touched is not read', async (t) => {
    const cse = await testCse(t);
    const result = await probe({ url: cse.url, handsOff: ['/onem2m/production'] });
    assert.equal(result.outcome, 'found');
    assert.ok(
      cse.log.every((line) => /^GET \/(onem2m|-)(\/cselab-probe-|[?]|$)|^GET \/[~_]\/.*\/onem2m$/.test(line)),
      cse.log.join(),
    );
    const { outcome, requests } = await probe({ url: cse.url, handsOff: ['/onem2m'] });
    assert.deepEqual([outcome, requests], ['unreachable', 0]);
  });

  test('after an interruption nothing more is created, and what was is removed', async (t) => {
    const interrupt = new AbortController();
    const cse = await testCse(t, ({ method, body }) => {
      if (method === 'POST' && body.includes('m2m:cnt')) interrupt.abort();
      return undefined;
    });
    const result = await probe({ url: cse.url }, { write: true, signal: interrupt.signal });
    assert.equal(result.outcome, 'interrupted');
    assert.deepEqual([...cse.tree.keys()], ['/onem2m']);
    assert.deepEqual(result.leftBehind, []);
  });

  test('a create without an answer is removed like one with an answer', async (t) => {
    const cse = await testCse(t, ({ method, path }) =>
      method === 'POST' && path === '/onem2m' ? 'hang up' : undefined,
    );
    const { leftBehind } = await probe({ url: cse.url }, { write: true });
    assert.deepEqual(leftBehind, []);
    const removal = cse.log.findLastIndex((line) => /^DELETE \/onem2m\/cl-[a-z0-9]{7}-cselab-probe$/.test(line));
    const after = cse.log.slice(removal + 1);
    assert.ok(removal >= 0 && after.length > 0, 'what is answered as not found is read before it is believed');
    assert.deepEqual(
      after.filter((line) => !line.startsWith('GET ')),
      [],
    );
  });

  test('a port at which nobody listens is unreachable', async (t) => {
    const result = await probe({ url: await closedPort(t) });
    assert.deepEqual([result.outcome, result.requests], ['unreachable', 1]);
  });

  test('a target that says nothing is unreachable, and is asked once', async (t) => {
    const result = await probe({ url: await tcpServer(t, () => {}) }, { timeout: 200 });
    assert.deepEqual([result.outcome, result.requests], ['unreachable', 1]);
  });

  const page = '<!doctype html><title>Welcome</title>';

  test('a web server is no CSE, and is not asked for every name there is', async (t) => {
    const url = await httpServer(t, (_request, response) => response.end(page));
    const result = await probe({ url });
    assert.deepEqual([result.outcome, result.requests], ['no cse', 3]);
    assert.match(result.says, /it answers, but not as a CSE/);
  });

  test('a redirect is not followed, and told', async (t) => {
    const url = await httpServer(t, (_request, response) => response.writeHead(302, { location: 'https://b/' }).end());
    const { outcome, says } = await probe({ url });
    assert.equal(outcome, 'no cse');
    assert.match(says, /302, to https:\/\/b\//);
  });

  const wrongBytes: Readonly<Record<string, string>> = {
    garbage: 'SSH-2.0-OpenSSH_9.2\r\n',
    'a broken length': 'HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n{}',
  };

  for (const [name, bytes] of Object.entries(wrongBytes)) {
    test(`${name} is no answer of a CSE`, async (t) => {
      const url = await tcpServer(t, (socket) => socket.write(bytes));
      const { outcome, says } = await probe({ url }, { timeout: 500 });
      assert.equal(outcome, 'no cse');
      assert.match(says, /does not answer as a CSE would/);
    });
  }

  test('a body without an end is given up', async (t) => {
    const url = await httpServer(t, (_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
      };
      response.on('drain', more);
      more();
    });
    const { outcome } = await probe({ url }, { timeout: 3000 });
    assert.match(outcome, /^(no cse|unreachable)$/);
  });

  test('a CSE whose base has another name says where it was looked for', async (t) => {
    const url = await httpServer(t, (_request, response) => response.writeHead(404, { 'x-m2m-rsc': '4004' }).end());
    const { outcome, says } = await probe({ url });
    assert.equal(outcome, 'no cse');
    assert.match(says, /it answers as a CSE does.*\/onem2m, \/cse-in.*give --base/);
  });

  test('a base that nobody may read is told', async (t) => {
    const url = await httpServer(t, ({ url: path }, response) => {
      response.writeHead(path === '/cse-in' ? 403 : 404, { 'x-m2m-rsc': path === '/cse-in' ? '4103' : '4004' }).end();
    });
    const { outcome, says } = await probe({ url });
    assert.equal(outcome, 'no cse');
    assert.match(says, /\/cse-in cannot be read by the originators tried/);
  });

  test('names that a CSE base gives itself lead nowhere else, and end no line', async (t) => {
    const paths: string[] = [];
    const url = await httpServer(t, ({ url: path = '' }, response) => {
      paths.push(path);
      const evil = 'x\r\nX-Evil: 1\u001b[2J/../../other?a=#b';
      const body = {
        'm2m:cb': { rn: evil, csi: `/${evil}`, ri: evil, spi: evil, srt: [evil], srv: { a: 1 }, ct: evil },
      };
      response.setHeader('server', 'ACME/1');
      response.end(JSON.stringify(body));
    });
    const result = await probe({ url });
    assert.equal(result.outcome, 'found');
    assert.ok(
      paths.every((path) => /^\/(onem2m|-|cb0)?([?/][\w=&-]*)?$/.test(path)),
      paths.join(' '),
    );
    assert.ok(result.findings.every(({ evidence, value = '' }) => !/\p{Cc}/u.test(evidence + value)));
    TargetFile.parse(parse(fileOf(result, { url })));
  });

  test('a target that stops answering is left alone', async (t) => {
    let requests = 0;
    const url = await httpServer(t, (_request, response) => {
      requests += 1;
      if (requests > 1) response.destroy();
      else response.end('{"m2m:cb":{"rn":"onem2m","csi":"/a"}}');
    });
    const result = await probe({ url, waitForTarget: 0 });
    assert.equal(result.outcome, 'found');
    // The base, what was not answered, a look whether it is dead, and one whether it is back.
    assert.equal(requests, 4);
    assert.equal(result.deaths?.[0]?.kind, 'closes');
    assert.match(
      result.findings.find(({ id }) => id === 'PICS_CBOR')?.evidence ?? '',
      /the target had stopped answering/,
    );
  });
});

async function children(url: string, base: string): Promise<unknown[]> {
  const headers = { 'X-M2M-Origin': 'CAdmin', 'X-M2M-RI': 'a', 'X-M2M-RVI': '3' };
  const body = (await (await fetch(`${url}${base}?fu=1`, { headers })).json()) as { 'm2m:uril': unknown[] };
  return body['m2m:uril'].filter((path) => String(path).includes('cselab-probe'));
}

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'cselab-probe-'));
  t.after(() => rmSync(path, { recursive: true }));
  return path;
}
