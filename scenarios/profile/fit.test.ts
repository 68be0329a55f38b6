import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Deviation } from '../../sim/index.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { culpritIn, type Failures, type Fitted, fit, likeness, type ProfileTrial } from './fit.ts';

const known = (...ids: readonly string[]): Deviation[] =>
  ids.map((id) => ({ id, violates: id.split('/')[0] ?? '', says: `It does ${id}.` }));

const failing = (...ids: readonly string[]): Failures => new Map(ids.map((id) => [id, new Set([id])]));

/** Each deviation violates what its name begins with, unless `seen` says otherwise. */
function trialOf(seen: (deviation: string, beside: readonly string[]) => readonly string[] | undefined): ProfileTrial {
  return async (deviations, requirements) => {
    const violated = deviations.flatMap((one) => seen(one, deviations) ?? [one.split('/')[0] ?? '']);
    return failing(...violated.filter((id) => requirements === undefined || requirements.includes(id)));
  };
}

const fitted = (violated: Failures, from: readonly Deviation[], trial: ProfileTrial): Promise<Fitted> =>
  lastOf(fit(violated, from, trial));

describe('the deviations of a product', () => {
  test('are one for each requirement that it violates, as far as any is known', async () => {
    const { deviations, notImitated, beyond } = await fitted(
      failing('a', 'b', 'c'),
      known('a/1', 'b/1', 'd/1'),
      trialOf(() => undefined),
    );
    assert.deepEqual([[...deviations.values()], notImitated, beyond], [['a/1', 'b/1'], ['c'], []]);
  });

  test('fail as it does, where several violate the same', async () => {
    const product: Failures = new Map([['a', new Set(['x is 1', 'y is 2'])]]);
    const told: ReadonlyMap<string, readonly string[]> = new Map([
      ['a/1', ['x is 3']],
      ['a/2', ['x is 1', 'y is 5']],
      ['a/3', ['x is 1', 'y is 2']],
    ]);
    const trial: ProfileTrial = async (deviations) =>
      new Map(deviations.map((one) => ['a', new Set(told.get(one) ?? [])] as const));
    assert.deepEqual([...(await fitted(product, known('a/1', 'a/2', 'a/3'), trial)).deviations.values()], ['a/3']);
    assert.equal(likeness(new Set(['x', 'y']), new Set(['x', 'z'])), 1 / 3);
    assert.equal(likeness(undefined, new Set(['x'])), 0);
  });

  test('are one for several requirements, where it cannot help but violate them all', async () => {
    const [cause = assert.fail()] = known('a/cause');
    const { deviations } = await fitted(
      failing('a', 'b', 'c'),
      [{ ...cause, also: ['b'] }, ...known('b/1', 'c/1')],
      trialOf((one) => (one === 'a/cause' ? ['a', 'b'] : undefined)),
    );
    assert.deepEqual(
      [...deviations],
      [
        ['a', 'a/cause'],
        ['b', 'a/cause'],
        ['c', 'c/1'],
      ],
    );
  });

  test('stand in an order in which one does not hide another', async () => {
    const hidesWhatIsInside = trialOf((one, beside) =>
      one === 'a/1' && beside.indexOf('c/1') > beside.indexOf('a/1') ? [] : undefined,
    );
    const { deviations, notImitated } = await fitted(
      failing('a', 'b', 'c'),
      known('a/1', 'b/1', 'c/1'),
      hidesWhatIsInside,
    );
    assert.deepEqual([[...deviations.values()], notImitated], [['b/1', 'c/1', 'a/1'], []]);
  });

  test('are others where one hides another in any order', async () => {
    const trial = trialOf((one, beside) => (one !== 'c/1' && beside.includes('c/1') ? [] : undefined));
    const { deviations } = await fitted(failing('a', 'b', 'c'), known('a/1', 'b/1', 'c/1', 'c/2'), trial);
    assert.deepEqual([...deviations.values()].toSorted(), ['a/1', 'b/1', 'c/2']);
  });

  test('lack the one that hides several', async () => {
    const trial = trialOf((one, beside) => (one !== 'c/1' && beside.includes('c/1') ? [] : undefined));
    const { deviations, notImitated } = await fitted(failing('a', 'b', 'c'), known('a/1', 'b/1', 'c/1'), trial);
    assert.deepEqual([[...deviations.keys()].toSorted(), notImitated], [['a', 'b'], ['c']]);
  });

  test('lack the one that breaks what the product keeps, unless another does not', async () => {
    const trial = trialOf((one) => (one === 'b/1' || one === 'c/1' ? [one.slice(0, 1), 'kept'] : undefined));
    const { deviations, notImitated, beyond } = await fitted(
      failing('a', 'b', 'c'),
      known('a/1', 'b/1', 'b/2', 'c/1'),
      trial,
    );
    assert.deepEqual([[...deviations.values()], notImitated, beyond], [['a/1', 'b/2'], ['c'], []]);
  });

  test('are none that nobody can see, or only sequences show', async () => {
    const [a = assert.fail(), b = assert.fail()] = known('a/1', 'b/1');
    const hidden: Deviation[] = [
      { ...a, equivalent: 'The same octets are written.' },
      { ...b, sequencesOnly: true },
    ];
    assert.deepEqual(
      (
        await fitted(
          failing('a', 'b'),
          hidden,
          trialOf(() => undefined),
        )
      ).notImitated,
      ['a', 'b'],
    );
  });
});

test('a culprit is found among many by halves, and none where it takes two', async () => {
  const all = Array.from({ length: 20 }, (_, index) => `${index}`);
  let asked = 0;
  const happens = async (some: readonly string[]) => {
    asked += 1;
    return some.includes('13');
  };
  assert.equal(await culpritIn(all, happens), '13');
  assert.ok(asked < 12, String(asked));
  assert.equal(await culpritIn(all, async (some) => some.includes('3') && some.includes('17')), undefined);
  assert.equal(await culpritIn(all, async () => false), undefined);
});
