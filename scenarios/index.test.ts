import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startPair } from '../sim/index.ts';
import { closedPort } from './engine/targets/test-servers.ts';
import {
  type CheckOptions,
  check,
  listScenarios,
  loadRequirements,
  type RunResult,
  ScenarioFilesError,
  UsageError,
} from './index.ts';

const room = mkdtempSync(join(tmpdir(), 'cselab-door-'));
after(() => rmSync(room, { recursive: true }));

function file(name: string, text: string): string {
  writeFileSync(join(room, name), text);
  return join(room, name);
}

async function result(options: CheckOptions): Promise<RunResult> {
  const events = check(options);
  let step = await events.next();
  while (!step.done) step = await events.next();
  return step.value;
}

const documented = [...loadRequirements().requirements.values()].find(({ level }) => level === 'documented')?.id;
const base = `feature: f\nscenarios:\n  base:\n    title: t\n    steps:\n      - retrieve: /\${base}\n        check: { ${documented}: { status: 200 } }\n`;

for (const kind of ['embedded', 'in-process'] as const) {
  test(`the ${kind} reference CSE does what the interface says`, async () => {
    const { exit, scenarios, summary } = await result({ target: { kind } });
    const failed = scenarios
      .filter(({ state }) => !['passed', 'not testable', 'not applicable'].includes(state))
      .map(({ id }) => id);
    assert.deepEqual([failed, exit], [[], { code: 0, reason: exit.reason }]);
    assert(summary.verdicts.satisfied > 0);
    assert.deepEqual(
      scenarios.flatMap(({ leftBehind }) => leftBehind),
      [],
    );
  });
}

test('the embedded reference CSE does what the standard says', async () => {
  const { exit, scenarios, summary } = await result({ target: { kind: 'embedded' }, dialect: 'onem2m' });
  const failed = scenarios.filter(({ state }) => state === 'failed' || state === 'fault').map(({ id }) => id);
  assert.deepEqual([failed, summary.verdicts.violated], [[], 0], exit.reason);
  assert(summary.verdicts.satisfied > 500);
  assert.deepEqual(
    scenarios.flatMap(({ leftBehind }) => leftBehind),
    [],
  );
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
  const target = { kind: 'url', url: gateway.url, backend: { url: backend.url }, tls } as const;
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

test('files of one’s own are run instead of the project’s', async () => {
  const { scenarios, requirements } = await result({ files: [file('mine.yaml', base)], target: { kind: 'embedded' } });
  assert.deepEqual(
    scenarios.map(({ id, state }) => [id, state]),
    [['mine/base', 'passed']],
  );
  assert.deepEqual(
    requirements.filter(({ verdict }) => verdict !== 'excluded').map(({ id }) => id),
    [documented],
  );
});

test('a scenario file can be named like an id, wherever it lies', async () => {
  const { scenarios } = await result({ ids: [file('other.yaml', base)], target: { kind: 'in-process' } });
  assert.deepEqual(
    scenarios.map(({ id }) => id),
    ['other/base'],
  );
});

test('a list shows the steps as they are written and sends nothing', () => {
  const [listed] = listScenarios({ files: [file('listed.yaml', base)] });
  assert.deepEqual(listed?.steps, [{ phase: 'step', title: 'retrieve /${base}', requirements: [documented] }]);
  assert(listScenarios().length > 1);
});

test('what cannot be asked for is refused before anything is sent', async () => {
  const target = { kind: 'embedded' } as const;
  await assert.rejects(result({ target, ids: ['no-such-id'] }), UsageError);
  await assert.rejects(result({ target, files: [join(room, 'none.yaml')] }), UsageError);
  await assert.rejects(result({ target, files: [file('bad.yaml', 'feature: 1\n')] }), ScenarioFilesError);
  await assert.rejects(result({ target: { kind: 'url', url: 'nowhere' } }), UsageError);
});

test('a target that is not there gives a result, not an exception', async (t) => {
  const { exit, scenarios } = await result({ target: { kind: 'url', url: await closedPort(t) } });
  assert.deepEqual([exit.code, scenarios], [3, []]);
});
