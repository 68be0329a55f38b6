import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CseError } from '../core/status.ts';
import { readQuery } from './query.ts';

const refused = (query: string, message: RegExp) =>
  assert.throws(
    () => readQuery(query),
    (error) => error instanceof CseError && error.status.code === 4000 && message.test(error.message),
  );

test('an empty query says nothing', () => assert.deepEqual(readQuery(''), {}));

test('the documented discovery queries are read', () => {
  assert.deepEqual(readQuery('lbl=temperature&fu=1'), { filterCriteria: { labels: ['temperature'], filterUsage: 1 } });
  const polled = readQuery('cra=2017-03-02+16%3A12%3A53.350093%2B00%3A00&lbl=x&fu=1');
  assert.equal(polled.filterCriteria?.createdAfter, 1_488_471_173_350_093);
});

test('labels survive any characters, as form encoding and as percent-encoding', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1, maxLength: 5 }), (labels) => {
      const form = new URLSearchParams(labels.map((label) => ['lbl', label])).toString();
      const percent = labels.map((label) => `lbl=${encodeURIComponent(label)}`).join('&');
      assert.deepEqual(readQuery(form).filterCriteria?.labels, labels);
      assert.deepEqual(readQuery(percent).filterCriteria?.labels, labels);
    }),
  );
});

test('no query whatever makes anything but a reading or a refusal', () => {
  fc.assert(
    fc.property(fc.string(), (query) => {
      try {
        readQuery(query);
      } catch (error) {
        assert.ok(error instanceof CseError);
      }
    }),
  );
});

test('repeatable criteria are alternatives', () => {
  assert.deepEqual(readQuery('fu=1&ty=3&ty=4&lbl=a&lbl=b&cty=text%2Fplain').filterCriteria, {
    filterUsage: 1,
    resourceTypes: [3, 4],
    labels: ['a', 'b'],
    contentTypes: ['text/plain'],
  });
});

test('rcn and drt stand beside the filter criteria', () => {
  assert.deepEqual(readQuery('rcn=5&drt=2'), { resultContent: 5, desiredIdentifierResultType: 2 });
});

const malformed: [string, RegExp][] = [
  ['colour=red', /"colour" is not a query parameter/],
  ['__proto__=1', /is not a query parameter/],
  ['lim=1&lim=2', /lim twice/],
  ['fu=3', /fu must be one of 1, 2/],
  ['lim=-1', /lim must be a non-negative integer/],
  ['ofst=0', /ofst must be a positive integer/],
  ['lvl=0', /lvl must be a positive integer/],
  ['ty=three', /ty must be/],
  ['cra=yesterday', /cra must be an ISO 8601/],
  ['lbl=', /lbl must not be empty/],
  ['lbl', /lbl must not be empty/],
  ['lbl=%zz', /percent-encoding/],
  ['fo=4', /fo must be one of/],
  ['drt=3', /drt must be one of/],
  ['rcn=x', /rcn must be/],
];

for (const [query, message] of malformed) test(`?${query} is refused`, () => refused(query, message));
