import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DiffOptions, type DiffResult, diff, lastOf } from '../../scenarios/index.ts';
import { DiffDocument } from './schema.ts';

async function compared(options: DiffOptions): Promise<DiffResult> {
  return lastOf(diff(options));
}

const sound = { target: { kind: 'in-process' } } as const;
const faulty = { target: { kind: 'in-process', faults: ['ae.aei.changes', 'container.cni.one-behind'] } } as const;

test('the schema has everything that a comparison tells, and nothing else', async () => {
  const parting = { targets: [faulty, sound] as const, maxDifferences: 2 };
  for (const options of [{ targets: [sound, sound] as const }, parting]) {
    const result = await compared({ seed: 3, runs: 24, ...options });
    // As it is read by others.
    const printed: unknown = JSON.parse(JSON.stringify(result));
    assert.deepEqual(DiffDocument.parse(printed), printed);
  }
});

test('what is no comparison is refused', () => {
  assert.equal(DiffDocument.safeParse({ differences: [] }).success, false);
});
