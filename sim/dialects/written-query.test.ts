import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestPrimitive } from '../core/primitive.ts';
import { readQuery, writeQuery } from './query.ts';

const request: RequestPrimitive = {
  operation: 'retrieve',
  to: 'x',
  resultContent: 6,
  desiredIdentifierResultType: 2,
  responseType: 2,
  resultPersistence: 90_500_000,
  attributeList: ['rn', 'lbl'],
  roles: ['1234-abcd@role-issuer.com'],
  filterCriteria: {
    filterUsage: 1,
    labels: ['a b', 'c+d', 'e&f', 'ü'],
    resourceTypes: [3, 4],
    contentTypes: ['text/plain'],
    createdAfter: 1_488_471_173_350_093,
    expireBefore: 1_488_471_173_000_000,
    sizeAbove: 7,
    limit: 3,
    offset: 2,
    level: 1,
    filterOperation: 2,
    applyRelativePath: 'a/b',
    childResourceTypes: [4],
    childLabels: ['x'],
    parentLabels: ['y z'],
    parentResourceTypes: [2],
    attributes: [
      ['rn', 'a*'],
      ['cr', 'C=1'],
    ],
    childAttributes: [['cnf', 'text/plain:0']],
    parentAttributes: [['api', 'N']],
  },
};

for (const dialect of ['documented', 'onem2m'] as const) {
  test(`in the ${dialect} dialect what is written is read as it was`, () => {
    const { operation: _operation, to: _to, ...parts } = request;
    const rules = {
      dialect,
      attributes: new Set(['rn', 'cr', 'cnf', 'api']),
      now: () => 0,
    } as const;
    assert.deepEqual(readQuery(writeQuery(request, dialect), rules), parts);
  });
}

test('a request that says nothing has no query', () => {
  assert.equal(writeQuery({ operation: 'retrieve', to: 'x', from: 'C' }, 'onem2m'), '');
});
