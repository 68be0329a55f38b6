import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { allNeeds } from '../../files/needs.ts';
import type { Need } from '../../grammar/vocabulary.ts';
import type { Installations } from '../../running/scenario/installations.ts';
import { gatewayOf } from '../../test-cse.ts';
import { openEmbedded } from './open-embedded.ts';
import type { EmbeddedOptions } from './reference-cse.ts';

const base = { method: 'GET', path: '/onem2m', headers: [] };

async function embedded(t: TestContext, kind: EmbeddedOptions['kind'] = 'embedded', hasty = false) {
  const opened = await openEmbedded({
    kind,
    hasty,
    dialect: 'documented',
    connections: 2,
    timeout: 5000,
    startedAt: performance.now(),
  });
  assert('installations' in opened);
  t.after(() => opened.installations.close());
  return opened;
}

async function withNeeds(installations: Installations, ...needs: readonly Need[]) {
  const offer = installations.choose(allNeeds(needs));
  assert('open' in offer, JSON.stringify(offer));
  return installations.open(offer);
}

for (const kind of ['embedded', 'in-process'] as const) {
  test(`the ${kind} reference CSE answers for its base`, async (t) => {
    const opened = await embedded(t, kind);
    assert.equal(opened.description.kind, kind);
    const exchange = await gatewayOf(opened).send(base);
    assert.equal(exchange.answer?.status, 200);
    assert.match(exchange.answer?.body ?? '', /"csi":"\/mn-cse-1"/);
    assert.equal(opened.installations.opened().length, 1, 'nothing else is started until it is needed');
  });
}

test('in haste nothing is opened but the CSE itself, until a scenario needs more', async (t) => {
  const { installations } = await embedded(t, 'embedded', true);
  const [direct, ...others] = installations.opened();
  assert.deepEqual([direct?.name, others.length], ['direct', 0]);
  assert.equal((await direct?.gateway.send(base))?.answer?.status, 200);
  const names = [allNeeds(['any originator']), allNeeds(['notifications'])].map((needs) => {
    const choice = installations.choose(needs);
    return 'lacking' in choice ? choice.lacking : choice.name;
  });
  assert.deepEqual(names, ['direct', 'plain']);
});

test('both CSEs of a pair are at hand, over plain HTTP and over TLS', async (t) => {
  const { installations } = await embedded(t);
  for (const needs of [['backend'], ['backend', 'certificate optional']] as const) {
    const { gateway, backend } = await withNeeds(installations, ...needs);
    assert.equal((await gateway.send(base)).answer?.status, 200);
    assert.match((await backend?.send(base))?.answer?.body ?? '', /"csi":"\/in-cse-1"/);
  }
});

test('where a certificate is required, the own one is used, with its originator', async (t) => {
  const { installations } = await embedded(t);
  const installation = await withNeeds(installations, 'certificate required');
  assert.deepEqual(
    [installation.usualCertificate, installation.originator],
    ['own', '//openmtc.org/mn-cse-1/CTest-AE'],
  );
  const { gateway, certificates } = installation;
  const own = await certificates.find('own');
  assert('identity' in own);
  const headers = [['X-M2M-Origin', installation.originator ?? '']] as const;
  const exchange = await gateway.send({ ...base, headers }, { certificate: own });
  assert.equal(exchange.answer?.status, 200);
  assert.match(
    exchange.curl,
    /--cert certs\/test-ae\.cert\.pem --key certs\/test-ae\.key\.pem --cacert certs\/ca-chain/,
  );
});

test('a gateway registers at the harness', async (t) => {
  const { installations } = await embedded(t);
  const { simulated } = await withNeeds(installations, 'simulated backend');
  assert(simulated);
  const signal = new AbortController().signal;
  const found = await simulated.log.next(({ method }) => method === 'POST', { from: 0, within: 10_000, signal });
  assert.match(found?.request.body ?? '', /"csi":"\/mn-cse-1"/);
});

test('what no installation has is lacking, in process more than elsewhere', async (t) => {
  const { installations } = await embedded(t, 'in-process');
  const choice = installations.choose(allNeeds(['certificate required']));
  assert.deepEqual(choice, {
    lacking:
      'needs "certificate required", which the reference CSE does not have without a socket; leave out --in-process',
  });
});
