import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headersOf } from '../basics/body.ts';
import { socketless } from '../messages/target.ts';
import { recordedMessage } from './exchanging/record.ts';
import { signOf } from './liveness.ts';

test('a target that drops what it has had before is alive however often one looks', async () => {
  const had = new Set<string>();
  const description = {
    kind: 'url',
    url: 'mqtt://127.0.0.1',
    base: 'cse-in',
    cseId: 'id-in',
    spId: 'openmtc.org',
  } as const;
  const target = socketless({ description, objection: () => undefined }, async (message) => {
    const request = recordedMessage(message);
    const identifier = headersOf(request).get('x-m2m-ri') ?? '';
    const seen = { request, at: 0, took: 0, curl: '' };
    if (had.has(identifier)) return { ...seen, failure: { kind: 'timeout', message: 'no answer' } };
    had.add(identifier);
    return { ...seen, answer: { status: 200, headers: [], body: '' } };
  });
  const speaker = { dialect: 'onem2m', release: '3' } as const;
  const signs = [1, 2].map(() => signOf(target, speaker, { timeout: 1000 }));
  assert.deepEqual(await Promise.all(signs), ['alive', 'alive']);
});
