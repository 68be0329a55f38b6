import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '../environment/clock.ts';
import { joinPair } from '../topology/joined-pair.ts';
import type { Cse } from './operations/cse.ts';
import type { RequestPrimitive } from './primitive.ts';

const usual = {
  operation: 'retrieve',
  to: '',
  from: 'CAdmin',
  requestIdentifier: 'request',
  releaseVersionIndicator: '3',
} as const;

async function ask({ core }: { readonly core: Cse }, request: Partial<RequestPrimitive>) {
  const { status, content } = await core.request({ ...usual, ...request });
  return { code: status.code, content: JSON.parse(JSON.stringify(content ?? null)) };
}

test('a retrieve of an original through an announced resource keeps the originator apart from namesakes', async () => {
  const onem2m = { dialect: 'onem2m', base: 'cse-in' } as const;
  const pair = await joinPair({
    ...{ clock: manualClock(), interval: 60, offset: 60 },
    ...{ gateway: onem2m, backend: onem2m },
  });
  const create = (to: string, content: object, from = 'Capp') =>
    ask(pair.gateway, { operation: 'create', to, content, from });
  await create('cse-in', { 'm2m:ae': { rn: 'app', api: 'N', rr: false, srv: ['3'] } });
  const acr = [{ acor: ['Capp', '/in-cse-1/CAdmin'], acop: 63 }];
  const policy = await create('cse-in/app', { 'm2m:acp': { rn: 'acp', pv: { acr }, pvs: { acr } } });
  const acpi = [policy.content['m2m:acp'].ri];
  await create('cse-in/app', { 'm2m:cnt': { rn: 'closed', mni: 7, at: ['/in-cse-1'] } });
  await create('cse-in/app', { 'm2m:cnt': { rn: 'open', mni: 8, at: ['/in-cse-1'], acpi } });
  const throughAnnounced = async (rn: string) => {
    const { content } = await ask(pair.gateway, { to: `cse-in/app/${rn}`, from: 'Capp' });
    const [announced = ''] = content['m2m:cnt'].at as readonly string[];
    return ask(pair.backend, { to: announced.replace('/in-cse-1/', ''), resultContent: 7 });
  };
  assert.equal((await throughAnnounced('closed')).code, 4103);
  assert.equal((await throughAnnounced('open')).content['m2m:cnt'].mni, 8);
});
