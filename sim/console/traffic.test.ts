import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpRequest, HttpService } from '../dialects/http-message.ts';
import type { Sender } from '../dialects/outgoing-message.ts';
import { systemClock } from '../environment/clock.ts';
import { Instruments } from '../instruments/instruments.ts';
import { ConsoleTraffic } from './traffic.ts';

const request = (target: string): HttpRequest => ({ method: 'GET', target, headers: {}, body: new Uint8Array() });
const answer = { status: 200, headers: { 'X-M2M-RSC': '2000' }, body: '{}' };
const service: HttpService = { handle: () => answer, refuse: () => answer };

/** One CSE that is watched. */
function watched(traffic: ConsoleTraffic, cseId: string) {
  const instruments = new Instruments({ clock: systemClock(), maxEntries: 0 });
  traffic.watch(instruments, cseId);
  const core = () => assert.fail('no deviation asks for the CSE');
  return {
    around: (inner: HttpService) => instruments.wrapService(inner, core),
    aroundSender: (inner: Sender) => instruments.wrapSender(inner, core),
  };
}

test('the latest messages are kept, and no more', async () => {
  const traffic = new ConsoleTraffic(() => {}, 3);
  const seen = watched(traffic, 'x').around(service);
  for (const target of ['/1', '/2', '/3', '/4']) await seen.handle(request(target));
  assert.deepEqual(
    traffic.summaries.map(({ target, rsc }) => [target, rsc]),
    [
      ['/2', '2000'],
      ['/3', '2000'],
      ['/4', '2000'],
    ],
  );
  assert.equal(traffic.message(1), undefined);
  traffic.forget();
  assert.deepEqual(traffic.summaries, []);
});

test('a long body is cut, and bytes that are no text are shown as base64', async () => {
  const traffic = new ConsoleTraffic(() => {});
  const bodies = ['x'.repeat(100_000), Uint8Array.of(0xff, 0xfe)];
  const cse = watched(traffic, 'x');
  for (const body of bodies) await cse.around({ ...service, handle: () => ({ ...answer, body }) }).handle(request('/'));
  assert.match(traffic.message(1)?.answer?.body ?? '', /^x{32768} … \(100000 characters in all\)$/);
  assert.equal(traffic.message(2)?.answer?.body, 'base64: //4=');
});

test('the trace id of a request is shown, where its traceparent is well-formed', async () => {
  const traffic = new ConsoleTraffic(() => {});
  const cse = watched(traffic, 'x').around(service);
  const id = '4bf92f3577b34da6a3ce929d0e0e4736';
  for (const traceparent of [`00-${id}-00f067aa0ba902b7-01`, `00-${id}`])
    await cse.handle({ ...request('/'), headers: { traceparent } });
  assert.deepEqual(
    traffic.summaries.map(({ trace }) => trace),
    [id, undefined],
  );
});

test('the reason of a refusal is shown with its status', async () => {
  const heard: unknown[] = [];
  const traffic = new ConsoleTraffic(({ status, reason }) => void heard.push([status, reason]));
  const cse = watched(traffic, 'x');
  const refused = { status: 400, headers: { 'X-M2M-RSC': '4000' }, body: '{"m2m:dbg": "ch is not known."}' };
  await cse.around({ ...service, handle: () => refused }).handle(request('/'));
  await cse.around(service).handle(request('/'));
  assert.deepEqual(
    heard.filter((_, at) => at % 2 === 1),
    [
      [400, 'ch is not known.'],
      [200, undefined],
    ],
  );
});

test('what one CSE sends to another is one message, between the two', async () => {
  const traffic = new ConsoleTraffic(() => {});
  traffic.listensAt('http://backend', 'backend');
  const backend = watched(traffic, 'backend').around(service);
  const sender = watched(traffic, 'gateway').aroundSender({
    async send(_, { target }) {
      await backend.handle(request(target));
      return { status: 200, headers: {}, body: '' };
    },
  });
  const sent = { method: 'GET', target: '/there', headers: {} };
  await sender.send('http://backend', sent);
  await sender.send('http://elsewhere', sent);
  await backend.handle(request('/there'));
  const between = traffic.summaries.map(({ from, to }) => `${from} to ${to}`);
  assert.deepEqual(between, [
    'gateway to backend',
    'gateway to applications',
    'applications to backend',
    'applications to backend',
  ]);
});

test('why no answer came is kept, whether the request arrived or not', async () => {
  const traffic = new ConsoleTraffic(() => {});
  traffic.listensAt('http://backend', 'backend');
  const nowhere: Sender = { send: () => Promise.reject(new Error('refused')) };
  const sender = watched(traffic, 'gateway').aroundSender(nowhere);
  const sent = { method: 'POST', target: '/', headers: {} };
  for (const url of ['http://backend', 'http://elsewhere']) await assert.rejects(sender.send(url, sent), /refused/);
  assert.deepEqual(
    traffic.summaries.map(({ from, to, problem }) => [from, to, problem]),
    [
      ['gateway', 'backend', 'refused'],
      ['gateway', 'applications', 'refused'],
    ],
  );
});
