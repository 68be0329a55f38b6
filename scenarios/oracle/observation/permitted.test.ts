/** What is certainly permitted, and worded as each CSE takes it: there a refusal is one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from '../../engine/results/exchange.ts';
import { Judge } from '../judge.ts';
import { rulesOf } from '../rules.ts';
import { absent, box, container, exchange, judge, names, refused, type Step, times } from '../testing/standard.ts';

const missing = ['std.container.retrieve'];
const read = exchange(`GET ${box}`, absent, refused);

/** What a refused read breaks, with headers of its own; those without a value are left out. */
function refusedWith(headers: Readonly<Record<string, string | undefined>>, told: Exchange = read): string[] {
  const others = told.request.headers.filter(([name]) => !Object.hasOwn(headers, name));
  const own = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  const sent = { ...told, request: { ...told.request, headers: [...others, ...own] } };
  return judge()
    .judging.judge(sent)
    .map(({ requirement }) => requirement)
    .filter((one) => one !== 'std.privilege.retrieve');
}

test('usual headers change nothing, and another may', () => {
  const usual = { Host: 'h', Connection: 'close', 'Content-Length': '0', 'User-Agent': 'u' };
  for (const [name, value] of Object.entries(usual)) assert.deepEqual(refusedWith({ [name]: value }), missing, name);
  assert.deepEqual(refusedWith({ 'Content-Type': 'application/json' }), missing);
  assert.deepEqual(refusedWith({ Accept: 'application/vnd.onem2m-res+json' }), missing);
  for (const open of [
    { 'X-M2M-GID': 'g' },
    { 'X-M2M-RI': undefined },
    { 'X-M2M-RVI': undefined },
    { 'X-M2M-RVI': '2a' },
    { Accept: 'application/cbor' },
    { Accept: 'application/xml' },
    { 'Content-Type': 'application/xml' },
  ])
    assert.deepEqual(refusedWith(open), [], JSON.stringify(open));
});

test('CBOR is expected if it was accepted before', () => {
  const { broken } = judge();
  const inner = { ...container, ri: 'cnt2', rn: 'in', pi: 'cnt0', lbl: absent };
  const cbor = { accept: 'application/cbor' };
  broken(`POST ${box}`, { 'm2m:cnt': { rn: 'in' } }, { ...cbor, body: { 'm2m:cnt': inner } });
  const found = (path: string, told: object) => broken(`GET ${path}`, absent, { ...refused, ...told });
  assert.deepEqual(found(`${box}/in`, cbor), missing);
  assert.deepEqual(judge().broken(`GET ${box}`, absent, { ...refused, ...cbor }), ['std.privilege.retrieve']);
});

const denied = { status: 403, code: 4103 };
const given = (attributes: object): Step => ['POST /cse-in/app', { 'm2m:cnt': { rn: 'in', ...attributes } }];
const changed = (attributes: object): readonly Step[] => [
  given({}),
  ['PUT /cse-in/app/in', { 'm2m:cnt': { ...attributes } }],
];

test('a policy, a custodian or a switch may decide, whoever set it', () => {
  for (const name of ['acpi', 'disr', 'cstn'])
    for (const before of [[given({ [name]: 'x' })], changed({ [name]: 'x' })]) {
      const { broken } = judge();
      for (const step of before) broken(...step);
      assert.deepEqual(broken('GET /cse-in/app/in', absent, denied), [], name);
    }
  const { broken } = judge();
  for (const step of changed({ lbl: ['x'] })) broken(...step);
  assert.deepEqual(broken('GET /cse-in/app/in', absent, denied), missing);
});

/** What a refused read breaks of what has a subscription with these criteria. */
const watched = (enc: object | undefined, ...after: readonly Step[]) => {
  const { broken } = judge();
  broken(`POST ${box}`, { 'm2m:sub': { rn: 's', nu: ['Capp'], ...(enc && { enc }) } });
  for (const step of after) broken(...step);
  return broken(`GET ${box}`, absent, denied);
};

test('a subscriber notified afterwards decides nothing, and one asked before does', () => {
  for (const net of [[1], [2], [3], [4], [1, 2, 3, 4], []]) assert.deepEqual(watched({ net }), missing, net.join());
  assert.deepEqual(watched(undefined), missing);
  for (const net of [[5], [6], [7], [1, 7], 1]) assert.deepEqual(watched({ net }), [], String(net));
  assert.deepEqual(watched({ net: [1], om: [] }), []);
  assert.deepEqual(watched({}), []);
  assert.deepEqual(watched({ net: [1] }, [`PUT ${box}/s`, { 'm2m:sub': { enc: { net: [1] } } }]), []);
});

const policy = (acr: readonly object[]): object => ({ pv: { acr }, pvs: { acr } });
const all = { acor: ['Capp'], acop: 63 };

test('the own rules of a policy decide who may retrieve it', () => {
  const found = (acr: readonly object[], ...after: readonly Step[]) => {
    const { broken } = judge();
    const shown = { ...times, ri: 'acp0', rn: 'p', ty: 1, pi: 'Capp', ...policy(acr) };
    broken('POST /cse-in/app', { 'm2m:acp': { rn: 'p', ...policy(acr) } }, { body: { 'm2m:acp': shown } });
    for (const step of after) broken(...step);
    return broken('GET /cse-in/app/p', absent, denied);
  };
  const there = ['std.every.retrieve.there'];
  assert.deepEqual(found([all]), there);
  assert.deepEqual(found([{ acor: ['Cother'], acop: 2 }, all]), there);
  assert.deepEqual(found([{ ...all, acop: 62 }]), []);
  assert.deepEqual(found([{ ...all, acco: [] }]), []);
  assert.deepEqual(found([{ ...all, acor: 'Capp' }]), []);
  assert.deepEqual(found([all], ['PUT /cse-in/app/p', { 'm2m:acp': { pvs: { acr: [{ ...all, acop: 1 }] } } }]), []);
});

test('a rule for any query does not apply to a request whose query may be refused', () => {
  const [rule] = rulesOf('onem2m').filter(({ requirement }) => requirement === 'std.ae.retrieve');
  assert.ok(rule !== undefined);
  const rules = [
    { ...rule, when: { operation: 'retrieve' as const, 'as specified': true as const, query: 'any' as const } },
  ];
  const one = new Judge({ rules, dialect: 'onem2m', names, levelOf: () => 'standard' });
  const app = { ...times, ri: 'Capp', aei: 'Capp', rn: 'app', ty: 2, pi: 'cb0' };
  one.judge(exchange('POST /cse-in', { 'm2m:ae': { rn: 'app' } }, { body: { 'm2m:ae': app } }));
  const broken = (path: string) => one.judge(exchange(`GET ${path}`, absent, refused)).length;
  assert.equal(broken('/cse-in/app?rcn=1'), 0);
  assert.equal(broken('/cse-in/app'), 1);
});
