/** The reference CSE behind TLS, and as somebody else's, by what is said of it: nothing is found, and nothing stays. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startPair } from '../sim/index.ts';
import { type CheckOptions, check, lastOf } from './index.ts';

const result = (options: CheckOptions) => lastOf(check(options));

test('behind mutual TLS, everybody with a certificate of his own, it does what the standard says', async () => {
  const { exit, scenarios } = await result({ target: { kind: 'embedded', world: 'tls' }, dialect: 'onem2m' });
  const odd = scenarios.filter(({ state }) => !['passed', 'not applicable'].includes(state)).map(({ id }) => id);
  assert.deepEqual([odd, exit.code], [[], 0], exit.reason);
  assert(scenarios.filter(({ state }) => state === 'passed').length > 950);
});

test('a live CSE is judged by the standard: it notifies the harness, and time is waited for within the budget', async () => {
  await using pair = await startPair({ dialect: 'onem2m' });
  const { url, base } = pair.gateway;
  const { scenarios, summary } = await result({
    target: { kind: 'url', url, base, admin: 'CAdmin', waitBudget: 1 },
    dialect: 'onem2m',
    ids: ['standard/generic', 'standard/notification-verification', 'standard/notification-batch'],
  });
  assert.deepEqual([summary.verdicts.violated, summary.scenarios.failed], [0, 0]);
  assert(scenarios.some(({ steps }) => steps.some(({ notifications }) => (notifications?.count ?? 0) > 0)));
  const waits = scenarios.filter(({ reason = '' }) => /Give --wait-budget/.test(reason));
  assert(waits.length > 0 && waits.every(({ state }) => state === 'not testable'));
});

test('a live gateway behind mutual TLS is judged with the one originator that its client has', async () => {
  await using pair = await startPair({ tls: 'mutual' });
  const { certs, gateway, backend } = pair;
  assert(certs);
  const tls = { own: certs.ae, cacert: certs.chain, requireCert: true };
  const target = { kind: 'url', url: gateway.url, backend: { url: backend.url }, tls, risky: 'all' } as const;
  // Not the rooms whose scenarios wait for what is to stay away: with one originator for all, they wait one after the other.
  const ids = ['documented', 'transport', 'pair'];
  const { exit, scenarios, summary, installations } = await result({ target, ids });
  const odd = scenarios.filter(({ state }) => !['passed', 'not applicable'].includes(state));
  assert.deepEqual([odd.map(({ id }) => id), exit.code], [[], 0]);
  assert.deepEqual(installations[0]?.originator, certs.ae.originator);
  assert(summary.scenarios.passed > 300 && summary.scenarios['not applicable'] > 0);
  assert.equal(summary.verdicts.violated, 0);
  assert.deepEqual(
    scenarios.flatMap(({ leftBehind }) => leftBehind),
    [],
  );
});

test('a live gateway behind mutual TLS is judged with a certificate for everybody, where others can be issued', async () => {
  const own = { base: 'cse-in', requireAuth: true, admin: 'CAdmin' };
  const options = { tls: 'mutual', issuing: true, dialect: 'onem2m' } as const;
  await using pair = await startPair({
    ...options,
    gateway: { ...own, cseId: 'mn-cse-1' },
    backend: { ...own, cseId: 'in-cse-1' },
  });
  const { certs, gateway } = pair;
  assert(certs);
  const tls = { own: certs.ae, cacert: certs.chain, certs: certs.directory.path, requireCert: true };
  const target = { kind: 'url', url: gateway.url, cseId: gateway.cseId, admin: 'CAdmin', tls, risky: 'all' } as const;
  const ids = ['standard/access-control', 'standard/registration', 'standard/certificates', 'standard/headers'];
  const { exit, scenarios, summary } = await result({ target, ids, dialect: 'onem2m' });
  const odd = scenarios.filter(({ state }) => !['passed', 'not applicable'].includes(state));
  assert.deepEqual([odd.map(({ id }) => id), exit.code, summary.verdicts.violated], [[], 0, 0]);
  const certificates = new Set(
    scenarios.flatMap(({ steps }) => steps.flatMap(({ exchange }) => exchange?.certificate ?? [])),
  );
  assert(summary.scenarios.passed > 60 && certificates.size > 80);
  assert.deepEqual(
    scenarios.flatMap(({ leftBehind }) => leftBehind),
    [],
  );
});

test('a live gateway that does without certificates is judged with and without one', async () => {
  await using pair = await startPair({ tls: 'server' });
  const { certs, gateway } = pair;
  assert(certs);
  const tls = { own: certs.ae, cacert: certs.chain, certs: certs.directory.path, requireCert: false };
  const { exit, scenarios } = await result({
    target: { kind: 'url', url: gateway.url, tls },
    ids: ['tls', 'generic-client', 'container.cr'],
  });
  const done = scenarios.filter(({ state }) => state === 'passed').flatMap(({ steps }) => steps);
  const certificates = new Set(done.map(({ exchange }) => exchange?.certificate));
  assert(certificates.has(undefined) && certificates.has('own') && certificates.has('expired'));
  assert.equal(exit.code, 0);
});
