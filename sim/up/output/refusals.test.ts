import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpResponse, HttpService } from '../../dialects/http-message.ts';
import { systemClock } from '../../environment/clock.ts';
import { RequestJournal } from '../../journal/journal.ts';
import { recordedService } from '../../journal/recorded.ts';
import type { UpEvent } from './event.ts';
import { lineOf } from './plain.ts';
import { reportRefusals } from './refusal.ts';

const answer = (status: number, said: string): HttpResponse => ({
  status,
  headers: { 'X-M2M-RSC': String(status * 10) },
  body: JSON.stringify({ 'm2m:dbg': said }),
});

function told(answers: (target: string) => HttpResponse | Promise<HttpResponse>) {
  const events: UpEvent[] = [];
  const time = { now: 0 };
  const inner: HttpService = { handle: ({ target }) => answers(target), refuse: () => answer(400, 'malformed') };
  const journal = new RequestJournal({ clock: systemClock(), maxEntries: 0 });
  reportRefusals(
    journal,
    'mn-cse-1',
    (event) => void events.push(event),
    () => time.now,
  );
  const service = recordedService(inner, journal, () => {});
  const ask = async (target: string, headers: Record<string, string> = { 'x-m2m-origin': 'CApp' }) =>
    void (await service.handle({ method: 'POST', target, headers, body: new Uint8Array() }));
  return { events, time, ask, lines: () => events.map(lineOf) };
}

test('a refused request is reported with its originator and the reason, also when the answer comes later', async () => {
  const { events, ask, lines } = told((target) =>
    target === '/late' ? Promise.resolve(answer(404, 'Nothing is there.')) : answer(400, 'ch is not known.'),
  );
  await ask('/onem2m');
  await ask('/late', {});
  const common = { event: 'refused', cse: 'mn-cse-1', method: 'POST' };
  assert.deepEqual(events, [
    { ...common, target: '/onem2m', status: 400, rsc: 4000, originator: 'CApp', reason: 'ch is not known.' },
    { ...common, target: '/late', status: 404, rsc: 4040, reason: 'Nothing is there.' },
  ]);
  assert.deepEqual(lines(), [
    'mn-cse-1: 400 (4000) to POST /onem2m by CApp: ch is not known.',
    'mn-cse-1: 404 (4040) to POST /late: Nothing is there.',
  ]);
});

test('successes are not reported', async () => {
  const { events, ask } = told(() => answer(201, 'created'));
  await ask('/onem2m');
  assert.deepEqual(events, []);
});

test('equal refusals are reported once in ten seconds, and fifty different ones at most; the next counts the omitted', async () => {
  const { events, time, ask } = told(() => answer(403, 'No.'));
  for (let asked = 0; asked < 3; asked++) await ask('/same');
  for (let asked = 0; asked < 60; asked++) await ask(`/${asked}`);
  assert.equal(events.length, 50);
  time.now = 9_999;
  await ask('/same');
  assert.equal(events.length, 50);
  time.now = 10_000;
  await ask('/same');
  await ask('/other');
  const omitted = [1, 2, 50, 51]
    .map((at) => events[at] as UpEvent)
    .map((event) => event.event === 'refused' && [event.target, event.omitted]);
  assert.deepEqual(omitted, [
    ['/0', 2],
    ['/1', undefined],
    ['/same', 11 + 1],
    ['/other', undefined],
  ]);
  assert.match(lineOf(events[50] as UpEvent) ?? '', /: No\. \(12 more were refused before\)$/);
});

test('nothing in it is obeyed by a terminal, and nothing is longer than it may be', async () => {
  const { ask, lines } = told(() => answer(400, `\u001b[2J\n\u202e${'x'.repeat(1000)}`));
  await ask(`/\u009b${'y'.repeat(1000)}`, { 'x-m2m-origin': `C\u0007${'z'.repeat(1000)}` });
  const [line = ''] = lines();
  assert.match(line, /^mn-cse-1: 400 \(4000\) to POST \/\?y{198}… by C\?z{198}…: \?\[2J\?\?x+…$/u);
  assert.ok(line.length < 800, String(line.length));
});
