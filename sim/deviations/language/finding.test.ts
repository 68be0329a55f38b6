import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createCse } from '../../cse/create-cse.ts';
import { bytesOf } from '../vocabulary/messages.ts';
import { deviationOf } from './row.ts';
import type { DeviationRow } from './schema.ts';

const headers = { 'x-m2m-origin': 'CAdmin', 'x-m2m-ri': '1', 'x-m2m-rvi': '3' };

/** What a discovery below the base finds, with the row, where there is a container beside an application entity. */
async function found(does: DeviationRow['does'], query: string): Promise<unknown> {
  await using cse = createCse({ dialect: 'onem2m', admin: 'CAdmin' });
  const service = deviationOf({ id: 'a.b', says: 'It does.', when: { discovery: true }, does }).wrap?.(
    cse.http,
    cse.core,
  );
  const make = (ty: number, described: unknown) =>
    cse.http.handle({
      method: 'POST',
      target: `/${cse.core.configuration.base}`,
      headers: {
        ...headers,
        'x-m2m-origin': ty === 2 ? 'Clamp' : 'CAdmin',
        'content-type': `application/json;ty=${ty}`,
      },
      body: bytesOf(JSON.stringify(described)),
    });
  await make(2, { 'm2m:ae': { rn: 'lamp', api: 'N.lamp', rr: false, srv: ['3'] } });
  await make(3, { 'm2m:cnt': { rn: 'readings', lbl: ['a'] } });
  const target = `/${cse.core.configuration.base}?fu=1&${query}`;
  const answer = await service?.handle({ method: 'GET', target, headers, body: bytesOf('') });
  const addresses: string[] = JSON.parse(String(answer?.body))['m2m:uril'];
  return addresses.map((one) => one.split('/').at(-1)).sort();
}

it('a row filters what is found', async () => {
  assert.deepEqual(await found({ 'find-only': { 'one.root': 'm2m:ae' } }, 'ty=2&ty=3'), ['lamp']);
});

it('a row adds matches that another request finds', async () => {
  assert.deepEqual(await found({}, 'lbl=a'), ['readings']);
  assert.deepEqual(await found({ 'find-also': { query: { lbl: null }, only: { 'one.root': 'm2m:ae' } } }, 'lbl=a'), [
    'lamp',
    'readings',
  ]);
  assert.deepEqual(await found({ 'find-also': { query: { lbl: null }, only: { 'one.root': 'm2m:cin' } } }, 'lbl=a'), [
    'readings',
  ]);
});
