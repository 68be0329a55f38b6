import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '../../../.ci/sample.ts';
import { tlsTour } from '../../witness/installed-tour.ts';
import { witnessOf } from '../../witness/witness.ts';
import { optionsIn } from '../language/each.ts';
import { rowSchema } from '../language/schema.ts';
import { drawDeviations } from './draw.ts';
import { type DrawnDeviation, describeDeviation } from './drawn-deviation.ts';
import { installedOperators, rowOf } from './operators.ts';

const all = installedOperators().flatMap(({ operator: name, world, about, dialect = 'documented', options }) =>
  [...optionsIn(options).keys()].map((option) => ({
    world,
    dialect,
    deviation: {
      when: { type: about === 'any exchange' ? 'm2m:cnt' : about },
      does: { [name]: option },
    } as DrawnDeviation,
  })),
);

test('each is a row, and says what it does', () => {
  for (const { deviation } of all) assert.deepEqual(rowSchema.safeParse(rowOf(deviation)).error, undefined);
  const one: DrawnDeviation = { when: { type: 'notification' }, does: { 'notify too few': '3' } };
  assert.equal(describeDeviation(one), 'notification: notify too few 3');
});

test('each has an effect in its world, which a witness shows', async () => {
  const silent: string[] = [];
  for (const { dialect, deviation } of sample(all, 5)) {
    const witness = await witnessOf([deviation], { dialect, seed: 1 });
    if (witness === undefined) silent.push(describeDeviation(deviation));
    else assert.notEqual(witness.sound, witness.deviating);
  }
  assert.deepEqual(silent, []);
});

test('a seed draws operators of a world among others, the same each time', () => {
  const drawn = (world?: 'tls' | 'pair') => {
    const endless = drawDeviations('documented', 4, world);
    return Array.from({ length: 100 }, () => endless.next().value as DrawnDeviation);
  };
  assert.deepEqual(drawn('pair'), drawn('pair'));
  const abouts = (world?: 'tls' | 'pair') => new Set(drawn(world).map(({ when }) => when.type));
  assert.ok(abouts('tls').has('certificate') && abouts('tls').has('m2m:cnt') && !abouts('tls').has('notification'));
  assert.ok(abouts('pair').has('notification') && abouts('pair').has('registration'));
  // The interface specification leaves open what is forwarded.
  assert.ok(!abouts('pair').has('forwarded request'));
  assert.ok(!abouts().has('certificate'));
});

test('a step that names no originator is told as nobody’s, in each dialect', () => {
  for (const dialect of ['documented', 'onem2m'] as const) {
    const words = tlsTour(dialect, 'onem2m').map((step) => step.description);
    assert.ok(words.includes('GET /onem2m at the gateway by nobody, certificate of nobody'), dialect);
  }
});
