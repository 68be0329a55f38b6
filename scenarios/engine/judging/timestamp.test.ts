import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type TimestampForm, timestampForms } from '../grammar/grammar-step.ts';
import { isDocumentedTimestamp, parseTimestamp, writeTimestamp } from './timestamp.ts';

test('only the documented shape of a real date is the documented timestamp', () => {
  for (const text of ['2017-03-02T16:12:53.350093+00:00', '2016-02-29T00:00:00.000000-05:30']) {
    assert(isDocumentedTimestamp(text), text);
  }
  const wrong = [
    '2017-03-02T16:12:53.35009+00:00',
    '2017-03-02T16:12:53.350093Z',
    '2017-03-02 16:12:53.350093+00:00',
    '20170302T161253,350093',
    '2017-02-29T00:00:00.000000+00:00',
    '2017-13-01T00:00:00.000000+00:00',
    '2017-03-02T24:00:00.000000+00:00',
    '2017-03-02T16:60:00.000000+00:00',
    '2017-03-02T16:12:53.350093+25:00',
    ' 2017-03-02T16:12:53.350093+00:00',
    '',
    20170302,
    null,
  ];
  for (const text of wrong) assert(!isDocumentedTimestamp(text), String(text));
});

test('offsets are taken into account', () => {
  assert.equal(parseTimestamp('2017-03-02T16:00:00.000000+01:30'), parseTimestamp('2017-03-02T14:30:00Z'));
});

const micros = fc.bigInt({ min: 0n, max: 253_370_764_800_000_000n });
const exact = timestampForms.filter((form) => form !== 'to the second, rounded up');

test('an instant survives every exact form', () => {
  fc.assert(
    fc.property(micros, fc.constantFrom<TimestampForm>(...exact), (instant, form) => {
      assert.equal(parseTimestamp(writeTimestamp(instant, form)), instant);
    }),
  );
});

test('rounded up means the next full second, or the same', () => {
  fc.assert(
    fc.property(micros, (instant) => {
      const up = parseTimestamp(writeTimestamp(instant, 'to the second, rounded up')) ?? 0n;
      assert(up >= instant && up - instant < 1_000_000n && up % 1_000_000n === 0n);
    }),
  );
});

test('each form looks as its name says', () => {
  const instant = parseTimestamp('2017-03-02T16:12:53.350093+00:00') ?? 0n;
  const written = timestampForms.map((form) => [form, writeTimestamp(instant, form)]);
  assert.deepEqual(Object.fromEntries(written), {
    'as documented': '2017-03-02T16:12:53.350093+00:00',
    'with a space': '2017-03-02 16:12:53.350093+00:00',
    basic: '20170302T161253,350093+0000',
    'basic without zone': '20170302T161253,350093',
    'without zone': '2017-03-02T16:12:53.350093',
    'with Z': '2017-03-02T16:12:53.350093Z',
    'to the second, rounded up': '2017-03-02T16:12:54+00:00',
  });
});
