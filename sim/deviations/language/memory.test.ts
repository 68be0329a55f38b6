import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createCse } from '../../cse/create-cse.ts';
import { bytesOf } from '../vocabulary/messages.ts';
import { deviationOf } from './row.ts';
import type { DeviationRow } from './schema.ts';

/** The statuses of these requests to a CSE with the row; each container is made, and deleted by its name. */
async function statuses(row: Partial<DeviationRow>, requests: readonly (readonly [method: string, path: string])[]) {
  await using cse = createCse({ dialect: 'onem2m', admin: 'CAdmin' });
  const service = deviationOf({ id: 'a.b', says: 'It does.', ...row }).wrap?.(cse.http, cse.core);
  const found: (number | undefined)[] = [];
  for (const [method, path] of requests) {
    const [, above = '', rn] = /^(.*)\/([^/]+)$/.exec(path) ?? [];
    const headers = { 'x-m2m-origin': 'CAdmin', 'x-m2m-ri': '1', 'x-m2m-rvi': '3' };
    const content = { headers: { ...headers, 'content-type': 'application/json;ty=3' }, target: `/cse-in${above}` };
    const body = bytesOf(method === 'POST' ? JSON.stringify({ 'm2m:cnt': { rn } }) : '');
    const request = { method, headers, target: `/cse-in${path}`, body, ...(method === 'POST' && content) };
    found.push((await service?.handle(request))?.status);
  }
  return found;
}

it('a removed resource can be read until a request ends that for its path or below', async () => {
  const row = {
    when: { delete: 'm2m:cnt' },
    does: { 'keep-readable': { by: 'path', until: { method: 'DELETE' } } },
  };
  const gone = [['POST', '/a'] as const, ['DELETE', '/a'] as const, ['GET', '/a'] as const];
  assert.deepEqual(
    await statuses({ ...row, does: { 'keep-readable': 'path' } }, [...gone, ['DELETE', '/a'], ['GET', '/a']]),
    [201, 200, 200, 404, 200],
  );
  assert.deepEqual(await statuses(row, [...gone, ['DELETE', '/a'], ['GET', '/a']]), [201, 200, 200, 404, 404]);
});

it('a row knows the names of a path, and the size of a body', async () => {
  const when = { 'segments.0': '$cse.base', segments: { count: 2 }, size: 0 };
  assert.deepEqual(
    await statuses({ when, does: { refuse: 5000 } }, [
      ['POST', '/a'],
      ['GET', '/a'],
      ['POST', '/a/b'],
      ['GET', '/a/b'],
    ]),
    [201, 500, 201, 200],
  );
});
