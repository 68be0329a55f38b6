import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from '../engine/results/exchange.ts';
import { Judge } from './judge.ts';
import { Notices } from './notices.ts';

const names = { base: 'cse-in', cseId: 'id-in', spId: 'sp.example.com' };
const url = 'http://127.0.0.1:9/watcher';
const rsc = { POST: 2001, GET: 2000, PUT: 2004, DELETE: 2002 } as const;
type Method = keyof typeof rsc;

/** A CSE that does all that it is asked for, and what has to have come to the inbox since the last look. */
function watching(net: readonly number[]) {
  const notices = new Notices();
  const onSeen = notices.note.bind(notices);
  const judge = new Judge({ rules: [], dialect: 'onem2m', names, levelOf: () => 'standard', onSeen });
  const ask = (method: Method, path: string, ty?: number, body?: object) =>
    judge.judge(exchange(method, path, ty, body));
  ask('POST', '/cse-in', 2, { 'm2m:ae': { rn: 'app', api: 'Na', rr: false } });
  ask('POST', '/cse-in/app', 3, { 'm2m:cnt': { rn: 'box' } });
  ask('POST', '/cse-in/app/box', 23, { 'm2m:sub': { rn: 'sub', nu: [url], enc: { net } } });
  const taken = () => notices.take(url, judge.held).map(({ requirement }) => requirement);
  return { ask, taken, expecting: () => notices.expecting(false) };
}

function exchange(method: Method, path: string, ty?: number, body?: object): Exchange {
  const type = method === 'POST' ? `application/json;ty=${ty}` : 'application/json';
  const headers = [
    ['X-M2M-Origin', 'Capp'],
    ['Content-Type', type],
  ] as const;
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = { status: method === 'POST' ? 201 : 200, headers: [['X-M2M-RSC', String(rsc[method])]] as const };
  return { request: { method, path, headers, ...text }, answer: { ...answer, body: '' }, at: 0, took: 1, curl: '' };
}

const inner = [3, { 'm2m:cnt': { rn: 'in' } }] as const;

test('a child that is created is notified where that is asked for, once, with what is in it', () => {
  const { ask, taken, expecting } = watching([3]);
  assert.deepEqual([expecting(), taken()], [[], ['std.notification.event.others']]);
  ask('POST', '/cse-in/app/box', ...inner);
  assert.deepEqual(expecting(), [url]);
  const [number, ...content] = taken();
  assert.equal(number, 'std.notification.event.create-child');
  assert.ok(content.includes('std.notification.created-child') && content.includes('std.notification.subscription'));
  assert.deepEqual(expecting(), []);
});

test('an update that changes nothing may be notified or not', () => {
  const { ask, taken, expecting } = watching([1]);
  ask('PUT', '/cse-in/app/box', undefined, { 'm2m:cnt': { lbl: ['a'] } });
  assert.equal(taken()[0], 'std.notification.event.update');
  ask('PUT', '/cse-in/app/box', undefined, { 'm2m:cnt': { lbl: ['a'] } });
  assert.deepEqual(expecting(), []);
});

test('what stands below something that is removed is notified as removed', () => {
  const { ask, taken } = watching([2]);
  ask('DELETE', '/cse-in/app');
  assert.equal(taken()[0], 'std.notification.event.delete.with-parent');
  assert.deepEqual(taken(), ['std.notification.after-deletion']);
});

test('after a request to all members of a group nothing is told any more', () => {
  const { ask, taken, expecting } = watching([3]);
  ask('POST', '/cse-in/app/g/fopt', ...inner);
  ask('POST', '/cse-in/app/box', ...inner);
  assert.deepEqual([expecting(), taken()], [[], []]);
});
