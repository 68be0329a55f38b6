import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exchange, names, judge as seen } from '../../../oracle/testing/judge.ts';
import { loadScenarios } from '../../files/load.ts';
import { plan } from '../../files/plan.ts';
import { openEmbedded } from '../../targets/embedded/open-embedded.ts';
import type { MemberName } from '../../targets/installation.ts';
import { lastOf } from '../last-of.ts';
import { run } from '../run.ts';
import { MemberJudges } from './step-results.ts';

const backend = { ...names, cseId: 'in-cse-1' };

/** Judges of a pair, each of which has seen an application entity with a container. */
function pair() {
  const sites = { gateway: names, backend };
  const judges = new MemberJudges(sites, ({ cseId }) => {
    const { one } = seen(cseId === names.cseId ? names : backend);
    return one;
  });
  const broken = (on: MemberName, request: string, status: number) => {
    const step = { phase: 'step', title: request, checks: [], ...(on === 'backend' && { on }) } as const;
    const { checks } = judges.judge({ ...step, exchange: exchange(request, undefined, { status }) });
    return checks.map(({ requirement }) => requirement);
  };
  return broken;
}

const lost = ['container.retrieve.status'];

test('each CSE is judged by its own exchanges', () => {
  const broken = pair();
  assert.deepEqual(broken('backend', 'DELETE /onem2m/app', 200), []);
  assert.deepEqual(broken('backend', 'GET /onem2m/app/box', 404), []);
  assert.deepEqual(broken('gateway', 'GET /onem2m/app/box', 404), lost);
});

test('what changes something by way of the other CSE leaves nobody certain of what is there', () => {
  for (const request of [
    'DELETE /~/mn-cse-1/onem2m/other',
    'DELETE /onem2m/group/fopt',
    'DELETE /onem2m/%2e%2e/other',
  ]) {
    const broken = pair();
    broken('backend', request, 200);
    assert.deepEqual(broken('gateway', 'GET /onem2m/app/box', 404), [], request);
  }
  const broken = pair();
  broken('backend', 'GET /~/mn-cse-1/onem2m/app', 200);
  assert.deepEqual(broken('gateway', 'GET /onem2m/app/box', 404), lost);
});

test('the whole answer is checked, of which a result keeps the beginning', async () => {
  const chosen = plan(loadScenarios(), { dialect: 'onem2m' });
  const long = chosen.scenarios.filter(({ id }) => id === 'standard/every-instance/kept-content');
  const choice = { kind: 'embedded', dialect: 'onem2m', connections: 8, timeout: 10_000 } as const;
  // Six characters for each letter.
  const open = (startedAt: number) => openEmbedded({ ...choice, startedAt, variations: [{ escapes: 'letters' }] });
  const { scenarios } = await lastOf(run({ ...chosen, scenarios: long }, open, { jobs: 1, rules: true }));
  const steps = scenarios.flatMap((scenario) => scenario.steps);
  assert.equal(
    steps.some(({ exchange }) => exchange?.answer?.body.endsWith(' characters)')),
    true,
  );
  assert.deepEqual(
    steps.flatMap(({ checks }) => checks).filter(({ state }) => state === 'failed'),
    [],
  );
});
