import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from '../engine/results/exchange.ts';
import { ExpectedNotifications } from './expected-notifications.ts';
import { Judge } from './judge.ts';

const names = { base: 'cse-in', cseId: 'id-in', spId: 'sp.example.com' };
const url = 'http://127.0.0.1:9/watcher';
const rsc = { POST: 2001, GET: 2000, PUT: 2004, DELETE: 2002 } as const;
type Method = keyof typeof rsc;

type Given = Readonly<Record<string, unknown>>;

/** A CSE that does all that it is asked for, and what has to have come to the inbox since the last look. */
function watching(net: readonly number[] | Given | null, isCounted?: (given: Given) => boolean) {
  const notices = new ExpectedNotifications(isCounted);
  const onSeen = notices.note.bind(notices);
  const judge = new Judge({ rules: [], dialect: 'onem2m', names, levelOf: () => 'standard', onSeen });
  const ask = (method: Method, path: string, ty?: number, body?: object, status?: number) =>
    judge.judge(exchange(method, path, ty, body, status));
  ask('POST', '/cse-in', 2, { 'm2m:ae': { rn: 'app', api: 'Na', rr: false } });
  ask('POST', '/cse-in/app', 3, { 'm2m:cnt': { rn: 'box' } });
  const watch = (rn: string, given: Given, parent = '/cse-in/app/box') =>
    ask('POST', parent, 23, { 'm2m:sub': { rn, nu: [url], ...given } });
  if (net !== null) watch('sub', Array.isArray(net) ? { enc: { net } } : (net as Given));
  const taken = () => notices.take(url, judge.resources).map(({ requirement }) => requirement);
  /** By which requirement how many come. */
  const counted = () => {
    const [first] = notices.take(url, judge.resources);
    return first && [first.requirement.replace(/^std.notification.(event.)?/, ''), countIn(first.check)];
  };
  return { ask, watch, taken, counted, notices, judge, expecting: () => notices.expecting(false) };
}

const countIn = (check: object): unknown => (check as { readonly notifications?: unknown }).notifications;

function exchange(method: Method, path: string, ty?: number, body?: object, status?: number): Exchange {
  const type = method === 'POST' ? `application/json;ty=${ty}` : 'application/json';
  const headers = [
    ['X-M2M-Origin', 'Capp'],
    ['Content-Type', type],
  ] as const;
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  const usual = method === 'POST' ? 201 : 200;
  const answer = { status: status ?? usual, headers: [['X-M2M-RSC', String(rsc[method])]] as const };
  return { request: { method, path, headers, ...text }, answer: { ...answer, body: '' }, at: 0, took: 1, curl: '' };
}

const inner = [3, { 'm2m:cnt': { rn: 'in' } }] as const;

test('a created child is notified once, with its content, if subscribed to', () => {
  const { ask, taken, expecting } = watching([3]);
  assert.deepEqual([expecting(), taken()], [[], ['std.notification.event.others']]);
  ask('POST', '/cse-in/app/box', ...inner);
  assert.deepEqual(expecting(), [url]);
  const [number, ...content] = taken();
  assert.equal(number, 'std.notification.event.create-child');
  assert.ok(content.includes('std.notification.created-child') && content.includes('std.notification.subscription'));
  assert.deepEqual(expecting(), []);
});

test('an update without a change may be notified or not', () => {
  const { ask, taken, expecting } = watching([1]);
  ask('PUT', '/cse-in/app/box', undefined, { 'm2m:cnt': { lbl: ['a'] } });
  assert.equal(taken()[0], 'std.notification.event.update');
  ask('PUT', '/cse-in/app/box', undefined, { 'm2m:cnt': { lbl: ['a'] } });
  assert.deepEqual(expecting(), []);
});

test('deletions of descendants are notified', () => {
  const { ask, taken } = watching([2]);
  ask('DELETE', '/cse-in/app');
  assert.equal(taken()[0], 'std.notification.event.delete.with-parent');
  assert.deepEqual(taken(), ['std.notification.after-deletion']);
});

test('after a fan-out no notification is expected', () => {
  const { ask, taken, expecting } = watching([3]);
  ask('POST', '/cse-in/app/g/fopt', ...inner);
  ask('POST', '/cse-in/app/box', ...inner);
  assert.deepEqual([expecting(), taken()], [[], []]);
});

type Asked = readonly [method: Method, path: string, ty?: number | undefined, body?: object];
const box = '/cse-in/app/box';
const child: Asked = ['POST', box, ...inner];
const second: Asked = ['POST', box, 3, { 'm2m:cnt': { rn: 'on' } }];
const content: Asked = ['POST', box, 4, { 'm2m:cin': { rn: 'one', con: 'x' } }];
const relabel: Asked = ['PUT', box, undefined, { 'm2m:cnt': { lbl: ['a'] } }];
const left: Asked = ['DELETE', `${box}/in`];
const range = (least: number, most: number) => ({ between: [least, most] });
const grouped: Asked = ['POST', '/cse-in/app', 9, { 'm2m:grp': { rn: 'g', mnm: 3, mid: ['cse-in/app/box'] } }];
const sized: Asked = ['PUT', box, undefined, { 'm2m:cnt': { mni: 3 } }];

/** How many come, by the events that are asked for, of what was asked before the last look and after it. */
const numbers: ReadonlyArray<
  readonly [
    why: string,
    net: readonly number[] | Given,
    before: readonly Asked[],
    after: readonly Asked[],
    counted: unknown,
  ]
> = [
  ['nothing happens', [1, 2, 3, 4], [], [], ['others', 0]],
  ['each child is notified', [3], [], [child, second], ['create-child', 2]],
  ['no child of a child is', [3], [child], [['POST', `${box}/in`, ...inner]], ['others', 0]],
  ['no child that is not asked for', [1], [], [child], ['others', 0]],
  ['events of several kinds', [3, 4], [], [child, left], ['several', 2]],
  ['what stood there before', [4], [child], [left], ['delete-child', 1]],
  ['without criteria updates', {}, [], [child, relabel], ['update', 1]],
  ['without a list of events updates', { enc: { crb: '20990101T000000' } }, [], [relabel], ['update', 1]],
  ['the resource itself', [2, 4], [], [['DELETE', box]], ['delete', 1]],
  // Counters that change may count as an update.
  ['an instance is a child, and perhaps an update', [1, 3], [], [content], ['create-child', range(1, 2)]],
  ['an instance that is removed, too', [1, 4], [content], [['DELETE', `${box}/one`]], ['delete-child', range(1, 2)]],
  ['the latest is an instance', [4], [content], [['DELETE', `${box}/la`]], ['delete-child', 1]],
  [
    'another subscription, perhaps',
    [3],
    [],
    [['POST', box, 23, { 'm2m:sub': { rn: 't', nu: ['http://x'] } }]],
    ['others', range(0, 1)],
  ],
  [
    'where the parent goes as well, perhaps',
    [4],
    [child],
    [['DELETE', '/cse-in/app']],
    ['after-deletion', range(0, 1)],
  ],
  // What a limit makes go, nobody can tell.
  ['a limit is set', [3], [], [sized, child], undefined],
  ['a limit was set before', [3], [sized], [child], ['create-child', 1]],
  ['a limit is there where an instance comes', [3], [sized], [content], undefined],
];

for (const [why, net, before, after, expected] of numbers)
  test(`the number of notifications is right: ${why}`, () => {
    const { ask, counted } = watching(net);
    for (const one of before) ask(...one);
    counted();
    for (const one of after) ask(...one);
    assert.deepEqual(counted(), expected);
  });

test('each subscription of a resource is notified, and those of a deleted one no more', () => {
  const { ask, watch, counted } = watching([3]);
  watch('more', { enc: { net: [3] } });
  counted();
  ask(...child);
  assert.deepEqual(counted(), ['each-subscription', 2]);
  ask('DELETE', `${box}/more`);
  assert.deepEqual(counted(), ['others', 0]);
  ask('DELETE', `${box}/sub`);
  ask(...second);
  assert.deepEqual(counted(), ['after-deletion', 0]);
});

test('a group may be updated when a possible member is deleted', () => {
  const { ask, watch, counted } = watching([2]);
  ask(...grouped);
  watch('of-group', { enc: { net: [1] } }, '/cse-in/app/g');
  ask(...child);
  counted();
  ask(...left);
  assert.deepEqual(counted(), ['others', range(0, 1)]);
});

test('each event has the representation that it is about', () => {
  const shown = (net: number, ...steps: readonly Asked[]) => {
    const { ask, taken } = watching([net]);
    for (const step of steps.slice(0, -1)) ask(...step);
    taken();
    ask(...(steps.at(-1) as Asked));
    return taken().filter((one) => !/\.(root|subscription)$|^std\.notification\.event/.test(one));
  };
  assert.deepEqual(shown(1, relabel), ['std.notification.all-attributes-by-default']);
  assert.deepEqual(shown(2, ['DELETE', box]), ['std.notification.deleted-resource']);
  assert.deepEqual(shown(3, child), ['std.notification.created-child']);
  assert.deepEqual(shown(4, child, left), ['std.notification.deleted-child']);
});

test('the content of a notification is checked against its event, resource and subscription', () => {
  const { ask, notices, judge, watch } = watching([1]);
  notices.take(url, judge.resources);
  ask(...relabel);
  const [, root, event, shown, named] = notices.take(url, judge.resources);
  assert.equal(root?.requirement, 'std.notification.root');
  assert.deepEqual(event?.check, { notification: { event: 1 } });
  assert.equal(shown?.requirement, 'std.notification.all-attributes-by-default');
  const attributes = { rn: 'box', lbl: { equals: ['a'] } };
  assert.deepEqual(shown?.check, { notification: { root: 'm2m:cnt', attributes } });
  const subscription = { 'one of': ['app/box/sub', { 'ends with': '/app/box/sub' }] };
  assert.deepEqual(named?.check, { notification: { subscription } });
  watch('of-app', { enc: { net: [3] } }, '/cse-in/app');
  notices.take(url, judge.resources);
  ask('POST', '/cse-in/app', 28, { 'cod:lamp': { rn: 'lamp', cnd: 'org.lamp' } });
  assert.deepEqual(notices.take(url, judge.resources)[3]?.check, { notification: { attributes: { rn: 'lamp' } } });
});

test('an update that sets an equal or an unknown value may be notified or not', () => {
  const update = (...labels: readonly (readonly string[] | null)[]) => {
    const { ask, counted } = watching([1]);
    ask('PUT', box, undefined, { 'm2m:cnt': { lbl: ['a'] } });
    counted();
    for (const lbl of labels) ask('PUT', box, undefined, { 'm2m:cnt': { lbl } });
    return counted();
  };
  assert.deepEqual(update(['b']), ['update', 1]);
  assert.deepEqual(update(null), ['update', 1]);
  assert.deepEqual(update(null, null), ['update', range(1, 2)]);
  assert.deepEqual(update(['a']), ['others', range(0, 1)]);
});

/** After these nothing is expected any more. */
const blinding: ReadonlyArray<readonly [why: string, asked: Asked, status?: number]> = [
  ['the subscription has other targets', ['PUT', `${box}/sub`, undefined, { 'm2m:sub': { nu: ['http://x'] } }]],
  ['it has other criteria', ['PUT', `${box}/sub`, undefined, { 'm2m:sub': { enc: { net: [1] } } }]],
  ['the update is of another type', ['PUT', box, undefined, { 'm2m:grp': { lbl: ['x'] } }]],
  ['an update may have failed', relabel, 500],
  ['an update is done later', relabel, 202],
  ['a deletion may have failed', ['DELETE', box], 500],
  ['the CSE base is removed', ['DELETE', '/cse-in']],
  ['a virtual resource is updated', ['PUT', `${box}/la`, undefined, { 'm2m:cnt': { lbl: ['x'] } }]],
  ['nobody knows what was updated', ['PUT', box, undefined, { 'm2m:xyz': {} }]],
  ['the CSE base is watched', ['POST', '/cse-in', 23, { 'm2m:sub': { rn: 's', nu: [url] } }]],
];

for (const [why, [method, path, ty, body], status] of blinding)
  test(`no notification is certain if ${why}`, () => {
    const { ask, taken, expecting } = watching([3]);
    ask(method, path, ty, body, status);
    ask(...child);
    assert.deepEqual([expecting(), taken()], [[], []]);
  });

test('without subscriptions, a fan-out makes nothing uncertain', () => {
  const { ask, watch, counted } = watching(null);
  ask(...grouped);
  ask('POST', '/cse-in/app/g/fopt', ...inner);
  watch('sub', { enc: { net: [3] } }, '/cse-in/app');
  ask('POST', '/cse-in/app', ...inner);
  assert.deepEqual(counted(), ['create-child', 1]);
});

test('a subscription updated without its targets and criteria stays certain, unless its notifications are counted', () => {
  const renamed: Asked = ['PUT', `${box}/sub`, undefined, { 'm2m:sub': { lbl: ['x'] } }];
  const one = watching([3]);
  for (const step of [renamed, child]) one.ask(...step);
  assert.deepEqual(one.counted(), ['create-child', 1]);
  const apart = watching([3], () => true);
  apart.ask(...renamed);
  assert.deepEqual(apart.judge.resources.filter(({ type }) => type === 'subscription').map(apart.notices.isCertain), [
    false,
  ]);
});

/** Each of these may have failed, and nobody can tell what it led to. */
for (const [step, ...unsure] of [
  [child, 'app', 'box', 'g'],
  [['PUT', box, undefined, { 'm2m:cnt': { lbl: ['x'] } }], 'app', 'box', 'g'],
  [['DELETE', `${box}/in`], 'box', 'g'],
  [['DELETE', '/cse-in/app/none'], 'app', 'g'],
  [['POST', '/cse-in', 2, { 'm2m:ae': { rn: 'other', api: 'Na', rr: false } }], 'g'],
] as const)
  test(`of those who watch nobody knows what ${step[0]} ${step[1]} tells but ${unsure}`, () => {
    const { ask, watch, notices, judge } = watching(null, () => true);
    ask(...grouped);
    const watched = { app: '/cse-in/app', box, g: '/cse-in/app/g' };
    for (const [name, path] of Object.entries(watched))
      watch(`of-${name}`, { nu: [`http://${name}`], enc: { net: [3] } }, path);
    for (const name of Object.keys(watched)) notices.take(`http://${name}`, judge.resources);
    const [method, path, type, body] = step as Asked;
    ask(method, path, type, body, 500);
    const lost = Object.keys(watched).filter((name) => notices.take(`http://${name}`, judge.resources).length === 0);
    assert.deepEqual(lost, unsure);
  });

test('a refused request causes no notification, and the passing of time may', () => {
  const { ask, counted, notices } = watching([3]);
  ask('POST', box, 3, { 'm2m:cnt': { rn: 'in' } }, 403);
  assert.deepEqual(counted(), ['others', 0]);
  notices.passTime();
  ask(...child);
  assert.equal(counted(), undefined);
  ask(...second);
  assert.deepEqual(counted(), ['create-child', 1]);
});

test('a counted subscription leaves the others certain', () => {
  const { ask, watch, counted, notices, judge } = watching([3], ({ enc }) => enc !== undefined);
  watch('plain', {});
  const isCertain = (rn: string) => judge.resources.filter(({ names }) => names.at(-1) === rn).map(notices.isCertain);
  assert.deepEqual([isCertain('sub'), isCertain('plain')], [[true], [false]]);
  counted();
  ask(...second, 500);
  assert.equal(counted(), undefined);
  ask(...child);
  assert.deepEqual(counted(), ['create-child', 1]);
  ask('PUT', `${box}/sub`, undefined, { 'm2m:sub': { nu: ['http://x'] } });
  assert.deepEqual(isCertain('sub'), [false]);
  assert.deepEqual(notices.expecting(true), [url]);
  const lost = watching([3], () => true);
  lost.notices.lose();
  assert.deepEqual(lost.judge.resources.map(lost.notices.isCertain), [false, false, false]);
  assert.equal(lost.counted(), undefined);
});
