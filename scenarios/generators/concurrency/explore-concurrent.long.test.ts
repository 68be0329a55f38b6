import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createCse, serveHttp } from '../../../sim/index.ts';
import type { ConcurrentEvent, ConcurrentResult } from './concurrent-exploration.ts';
import { type ConcurrentOptions, decidedBy, exploreConcurrent } from './explore-concurrent.ts';

const inProcess = (deviations: readonly string[] = []) => ({ kind: 'in-process', deviations }) as const;

async function explored(
  options: ConcurrentOptions,
  onEvent: (event: ConcurrentEvent) => void = () => {},
): Promise<ConcurrentResult> {
  const events = exploreConcurrent(options);
  let step = await events.next();
  for (; !step.done; step = await events.next()) onEvent(step.value);
  return step.value;
}

describe('some order explains what the reference CSE answers', () => {
  const tried: ReadonlyArray<readonly [concurrency: number, runs: number, level: 'documented' | 'gap']> = [
    [2, 30, 'gap'],
    [3, 60, 'documented'],
    [4, 60, 'gap'],
    [8, 15, 'gap'],
  ];
  for (const [concurrency, runs, level] of tried) {
    test(`to ${concurrency} originators in process, in ${runs} histories (${level})`, async () => {
      const { histories, overlaps, exit } = await explored({ target: inProcess(), concurrency, seed: 11, runs, level });
      assert.deepEqual(exit, { code: 0, reason: `some order explains each of ${runs} histories` });
      assert.deepEqual(histories, { tried: runs, explained: runs, undecided: 0 });
      assert.ok(overlaps > runs / 2, String(overlaps));
    });
  }

  test('to 4 originators over HTTP', async () => {
    const target = { kind: 'embedded' } as const;
    const { histories, overlaps, unanswered } = await explored({
      ...{ target, concurrency: 4, seed: 12, runs: 12, level: 'gap' },
    });
    assert.deepEqual([histories, unanswered], [{ tried: 12, explained: 12, undecided: 0 }, 0]);
    assert.ok(overlaps > 30, String(overlaps));
  });
});

/** Each with a seed by which it is found soon. */
const races: ReadonlyArray<
  readonly [deviation: string, seed: number, requirement: string, more?: Partial<ConcurrentOptions>]
> = [
  ['one-for-all', 2, 'common.ri.distinct'],
  ['counted-once', 4, 'container.cni.counts'],
  ['latest-goes-back', 10, 'latest.newest'],
  ['labels-go-back', 6, 'discovery.label.finds', { focus: ['discovery.label.finds'] }],
  ['removed-comes-back', 9, 'lifecycle.removed-is-gone'],
  ['child-outlives', 7, 'container.delete.subtree', { level: 'gap' }],
  ['name-taken-twice', 6, 'content-instance.create.name-clash', { level: 'gap' }],
];

describe('what goes wrong only between concurrent requests is found, shrunk and seen again each time', () => {
  for (const [deviation, seed, requirement, more] of races) {
    test(`${deviation}: ${requirement}`, async () => {
      const target = inProcess([`stateful.race.${deviation}`]);
      const options = { target, concurrency: 3, seed, runs: 300, ...more };
      const { counterexample, exit } = await explored(options);
      assert.ok(counterexample !== undefined, exit.reason);
      assert.deepEqual([counterexample.requirement, exit.code], [requirement, 1]);
      assert.deepEqual(counterexample.seen, { times: 10, of: 10 });
      assert.equal(counterexample.size.left.originators, 2);
      assert.ok(counterexample.size.left.requests <= 3, counterexample.data);
      assert.ok(counterexample.rows.length <= 7, counterexample.data);
      const { path } = counterexample;
      const again = await explored({ ...options, path });
      assert.deepEqual(again.counterexample?.program, counterexample.program);
      const sound = await explored({ ...options, target: inProcess(), path });
      assert.equal(sound.counterexample, undefined);
    });
  }
});

test('the history shows the answer that is left over, and the file says how to come by it again', async () => {
  const { counterexample } = await explored({
    ...{ target: inProcess(['stateful.race.counted-once']), concurrency: 3, seed: 3, runs: 100 },
  });
  assert.equal(counterexample?.requirement, 'container.cni.counts');
  const last = counterexample?.rows.at(counterexample.leftOver);
  assert.match(last?.answer ?? '', /^200: .*cni 1/);
  assert.match(
    counterexample?.data ?? '',
    /# Again: cselab explore --concurrency 3 --deviation stateful\.race\.counted-once --seed 3 --path [\d:]+\n/,
  );
});

test('what goes wrong all by itself needs nobody at the same time', async () => {
  const target = inProcess(['container.cni.one-behind']);
  const { counterexample } = await explored({ target, concurrency: 3, seed: 3 });
  assert.equal(counterexample?.requirement, 'container.cni.counts');
  assert.equal(counterexample?.size.left.originators, 0);
});

test('over HTTP a race is found as well, and the target is left as it was', async () => {
  const { http, core } = createCse({ deviations: ['stateful.race.counted-once'] });
  const server = await serveHttp(http, { port: 0 });
  try {
    const before = core.tree.size;
    const target = { kind: 'url', url: `http://127.0.0.1:${server.port}` } as const;
    const options = { target, concurrency: 3, seed: 3, runs: 100, safety: {}, shrinkAttempts: 50 };
    const { counterexample, notes } = await explored({ ...options, focus: ['container.cni'] });
    assert.equal(counterexample?.requirement, 'container.cni.counts');
    assert.ok((counterexample?.seen.times ?? 0) > 0);
    assert.deepEqual(notes, []);
    assert.equal(core.tree.size, before);
  } finally {
    await server.close();
  }
});

test('requests that never meet show nothing about those that do, and what was not decided is said', () => {
  const histories = { tried: 5, explained: 3, undecided: 2 };
  assert.equal(decidedBy({ histories, overlaps: 0 }).nothing, 'no two requests were ever under way at the same moment');
  assert.deepEqual(decidedBy({ histories, overlaps: 9 }), {
    sound: 'some order explains each of 3 histories; 2 had too many orders to try them all',
  });
  const undecided = decidedBy({ histories: { tried: 2, explained: 0, undecided: 2 }, overlaps: 9 });
  assert.equal(undecided.nothing, 'none of 2 histories could be decided');
});

test('originators of whom there cannot be so many are refused before anything is sent', async () => {
  const url = 'http://127.0.0.1:9';
  const one = explored({ target: { kind: 'url', url, connections: 1 }, concurrency: 2 });
  await assert.rejects(one, { name: 'UsageError', message: /needs as many connections; .* one connection at a time/ });
  const three = explored({ target: { kind: 'url', url, connections: 3 }, concurrency: 4 });
  await assert.rejects(three, { name: 'UsageError', message: /3 connections at the same time/ });
  await assert.rejects(explored({ target: inProcess(), concurrency: 1 }), { name: 'UsageError' });
});

test('a target that does not answer is no deviation', async () => {
  const target = { kind: 'url', url: 'http://127.0.0.1:9', waitForTarget: 0 } as const;
  const { exit } = await explored({ target, concurrency: 2 });
  assert.equal(exit.code, 3);
});

test('an interruption while it shrinks still reports the best that was found', async () => {
  const interrupt = new AbortController();
  const onEvent = ({ type }: ConcurrentEvent) => type === 'failure found' && interrupt.abort();
  const target = inProcess(['stateful.race.counted-once']);
  const { counterexample, exit } = await explored(
    { target, concurrency: 3, seed: 3, signal: interrupt.signal },
    onEvent,
  );
  assert.deepEqual(
    [exit.code, counterexample?.requirement, counterexample?.smallest],
    [130, 'container.cni.counts', false],
  );
});
