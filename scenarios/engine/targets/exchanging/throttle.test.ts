import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Target } from '../../messages/target.ts';
import { fileOf, planOf, runPlan, testCse } from '../../test-cse.ts';
import type { PauseClock } from './clocks.ts';
import { Throttle } from './load-limits.ts';

const create = '- create: ae\n  in: /${base}\n  attributes: { rn: "${name}" }\n  check: { doc.one: { status: 201 } }';

function virtual(): { readonly clock: PauseClock; readonly pauses: number[] } {
  const pauses: number[] = [];
  const now = () => pauses.reduce((sum, one) => sum + one, 0);
  return { clock: { now, pause: async (milliseconds) => void pauses.push(milliseconds) }, pauses };
}

async function refusing(
  t: Parameters<typeof testCse>[0],
  times: number,
  answer: { readonly status: number; readonly headers?: Readonly<Record<string, string>> },
) {
  let left = times;
  const cse = await testCse(t, ({ method }) => (method === 'POST' && left-- > 0 ? answer : undefined));
  const { clock, pauses } = virtual();
  const { result } = await runPlan(planOf(t, fileOf({ one: create })), cse.url, { jobs: 1, clock, again: false });
  return { result, pauses, posts: cse.log.filter((line) => line.startsWith('POST')).length };
}

test('429 is honoured with Retry-After, and reported with a hint', async (t) => {
  const { result, pauses, posts } = await refusing(t, 2, { status: 429, headers: { 'retry-after': '7' } });
  assert.deepEqual([pauses, posts, result.scenarios[0]?.state], [[7000, 7000], 3, 'passed']);
  assert.deepEqual(result.notes, [
    'the target asked 2 times for fewer requests (429, or 503 with Retry-After). Give --rate',
  ]);
});

test('503 with Retry-After is honoured, also as a date; without, it is the answer', async (t) => {
  const headers = { date: 'Sun, 22 Nov 2026 12:00:00 GMT', 'retry-after': 'Sun, 22 Nov 2026 12:00:09 GMT' };
  assert.deepEqual((await refusing(t, 1, { status: 503, headers })).pauses, [9000]);
  const { pauses, result } = await refusing(t, 9, { status: 503 });
  assert.deepEqual([pauses, result.scenarios[0]?.state, result.notes], [[], 'failed', undefined]);
});

test('it is not waited for longer than is bearable, nor endlessly', async (t) => {
  const long = await refusing(t, 1, { status: 429, headers: { 'retry-after': '3600' } });
  assert.deepEqual([long.pauses, long.posts, long.result.scenarios[0]?.state], [[], 1, 'failed']);
  const endless = await refusing(t, 99, { status: 429 });
  assert.deepEqual([endless.pauses, endless.posts], [[1000, 1000, 1000], 4]);
});

test('a pause counts once, however many wait for its end', async () => {
  let [time, served] = [0, 0];
  const pause = (milliseconds: number) => {
    const end = time + milliseconds;
    return new Promise<void>((resolve) =>
      setImmediate(() => {
        time = Math.max(time, end);
        resolve();
      }),
    );
  };
  const request = { method: 'GET', path: '/', headers: [] };
  const send: Target['send'] = async () => {
    const status = served++ % 8 === 0 ? 429 : 200;
    return { request, answer: { status, headers: [['Retry-After', '30']], body: '' }, at: 0, took: 1, curl: '' };
  };
  const throttle = new Throttle({ clock: { now: () => time, pause } });
  const { send: patiently } = throttle.wrap({ send } as Target);
  const client = async () => {
    const statuses: (number | undefined)[] = [];
    for (let turn = 0; turn < 4; turn += 1) statuses.push((await patiently(request)).answer?.status);
    return statuses;
  };
  const statuses = await Promise.all(Array.from({ length: 8 }, client));
  assert.deepEqual(new Set(statuses.flat()), new Set([200]));
});
