import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { witnessOf } from '../../witness/witness.ts';
import { drawDeviations } from './draw.ts';
import type { DrawnDeviation } from './drawn-deviation.ts';
import { sequencesOf } from './generated-requests.ts';
import { attributesIn, operatorOf } from './operators.ts';

function firstOf(dialect: 'documented' | 'onem2m', count: number, seed: number): DrawnDeviation[] {
  const found: DrawnDeviation[] = [];
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

test('every operator is drawn, and in the documented dialect only what it specifies', () => {
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

test('identifiers and addresses lose no letter that they cannot have', () => {
  const lost = firstOf('onem2m', 3000, 1).flatMap(({ does }) => ('letters' in does ? [does.in] : []));
  assert.ok(lost.includes('lbl') && lost.includes('apn'));
  for (const name of ['poa', 'hcl', 'dcse', 'nl', 'acpi']) assert.ok(!lost.includes(name), name);
});

test('a witness is a short sequence that shows a deviation, and one without effect has none', async () => {
  const dropped: DrawnDeviation = { when: { type: 'm2m:cnt', operation: 'retrieve' }, does: { drop: 'cni' } };
  const witness = await witnessOf([dropped], { dialect: 'documented', seed: 1 });
  const operations = witness?.requests.map((request) => request.split(' ')[0]) ?? [];
  // An application entity, a container in it, and a look at that; shrinking may leave one more.
  assert.ok(operations.length >= 3 && operations.length <= 4, String(operations));
  assert.equal(operations.at(-1), 'retrieve');
  assert.match(witness?.sound ?? '', /"cni":0/);
  assert.doesNotMatch(witness?.deviating ?? '', /cni/);
  const nothing: DrawnDeviation = { when: { type: 'm2m:cnt' }, does: { stop: 'cni', at: 100_000 } };
  assert.equal(await witnessOf([nothing], { dialect: 'documented', seed: 1, runs: 40 }), undefined);
});

test('the code of a refusal is no witness, except for deviations about it', async () => {
  const rejected: DrawnDeviation = { when: { type: 'm2m:req' }, does: { reject: 4004 } };
  assert.equal(await witnessOf([rejected], { dialect: 'onem2m', seed: 1, runs: 40 }), undefined);
  const refused: DrawnDeviation = { when: {}, does: { refuse: [4103, 4004] } };
  const witness = await witnessOf([refused], { dialect: 'onem2m', seed: 1 });
  assert.match(witness?.sound ?? '', /^4103/);
  assert.match(witness?.deviating ?? '', /^4004/);
});

test('rights at the CSE base are no witness', async () => {
  for (const when of [
    { type: 'm2m:cb', operation: 'retrieve' },
    { type: 'm2m:nod', operation: 'create' },
  ] as const) {
    const trusting: DrawnDeviation = { when, does: { trust: 'anybody' } };
    assert.equal(await witnessOf([trusting], { dialect: 'onem2m', seed: 1, runs: 40 }), undefined);
  }
});

test('no sequence of the documented dialect does anything unspecified', () => {
  const sequences = fc.sample(sequencesOf({}, 'documented'), { seed: 1, numRuns: 100 });
  const steps = sequences.flat();
  assert.ok(steps.length > 1000);
  assert.ok(steps.every(({ operation, rcn }) => operation !== 'update' && rcn === undefined));
  assert.ok(steps.every(({ form }) => form === 'names' || form === 'SP-relative'));
  assert.ok(steps.every(({ operation, form }) => operation !== 'discover' || form === 'SP-relative'));
});

test('the body of an answer to a DELETE is no witness', async () => {
  const kept: DrawnDeviation = { when: { type: 'm2m:ae', operation: 'delete' }, does: { pretend: 'delete' } };
  const witness = await witnessOf([kept], { dialect: 'documented', seed: 1 });
  assert.deepEqual(
    witness?.requests.map((request) => request.split(' ')[0]),
    ['create', 'delete', 'retrieve'],
  );
});

test('the order of members is no witness, and a witness names the query', async () => {
  const same = { when: { type: 'm2m:ae' }, does: { borrow: 'nl' } } as const;
  assert.equal(await witnessOf([same], { dialect: 'documented', seed: 1, runs: 60 }), undefined);
  const doubled = { when: { type: 'm2m:cb', operation: 'retrieve' }, does: { repeat: 'last' } } as const;
  const witness = await witnessOf([doubled], { dialect: 'onem2m', seed: 1 });
  assert.match(witness?.requests.at(-1) ?? '', /(filter|rcn=)/);
});
