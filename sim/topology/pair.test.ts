import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { timesFor } from '../../.ci/sample.ts';
import { type CertificatePair, shipped } from '../../certs/shipped.ts';
import { HttpClient } from '../bindings/client.ts';
import { createCse } from '../cse/create-cse.ts';
import { manualClock } from '../environment/clock.ts';
import { startNode } from './node.ts';
import { type Pair, type PairMember, startGateway, startPair } from './pair.ts';

const type = 'application/vnd.onem2m-res+json';
const read = (path: string) => readFileSync(path, 'utf8');

function clientOf({ chain }: { chain: string }, files?: CertificatePair): HttpClient {
  const own = files && { cert: read(files.cert), key: read(files.key) };
  return new HttpClient({ tls: { ca: read(chain), ...own } });
}

async function send(
  client: HttpClient,
  { url }: PairMember,
  method: string,
  target: string,
  content?: object,
  originator?: string,
) {
  const headers = {
    ...(content && { 'content-type': type }),
    ...(originator !== undefined && { 'x-m2m-origin': originator }),
  };
  const body = content === undefined ? undefined : JSON.stringify(content);
  const answer = await client.send(url, { method, target, headers, ...(body && { body }) });
  const json = answer.body === '' ? {} : (JSON.parse(String(answer.body)) as Record<string, Record<string, unknown>>);
  return { status: answer.status, code: answer.headers['x-m2m-rsc'], attributes: Object.values(json)[0] ?? {} };
}

function certsOf({ certs }: Pair) {
  assert.ok(certs !== undefined);
  return certs;
}

describe('a pair', () => {
  for (const tls of ['off', 'server', 'mutual'] as const) {
    test(`with TLS ${tls} is registered on both sides when it is there`, async () => {
      await using pair = await startPair({ tls });
      await using client = clientOf(pair.certs ?? shipped, pair.certs?.ae);
      const originator = pair.certs?.ae.originator;
      const scheme = tls === 'off' ? 'http:' : 'https:';
      assert.deepEqual(
        [pair.gateway.url, pair.backend.url].map((url) => new URL(url).protocol),
        [scheme, scheme],
      );
      const here = await send(client, pair.gateway, 'GET', '/onem2m/in-cse-1', undefined, originator);
      const there = await send(client, pair.gateway, 'GET', '/~/in-cse-1/onem2m/mn-cse-1', undefined, originator);
      assert.deepEqual([here.attributes.csi, here.attributes.poa], ['/in-cse-1', [pair.backend.url]]);
      assert.deepEqual([there.attributes.csi, there.attributes.poa], ['/mn-cse-1', [pair.gateway.url]]);
    });
  }

  test('over mutual TLS carries requests both ways, each in the name of its originator', async () => {
    await using pair = await startPair({ tls: 'mutual' });
    const certs = certsOf(pair);
    await using app = clientOf(certs, certs.ae);
    const { originator } = certs.ae;
    const created = await send(
      app,
      pair.gateway,
      'POST',
      '/~/in-cse-1/onem2m',
      { 'm2m:cnt': { rn: 'far' } },
      originator,
    );
    assert.deepEqual([created.status, created.attributes.cr], [201, originator]);
    // The certificate of the backend vouches for whoever is below the backend.
    const backendApp = '//openmtc.org/in-cse-1/CApp';
    const key = read(certs.backend.key);
    await using near = new HttpClient({ tls: { ca: read(certs.chain), cert: read(certs.backend.crt), key } });
    const back = await send(near, pair.gateway, 'POST', '/onem2m', { 'm2m:cnt': { rn: 'near' } }, backendApp);
    assert.deepEqual([back.status, back.attributes.cr], [201, backendApp]);
    const stranger = await send(near, pair.gateway, 'GET', '/onem2m', undefined, '//openmtc.org/other/CApp');
    assert.deepEqual([stranger.status, stranger.code], [403, '4103']);
  });

  test('over mutual TLS refuses who has no certificate, and whose originator is another', async () => {
    await using pair = await startPair({ tls: 'mutual' });
    const certs = certsOf(pair);
    await using nobody = clientOf(certs);
    const without = await send(nobody, pair.gateway, 'GET', '/onem2m', undefined, certs.ae.originator);
    assert.deepEqual([without.status, without.code], [403, '4107']);
    for (const kind of ['no-alternative-names', 'dns-only', 'two-uris', 'wrong-identifier'] as const) {
      await using client = clientOf(certs, shipped.refused(kind));
      const answer = await send(client, pair.gateway, 'GET', '/onem2m', undefined, certs.ae.originator);
      assert.deepEqual([answer.status, answer.code], [403, '4103'], kind);
    }
    for (const kind of ['expired', 'not-yet-valid', 'other-authority', 'self-signed', 'server-only'] as const) {
      await using client = clientOf(certs, shipped.refused(kind));
      await assert.rejects(send(client, pair.gateway, 'GET', '/onem2m', undefined, certs.ae.originator), {
        name: 'UnreachableError',
      });
    }
  });

  test('over HTTPS without a required certificate, forwards for clients that have none', async () => {
    await using pair = await startPair({ tls: 'server' });
    await using client = clientOf(certsOf(pair));
    const created = await send(client, pair.gateway, 'POST', '/~/in-cse-1/onem2m', { 'm2m:cnt': {} }, 'CAE5');
    assert.deepEqual([created.status, created.attributes.cr], [201, '//openmtc.org/mn-cse-1/CAE5']);
    const nameless = await send(client, pair.gateway, 'POST', '/~/in-cse-1/onem2m', { 'm2m:cnt': {} });
    assert.deepEqual([nameless.status, nameless.attributes.cr], [201, '//openmtc.org/mn-cse-1']);
  });

  test('may have several gateways, called anything, with certificates of their own', async () => {
    const pair = await startPair({
      tls: 'mutual',
      gateways: 3,
      gateway: { cseId: 'building', spId: 'sp.example' },
      backend: { spId: 'sp.example' },
    });
    const certs = certsOf(pair);
    assert.deepEqual(
      pair.gateways.map(({ cseId }) => cseId),
      ['building', 'building-2', 'building-3'],
    );
    await using client = clientOf(certs, certs.ae);
    const { originator } = certs.ae;
    assert.equal(originator, '//sp.example/building/CTest-AE');
    for (const { cseId, url } of pair.gateways) {
      const path = `/~/in-cse-1/onem2m/${cseId}`;
      const { attributes } = await send(client, pair.gateway, 'GET', path, undefined, originator);
      assert.deepEqual([attributes.csi, attributes.poa], [`/${cseId}`, [url]]);
    }
    await pair.close();
    assert.equal(existsSync(certs.directory.path), false);
  });

  test('reaches a backend whose certificate does not verify only where accept_insecure_certs says so', async () => {
    const { cert, key } = shipped.refused('other-authority');
    const cse = { cseId: 'in-cse-1', cseType: 'IN-CSE' } as const;
    const tls = { key, crt: cert, ca: shipped.chain };
    await using backend = await startNode({ cse, http: { enableHttps: true, requireCert: true }, tls });
    const remote = {
      base: 'onem2m',
      cseId: 'in-cse-1',
      cseType: 'IN-CSE',
      ownPoa: [],
      poa: [String(backend.url)],
    } as const;
    const own = shipped.certificate('mn-cse-1-client-server');
    const settings = {
      cse: {},
      http: { enableHttps: true },
      tls: { key: own.key, crt: own.cert, ca: shipped.chain },
      registration: { interval: 60, offset: 60, labels: [], remoteCses: [remote] },
    };
    await using careful = await startNode(settings, { clock: manualClock() });
    await careful.registrations[0]?.settled();
    assert.match(String(careful.registrations[0]?.problem), /unable to get local issuer certificate/);
    await using careless = await startNode({ ...settings, acceptInsecureCerts: true }, { clock: manualClock() });
    await careless.registrations[0]?.settled();
    assert.equal(careless.registrations[0]?.registered, true);
  });

  test('sends in another name where overwrite_originator says so', async () => {
    const overwriteOriginator = '//openmtc.org/another';
    await using pair = await startPair({ gateway: { overwriteOriginator } });
    pair.backend.cse.core.tree.byAlias('/mn-cse-1');
    const seen: (string | undefined)[] = [];
    await using backend = await startNode(
      { cse: { cseId: 'in-cse-1' }, http: {} },
      {
        instruments: {
          wrapService: (service) => ({
            ...service,
            handle(request) {
              seen.push(request.headers['x-m2m-origin']);
              return service.handle(request);
            },
          }),
          wrapSender: (sender) => sender,
        },
      },
    );
    const remote = { url: String(backend.url), cseId: 'in-cse-1', base: 'onem2m' };
    await using gateway = await startGateway({ backend: remote, overwriteOriginator });
    await gateway.whenRegistered();
    await gateway.close();
    assert.ok(seen.length >= 3);
    assert.deepEqual([...new Set(seen)], [overwriteOriginator]);
  });

  test('many, one after the other, leave nothing behind', async () => {
    const resources = () => process.getActiveResourcesInfo().filter((name) => /TCP|TLS|Timeout|Stat/.test(name)).length;
    for (let warm = 0; warm < 3; warm++) await (await startPair({ tls: 'mutual' })).close();
    const before = resources();
    for (let count = 0; count < timesFor(200, 40); count++) {
      await using pair = await startPair({ tls: count % 20 === 0 ? 'mutual' : 'off' });
      assert.ok(pair.gateway.url !== pair.backend.url);
    }
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(resources() <= before + 2, `${resources()} resources after, ${before} before`);
  });

  test('that is not waited for any longer leaves nothing running', async () => {
    const listening = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
    const before = listening();
    const enough = new AbortController();
    const gateway = { deviations: ['std.registering.request.not-sent'] } as const;
    const starting = startPair({ dialect: 'onem2m', gateway, signal: enough.signal });
    enough.abort(new Error('enough'));
    await assert.rejects(starting, /^Error: enough$/);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(listening(), before);
  });

  test('whose port is taken does not start, and leaves nothing running', async () => {
    await using first = await startPair();
    const port = Number(new URL(first.gateway.url).port);
    await assert.rejects(startPair({ gateway: { port } }), { code: 'EADDRINUSE' });
    await assert.rejects(startPair({ gateways: 0 }), RangeError);
  });
});

describe('certificates that change while a CSE runs', () => {
  const directory = mkdtempSync(join(tmpdir(), 'cselab-renewal-test-'));
  after(() => rmSync(directory, { recursive: true }));

  function install(name: string): { key: string; crt: string; ca: string } {
    const files = { key: join(directory, 'key.pem'), crt: join(directory, 'crt.pem'), ca: join(directory, 'ca.pem') };
    copyFileSync(shipped.certificate(name).key, files.key);
    copyFileSync(shipped.certificate(name).cert, files.crt);
    copyFileSync(shipped.chain, files.ca);
    // A modification time that no other copy has.
    utimesSync(files.crt, new Date(), new Date(Date.now() + name.length * 1000));
    return files;
  }

  test('are read again, and the registration goes on', async () => {
    const clock = manualClock();
    let tell = (): void => {};
    const renewed = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const log = (line: string) => {
      if (line === 'the certificates were read again') tell();
    };
    const cse = { cseId: 'in-cse-1', cseType: 'IN-CSE' } as const;
    const http = { enableHttps: true, requireCert: true };
    await using backend = await startNode({ cse, http, tls: install('test-ipe') }, { log });
    const { cert, key } = shipped.certificate('mn-cse-1-client-server');
    const poa = [String(backend.url)];
    const remote = { base: 'onem2m', cseId: 'in-cse-1', cseType: 'IN-CSE', ownPoa: [], poa } as const;
    await using gateway = await startNode(
      {
        cse: {},
        http,
        tls: { key, crt: cert, ca: shipped.chain },
        registration: { interval: 60, offset: 60, labels: [], remoteCses: [remote] },
      },
      { clock },
    );
    await gateway.whenRegistered();
    install('in-cse-1-client-server');
    await renewed;
    await clock.advance('5m');
    assert.equal(gateway.registrations[0]?.registered, true);
    assert.ok(backend.cse.core.tree.byAlias('/mn-cse-1') !== undefined);
  });
});

test('a gateway alone serves, and is registered nowhere', async () => {
  await using gateway = await startGateway();
  await gateway.whenRegistered();
  await using client = clientOf(shipped);
  const created = await send(client, gateway, 'POST', '/onem2m', {
    'm2m:ae': { rn: 'Alone', api: 'N.alone', rr: 'TRUE' },
  });
  assert.equal(created.status, 201);
  const elsewhere = await send(client, gateway, 'GET', '/~/in-cse-1/onem2m');
  assert.equal(elsewhere.status, 404);
});

test('a poll that waits is answered when its pair is closed, not cut off some time later', async () => {
  const pair = await startPair();
  await pair.gateway.seed({
    resources: [{ ae: { rn: 'App', api: 'N', rr: false }, children: [{ pollingChannel: { rn: 'p' } }] }],
  });
  const arrived = new Promise<unknown>((resolve) => pair.gateway.requests.subscribe(resolve));
  const polled = fetch(`${pair.gateway.url}/onem2m/App/p/pcu`);
  await arrived;
  await pair.close();
  assert.equal((await polled).status, 504);
});

test('options that only JavaScript can give are refused, and so are two CSEs with one identifier', async () => {
  for (const [given, problem] of [
    ['{"tls":"mtls"}', 'tls is "mtls", and has to be one of off, server, mutual'],
    ['{"dialect":"onem2"}', 'dialect is "onem2", and has to be one of documented, onem2m'],
    [
      '{"gateways":2,"backend":{"cseId":"mn-cse-2"}}',
      'gateway and backend would both be mn-cse-2; choose another cseId',
    ],
  ] as const) {
    await assert.rejects(startPair(JSON.parse(given)), { name: 'RangeError', message: problem });
  }
  await assert.rejects(startGateway(JSON.parse('{"tls":"mtls"}')), RangeError);
  assert.throws(() => createCse(JSON.parse('{"dialect":"onem2"}')), RangeError);
  assert.throws(() => createCse(JSON.parse('{"clock":"manual"}')), TypeError);
});

test('a registration that is refused at first comes about though nobody moves the clock', {
  timeout: 20_000,
}, async () => {
  const busy = {
    ...{ id: 'busy', says: 'The first two registrations are refused.' },
    ...{ when: { create: 'm2m:csr' }, nth: { 'up-to': 2 }, does: { refuse: 5000 } },
  };
  await using pair = await startPair({ clock: 'manual', backend: { deviations: [busy] } });
  const { originator, at } = {
    originator: 'CAdmin',
    at: `${pair.backend.url}/${pair.backend.base}/${pair.gateway.cseId}`,
  };
  const answer = await fetch(at, { headers: { 'X-M2M-Origin': originator } });
  assert.equal(answer.status, 200);
});
