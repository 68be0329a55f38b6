/** A kind that is claimed and refused is a violation; one that is denied is not judged, and no refusal of it either. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createCse, serveHttp } from '../../sim/index.ts';
import { loadScenarios } from '../engine/files/load.ts';
import { plan } from '../engine/files/plan.ts';
import type { RunResult } from '../engine/results/result.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { check } from '../index.ts';
import { applyIcs } from './apply-ics.ts';
import type { Ics } from './ics.ts';

interface Refusal {
  /** The number of the kind. */
  readonly ty: number;
  readonly status: number;
  readonly rsc: number;
}

/** The reference CSE behind a server that refuses to create one kind of resource. */
async function refusing(t: TestContext, { ty, status, rsc }: Refusal): Promise<string> {
  const cse = await serveHttp(createCse({ dialect: 'onem2m' }).http);
  t.after(() => cse.close());
  const server = createServer((incoming, response) => {
    const said = /ty=(\d+)/.exec(incoming.headers['content-type'] ?? '')?.[1];
    if (incoming.method !== 'POST' || Number(said) !== ty) return passOn(incoming, response, cse.url);
    const headers = { 'X-M2M-RSC': String(rsc), 'X-M2M-RI': String(incoming.headers['x-m2m-ri']) };
    incoming.resume();
    response.writeHead(status, headers).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function passOn(incoming: IncomingMessage, response: ServerResponse, url: string): void {
  const { hostname, port } = new URL(url);
  const { method, url: path, headers } = incoming;
  const onward = request({ hostname, port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.rawHeaders);
    answer.pipe(response);
  });
  incoming.pipe(onward);
}

async function judge(t: TestContext, refusal: Refusal, claims: Ics['claims'], ids: string[]): Promise<RunResult> {
  const url = await refusing(t, refusal);
  const ics = { of: 'ACME', claims };
  const target = { kind: 'url', url, base: 'cse-in', admin: 'CAdmin', waitBudget: 1, ics } as const;
  return lastOf(check({ ids, dialect: 'onem2m', target, again: false }));
}

function verdictOn(result: RunResult, id: string): string | undefined {
  return result.requirements.find((one) => one.id === id)?.verdict;
}

const refusals = [
  { status: 501, rsc: 5001 },
  { status: 400, rsc: 4000 },
];

for (const refusal of refusals) {
  test(`groups that are claimed and refused with ${refusal.rsc} are a violation`, async (t) => {
    const result = await judge(t, { ty: 9, ...refusal }, { PICS_GRP: 'yes' }, ['std.group.create']);
    assert.equal(verdictOn(result, 'std.group.create'), 'violated');
    assert.equal(result.exit.code, 1);
  });
}

test('groups that are denied are not applicable, with the reason, whatever is done with them', async (t) => {
  const ids = ['std.group', 'std.fan-out', 'standard/create', 'standard/without-right'];
  const refusal = { ty: 9, status: 501, rsc: 5001 };
  const { requirements, summary, exit, ics } = await judge(t, refusal, { PICS_GRP: 'no' }, ids);
  const groups = requirements.filter(
    ({ id, verdict }) => /^std\.(group|fan-out)\./.test(id) && verdict !== 'not testable',
  );
  assert(groups.length > 20);
  assert.deepEqual(new Set(groups.map(({ verdict }) => verdict)), new Set(['not applicable']));
  assert.deepEqual(
    groups.filter(({ reason = '' }) => !reason.includes('denies groups and their fan-out points (PICS_GRP)')),
    [],
  );
  assert.deepEqual([summary.verdicts.violated, summary.scenarios.blocked, exit.code], [0, 0, 0]);
  assert.equal(ics?.find(({ id }) => id === 'PICS_GRP')?.claim, 'no');
});

/** Kinds whose refusal a check may excuse where nobody claims them. */
const excused = [
  { ty: 29, feature: 'PICS_TS', requirement: 'std.time-series.create' },
  { ty: 28, feature: 'PICS_FCNT', requirement: 'std.flex-container.create' },
] as const;

for (const { ty, feature, requirement } of excused) {
  test(`${feature}: not implemented is a violation for who claims it outright, and permitted otherwise`, async (t) => {
    const refusal = { ty, status: 501, rsc: 5001 };
    const claimed = await judge(t, refusal, { [feature]: 'yes' }, [requirement]);
    assert.equal(verdictOn(claimed, requirement), 'violated');
    const silent = await judge(t, refusal, {}, [requirement]);
    assert.equal(verdictOn(silent, requirement), 'satisfied');
  });
}

test('who claims a kind may still refuse an attribute that it does not support', () => {
  const chosen = plan(loadScenarios(), { dialect: 'onem2m', ids: ['standard/flex-container'] });
  const { scenarios } = applyIcs(chosen, { of: 'it', claims: { PICS_FCNT: 'yes' } });
  const permitted = (id: string) =>
    scenarios
      .flatMap(({ steps }) => steps.flatMap(({ checks }) => checks))
      .filter(({ requirement }) => requirement === id)
      .map(({ check }) => check['one of']?.some(({ rsc }) => rsc === 5001));
  assert.deepEqual(permitted('std.flex-container.instances'), [true], 'TS-0004 7.3.3.3, O attribute');
  assert.deepEqual(permitted('std.flex-container.create'), [false]);
});
