import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hostileText } from '../testing/sample-scenarios.ts';
import { visibleLines, visibleText } from './wording.ts';

/** fast-check's own unit `binary` first writes down every character that there is, which takes a second. */
const anyText = fc.array(fc.nat(0x10ffff)).map((points) => String.fromCodePoint(...points).toWellFormed());

test('what a terminal would act on is written as an escape', () => {
  assert.equal(visibleText('\u001b[2J\u0000\u009b\r\n\t\u202e\ud800'), '\\x1b[2J\\x00\\x9b\\r\\n\\t\\u{202e}\\u{d800}');
});

test('letters, emoji and their joiners stay as they are', () => {
  assert.equal(visibleText('Grüße, 日本 👩‍🔧'), 'Grüße, 日本 👩‍🔧');
});

test('no control character of any text is left', () => {
  const text = fc.oneof(anyText, fc.constant(hostileText));
  fc.assert(
    fc.property(text, (given) => !/[\p{Cc}\p{Cs}\p{Bidi_Control}]/u.test(visibleText(given))),
    { seed: 9 },
  );
});

test('line breaks of a body stay line breaks', () => {
  assert.deepEqual(visibleLines('a\r\nb\n\tc\rd'), ['a', 'b', '  c\\rd']);
});
