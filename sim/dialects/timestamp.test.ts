import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readTimestamp, writeTimestamp } from './timestamp.ts';

const moments = fc.integer({ min: Date.UTC(1000, 0) * 1000, max: Date.UTC(9999, 11, 31) * 1000 });

test('what is written is read back, to the microsecond', () => {
  fc.assert(fc.property(moments, (moment) => assert.equal(readTimestamp(writeTimestamp(moment)), moment)));
});

test('what is written has the documented shape and sorts like time', () => {
  fc.assert(
    fc.property(moments, moments, (one, other) => {
      assert.match(writeTimestamp(one), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/);
      assert.equal(writeTimestamp(one) < writeTimestamp(other), one < other);
    }),
  );
});

const moment = Date.UTC(2017, 2, 2, 16, 12, 53) * 1000;
const forms: [string, number][] = [
  ['2017-03-02T16:12:53.350093+00:00', moment + 350_093],
  ['2017-03-02 16:12:53.350093+00:00', moment + 350_093],
  ['2017-03-02T16:12:53.350093 00:00', moment + 350_093],
  ['2017-03-02T16:12:53.350093Z', moment + 350_093],
  ['2017-03-02T16:12:53', moment],
  ['2017-03-02 16:12:53,5', moment + 500_000],
  ['20170302T161253', moment],
  ['20170302T161253,350093', moment + 350_093],
  ['20170302 161253.350093999', moment + 350_093],
  ['20170302T171253+0100', moment],
  ['2017-03-02T11:12:53-05:00', moment],
  ['2017-03-02T18:12:53+02', moment],
];

for (const [text, expected] of forms) {
  test(`${text} is read`, () => assert.equal(readTimestamp(text), expected));
}

const refused = [
  '',
  'yesterday',
  '2017-03-02',
  '2017-13-02T16:12:53',
  '2017-02-30T16:12:53',
  '2017-03-02T24:12:53',
  '2017-03-02T16:60:53',
  '2017-03-02T16:12:61',
  '2017-03-02T16:12:53+25:00',
  '2017-03-02T16:12:53.',
  '1488471173',
  '0000-01-01T00:00:00',
];

for (const text of refused) {
  test(`${JSON.stringify(text)} is no timestamp`, () => assert.equal(readTimestamp(text), undefined));
}
