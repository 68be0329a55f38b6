import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { escapedPath, formEncoded, pathSegment, withQuery } from './wire.ts';

/** fast-check's own unit `binary` first writes down every character that there is, which takes a second. */
const anyText = fc.array(fc.nat(0x10ffff)).map((points) => String.fromCodePoint(...points).toWellFormed());

const text = fc.string({ unit: 'grapheme' });

test('a timestamp in a query is written as the specification shows it', () => {
  const query = { cra: '2017-03-02 16:12:53.350093+00:00', lbl: 'a b', fu: 1 };
  assert.equal(withQuery('/x', query), '/x?cra=2017-03-02+16%3A12%3A53.350093%2B00%3A00&lbl=a+b&fu=1');
});

test('lists repeat a parameter, null gives a name alone, a query that is there goes on', () => {
  assert.equal(withQuery('/x?a=1', { lbl: ['u', 'v'], flag: null, yes: true }), '/x?a=1&lbl=u&lbl=v&flag&yes=true');
  assert.equal(withQuery('/x', {}), '/x');
});

test('whatever goes into a query comes out of it', () => {
  fc.assert(
    fc.property(fc.dictionary(text, fc.array(text, { minLength: 1 })), (query) => {
      const path = withQuery('/x', query);
      assert.match(path, /^[!-~]*$/);
      const parsed = new URLSearchParams(path.slice(path.indexOf('?') + 1));
      for (const [name, values] of Object.entries(query)) assert.deepEqual(parsed.getAll(name), values);
    }),
  );
});

test('an escaped path can stand in a request line, and escaping it again changes nothing', () => {
  fc.assert(
    fc.property(anyText, (path) => {
      const escaped = escapedPath(path);
      assert.match(escaped, /^[!-~]*$/);
      assert.equal(escapedPath(escaped), escaped);
    }),
  );
  assert.equal(escapedPath('/a%20b/é ü?x=%2B'), '/a%20b/%C3%A9%20%C3%BC?x=%2B');
});

test('a name becomes one segment', () => {
  fc.assert(
    fc.property(text, (name) => {
      assert(!/[/?#]/.test(pathSegment(name)));
      assert.equal(decodeURIComponent(pathSegment(name)), name);
    }),
  );
});

test('a lone surrogate does no harm', () => {
  assert.equal(formEncoded('\ud800'), '%EF%BF%BD');
});
