import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { shipped } from '../../../certs/shipped.ts';
import { UsageError } from '../basics/diagnostics.ts';
import { prepareUrl } from './url-choice.ts';

const refused = (kind: string) => {
  const path = (ending: string) =>
    fileURLToPath(new URL(`../../../certs/refused/${kind}.${ending}.pem`, import.meta.url));
  return { cert: path('cert'), key: path('key') };
};
const prepared = (own: { cert: string; key: string }, more = {}) =>
  prepareUrl({ url: 'https://127.0.0.1:1', tls: { own }, ...more });

test('a certificate that is out of date is named before anything is sent', async () => {
  await assert.rejects(prepared(refused('expired')), (error) => {
    assert(error instanceof UsageError);
    assert.match(error.message, /expired\.cert\.pem cannot be used: it expired on \d{4}-\d\d-\d\d$/);
    return true;
  });
});

test('one without a URI is no originator; whoever names the originator may use it', async () => {
  await assert.rejects(
    prepared(refused('dns-only')),
    /dns-only\.cert\.pem cannot be used: its subjectAltName has no URI/,
  );
  assert((await prepared(refused('dns-only'), { originator: '//a/b/c' })).own);
  assert((await prepared(refused('dns-only'), { dialect: 'onem2m' })).own);
});

test('a certificate that is used for nothing is not looked at', async () => {
  assert((await prepareUrl({ url: 'http://127.0.0.1:1', tls: { own: refused('expired') } })).own);
});

test('a good one is taken', async () => {
  assert((await prepared(shipped.certificate('test-ae'))).own);
});
