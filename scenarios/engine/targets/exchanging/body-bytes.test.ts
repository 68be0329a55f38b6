import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BodyBytes } from './body-bytes.ts';

test('a body is the same in whatever parts it comes', () => {
  const parts = fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 8 });
  fc.assert(
    fc.property(parts, (lengths) => {
      const text = lengths.map((length, at) => String.fromCharCode(97 + at).repeat(length));
      const bytes = new BodyBytes(1_000_000);
      assert(text.every((part) => bytes.add(Buffer.from(part))));
      assert.equal(bytes.text(), text.join(''));
    }),
  );
});

test('a part that does not fit is not added', () => {
  const bytes = new BodyBytes(5);
  assert.deepEqual([bytes.add(Buffer.from('abc')), bytes.add(Buffer.from('def')), bytes.text()], [true, false, 'abc']);
});

test('a body in very many parts takes no more memory than in one', () => {
  const bytes = new BodyBytes(2_000_000);
  const part = Buffer.alloc(1, 'a');
  const before = process.memoryUsage().rss;
  for (let count = 0; count < 2_000_000; count += 1) bytes.add(part);
  assert(process.memoryUsage().rss - before < 64 * 1024 * 1024);
  assert.equal(bytes.length, 2_000_000);
});
