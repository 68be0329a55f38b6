/** What a CSE sends by itself, each judged by what is known of its subscription. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WireFacts } from '../engine/results/exchange.ts';
import { NotificationJudge } from './notification-judge.ts';
import { rulesOf } from './rules.ts';
import { judge as documented, exchange as said } from './testing/judge.ts';
import {
  box,
  container,
  content,
  exchange,
  grown,
  instance,
  judge,
  names,
  type Step,
  times,
} from './testing/standard.ts';

type Fields = Readonly<Record<string, unknown>>;
interface Sent {
  readonly header?: Fields;
  readonly nev?: unknown;
  readonly sgn?: Fields;
  readonly body?: unknown;
}

const path = 'cse-in/app/box/s';
const usual = {
  'X-M2M-Origin': '/id-in',
  'X-M2M-RI': 'n1',
  'X-M2M-RVI': '3',
  'Content-Type': 'application/json',
} as const;
const all = { enc: { net: [1, 2, 3, 4] } };
const cin = (more: Fields = {}) => ({ net: 3, rep: { 'm2m:cin': { ...instance, ...more } } });
const cnt = (net: number, more: Fields = {}) => ({ net, rep: { 'm2m:cnt': { ...container, ...more } } });

/** What is broken, and kept, by a notification, where the subscription was created with these attributes. */
function told(
  given: Fields,
  { header = {}, nev = cin(), sgn = {}, body }: Sent,
  {
    after = [],
    isSurely = true,
    wire,
    shown = {},
  }: { after?: readonly Step[]; isSurely?: boolean; wire?: WireFacts; shown?: Fields } = {},
) {
  const { broken, judging } = judge();
  const made = { ...times, rn: 's', ri: 's0', ty: 23, pi: 'cnt0', nu: ['http://n'], ...given, ...shown };
  broken(`POST ${box}`, { 'm2m:sub': { rn: 's', nu: ['http://n'], ...given } }, { body: { 'm2m:sub': made } });
  broken(...grown);
  for (const step of after) broken(...step);
  const headers = Object.entries({ ...usual, ...header }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  const whole = body ?? { 'm2m:sgn': { nev, sur: path, ...sgn } };
  const request = { method: 'POST', path: '/n', headers, body: JSON.stringify(whole), at: 1 };
  const about = { rules: rulesOf('onem2m'), dialect: 'onem2m' as const, names, levelOf: () => 'standard' as const };
  const one = new NotificationJudge(about);
  const isNotifiedThere = ({ type }: { readonly type: string }) => type === 'subscription';
  const found = one.judge({ request, wire, isCertain: isSurely, isNotifiedThere }, judging.resources);
  return {
    failed: found?.filter(({ state }) => state === 'failed').map(({ requirement }) => short(requirement)),
    passed: found?.filter(({ state }) => state === 'passed').map(({ requirement }) => short(requirement)) ?? [],
  };
}

const short = (requirement: string) => requirement.replace('std.notification.', '');

const conditional = { enc: { crb: '20990101T000000' } };
/** Each with the notification that breaks it, and one that does not. */
const wrong: ReadonlyArray<readonly [requirement: string, given: Fields, wrong: Sent, right: Sent]> = [
  ['header.originator', all, { header: { 'X-M2M-Origin': '/other' } }, {}],
  ['header.originator', all, { header: { 'X-M2M-Origin': 'id-in' } }, { header: { 'X-M2M-Origin': '//x/id-in' } }],
  ['header.identifier', all, { header: { 'X-M2M-RI': undefined } }, {}],
  ['header.identifier', all, { header: { 'X-M2M-RI': '' } }, {}],
  ['header.release', all, { header: { 'X-M2M-RVI': '6' } }, { header: { 'X-M2M-RVI': '2a' } }],
  [
    'header.content-type',
    all,
    { header: { 'Content-Type': 'text/json' } },
    { header: { 'Content-Type': 'application/vnd.onem2m-ntfy+cbor; charset=utf-8' } },
  ],
  ['root', all, { nev: 'created' }, {}],
  ['event.others', { enc: { net: [1, 2] } }, {}, { nev: cnt(1) }],
  ['event.default', {}, {}, { nev: cnt(1) }],
  ['event.default-with-conditions', conditional, {}, { nev: cnt(1) }],
  ['event.direct-children', all, { nev: cin({ pi: 'Capp' }) }, {}],
  ['creator', all, { sgn: { cr: 'Cother' } }, { sgn: { cr: '/id-in/Capp' } }],
  ['header.event-category', { ...all, nec: 2 }, { header: { 'X-M2M-EC': '3' } }, { header: { 'X-M2M-EC': '2' } }],
  ['header.latest', { ...all, nec: 2, ln: true }, { header: { 'X-M2M-EC': '2' } }, { header: { 'X-M2M-EC': '4' } }],
  ['all-attributes-by-default', all, { nev: cnt(1, { rn: 'other' }) }, { nev: cnt(1) }],
  ['all-attributes-by-default', all, { nev: cnt(1, { ri: 'other' }) }, { nev: cnt(1) }],
  ['all-attributes', { ...all, nct: 1 }, { nev: { net: 1, rep: { 'm2m:cin': container } } }, { nev: cnt(1) }],
  ['deleted-resource', all, { nev: cnt(2, { rn: 'other' }) }, { nev: cnt(2) }],
  ['created-child', all, { nev: cin({ con: 'other' }) }, {}],
  ['deleted-child', all, { nev: { ...cin({ ri: 'other' }), net: 4 } }, { nev: { ...cin(), net: 4 } }],
  [
    'modified-attributes.nothing-else',
    { ...all, nct: 2 },
    { nev: cnt(1) },
    { nev: { net: 1, rep: { 'm2m:cnt': {} } } },
  ],
  ['identifier', { ...all, nct: 3 }, {}, { nev: { net: 3, rep: { 'm2m:uri': `${path}/one` } } }],
  ['subscription', all, { sgn: { sur: 'cse-in/app/box' } }, { sgn: { sur: '/id-in/s0' } }],
  ['subscription', all, { sgn: { sur: undefined } }, { sgn: { sur: `//sp.example.com/id-in/${path}` } }],
];

for (const [requirement, given, sent, right] of wrong)
  test(`${JSON.stringify(sent)} breaks ${requirement}, with ${JSON.stringify(given)}`, () => {
    assert.deepEqual(told(given, sent).failed, [requirement]);
    const { failed, passed } = told(given, right);
    assert.deepEqual(failed, []);
    assert.ok(passed.includes(requirement), passed.join(' '));
  });

test('notifications name the creator that the subscription has', () => {
  const about = [{ ...all, cr: null }, {}] as const;
  assert.deepEqual(told(...about, { shown: { cr: 'Capp' } }).failed, ['creator.told']);
  assert.deepEqual(told(...about).failed, []);
});

test('a deleted subscription does not notify later creations', () => {
  const { judging, broken } = judge();
  const sub = { ...times, rn: 's', ri: 's0', ty: 23, pi: 'cnt0', nu: ['http://n'], ...all };
  broken(`POST ${box}`, { 'm2m:sub': { rn: 's', nu: ['http://n'], ...all } }, { body: { 'm2m:sub': sub } });
  broken(`DELETE ${box}/s`);
  const notified = (at: number) => {
    judging.judge({ ...exchange(grown[0], grown[1], content({})), at });
    const request = {
      ...{ method: 'POST', path: '/n', headers: Object.entries(usual), at },
      body: JSON.stringify({ 'm2m:sgn': { nev: cin(), sur: path } }),
    };
    const about = { rules: [], dialect: 'onem2m' as const, names, levelOf: () => 'standard' as const };
    const found = new NotificationJudge(about).judge(
      { request, isCertain: true, isNotifiedThere: () => true },
      judging.resources,
    );
    return found?.filter(({ state }) => state === 'failed').map(({ requirement }) => short(requirement));
  };
  assert.deepEqual(notified(5), ['after-deletion']);
});

/** Nobody can tell of these, or the clause asks for nothing. */
const open: ReadonlyArray<readonly [why: string, given: Fields, sent: Sent, after?: readonly Step[]]> = [
  ['an operation is monitored', { enc: { net: [1], om: [{ ops: 1 }] } }, {}],
  ['the list of events is none', { enc: { net: 1 } }, {}],
  [
    'an update may have set other criteria',
    { enc: { net: [1] } },
    {},
    [[`PUT ${box}/s`, { 'm2m:sub': { enc: { net: [3] } } }]],
  ],
  ['an update may have set another category', { ...all, nec: 2 }, {}, [[`PUT ${box}/s`, { 'm2m:sub': { nec: 3 } }]]],
  [
    'an update may have set another content',
    { ...all, nct: 1 },
    { nev: cnt(1, { rn: 'other' }) },
    [[`PUT ${box}/s`, { 'm2m:sub': { nct: 2 } }]],
  ],
  [
    'an update may no longer ask for the latest',
    { ...all, ln: true },
    { header: { 'X-M2M-EC': '2' } },
    [[`PUT ${box}/s`, { 'm2m:sub': { ln: false } }]],
  ],
  [
    'two children have had the name',
    all,
    { nev: cin({ con: 'other' }) },
    [
      [`DELETE ${box}/one`],
      [grown[0], { 'm2m:cin': { rn: 'one', con: 'other' } }, content({ ri: 'cin9', con: 'other' })],
    ],
  ],
  [
    'nobody knows whether the subscription is there',
    { enc: { net: [1] } },
    {},
    [[`DELETE ${box}/s`, undefined, { status: 404, code: 4004 }]],
  ],
  ['a child of which nothing is known', all, { nev: cin({ rn: 'strange', con: 'other' }) }],
  ['only what changed is notified', { ...all, nct: 2 }, { nev: cin({ con: 'other' }) }],
  ['a subscription of which nothing is known', { enc: { net: [1] } }, { sgn: { sur: 'cse-in/app/box/t' } }],
  ['no release is told', all, { header: { 'X-M2M-RVI': undefined } }],
  ['another category where latest is asked for', { ...all, nec: 2, ln: true }, { header: { 'X-M2M-EC': '4' } }],
  ['no notification', all, { header: { 'X-M2M-RI': undefined }, body: { 'm2m:cnt': {} } }],
  ['a verification', { enc: { net: [1] } }, { body: { 'm2m:sgn': { vrq: true, sur: path } } }],
];

for (const [why, given, sent, after = []] of open)
  test(`nothing about a notification is certain: ${why}`, () => {
    assert.deepEqual(told(given, sent, { after }).failed, []);
  });

test('notifications of others are not checked, unless they claim to be from the CSE or name a subscription', () => {
  const from = (originator: string, sur: unknown) => {
    const sent = { header: { 'X-M2M-Origin': originator, 'X-M2M-RI': undefined }, sgn: { sur } };
    return told(all, sent, { isSurely: false }).failed;
  };
  assert.equal(from('/other', 'cse-in/other/s'), undefined);
  assert.deepEqual(from('/id-in', 'cse-in/other/s'), ['header.identifier']);
  assert.deepEqual(from('/other', path), ['header.originator', 'header.identifier']);
});

test('each requirement is reported once as violated, and once as satisfied', () => {
  const one = new NotificationJudge({ rules: [], dialect: 'onem2m', names, levelOf: () => 'standard' });
  const request = { method: 'POST', path: '/n', headers: [], body: '{"m2m:sgn":{"nev":{}}}', at: 0 };
  const judged = () => one.judge({ request, isCertain: true, isNotifiedThere: () => false }, []) ?? [];
  assert.ok(judged().every(({ byRule }) => byRule));
  assert.deepEqual(judged(), []);
});

test('rules of a binding check its notifications, where no header has the type', () => {
  const wire = (requests: Readonly<Record<string, string>>): WireFacts => ({
    ...{ binding: 'CoAP', asked: {} },
    requests: [requests],
  });
  const sound = { code: '0.02', fr: '/id-in', rqi: 'n1', media: 'as said', root: 'm2m:sgn', type: 'CON' };
  const untyped = { header: { 'Content-Type': undefined } };
  const judged = (requests: Readonly<Record<string, string>>) => told(all, untyped, { wire: wire(requests) });
  assert.deepEqual(judged(sound).failed, []);
  assert.ok(judged(sound).passed.includes('std.coap.notification.fr'));
  assert.deepEqual(judged({ ...sound, code: '0.03' }).failed, ['std.coap.notification.method']);
  const mqtt = {
    binding: 'MQTT' as const,
    asked: {},
    requests: [{ topic: '/oneM2M/req/id-in/x/json', payload: 'CBOR', to: 1 }],
  };
  assert.deepEqual(told(all, untyped, { wire: mqtt }).failed, ['std.mqtt.request.payload']);
});

test('in the documented dialect a notification contains the created resource', () => {
  const { one, broken } = documented();
  const made = { status: 201, body: { 'm2m:cin': { ...instance, ri: 'cin0', rn: 'one' } } };
  broken('POST /onem2m/app/box', { 'm2m:cin': { rn: 'one', con: 'abc', cnf: 'text/plain:0' } }, made);
  const sending = (rep: Fields) => {
    const about = { rules: [], dialect: 'documented' as const, names, levelOf: () => 'documented' as const };
    const body = JSON.stringify({ 'm2m:sgn': { nev: { net: 3, rep }, sur: 'x' } });
    const request = { method: 'POST', path: '/n', headers: [], body, at: 0 };
    const sent = { request, isCertain: true, isNotifiedThere: () => false };
    return new NotificationJudge(about).judge(sent, one.resources)?.map(({ state }) => state);
  };
  assert.deepEqual(sending({ 'm2m:cin': { ri: 'cin0', rn: 'one', con: 'abc' } }), ['passed']);
  assert.deepEqual(sending({ 'm2m:cin': { ri: 'cin0', rn: 'one', con: 'other' } }), ['failed']);
  assert.deepEqual(sending({ 'm2m:cin': { ri: 'cin7', rn: 'one', con: 'other' } }), []);
  // Where two have one identifier, nobody can tell which is meant.
  one.judge(
    said(
      'POST /onem2m/app/box',
      { 'm2m:cin': { rn: 'two', con: 'x' } },
      {
        status: 201,
        body: { 'm2m:cin': { ...instance, ri: 'cin0', rn: 'two', con: 'x' } },
      },
    ),
  );
  assert.deepEqual(sending({ 'm2m:cin': { ri: 'cin0', rn: 'one', con: 'other' } }), []);
});
