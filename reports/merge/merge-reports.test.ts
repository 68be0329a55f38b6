import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type CheckOptions, check, lastOf, type RunResult, shardIn, UsageError } from '../../scenarios/index.ts';
import { mergeReports } from './merge-reports.ts';

async function resultOf(options: Omit<CheckOptions, 'target'>): Promise<RunResult> {
  return lastOf(check({ ...options, target: { kind: 'in-process' } }));
}

const ids = ['ae.create'];
const shard = (text: string) => resultOf({ ids, shard: shardIn(text) });

const made = new Map<string, RunResult>();
const called = (name: string): RunResult => {
  const result = made.get(name);
  assert.ok(result, name);
  return result;
};
const merge = (...names: readonly string[]) =>
  mergeReports(names.map((name) => ({ path: `${name}.json`, result: called(name) })));

before(async () => {
  made.set('whole', await resultOf({ ids }));
  for (const index of [1, 2, 3]) made.set(`part ${index}`, await shard(`${index}/3`));
});

test('a shard without scenarios is no failure, and its requirements are excluded or not testable', async () => {
  const count = called('whole').scenarios.length + 1;
  const empty = await shard(`${count}/${count}`);
  assert.deepEqual(empty.exit, { code: 0, reason: `no scenario is in shard ${count} of ${count}` });
  assert.deepEqual(empty.scenarios, []);
  assert.deepEqual(
    empty.requirements.filter(({ verdict }) => verdict !== 'excluded' && verdict !== 'not testable'),
    [],
  );
});

test('a missing shard makes the merged report inconclusive, with its number', () => {
  const { exit } = merge('part 1', 'part 3');
  assert.equal(exit.code, 4);
  assert.match(exit.reason, /^shard 2 of 3 is missing/);
  assert.equal(merge('part 1', 'part 2', 'part 3').exit.code, 0);
});

test('one report is as it was, whether it is of a whole run or of the only shard, and one shard of several is not all', async () => {
  made.set('only', await shard('1/1'));
  for (const name of ['whole', 'only']) {
    const { requirements, exit } = merge(name);
    assert.deepEqual([exit, requirements], [called(name).exit, called(name).requirements]);
  }
  assert.deepEqual([merge('part 1').exit.code, merge('part 1').exit.reason.slice(0, 8)], [4, 'shards 2']);
});

test('that a feature is there may show in one part; a claim is contradicted by all of them, and fails the run if asked', () => {
  const parts = ['part 1', 'part 2', 'part 3'].map((name) => ({ path: name, result: called(name) }));
  const mergedWith = (...behaves: ReadonlyArray<'implemented' | 'not implemented' | undefined>) =>
    mergeReports(
      parts.map(({ path, result }, at) => {
        const own = behaves[at];
        const claim = {
          id: 'PICS_GRP',
          name: 'groups',
          claim: 'yes' as const,
          ...(own && { behaves: own, shown: path }),
        };
        const strictness = { ...result.strictness, failOn: ['claims' as const] };
        return { path, result: { ...result, strictness, ics: [claim] } };
      }),
    );
  const fine = mergedWith('not implemented', 'implemented', undefined);
  assert.deepEqual([fine.exit.code, fine.ics?.[0]?.shown], [0, 'part 2']);
  const red = mergedWith(undefined, 'not implemented', undefined);
  assert.deepEqual([red.exit.code, red.ics?.[0]?.shown], [1, 'part 2']);
  assert.match(red.exit.reason, /^its conformance statement is contradicted: PICS_GRP/);
});

const unfit: readonly [string, readonly string[], (result: RunResult) => RunResult, RegExp][] = [
  [
    'the same shard twice',
    ['part 1', 'changed'],
    (result) => ({ ...result, shard: { ...result.shard, index: 1, count: 3 } }),
    /both shard 1/,
  ],
  [
    'shards of other plans',
    ['part 1', 'changed'],
    (result) => ({ ...result, shard: { index: 2, count: 4 } }),
    /one of 3 shards/,
  ],
  [
    'shards that were divided by other durations',
    ['part 1', 'changed'],
    (result) => ({ ...result, shard: { index: 2, count: 3, division: '0123456789ab' } }),
    /parts of plans that were chosen or divided differently/,
  ],
  [
    'a shard and a whole run, which is compared without its address',
    ['part 1', 'changed'],
    ({ shard: _, ...result }) => ({ ...result, target: { ...result.target, kind: 'url' } }),
    /is a whole run, and others are shards/,
  ],
  [
    'another version of cselab',
    ['part 1', 'changed'],
    (result) => ({ ...result, tool: { name: 'cselab', version: '99.0.0' } }),
    /version of cselab: .* has "99\.0\.0"/,
  ],
  [
    'another target',
    ['part 1', 'changed'],
    (result) => ({ ...result, target: { ...result.target, cseId: 'other' } }),
    /target: /,
  ],
  [
    'another strictness',
    ['part 1', 'changed'],
    (result) => ({ ...result, strictness: { ...result.strictness, minEvidence: 5 } }),
    /strictness: .*--min-evidence 5/,
  ],
];

for (const [what, names, change, message] of unfit) {
  test(`merge refuses ${what}`, () => {
    made.set('changed', change(called('part 2')));
    assert.throws(
      () => merge(...names),
      (error) => error instanceof UsageError && message.test(error.message),
    );
  });
}

test('shards that share a scenario are refused', () => {
  made.set('changed', { ...called('part 2'), scenarios: called('part 1').scenarios });
  assert.throws(() => merge('part 1', 'changed'), /divided by other --durations, or other ids/);
});

test('runs of several installations of one target become one', async () => {
  made.set('other', await resultOf({ ids: ['container.create'] }));
  const { exit, scenarios, requirements } = merge('whole', 'other');
  assert.equal(exit.code, 0);
  const all = [...called('whole').scenarios, ...called('other').scenarios];
  assert.equal(scenarios.length, new Set(all.map(({ id }) => id)).size);
  for (const id of ['container.create.status', 'ae.create.status']) {
    assert.equal(requirements.find((one) => one.id === id)?.verdict, 'satisfied');
  }
});
