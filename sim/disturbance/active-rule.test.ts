import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpRequest } from '../dialects/http-message.ts';
import { ActiveRule, planFor } from './active-rule.ts';
import type { DisturbanceRule, RequestMatch } from './rule.ts';
import { longTailed, seededNumbers } from './seeded.ts';

const asked = (target: string, method = 'GET'): HttpRequest => ({
  method,
  target,
  headers: {},
  body: new Uint8Array(),
});
const dropping = (match: RequestMatch, seed = 1) =>
  new ActiveRule({ match, do: { effect: 'drop' } }, seededNumbers(seed));
/** Which of so many requests it takes, as their numbers from 1 on. */
const taken = (rule: ActiveRule, count: number): number[] =>
  Array.from({ length: count }, (_, at) => at + 1).filter(() => rule.applies(asked('/onem2m')));

test('a path with a star is a pattern for the whole path, one without stands for what is below it too', () => {
  for (const [path, target, matches] of [
    ['/onem2m/*', '/onem2m/a/b', true],
    ['/onem2m/*', '/onem2m', false],
    ['/*/latest', '/onem2m/a/latest?rcn=1', true],
    ['/*/latest', '/onem2m/a/latest/b', false],
    ['/onem2m', '/onem2m', true],
    ['/onem2m', '/onem2m/a', true],
    ['/onem2m', '/onem2mother', false],
    ['/onem2m/', '/onem2m/a', true],
    ['/a.c', '/abc', false],
    ['/a.*', '/abc', false],
    ['*', '/~/in-cse-1/onem2m', true],
  ] as const) {
    assert.equal(dropping({ path }).applies(asked(target)), matches, `${path} ${target}`);
  }
});

test('a parameter of the query is compared, whatever stands beside it', () => {
  for (const [query, target, matches] of [
    ['rcn=9', '/onem2m?rcn=9', true],
    ['rcn=9', '/onem2m?fu=1&rcn=9', true],
    ['rcn=9', '/onem2m?rcn=99', false],
    ['rcn=9', '/onem2m/rcn=9', false],
    ['rcn=', '/onem2m?rcn=', true],
  ] as const) {
    assert.equal(dropping({ query }).applies(asked(target)), matches, `${query} ${target}`);
  }
});

test('a created resource is compared by its root and lacking attributes', () => {
  const creating = (body: string, method = 'POST'): HttpRequest => ({
    ...asked('/onem2m', method),
    body: new TextEncoder().encode(body),
  });
  const empty = { creates: 'm2m:cin', lacks: 'con' };
  for (const [match, request, matches] of [
    [empty, creating('{"m2m:cin":{"cnf":"text/plain:0"}}'), true],
    [empty, creating('{"m2m:cin":{"con":null}}'), false],
    [empty, creating('{"m2m:cnt":{}}'), false],
    [empty, creating('{"m2m:cin":{}}', 'PUT'), false],
    [empty, creating('{"m2m:cin":'), false],
    [empty, creating('null'), false],
    [empty, creating('{"m2m:cin":"constructor"}'), true],
    [{ lacks: 'constructor' }, creating('{"m2m:cin":{}}'), true],
    [{ creates: 'm2m:cnt' }, creating('{"m2m:cnt":{}}'), true],
  ] as const) {
    assert.equal(dropping(match).applies(request), matches, `${JSON.stringify(match)} ${request.body}`);
  }
});

test('a method is compared, and requests with another one are not counted', () => {
  const rule = dropping({ method: 'POST', after: 2 });
  assert.deepEqual(
    ['POST', 'GET', 'POST'].map((method) => rule.applies(asked('/onem2m', method))),
    [false, false, true],
  );
  assert.deepEqual([rule.requests, rule.disturbed], [2, 1]);
});

test('a rule begins with a certain request, and ends after so many', () => {
  assert.deepEqual(taken(dropping({ after: 3 }), 5), [3, 4, 5]);
  assert.deepEqual(taken(dropping({ times: 2 }), 5), [1, 2]);
  assert.deepEqual(taken(dropping({ after: 2, times: 2 }), 5), [2, 3]);
});

test('a share is chosen in the same way for the same seed, and differently for another', () => {
  const first = taken(dropping({ share: 0.3 }, 7), 1000);
  assert.deepEqual(taken(dropping({ share: 0.3 }, 7), 1000), first);
  assert.notDeepEqual(taken(dropping({ share: 0.3 }, 8), 1000), first);
  assert.ok(first.length > 250 && first.length < 350, String(first.length));
  assert.deepEqual([taken(dropping({ share: 0 }), 50).length, taken(dropping({ share: 1 }), 50).length], [0, 50]);
});

test('the streams of a seed have nothing in common', () => {
  const sequences = [1, 2, 3].map((stream) => Array.from({ length: 20 }, seededNumbers(1, stream)));
  assert.equal(new Set(sequences.flat()).size, 60);
});

test('a long tail has its median in the middle, and one in a hundred beyond its 99th percentile', () => {
  const next = seededNumbers(3);
  const delays = Array.from({ length: 10_000 }, () => longTailed(next, 50, 2000));
  const share = (limit: number) => delays.filter((delay) => delay > limit).length / delays.length;
  assert.ok(Math.abs(share(50) - 0.5) < 0.02, String(share(50)));
  assert.ok(Math.abs(share(2000) - 0.01) < 0.004, String(share(2000)));
});

test('delays add up, and of the other effects the first rule decides', () => {
  const standing = (does: DisturbanceRule['do']) => new ActiveRule({ do: does }, seededNumbers(1));
  const rules = [
    standing({ effect: 'latency', by: '1s' }),
    standing({ effect: 'throttle', rate: 10 }),
    standing({ effect: 'latency', from: 100, to: 200 }),
    standing({ effect: 'drop' }),
    standing({ effect: 'throttle', rate: 20 }),
    standing({ effect: 'empty' }),
    standing({ effect: 'clock', by: 5 }),
  ];
  const plan = planFor(asked('/onem2m'), rules);
  assert.deepEqual([plan?.rate, plan?.answerEffect], [10, { effect: 'drop' }]);
  assert.ok(plan !== undefined && plan.milliseconds >= 1100 && plan.milliseconds < 1200);
  assert.deepEqual(
    rules.map(({ disturbed }) => disturbed),
    [1, 1, 1, 1, 0, 0, 0],
  );
  assert.equal(planFor(asked('/onem2m'), rules.slice(-1)), undefined);
});
