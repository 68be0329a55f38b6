import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createCse } from '../../cse/create-cse.ts';
import { bytesOf } from '../vocabulary/messages.ts';
import { deviationOf } from './row.ts';

const headers = (type?: number) => ({
  'x-m2m-origin': 'CAdmin',
  'x-m2m-ri': '1',
  'x-m2m-rvi': '4',
  ...(type && { 'content-type': `application/json;ty=${type}` }),
});

it('a group has other members while it is served, and its own without those that left it afterwards', async () => {
  await using cse = createCse({ dialect: 'onem2m', admin: 'CAdmin' });
  const row = {
    id: 'a.b',
    says: 'It does.',
    when: { 'fan-out': 'any' },
    does: { temporarily: { target: { mid: { first: 1 } } } },
  };
  const wrapped = deviationOf(row).wrap?.(cse.http, cse.core);
  const send = async (method: string, target: string, content?: Record<string, unknown>) => {
    const type = content && ('m2m:grp' in content ? 9 : 3);
    const body = bytesOf(content ? JSON.stringify(content) : '');
    const answer = await wrapped?.handle({ method, target, headers: headers(type), body });
    return JSON.parse(String(answer?.body || '{}'));
  };
  const base = `/${cse.core.configuration.base}`;
  const names = ['one', 'two'];
  for (const rn of names) await send('POST', base, { 'm2m:cnt': { rn } });
  const mid = names.map((rn) => `${base.slice(1)}/${rn}`);
  await send('POST', base, { 'm2m:grp': { rn: 'both', mid, mnm: 5 } });
  const read = await send('GET', `${base}/both/fopt`);
  assert.equal(read['m2m:agr']['m2m:rsp'].length, 1);
  assert.equal((await send('GET', `${base}/both`))['m2m:grp'].cnm, 2);
  await send('DELETE', `${base}/both/fopt`);
  assert.equal((await send('GET', `${base}/both`))['m2m:grp'].cnm, 1);
});
