import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawMessage, Target } from '../messages/target.ts';
import { type Fetch, inProcessTarget } from './in-process.ts';
import { defaults } from './url-choice.ts';

function open(fetch: Fetch, timeout = 2000): Target {
  const description = { kind: 'in-process', url: 'http://in-process', ...defaults } as const;
  return inProcessTarget({ description, fetch, timeout, startedAt: performance.now() });
}

const raw: RawMessage = {
  method: 'GET',
  path: '/onem2m',
  headers: [],
  version: '1.1',
  addHost: true,
  addContentLength: true,
};
const silent = open(() => new Promise(() => {}), 50);

test('a request goes through the function and its answer comes back', async () => {
  const seen: unknown[] = [];
  const target = open(async (request) => {
    seen.push([request.method, request.url, request.headers.get('x-m2m-origin'), await request.text()]);
    return new Response('{}', { status: 201, headers: { 'X-M2M-RSC': '2001' } });
  });
  const message = {
    method: 'POST',
    path: '/é?x=1',
    headers: [['X-M2M-Origin', 'C1']] as const,
    body: Buffer.from('[]'),
  };
  const exchanges = [await target.send(message), await target.send({ ...raw, ...message, path: '/%C3%A9?x=1' })];
  assert.deepEqual(seen, Array(2).fill(['POST', 'http://in-process/%C3%A9?x=1', 'C1', '[]']));
  for (const { answer } of exchanges) {
    assert.deepEqual([answer?.status, answer?.body], [201, '{}']);
    assert(answer?.headers.some(([name, value]) => name === 'x-m2m-rsc' && value === '2001'));
  }
});

test('a function that never answers gives a timeout', async () => {
  const exchange = await silent.send({ method: 'GET', path: '/', headers: [] });
  assert.equal(exchange.failure?.kind, 'timeout');
});

test('a failing function is an error of this process', async () => {
  const target = open(() => Promise.reject(new RangeError('broken')));
  await assert.rejects(target.send({ method: 'GET', path: '/', headers: [] }), RangeError);
});

const tooMuch: Readonly<Record<string, Partial<RawMessage>>> = {
  'another version': { version: '1.0' },
  'no Host': { addHost: false },
  'a length of its own': { addContentLength: false },
  'a target that is no path': { path: '*' },
  'dots in the path': { path: '/a/../b' },
  'a space in the path': { path: '/a b' },
  'a body in a GET': { body: Buffer.from('x') },
  'a method that fetch forbids': { method: 'TRACE' },
  'a header that cannot be': { headers: [['a b', 'c']] },
};

for (const [name, part] of Object.entries(tooMuch)) {
  test(`a raw request with ${name} needs a socket`, () => {
    assert.equal(silent.objection({ ...raw, ...part }), 'this request needs a socket');
  });
}

test('exact bytes need a socket', () => {
  assert.equal(silent.objection({ bytes: Buffer.from('x') }), 'exact bytes need a socket');
  assert.equal(silent.objection(raw), undefined);
});
