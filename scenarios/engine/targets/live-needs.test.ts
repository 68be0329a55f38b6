import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shipped } from '../../../certs/shipped.ts';
import type { Need } from '../grammar/vocabulary.ts';
import { lackingOf, needsOf } from './live-needs.ts';
import { prepareUrl, type UrlChoice } from './url-choice.ts';

const own = shipped.certificate('test-ae');
const url = 'https://gateway';

const cases: Readonly<Record<string, readonly [UrlChoice, readonly Need[]]>> = {
  'plain HTTP': [{ url: 'http://gateway' }, ['plain HTTP', 'any originator', 'no originator', 'clock']],
  'HTTPS of which nothing more is known': [{ url }, ['https', 'any originator', 'no originator', 'clock']],
  'HTTPS with a certificate': [{ url, tls: { own } }, ['https', 'clock']],
  'a target that requires a certificate': [
    { url, tls: { own, requireCert: true } },
    ['https', 'certificate required', 'clock'],
  ],
  'a target that does without': [
    { url, tls: { own, requireCert: false } },
    ['https', 'certificate optional', 'any originator', 'no originator', 'clock'],
  ],
  'a given originator': [{ url: 'http://gateway', originator: '//sp/cse/C1' }, ['plain HTTP', 'clock']],
  'a given backend': [
    { url: 'http://gateway', backend: { url: 'http://backend' } },
    ['plain HTTP', 'backend', 'any originator', 'no originator', 'clock'],
  ],
  'the harness as backend': [
    { url: 'http://gateway', asBackend: { port: 1 } },
    ['plain HTTP', 'simulated backend', 'any originator', 'no originator', 'clock'],
  ],
  'the harness as backend, and a label to register with': [
    { url: 'http://gateway', asBackend: { port: 1, label: 'plant-7' } },
    ['plain HTTP', 'simulated backend', 'registration label', 'any originator', 'no originator', 'clock'],
  ],
  'a target on this machine': [
    { url: 'http://127.0.0.1:8000' },
    ['plain HTTP', 'any originator', 'no originator', 'notifications', 'clock'],
  ],
  'a target that reaches the harness by a name': [
    { url: 'http://gateway', inboxHost: 'tester' },
    ['plain HTTP', 'any originator', 'no originator', 'notifications', 'clock'],
  ],
  'a target that speaks as the standard does': [
    { url: 'http://gateway', dialect: 'onem2m', admin: 'CAdmin' },
    ['plain HTTP', 'any originator', 'no originator', 'notifications', 'clock', 'access control', 'admin'],
  ],
  'a target that lets everybody do everything': [
    { url: 'http://gateway', dialect: 'onem2m', accessControl: false },
    ['plain HTTP', 'any originator', 'no originator', 'notifications', 'clock'],
  ],
  'a target at which everybody is one': [
    { url: 'http://gateway', dialect: 'onem2m', originator: 'CApp', accessControl: false },
    ['plain HTTP', 'clock'],
  ],
};

for (const [name, [choice, needs]] of Object.entries(cases)) {
  test(`what a target has is known by its flags: ${name}`, async () => {
    assert.deepEqual([...needsOf(await prepareUrl(choice))], needs);
  });
}

test('what is lacking comes with what can be done about it', async () => {
  const plain = lackingOf(await prepareUrl({ url: 'http://gateway' }));
  const secure = lackingOf(await prepareUrl({ url, tls: { requireCert: false } }));
  const unknown = lackingOf(await prepareUrl({ url }));
  assert.equal(plain('https'), 'needs a target over HTTPS; this one speaks plain HTTP. Give --url https://…');
  assert.equal(plain('certificate required'), plain('https'));
  assert.equal(secure('plain HTTP'), 'needs a target over plain HTTP; this one speaks HTTPS');
  assert.equal(secure('certificate required'), 'needs a target that requires a client certificate; this one does not');
  assert.match(unknown('certificate optional'), /is not known\. Say --require-cert or --no-require-cert$/);
  assert.match(plain('backend'), /--backend-url/);
  assert.match(plain('simulated backend'), /--as-backend/);
  assert.match(plain('registration label'), /--as-backend-label/);
  assert.match(plain('notifications'), /--inbox-host/);
  assert.match(plain('admin'), /--admin/);
  assert.match(plain('access control'), /is not known\. Say --access-control$/);
});
