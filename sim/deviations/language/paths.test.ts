import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { matches } from './pattern.ts';
import { at, Scope } from './scope.ts';
import { changedBy } from './term.ts';

const pv = { acr: [{ acor: ['CA', 'CB'], acop: 1 }, { acor: ['CA'] }] };
const scope = new Scope({ requested: () => ({ pv }), 'requested.rules': () => 2 });

describe('a path', () => {
  it('leads to what stands behind a name in all elements of a list', () => {
    assert.deepEqual(at('requested.pv.acr.acor', scope), ['CA', 'CB', 'CA']);
    assert.deepEqual(at('requested.pv.acr.acop', scope), [1]);
  });

  it('leads to the longest part that there is, and to places in lists', () => {
    assert.equal(at('requested.rules', scope), 2);
    assert.equal(at('requested.pv.acr.-1.acor.0', scope), 'CA');
    assert.equal(at('requested.pv.none.acor', scope), undefined);
  });

  it('before a term changes what stands there, in each element, and makes nothing on the way', () => {
    const changed = changedBy({ 'pv.acr.acop': { if: ['absent', 63] }, 'pvs.acr.acop': 63 }, { pv }, scope);
    assert.deepEqual(changed, {
      pv: {
        acr: [
          { acor: ['CA', 'CB'], acop: 1 },
          { acor: ['CA'], acop: 63 },
        ],
      },
    });
  });
});

describe('a path in place of a name', () => {
  it('stands for each name to which it leads, and for none where it leads nowhere', () => {
    const named = new Scope({ type: () => ({ own: ['red', 'blue'] }), requested: () => ({ red: 5 }) });
    const copied = {
      '$type.own': { pipe: ['$requested', { get: '${name}' }] },
      '$type.none': 1,
      lbl: { absent: true },
    };
    assert.deepEqual(changedBy(copied, { lbl: ['a'], blue: 1 }, named), { red: 5 });
  });
});

describe('a function', () => {
  it('keeps the first of those that are alike, or are so under a name', () => {
    const rules = [{ acor: ['CA'], acop: 1 }, { acor: ['CA'], acop: 2 }, { acor: ['CB'] }];
    assert.deepEqual(changedBy({ list: { unique: true } }, { list: [1, 2, 1] }, scope), { list: [1, 2] });
    assert.deepEqual(changedBy({ list: { unique: 'acor' } }, { list: rules }, scope), { list: [rules[0], rules[2]] });
  });

  it('sets and tests bits', () => {
    assert.deepEqual(changedBy({ acop: { 'with-bits': 16 } }, { acop: 3 }, scope), { acop: 19 });
    assert.deepEqual(
      [matches(19, { bits: 17 }, scope), matches(16, { bits: 17 }, scope), matches(undefined, { bits: 1 }, scope)],
      [true, false, false],
    );
  });
});
