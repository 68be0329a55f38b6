import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CertificateFilesError } from './certificate-files-error.ts';
import type { MakeFlags } from './certs-command.ts';
import { readRequest } from './run-certs.ts';
import { shippedHolders } from './shipped.ts';

const usual: MakeFlags = { out: 'out', gateway: 'mn-cse-1', backend: 'in-cse-1', spId: 'openmtc.org', days: 365 };

function refusal(flags: Partial<MakeFlags>): string {
  try {
    readRequest({ ...usual, ...flags });
  } catch (error) {
    if (error instanceof CertificateFilesError) return error.message;
    throw error;
  }
  return '';
}

test('the default request has the names and the holders of the shipped ones', () => {
  assert.deepEqual(readRequest(usual).options, {
    holders: { ...shippedHolders },
    refused: '//openmtc.org/mn-cse-1/CTest-AE',
    days: 365,
    hosts: [],
  });
});

test('an application is below the gateway unless absolute, and requested once', () => {
  const ae = ['CMyApp', '//sp.example/cse/Sensor', 'C', 'CMyApp'];
  assert.deepEqual(readRequest({ ...usual, ae, gateway: 'gw' }).applications, [
    { name: 'my-app', identifier: '//openmtc.org/gw/CMyApp' },
    { name: 'sensor', identifier: '//sp.example/cse/Sensor' },
    { name: 'c', identifier: '//openmtc.org/gw/C' },
  ]);
});

test('all problems are reported at once', () => {
  const problems = refusal({ gateway: '../x', spId: '', ae: ['a b', '//sp/cse'], host: ['bad host'], days: 0 });
  assert.deepEqual(
    problems.split('\n').map((line) => line.split(' ')[0]),
    ['--gateway', '--sp-id', '--ae', '--ae', '--host', '--days'],
  );
});

test('two certificates cannot be one file', () => {
  assert.match(refusal({ ae: ['CApp', '//openmtc.org/in-cse-1/CApp'] }), /in-cse-1\/CApp would both be app\.cert\.pem/);
  assert.match(refusal({ ae: ['CTestIPE', 'CTest-IPE'] }), /would both be test-ipe\.cert\.pem/);
  assert.match(refusal({ gateway: 'one', backend: 'one' }), /would both be one-client-server\.cert\.pem/);
});

test('an identifier is written in unreserved characters', () => {
  for (const ae of ['', '/', 'a/b', "C'x", 'Cé', 'C x', '//sp//x', '/mn-cse-1/CApp', '//sp/cse/ae/more'])
    assert.match(refusal({ ae: [ae] }), /^--ae .*neither an AE-ID/, ae);
  assert.equal(refusal({ ae: ['C-._~9', 'Sx'] }), '');
});

test('a host is a DNS name or an address', () => {
  const good = [
    'gateway',
    'gateway.example',
    '*.example',
    '192.0.2.7',
    '2001:db8::7',
    '::ffff:192.0.2.7',
    'a_b.example',
  ];
  assert.equal(refusal({ host: good }), '');
  for (const host of ['', 'a b', '999.1.1.1', 'a:b', 'fe80::1%eth0', 'http://x', 'x..y', '*'])
    assert.match(refusal({ host: [host] }), /^--host .* is neither a DNS name nor an address$/, host);
});

test('a year cannot have five digits', () => {
  assert.match(refusal({ days: 999_999_999 }), /is not between 1 and 36500/);
  assert.equal(refusal({ days: 36_500 }), '');
});
