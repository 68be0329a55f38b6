import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deviation } from './deviation.ts';
import { attributesIn, operatorOf } from './deviation.ts';
import { drawDeviations } from './draw.ts';
import { witnessOf } from './witness.ts';

function firstOf(dialect: 'documented' | 'onem2m', count: number, seed: number): Deviation[] {
  const found: Deviation[] = [];
  for (const one of drawDeviations(dialect, seed)) {
    if (found.length === count) break;
    found.push(one);
  }
  return found;
}

test('a seed draws the same deviations each time, another seed others', () => {
  assert.deepEqual(firstOf('onem2m', 50, 7), firstOf('onem2m', 50, 7));
  assert.notDeepEqual(firstOf('onem2m', 50, 7), firstOf('onem2m', 50, 8));
  const many = firstOf('documented', 300, 1).map((one) => JSON.stringify(one));
  assert.equal(new Set(many).size, many.length);
});

test('every operator is drawn, and in the documented dialect only what its specification speaks of', () => {
  const operators = new Set(firstOf('onem2m', 3000, 1).map(operatorOf));
  assert.deepEqual([...operators].sort(), [
    ...['add', 'borrow', 'drop', 'freeze', 'ignore', 'letters', 'lose', 'pretend', 'refuse', 'reject', 'repeat'],
    ...['stale', 'stop', 'succeed', 'swap', 'truncate', 'trust', 'wrap'],
  ]);
  const documented = firstOf('documented', 1000, 1);
  assert.deepEqual([...new Set(documented.flatMap(({ when }) => when.type ?? []))].sort(), [
    'm2m:ae',
    'm2m:cin',
    'm2m:cnt',
  ]);
  assert.ok(documented.every(({ when }) => when.operation !== 'update'));
  const names = new Set(documented.flatMap(attributesIn));
  for (const unsaid of ['lbl', 'nl', 'acpi', 'mni']) assert.ok(!names.has(unsaid), unsaid);
});

test('a witness is the shortest sequence that shows it, and what does nothing has none', async () => {
  const dropped: Deviation = { when: { type: 'm2m:cnt', operation: 'retrieve' }, does: { drop: 'cni' } };
  const witness = await witnessOf([dropped], { dialect: 'documented', seed: 1 });
  assert.deepEqual(
    witness?.requests.map((request) => request.split(' ')[0]),
    ['create', 'retrieve'],
  );
  assert.match(witness?.sound ?? '', /"cni":0/);
  assert.doesNotMatch(witness?.deviating ?? '', /cni/);
  const nothing: Deviation = { when: { type: 'm2m:cnt' }, does: { stop: 'cni', at: 100_000 } };
  assert.equal(await witnessOf([nothing], { dialect: 'documented', seed: 1, runs: 40 }), undefined);
});

test('what the answer to a DELETE shows is no witness', async () => {
  const kept: Deviation = { when: { type: 'm2m:ae', operation: 'delete' }, does: { pretend: 'delete' } };
  const witness = await witnessOf([kept], { dialect: 'documented', seed: 1 });
  assert.deepEqual(
    witness?.requests.map((request) => request.split(' ')[0]),
    ['create', 'delete', 'create'],
  );
});
