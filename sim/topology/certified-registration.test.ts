/** Over mutual TLS in the documented dialect, which has no access control: whose registration is whose. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { HttpClient } from '../bindings/client.ts';
import { type Pair, type PairMember, startPair } from './pair.ts';

const read = (path: string) => readFileSync(path, 'utf8');

let pair: Pair;
before(async () => {
  // Time stands still, so that the gateway doesn't look after its registration while a test removes it.
  pair = await startPair({ tls: 'mutual', clock: 'manual' });
});
after(() => pair.close());

type Files = { readonly cert: string; readonly key: string };

/** With the certificate of these files, in the name of `from`. */
async function send(files: Files, from: string, member: PairMember, [method, target, csr]: Request) {
  const ca = read(pair.certs?.chain ?? '');
  await using client = new HttpClient({ tls: { ca, cert: read(files.cert), key: read(files.key) } });
  const headers = { 'x-m2m-origin': from, 'content-type': 'application/vnd.onem2m-res+json' };
  const body = csr && { body: JSON.stringify({ 'm2m:csr': csr }) };
  const { status, body: text } = await client.send(member.url, { method, target, headers, ...body });
  return { status, csr: (JSON.parse(String(text)) as Record<string, object>)['m2m:csr'] };
}

type Request = readonly [method: string, target: string, csr?: object];

const ofApplication = () => pair.certs?.ae as Files & { readonly originator: string };
const ofGateway = () => ({ key: pair.certs?.gateways[0]?.key ?? '', cert: pair.certs?.gateways[0]?.crt ?? '' });
const stolen = { rn: 'new', csi: '/other-cse', cb: '/other-cse/onem2m', rr: true, poa: ['https://127.0.0.1:1'] };

test('an application neither removes, nor changes, nor makes the registration of a CSE', async () => {
  const { originator } = ofApplication();
  const registered = pair.gateway.tree.get('in-cse-1').attributes;
  const attempts: Request[] = [
    ['DELETE', '/onem2m/in-cse-1'],
    ['PUT', '/onem2m/in-cse-1', { poa: stolen.poa }],
    ['PUT', '/onem2m/in-cse-1', { lbl: ['mine'] }],
    ['POST', '/onem2m', stolen],
  ];
  for (const attempt of attempts) {
    assert.equal((await send(ofApplication(), originator, pair.gateway, attempt)).status, 403, attempt.join(' '));
  }
  assert.deepEqual(pair.gateway.tree.get('in-cse-1').attributes, registered);
});

test('a CSE registers under the identifier of its certificate only, and at points of access with HTTPS', async () => {
  const from = '//openmtc.org/mn-cse-1';
  const attempt = (request: Request) => send(ofGateway(), from, pair.backend, request);
  assert.equal((await attempt(['POST', '/onem2m', stolen])).status, 403);
  const open = { poa: ['https://127.0.0.1:1', 'HTTP://127.0.0.1:1'] };
  assert.equal((await attempt(['PUT', '/onem2m/mn-cse-1', open])).status, 400);
  assert.equal((await attempt(['PUT', '/onem2m/mn-cse-1', { poa: [pair.gateway.url] }])).status, 200);
  assert.equal((await attempt(['DELETE', '/onem2m/mn-cse-1'])).status, 200);
  const again = { ...stolen, rn: 'mn-cse-1', csi: '/mn-cse-1', cb: '/mn-cse-1/onem2m' };
  assert.equal((await attempt(['POST', '/onem2m', { ...again, poa: open.poa }])).status, 400);
  assert.equal((await attempt(['POST', '/onem2m', { ...again, poa: [pair.gateway.url] }])).status, 201);
});
