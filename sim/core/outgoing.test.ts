import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleCse } from '../testing/sample-cse.ts';
import type { Messenger } from './configuration.ts';
import { Outgoing } from './outgoing.ts';
import type { RequestPrimitive } from './primitive.ts';
import { CseError, statuses } from './status.ts';

/** What is sent to an AE with these serialisations. */
async function sentTo(csz: readonly string[] | undefined): Promise<RequestPrimitive | undefined> {
  const sent: RequestPrimitive[] = [];
  const { core } = sampleCse({
    ...{ dialect: 'onem2m', base: 'b', cseId: 'c' },
    messenger: {
      async send(_url, request) {
        sent.push(request);
        return { status: statuses.OK };
      },
    },
  });
  const ae = { api: 'N', rr: true, srv: ['3', '4'], poa: ['http://me'], ...(csz !== undefined && { csz }) };
  await core.request({ operation: 'create', to: 'b', from: 'Cme', content: { 'm2m:ae': ae } });
  await core.services.outgoing.send('Cme', { operation: 'notify', content: { 'm2m:sgn': {} } });
  return sent[0];
}

for (const [csz, serialization] of [
  [undefined, undefined],
  [['application/json'], undefined],
  [['application/xml'], undefined],
  [['application/cbor', 'application/json'], undefined],
  [['application/json', 'application/cbor'], undefined],
  [['application/cbor'], 'cbor'],
  [['application/xml', 'application/cbor'], 'cbor'],
] as const) {
  test(`an AE ${csz === undefined ? 'without csz' : `that takes ${csz.join(' and ')}`} is sent ${serialization ?? 'JSON'}`, async () => {
    assert.equal((await sentTo(csz))?.serialization, serialization);
  });
}

test('an AE is spoken to in the latest release that it supports', async () => {
  assert.equal((await sentTo(undefined))?.releaseVersionIndicator, '4');
});

test('an unreachable target is named, with the reason', async () => {
  const { core } = sampleCse({ dialect: 'onem2m', base: 'b', cseId: 'c', spId: 'sp' });
  core.perform({ operation: 'create', to: 'b', content: { 'm2m:csr': { csi: '/mute', cb: '/mute/b', rr: true } } });
  const ae = { 'm2m:ae': { rn: 'deaf', api: 'N', rr: false, poa: ['http://me'] } };
  await core.request({ operation: 'create', to: 'b', from: 'Cdeaf', content: ae });
  for (const [target, reason] of [
    ['//other.sp/in/x', 'the service provider other.sp is unknown'],
    ['/in/x', 'no CSE is registered as /in'],
    ['/mute/x', 'the CSE has no point of access'],
    ['b', 'b does not receive requests'],
    ['nowhere', 'nowhere does not receive requests'],
    ['Cdeaf', 'the AE has neither a point of access where it is reachable nor a polling channel'],
  ] as const) {
    await assert.rejects(core.services.outgoing.send(target, { operation: 'notify' }), {
      status: statuses.TARGET_NOT_REACHABLE,
      message: `${target} cannot be reached: ${reason}.`,
    });
  }
});

test('the next point of access is tried where one is silent, and each reason given once', async () => {
  const tried: string[] = [];
  const { core } = sampleCse({
    ...{ dialect: 'onem2m', base: 'b', cseId: 'c' },
    messenger: {
      async send(url) {
        tried.push(url);
        if (url === 'http://open') return { status: statuses.OK };
        throw new CseError('TARGET_NOT_REACHABLE', 'Silence.');
      },
    },
  });
  const register = (csi: string, poa: readonly string[]) =>
    core.perform({ operation: 'create', to: 'b', content: { 'm2m:csr': { csi, cb: `${csi}/b`, rr: true, poa } } });
  register('/one', ['http://a', 'http://open', 'http://b']);
  register('/two', ['http://a', 'http://b']);
  const { outgoing } = core.services;
  assert.equal((await outgoing.send('/one/x', { operation: 'retrieve' })).status, statuses.OK);
  assert.deepEqual(tried, ['http://a', 'http://open']);
  await assert.rejects(outgoing.send('/two/x', { operation: 'retrieve' }), { message: 'Silence.' });
});

/** A CSE with the container `b/c`, and the traces of what it sends; a trace in a request is a letter. */
async function traced() {
  const traces: (string | undefined)[] = [];
  const { core } = sampleCse({
    ...{ dialect: 'onem2m', base: 'b', cseId: 'c', requireAuth: false },
    messenger: {
      async send(_url, { trace }) {
        traces.push(trace?.id[0]);
        return { status: statuses.OK };
      },
    },
  });
  const ask = async (request: Pick<RequestPrimitive, 'operation' | 'to' | 'content'>, letter?: string) => {
    const trace = letter && { id: letter.repeat(32), parent: '1'.repeat(16), flags: '01' };
    await core.request({ ...request, from: 'Cme', ...(trace && { trace }) });
    await core.services.notifier.settled();
  };
  const create = (to: string, content: object, letter?: string) => ask({ operation: 'create', to, content }, letter);
  await create('b', { 'm2m:cnt': { rn: 'c' } });
  return { traces, ask, create };
}

test('consequences of a request carry its trace, and nothing else does', async () => {
  const { traces, ask, create } = await traced();
  await create('b/c', { 'm2m:sub': { rn: 's', nu: ['http://x'], enc: { net: [3] }, su: 'http://y' } }, 'a');
  await create('b/c', { 'm2m:cin': { con: '1' } }, 'b');
  await create('b/c', { 'm2m:cin': { con: '2' } });
  await ask({ operation: 'delete', to: 'b/c/s' }, 'c');
  assert.deepEqual(traces, ['a', 'b', undefined, 'c']);
});

test('a batch carries the trace of its latest notification', async () => {
  const { traces, create } = await traced();
  await create('b/c', { 'm2m:sub': { nu: ['http://x'], enc: { net: [3] }, bn: { num: 2 } } });
  for (const letter of ['a', 'b', 'c', undefined]) await create('b/c', { 'm2m:cin': { con: '1' } }, letter);
  assert.deepEqual(traces, [undefined, 'b', undefined]);
});

test('an entity without point of access is reached over its own connection, and no other is (TS-0020, clause 6.4)', async () => {
  const sent: string[] = [];
  const { core } = sampleCse({ dialect: 'onem2m', base: 'b', cseId: 'c', requireAuth: false });
  const messenger: Messenger = {
    connectionOf: (identifier) => `connection:${identifier}`,
    async send(url) {
      sent.push(url);
      return { status: statuses.OK };
    },
  };
  const outgoing = new Outgoing({ ...core.services, ports: { ...core.services.ports, messenger } });
  const register = (content: object, from?: string) =>
    core.request({ operation: 'create', to: 'b', content, ...(from !== undefined && { from }) });
  for (const [name, poa] of [
    ['points', ['http://x']],
    ['none', undefined],
  ] as const) {
    const points = poa && { poa };
    await register({ 'm2m:csr': { csi: `/${name}`, cb: `/${name}/b`, rr: true, ...points } }, `/${name}`);
    await register({ 'm2m:ae': { api: 'N', rr: true, ...points } }, `C${name}`);
    await register({ 'm2m:ae': { api: 'N', rr: true, ...points } }, `S${name}`);
    for (const target of [`/${name}/x`, `C${name}`, `S${name}`]) await outgoing.send(target, { operation: 'notify' });
  }
  const points = ['http://x', 'http://x', 'http://x'];
  assert.deepEqual(sent, [...points, 'connection:/none', 'connection:/c/Cnone', 'connection:Snone']);
});
