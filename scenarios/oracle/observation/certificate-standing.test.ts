import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Judge } from '../judge.ts';
import { rulesOf } from '../rules.ts';
import { type AnswerSpec, exchange, names } from '../testing/judge.ts';
import { standingOf } from './certificate-standing.ts';

const own = '//openmtc.org/mn-cse-1/Cown';

/** What a request breaks that a certificate came with, at a CSE that demands one unless it is said otherwise. */
function broken(
  request: string,
  told: AnswerSpec,
  {
    certificate,
    from = own,
    demandsCertificate = true,
  }: { certificate?: string; from?: string; demandsCertificate?: boolean },
): string[] {
  const rules = rulesOf('documented');
  const one = new Judge({ rules, dialect: 'documented', names, demandsCertificate, levelOf: () => 'documented' });
  const sent = exchange(request, undefined, { ...told, headers: { 'X-M2M-Origin': from } });
  const presented = { ...sent, ...(certificate !== undefined && { certificate }) };
  return one.judge(presented, { uris: [own] }).map(({ requirement }) => requirement);
}

const wrong = [
  [{}, 'tls.certificate-required'],
  [{ certificate: 'expired' }, 'tls.certificate.validity'],
  [{ certificate: 'not yet valid' }, 'tls.certificate.validity'],
  [{ certificate: 'self-signed' }, 'tls.certificate.issuer'],
  [{ certificate: 'other authority' }, 'tls.certificate.issuer'],
  [{ certificate: 'own', from: '//openmtc.org/mn-cse-1/Canother' }, 'tls.originator.bound'],
] as const;
const requests = [
  'GET /onem2m',
  'GET /~/mn-cse-1/onem2m?fu=1&lbl=a',
  'GET /onem2m/box/latest',
  'GET /cnt7',
  'POST /_/openmtc.org/mn-cse-1/onem2m/box',
  'PUT /onem2m/box',
  'DELETE /onem2m/box/',
];

for (const [how, requirement] of wrong) {
  test(`no request succeeds that ${requirement} forbids, for any operation (${Object.values(how).join(', ') || 'nothing presented'})`, () => {
    for (const request of requests) {
      assert.deepEqual(broken(request, { status: 200 }, how), [requirement], request);
      assert.deepEqual(broken(request, { status: 403 }, how), [], request);
      assert.deepEqual(broken(request, { status: 200 }, { ...how, demandsCertificate: false }), [], request);
    }
  });
}

test('a client with an accepted certificate is not told that it has none', () => {
  const refused = { status: 403, body: { 'm2m:dbg': 'no' } };
  const coded = (code: string) => {
    const told = exchange('GET /onem2m', undefined, { ...refused, headers: { 'X-M2M-Origin': own } });
    const answer = { status: 403, body: '', headers: [['X-M2M-RSC', code]] as const };
    const one = new Judge({
      ...{ rules: rulesOf('documented'), dialect: 'documented', names, demandsCertificate: true },
      levelOf: () => 'documented',
    });
    return one.judge({ ...told, answer, certificate: 'own' }, { uris: [own] }).map(({ requirement }) => requirement);
  };
  assert.deepEqual(coded('4107'), ['generic-client.cert']);
  assert.deepEqual(coded('4103'), []);
});

test('a certificate for servers only is refused in the onem2m dialect, and implementation-defined in the other', () => {
  const served = exchange('GET /onem2m', undefined, { status: 200, headers: { 'X-M2M-Origin': own } });
  const brokenIn = (dialect: 'documented' | 'onem2m') => {
    const rules = rulesOf(dialect).filter(({ when }) => when.certificate !== undefined);
    const one = new Judge({ rules, dialect, names, demandsCertificate: true, levelOf: () => 'standard' });
    return one.judge({ ...served, certificate: 'server only' }, { uris: [own] }).map(({ requirement }) => requirement);
  };
  assert.deepEqual(brokenIn('onem2m'), ['std.certificate.purpose']);
  assert.deepEqual(brokenIn('documented'), []);
});

test('uncertain certificates lead to no expectation', () => {
  const uris = [own];
  const open = [
    { certificate: 'backend', uris: ['//openmtc.org/in-cse-1'], originator: own },
    { certificate: 'no alternative names', uris: [], originator: own },
    { certificate: 'own', uris, originator: undefined },
    { certificate: 'own', uris, originator: 'Cown' },
    { certificate: 'own', uris: undefined, originator: own },
  ];
  assert.deepEqual(
    open.map((one) => standingOf(one)),
    open.map(() => undefined),
  );
});
