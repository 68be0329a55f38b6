import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { McpClient } from '../testing/mcp-client.ts';
import { type Method, serveLines } from './json-rpc.ts';

test('a cancelled request is aborted at once and not answered, others go on', async () => {
  const input = new PassThrough();
  const client = new McpClient((line) => void input.write(line));
  const aborted: unknown[] = [];
  const wait: Method = ({ name }, signal) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(aborted.push(name)));
    });
  const methods = new Map<string, Method>([
    ['wait', wait],
    ['ping', () => 'pong'],
    ['fail', () => Promise.reject(new TypeError('broken'))],
  ]);
  const served = serveLines(input, (line) => client.receive(line), methods);
  for (const name of ['first', 'second']) client.send({ id: name, method: 'wait', params: { name } });
  client.send({ method: 'notifications/cancelled', params: { requestId: 'first' } });
  client.send({ method: 'notifications/cancelled', params: { requestId: 'unknown' } });
  assert.equal((await client.ask('ping')).result, 'pong');
  assert.deepEqual(aborted, ['first']);
  assert.deepEqual((await client.ask('fail')).error, { code: -32603, message: 'TypeError: broken' });
  input.end();
  await served;
  assert.deepEqual([aborted, client.others], [['first', 'second'], []]);
});
