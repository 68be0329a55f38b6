import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { check } from '../../check.ts';
import type { ExploreResult } from '../exploration.ts';
import { type ExploreOptions, explore } from '../explore.ts';

const inProcess = (faults: readonly string[] = []) => ({ kind: 'in-process', faults }) as const;

async function explored(options: Omit<ExploreOptions, 'pair'>): Promise<ExploreResult> {
  const events = explore({ ...options, pair: true });
  let step = await events.next();
  while (!step.done) step = await events.next();
  return step.value;
}

/** The ids of what is violated when a scenario file runs on the reference CSE. */
async function violatedBy(scenario: string, faults: readonly string[]): Promise<string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'cselab-counterexample-'));
  const file = join(directory, 'counterexample.yaml');
  writeFileSync(file, scenario);
  try {
    const events = check({ target: { kind: 'embedded', faults }, files: [file], again: false });
    let step = await events.next();
    while (!step.done) step = await events.next();
    return step.value.requirements.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

for (const [seed, level] of [
  [21, 'documented'],
  [22, 'gap'],
] as const) {
  test(`nothing is found on the reference pair by what is judged of the ${level} level`, async () => {
    const { counterexample, exit, exercised } = await explored({ target: inProcess(), seed, runs: 60, level });
    assert.equal(counterexample?.scenario, undefined);
    assert.equal(exit.code, 0);
    const { operations, requirements } = exercised;
    for (const does of ['create', 'retrieve', 'update', 'delete', 'discover', 'retrieve newest or oldest']) {
      assert.ok(operations[`${does} through the other CSE`], does);
    }
    assert.equal('forwarding.create' in requirements, level === 'gap');
  });
}

const found: ReadonlyArray<readonly [fault: string, requirement: string, steps: number]> = [
  ['pair.handed-on.creation-uncounted', 'container.cni.counts', 4],
  ['pair.handed-on.creation-not-discovered', 'discovery.label.finds', 4],
  ['pair.handed-on.update-creates-anew', 'common.ct.stable', 3],
  ['pair.for-the-other.creation-takes-the-name', 'ae.create.status', 2],
];

for (const [fault, requirement, steps] of found) {
  test(`${fault} is found, and the scenario that is left fails there and nowhere else`, async () => {
    const { counterexample, exit } = await explored({ target: inProcess([fault]), seed: 5, runs: 400 });
    assert.equal(counterexample?.requirement, requirement);
    assert.equal(exit.code, 1);
    assert.equal(counterexample?.confirmed, true);
    const { scenario = '' } = counterexample ?? {};
    assert.ok((counterexample?.steps.length ?? 99) <= steps, scenario);
    assert.deepEqual(await violatedBy(scenario, [fault]), [requirement]);
    assert.deepEqual(await violatedBy(scenario, []), []);
  });
}

test('what shows only when a registration is renewed is found, and its path replays it', async () => {
  const target = inProcess(['pair.renewal.loses-labels']);
  const { counterexample } = await explored({ target, seed: 5, runs: 400 });
  assert.equal(counterexample?.requirement, 'discovery.label.finds');
  assert.equal(counterexample?.confirmed, true);
  assert.match(counterexample?.scenario ?? '', /advance: /);
  const again = await explored({ target, seed: 5, path: counterexample?.path ?? '' });
  assert.equal(again.counterexample?.requirement, 'discovery.label.finds');
});

test('a fault that needs no other CSE is found in a pair as well', async () => {
  const { counterexample } = await explored({ target: inProcess(['container.cni.one-behind']), seed: 5 });
  assert.equal(counterexample?.requirement, 'container.cni.counts');
  assert.equal(counterexample?.confirmed, true);
});

test('a target of which no backend is told is no pair', async () => {
  const target = { kind: 'url', url: 'http://127.0.0.1:9' } as const;
  await assert.rejects(explored({ target }), { name: 'UsageError', message: /--backend-url/ });
});
