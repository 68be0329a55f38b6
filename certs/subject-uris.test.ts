import assert from 'node:assert/strict';
import { test } from 'node:test';
import { urisIn } from './subject-uris.ts';

test('a name cannot pass for two', () => {
  assert.deepEqual(urisIn('URI://sp/cse/a, DNS:localhost, IP Address:127.0.0.1, URI://sp/cse/b'), [
    '//sp/cse/a',
    '//sp/cse/b',
  ]);
  assert.deepEqual(urisIn('DNS:"x, URI://sp/cse/admin"'), []);
  assert.deepEqual(urisIn(String.raw`URI:"//sp/cse/\"quoted\", DNS:x"`), ['//sp/cse/"quoted", DNS:x']);
  assert.deepEqual(urisIn(''), []);
});
