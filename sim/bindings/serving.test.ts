import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpResponse, HttpService } from '../dialects/http-message.ts';
import { serveHttp } from './http.ts';
import { converse } from './testing/raw-client.ts';

const get = (target: string, ending = '') => `GET ${target} HTTP/1.1\r\nHost: a\r\n${ending}\r\n`;

test('what comes in one turn is served in order, and answered when all of it is served', async () => {
  const events: string[] = [];
  const refuse = (): HttpResponse => ({ status: 500, headers: {}, body: 'failed' });
  const handle: HttpService['handle'] = ({ target }) => {
    events.push(`served ${target}`);
    if (target === '/throws') throw new Error('thrown by the service');
    const answer = { status: 200, headers: {}, body: target };
    if (target === '/late') return Promise.resolve(answer);
    const seen: HttpResponse = {
      ...answer,
      get headers() {
        events.push(`answered ${target}`);
        return {};
      },
    };
    return seen;
  };
  await using server = await serveHttp(
    { handle, refuse },
    { hosts: ['a'], onError: (error) => events.push((error as Error).message) },
  );
  const bytes = ['/one', '/late', '/throws', '/two'].map((target) => get(target)).join('');
  const { answers } = await converse(server.port, bytes + get('/last', 'Connection: close\r\n'));
  assert.deepEqual(
    answers.map(({ status, body }) => `${status} ${body}`),
    ['200 /one', '200 /late', '500 failed', '200 /two', '200 /last'],
  );
  assert.deepEqual(events.slice(0, 5), [
    'served /one',
    'served /late',
    'served /throws',
    'served /two',
    'served /last',
  ]);
  assert.deepEqual([...new Set(events.slice(5))].sort(), [
    'answered /last',
    'answered /one',
    'answered /two',
    'thrown by the service',
  ]);
});
