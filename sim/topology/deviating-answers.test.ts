import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { test } from 'node:test';
import { type PairOptions, startPair } from './pair.ts';

interface Seen {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Header names go out as they are written. */
function ask(url: string, headers: Readonly<Record<string, string>>, { method = 'GET', ca = '' } = {}): Promise<Seen> {
  const send = url.startsWith('https:') ? secureRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const asked = send(url, { method, headers, agent: false, ca }, (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      answer.on('end', () => resolve({ headers: answer.headers, body }));
    });
    asked.on('error', reject).end();
  });
}

const usual = { 'X-M2M-Origin': 'CAdmin', 'X-M2M-RI': 'r1', 'X-M2M-RVI': '3' };

const deviatingPair = (id: string, more: PairOptions = {}) =>
  startPair({ dialect: 'onem2m', gateway: { deviations: [id], requireAuth: false }, ...more });

for (const tls of ['off', 'server'] as const) {
  test(`content comes in chunks without a length, TLS ${tls}`, async () => {
    await using pair = await deviatingPair('std.headers.content-length.left-out', { tls });
    const url = `${pair.gateway.url}/${pair.gateway.base}`;
    const ca = pair.certs === undefined ? '' : readFileSync(pair.certs.chain, 'utf8');
    const { headers, body } = await ask(url, usual, { ca });
    assert.deepEqual([headers['content-length'], headers['transfer-encoding']], [undefined, 'chunked']);
    assert.equal(headers['x-m2m-rsc'], '2000');
    assert.match(body, /^\{"m2m:cb":.*\}$/);
    assert.match(String((await ask(url, usual, { method: 'HEAD', ca })).headers['content-length']), /^\d+$/);
  });
}

test('a header is known by one way of writing it only', async () => {
  await using pair = await deviatingPair('std.headers.case.word-for-word');
  const url = `${pair.gateway.url}/${pair.gateway.base}`;
  assert.equal((await ask(url, usual)).headers['x-m2m-ri'], 'r1');
  const small = { 'x-m2m-origin': 'CAdmin', 'x-m2m-ri': 'r1', 'x-m2m-rvi': '3' };
  const { headers } = await ask(url, small);
  assert.deepEqual([headers['x-m2m-ri'], headers['x-m2m-rsc']], [undefined, '2000']);
});

test('a disturbance comes before what a deviation does to an answer', async () => {
  await using pair = await deviatingPair('std.headers.content-length.left-out');
  await pair.gateway.disturbances.set(['empty']);
  const { headers, body } = await ask(`${pair.gateway.url}/${pair.gateway.base}`, usual);
  assert.deepEqual([headers['content-length'], body], ['0', '']);
});
