import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RiskChoice } from '../engine/grammar/grammar-risk.ts';
import type { AnyRequest, RequestMessage } from '../engine/messages/target.ts';
import { knownRisks } from './known-risks.ts';
import { Risks } from './risks.ts';

const message = (method: string, path: string, body?: unknown, headers: RequestMessage['headers'] = usual) => ({
  ...{ method, path, headers },
  ...(body !== undefined && { body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) }),
});
const usual: RequestMessage['headers'] = [
  ['X-M2M-Origin', 'Ca'],
  ['X-M2M-RI', 'r1'],
];
const bytes = (text: string) => ({ bytes: Buffer.from(text, 'latin1') });
const policy = (rule: object, pvs: object = { acor: ['Ca'], acop: 63 }) => ({
  'm2m:acp': { pv: { acr: [{ acor: ['all'], acop: 63 }, rule] }, pvs: { acr: [pvs] } },
});

/** Of each known risk: what is left out for it, and what is like that and goes through. */
const cases: Readonly<Record<string, readonly [out: AnyRequest, through: AnyRequest]>> = {
  'update.ri': [
    message('PUT', '/b/c', { 'm2m:cnt': { ri: 'x' } }),
    message('POST', '/b/c', { 'm2m:cnt': { ri: 'x' } }),
  ],
  method: [message('get', '/b'), message('OPTIONS', '/b')],
  'malformed-head': [bytes('GET /b HTTP/1.1\r\nHost: a\r\n'), bytes('GET /b HTTP/1.1\r\nHost: a\r\n\r\n')],
  'head-in-pieces': [
    { ...bytes('POST /b HTTP/1.1\r\nHost: a\r\n\r\n{}'), cuts: [28] },
    { ...bytes('POST /b HTTP/1.1\r\nHost: a\r\n\r\n{}'), cuts: [29] },
  ],
  'long-head': [
    message('GET', '/b', undefined, [['X-Long', 'x'.repeat(70_000)]]),
    message('POST', '/b', { 'm2m:cnt': { lbl: ['x'.repeat(70_000)] } }),
  ],
  'long-ri': [
    message('GET', '/b', undefined, [['x-m2m-ri', 'x'.repeat(111)]]),
    message('GET', '/b', undefined, [['x-m2m-ri', 'x'.repeat(110)]]),
  ],
  'create.cin.without-con': [
    message('POST', '/b/c', { 'm2m:cin': { con: null } }),
    message('POST', '/b/c', { 'm2m:cin': { con: '' } }),
  ],
  'create.rcn-9': [
    message('POST', '/b/c?a=1&rcn=9', { 'm2m:cnt': {} }),
    message('PUT', '/b/c?rcn=9', { 'm2m:cnt': {} }),
  ],
  'acp.without-acop': [
    message('POST', '/b', policy({ acor: ['all'] })),
    message('POST', '/b', policy({ acor: ['all'], acop: 1 }, { acor: ['all'] })),
  ],
  'chunk-size': [
    bytes(`POST /b HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${'f'.repeat(40)}\r\n{}\r\n`),
    bytes(`POST /b HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n7fffffff;x\r\n{}\r\n`),
  ],
  'retrieve.rcn-7': [message('GET', '/b?rcn=7'), message('POST', '/b?rcn=7', { 'm2m:cnt': {} })],
  'retrieve.rt': [message('GET', '/b?rt=2'), message('GET', '/b?rt=3')],
};

const reason = (request: AnyRequest, choice?: RiskChoice, removed = false) =>
  new Risks(choice).reason(request, () => removed);

for (const risk of knownRisks.filter(({ only }) => only === undefined)) {
  test(`${risk.id}: left out at every target, and what is only like it goes through`, () => {
    const [out, through] = cases[risk.id] ?? assert.fail('a case is needed');
    const says = `${risk.request} ${risk.effect} ${risk.product} ${risk.version} (${risk.happened}); --risky sends it`;
    assert.equal(reason(out), says);
    assert.equal(reason(through), undefined);
    assert.equal(reason(out, { risky: 'all' }), undefined);
    assert.equal(reason(out, { risky: [risk.id] }), undefined);
    assert.equal(reason(out, { risky: knownRisks.map(({ id }) => id).filter((id) => id !== risk.id) }), says);
  });
}

test('what too much depends on is left out at the product alone, by its file or by what it looks like', () => {
  const create = message('POST', '/b/c', { 'm2m:cnt': {} }, [['X-M2M-RI', 'r1']]);
  assert.equal(reason(create), undefined);
  for (const choice of [
    { product: 'Mobius' },
    { looksLike: 'Mobius' },
    { product: 'My gateway', looksLike: 'Mobius' },
  ]) {
    assert.match(reason(create, choice) ?? '', /a create without X-M2M-Origin kills Mobius/);
  }
  const named = (rn: string) => message('POST', '/b', { 'm2m:cnt': { rn } });
  assert.equal(reason(named('control')), undefined);
  assert.equal(reason(named('controls'), { product: 'OpenMTC' }), undefined);
  assert.match(
    reason(named('control'), { product: 'OpenMTC' }) ?? '',
    /a create whose resourceName ends with la or ol/,
  );
  const again = message('POST', '/b', { 'm2m:csr': { rn: 'cl-1-again' } });
  assert.equal(reason(again), undefined);
  assert.match(reason(again, { product: 'tinyIoT' }) ?? '', /a second registration of a CSE kills tinyIoT/);
  const removed = message('GET', '/4-20261122T122237,0750003');
  assert.equal(reason(removed, {}, true), undefined);
  assert.equal(reason(removed, { product: 'tinyIoT' }, false), undefined);
  assert.match(reason(removed, { product: 'tinyIoT' }, true) ?? '', /removed content instance/);
});

test('exact bytes are read as a server would: method, query, headers and body', () => {
  const post = (body: string) => bytes(`POST /b?rcn=1 HTTP/1.1\r\nHost: a\r\nX-M2M-RI: 1\r\n\r\n${body}`);
  assert.match(reason(post('{"m2m:cin":{"cnf":"x"}}')) ?? '', /without con/);
  assert.equal(reason(post('{"m2m:cin":{"con":"x"}}')), undefined);
  assert.match(reason(bytes('hello\r\n\r\n')) ?? '', /method is none of/);
  assert.match(reason(bytes('GET /b\r\n\r\n')) ?? '', /no version/);
  assert.match(reason(bytes('GET /b HTTP/1.1\nHost: a\n\n')) ?? '', /bare line feeds/);
});

test('a target file names further risks, and they are left out with its reason', () => {
  const risks = [{ when: { method: 'DELETE', query: { rcn: '*' } }, corrupts: 'loses its index, ticket GW-12' }];
  const says = reason(message('DELETE', '/b/c?rcn=1'), { risks, product: 'Our gateway' });
  assert.equal(says, 'what by its target file corrupts Our gateway (loses its index, ticket GW-12); --risky sends it');
  assert.equal(reason(message('DELETE', '/b/c'), { risks }), undefined);
});

test('omissions are counted once, however often one request is checked', () => {
  const risks = new Risks();
  const update = message('PUT', '/b/c', { 'm2m:cnt': { ri: 'x' } });
  for (const request of [update, update, message('PUT', '/b/d', { 'm2m:cnt': { ri: 'x' } }), message('HEAD', '/b')]) {
    risks.reason(request, () => false);
  }
  const [note = '', ...others] = risks.notes();
  assert.deepEqual(others, []);
  assert.match(note, /^left out as a risk: 2 × an update with ri \(corrupts OpenMTC .*; 1 × a request whose method /);
});
