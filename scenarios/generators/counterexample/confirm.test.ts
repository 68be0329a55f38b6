import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from '../../engine/results/exchange.ts';
import { byRules } from './confirm.ts';

const names = { base: 'cse-in', cseId: 'id-in', spId: 'sp' };
const times = { ct: '20261122T100000', lt: '20261122T100000', et: '20261122T110000' };
const acr = [{ acor: ['Capp'], acop: 63 }];

function exchange(line: string, from: string, ty: number, body?: object, shown: object | undefined = body): Exchange {
  const [method = '', path = ''] = line.split(' ');
  const [status, code] = method === 'POST' ? [201, 2001] : [200, 2002];
  const headers = [
    ...[['X-M2M-Origin', from] as const, ['X-M2M-RI', 'r'] as const, ['X-M2M-RVI', '3'] as const],
    ...[['Accept', 'application/json'] as const, ['Content-Type', `application/json;ty=${ty}`] as const],
  ].slice(0, body === undefined ? 4 : 5);
  const answer = { status, headers: [['X-M2M-RSC', String(code)] as const], body: JSON.stringify(shown ?? '') };
  const request = { method, path, headers, ...(body && { body: JSON.stringify(body) }) };
  return { request, answer, at: 0, took: 1, curl: '' };
}

const application = (rn: string, ri: string): Exchange => {
  const given = { rn, api: 'Na', rr: false };
  const shown = { 'm2m:ae': { ...times, ...given, ri, aei: ri, ty: 2, pi: 'cb0' } };
  return exchange('POST /cse-in', ri, 2, { 'm2m:ae': given }, shown);
};

for (const looks of [true, false])
  test(`a right is judged again as it was judged before, where policies are looked at: ${looks}`, () => {
    const has = new Set(looks ? (['access control'] as const) : []);
    const judge = byRules('std.access.not-named', { dialect: 'onem2m', has })(names);
    const policy = { rn: 'p', pv: { acr }, pvs: { acr } };
    const box = { rn: 'box', acpi: ['acp0'] };
    const shown = { 'm2m:acp': { ...times, ...policy, ri: 'acp0', ty: 1, pi: 'Capp' } };
    const held = { 'm2m:cnt': { ...times, ...box, ri: 'cnt0', ty: 3, pi: 'Capp', cni: 0, cbs: 0, st: 0 } };
    for (const before of [
      application('app', 'Capp'),
      application('other', 'Cother'),
      exchange('POST /cse-in/app', 'Capp', 1, { 'm2m:acp': policy }, shown),
      exchange('POST /cse-in/app', 'Capp', 3, { 'm2m:cnt': box }, held),
    ])
      judge?.judge(before);
    const found = judge?.judge(exchange('DELETE /cse-in/app/box', 'Cother', 0)) ?? [];
    assert.deepEqual(
      found.map(({ requirement }) => requirement),
      looks ? ['std.access.not-named'] : [],
    );
  });
