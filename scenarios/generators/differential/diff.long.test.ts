import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCse, readProduct, serveHttp, serveProduct } from '../../../sim/index.ts';
import type { TargetChoice } from '../../checking/open-target.ts';
import { lastOf } from '../../engine/running/last-of.ts';
import { violatedBy } from '../testing/violated-by.ts';
import { type DiffOptions, diff } from './diff.ts';
import type { DiffEvent, DiffResult } from './difference.ts';

const inProcess = (...deviations: string[]): { readonly target: TargetChoice } => ({
  target: { kind: 'in-process', ...(deviations.length > 0 && { deviations }) },
});
const sound = inProcess();

const compared = (options: DiffOptions, onEvent?: (event: DiffEvent) => void): Promise<DiffResult> =>
  lastOf(diff(options), onEvent);

test('a thousand answers of the reference CSE do not differ from its own', async () => {
  const result = await compared({ targets: [sound, sound], seed: 21, runs: 26 });
  assert.deepEqual(result.differences, []);
  assert.equal(result.exit.code, 0);
  assert.ok(result.compared >= 1000, String(result.compared));
  const rules = result.normalised.map(({ rule }) => rule);
  for (const rule of ['identifiers', 'times', 'own names', 'order of lists'] as const) assert.ok(rules.includes(rule));
});

/** Each with a seed by which it is found soon. */
const found: ReadonlyArray<
  readonly [deviation: string, seed: number, requirement: string, part: string, steps: number]
> = [
  ['container.cni.one-behind', 12, 'container.cni.counts', 'attribute cni', 4],
  ['latest.newest-but-one', 5, 'latest.newest', 'attribute rn', 5],
  ['ae.delete.ghost', 7, 'lifecycle.removed-is-gone', 'status', 3],
  ['ae.aei.changes', 6, 'ae.aei.stable', 'attribute aei', 4],
];

for (const [deviation, seed, requirement, part, steps] of found) {
  test(`${deviation} beside a sound CSE is found, shrunk and decided, and its scenario fails there only`, async () => {
    const options = { seed, runs: 8, maxDifferences: 1, level: 'documented' } as const;
    const result = await compared({ targets: [sound, inProcess(deviation)], ...options });
    const [difference] = result.differences;
    assert.equal(result.exit.code, 1);
    assert.deepEqual([difference?.requirement?.id, difference?.right, difference?.part], [requirement, 'A', part]);
    assert.ok((difference?.steps.length ?? 99) <= steps, difference?.scenario);
    assert.equal(difference?.confirmed, true);
    assert.ok(difference.rows.some(({ name, differs }) => differs && part.endsWith(name)));
    assert.deepEqual(await violatedBy([difference.scenario ?? ''], { deviations: [deviation] }), [requirement]);
    assert.deepEqual(await violatedBy([difference.scenario ?? ''], { deviations: [] }), []);
  });
}

/** Milliseconds, where it does not matter how small a difference becomes. */
const shrinkAttempts = 20;

test('who is right does not depend on the order of the targets', async () => {
  const options = { seed: 5, runs: 8, maxDifferences: 1, level: 'documented', shrinkAttempts } as const;
  const { differences } = await compared({ targets: [inProcess('container.cni.one-behind'), sound], ...options });
  assert.deepEqual([differences[0]?.right, differences[0]?.compared], ['B', { A: '0', B: '1' }]);
});

test('where both are wrong in different ways neither is right', async () => {
  const targets = [inProcess('container.cni.one-behind'), inProcess('container.cni.stays-zero')] as const;
  const { differences } = await compared({ targets, seed: 5, runs: 4, level: 'documented', shrinkAttempts });
  const neither = differences.find(({ right }) => right === 'neither');
  assert.equal(neither?.requirement?.id, 'container.cni.counts');
});

test('what one difference hides is reported as its own difference', async () => {
  const deviating = inProcess('container.cni.one-behind', 'ae.aei.changes', 'latest.newest-but-one');
  const { differences } = await compared({
    targets: [deviating, sound],
    seed: 5,
    runs: 4,
    level: 'documented',
    shrinkAttempts,
  });
  const ids = differences.map(({ requirement }) => requirement?.id).sort();
  assert.deepEqual(ids, ['ae.aei.stable', 'container.cni.counts', 'latest.newest']);
});

test('seed and path replay a difference alone, and it is gone where the CSE is sound', async () => {
  const targets = [inProcess('latest.oldest'), sound] as const;
  const one = await compared({ targets, seed: 9, runs: 2, maxDifferences: 1, shrinkAttempts });
  const { path = '', signature } = one.differences[0] ?? {};
  const again = await compared({ targets, seed: 9, path });
  assert.equal(again.sequences, 1);
  assert.ok(again.differences.some((other) => other.signature === signature));
  assert.equal((await compared({ targets: [sound, sound], seed: 9, path })).exit.code, 0);
});

test('with a focus only what it names decides, and a focus on nothing is refused', async () => {
  const targets = [inProcess('container.cni.one-behind', 'ae.aei.changes'), sound] as const;
  const { differences } = await compared({
    targets,
    seed: 5,
    runs: 8,
    shrinkAttempts,
    focus: ['container.cni.counts'],
  });
  assert.deepEqual(
    differences.map(({ requirement }) => requirement?.id),
    ['container.cni.counts'],
  );
  await assert.rejects(compared({ targets, focus: ['container.cnj'] }), { name: 'UsageError' });
});

test('an interruption while it shrinks still reports what was found', async () => {
  const interrupt = new AbortController();
  const onEvent = ({ type }: DiffEvent) => type === 'difference found' && interrupt.abort();
  const targets = [inProcess('container.cni.stays-zero'), sound] as const;
  const { differences, exit } = await compared({ targets, seed: 5, runs: 8, signal: interrupt.signal }, onEvent);
  assert.equal(exit.code, 130);
  assert.equal(differences[0]?.requirement?.id, 'container.cni.counts');
  assert.equal(differences[0]?.smallest, false);
});

test('two targets with URLs are left as they were', async () => {
  const cses = [createCse({ deviations: ['container.cbs.stays-zero'] }), createCse({})];
  const servers = await Promise.all(cses.map(({ http }) => serveHttp(http, { port: 0 })));
  try {
    const before = cses.map(({ core }) => core.tree.size);
    const [a, b] = servers.map(({ port }) => ({ kind: 'url', url: `http://127.0.0.1:${port}` }) as const);
    assert.ok(a && b);
    const targets = [
      { target: a, safety: {} },
      { target: b, safety: {} },
    ] as const;
    const { differences, notes } = await compared({
      targets,
      seed: 4,
      runs: 4,
      level: 'documented',
      maxDifferences: 1,
      shrinkAttempts,
    });
    assert.equal(differences[0]?.requirement?.id, 'container.cbs.counts');
    assert.equal(differences[0]?.right, 'B');
    assert.deepEqual(notes, []);
    assert.deepEqual(
      cses.map(({ core }) => core.tree.size),
      before,
    );
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
});

test('a target that does not answer is no difference, and is named', async () => {
  const nobody = { target: { kind: 'url', url: 'http://127.0.0.1:9', waitForTarget: 0 } } as const;
  const { exit } = await compared({ targets: [sound, nobody], runs: 1 });
  assert.equal(exit.code, 3);
  assert.match(exit.reason, /B: /);
});

test('what decides between the reference CSE and the stand-in of OpenMTC is a known deviation of that', async () => {
  const openmtc = await readProduct('openmtc');
  await using server = await serveProduct(openmtc);
  const known = new Set(openmtc.deviations.keys());
  const product = { target: { kind: 'url', url: server.url }, safety: {} } as const;
  const options = { seed: 5, runs: 2, level: 'documented', maxDifferences: 3, shrinkAttempts } as const;
  const { differences } = await compared({ targets: [sound, product], ...options });
  assert.equal(differences.length, 3);
  for (const { requirement, right } of differences) {
    assert.equal(right, 'A');
    assert.ok(known.has(requirement?.id ?? ''), requirement?.id);
  }
});

test('a way that only changes what a gap leaves open is reported as that gap', async () => {
  const openmtc = await readProduct('openmtc');
  const ways = openmtc.ways.filter(({ id }) => id === 'child.wrong.4000');
  assert.equal(ways.length, 1);
  await using server = await serveProduct({ ...openmtc, deviations: new Map(), ways });
  const product = { target: { kind: 'url', url: server.url }, safety: {} } as const;
  const focus = ['ae.create.below-ae', 'content-instance.create.below-ae', 'container'];
  const options = { seed: 5, runs: 80, focus, shrinkAttempts, maxDifferences: 1 };
  const { differences } = await compared({ targets: [sound, product], ...options });
  assert.notEqual(differences.length, 0);
  for (const { right, requirement, scenario, compared: answers } of differences) {
    assert.deepEqual([right, scenario, answers], ['gap', undefined, { A: '403', B: '400' }]);
    assert.match(requirement?.id ?? '', /\.create\.below-/);
  }
});
