import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CseError } from '../core/status.ts';
import { type AuthenticationRules, authentication } from '../topology/installation.ts';
import type { Peer } from './http-message.ts';

const gateway = '//openmtc.org/mn-cse-1';
const app = `${gateway}/CTest-AE`;

/** The response status code of the refusal, or `admitted`. */
function judge(
  peer: Peer | undefined,
  originator: string | undefined,
  requireCertificate = false,
  more: Partial<AuthenticationRules> = {},
): number | string {
  const check = authentication({
    requireCertificate,
    isRegisteredCse: (identifier) => identifier === gateway,
    ...more,
  });
  const headers = { 'x-m2m-origin': originator };
  try {
    check({ method: 'GET', target: '/onem2m', headers, body: new Uint8Array(), ...(peer && { peer }) });
    return 'admitted';
  } catch (error) {
    assert.ok(error instanceof CseError);
    assert.equal(error.http, 403);
    return error.status.code;
  }
}

test('over plain HTTP everybody is admitted', () => {
  assert.equal(judge(undefined, undefined, true), 'admitted');
  assert.equal(judge(undefined, app), 'admitted');
});

test('without a certificate it depends on require_cert', () => {
  assert.equal(judge({ uris: undefined }, app, true), 4107);
  assert.equal(judge({ uris: undefined }, app, false), 'admitted');
  assert.equal(judge({ uris: undefined }, undefined, false), 'admitted');
});

test('by the standard another originator than that of the certificate is not authenticated (TS-0004 7.3.2.1)', () => {
  assert.equal(judge({ uris: [app] }, 'Canother', true, { refusal: 'ORIGINATOR_NOT_AUTHENTICATED' }), 4106);
});

test('with a certificate the originator is one of its URIs, exactly', () => {
  for (const required of [true, false]) {
    assert.equal(judge({ uris: [app] }, app, required), 'admitted');
    assert.equal(judge({ uris: ['//other.org/a/b', app] }, app, required), 'admitted');
    for (const other of [undefined, '', 'CTest-AE', '/mn-cse-1/CTest-AE', `${app}/`, app.toUpperCase(), gateway]) {
      assert.equal(judge({ uris: [app] }, other, required), 4103, String(other));
    }
    assert.equal(judge({ uris: [] }, app, required), 4103);
  }
});

test('a registered CSE vouches for itself and its AEs, nobody else does', () => {
  assert.equal(judge({ uris: [gateway] }, gateway), 'admitted');
  assert.equal(judge({ uris: [gateway] }, app), 'admitted');
  assert.equal(judge({ uris: [gateway] }, '//openmtc.org/mn-cse-10/CApp'), 4103);
  assert.equal(judge({ uris: ['//openmtc.org/in-cse-1'] }, '//openmtc.org/in-cse-1/CApp'), 4103);
  assert.equal(judge({ uris: ['//openmtc.org'] }, app), 4103);
});
