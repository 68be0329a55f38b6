/** Statements that lie, each in one feature: ten claim what is not there, eleven deny what is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCse, serveHttp } from '../../sim/index.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import type { Failure } from '../engine/results/run-context.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { check, type RunResult } from '../index.ts';
import { contradictedIn } from '../words.ts';
import { type FeatureId, featureIds, featureOf } from './features.ts';
import type { Ics } from './ics.ts';

type HttpService = ReturnType<typeof createCse>['http'];

interface Judged {
  readonly dialect?: Dialect;
  /** What the statement says otherwise than that everything is there. */
  readonly claims?: Ics['claims'];
  readonly failOn?: readonly Failure[];
}

/** Those of which it takes longest to see whether they are there. */
const slow = /^PICS_(SUB_|TS_M|CNT_|EXP)/;

/** By the checks that decide whether a feature is there. */
async function judged(service: HttpService, { dialect = 'onem2m', claims = {}, ...more }: Judged): Promise<RunResult> {
  await using server = await serveHttp(service);
  const all = featureIds.filter((id) => !slow.test(id)).flatMap((id) => featureOf(id)['shown by'] ?? []);
  const ids = all.filter((id) => id.startsWith('std.') === (dialect === 'onem2m'));
  const everything = Object.fromEntries(featureIds.map((id) => [id, 'yes'])) as Ics['claims'];
  const ics = { of: 'it', claims: { ...everything, ...claims } };
  const about = { product: 'it', url: server.url, base: dialect === 'onem2m' ? 'cse-in' : 'onem2m', admin: 'CAdmin' };
  const target = { kind: 'url', ...about, waitBudget: 1, ics } as const;
  return await lastOf(check({ ids, dialect, target, again: false, ...more }));
}

const contradictions = (result: RunResult) =>
  contradictedIn(result).map(({ id, claim, behaves }) => [id, claim, behaves]);

const without = (...types: number[]) => createCse({ dialect: 'onem2m', withoutTypes: types }).http;

/** The reference CSE, which never hears one parameter of what it is asked. */
function deafTo(parameter: string): HttpService {
  const { http } = createCse({ dialect: 'onem2m' });
  const heard = (target: string) =>
    target.replace(new RegExp(`([?&])${parameter}=[^&]*&?`, 'g'), '$1').replace(/[?&]$/, '');
  return { ...http, handle: (request) => http.handle({ ...request, target: heard(request.target) }) };
}

/** What is not there, and the CSE that is without it. */
const absent: ReadonlyArray<readonly [FeatureId, () => HttpService]> = [
  ['PICS_GRP', () => without(9)],
  ['PICS_ACP_SUPPORT', () => without(1)],
  ['PICS_PCH', () => without(15)],
  ['PICS_NOD', () => without(13, 14)],
  ['PICS_TS', () => without(29, 30)],
  ['PICS_SUB', () => without(23)],
  ['PICS_PARTIAL_RETRIEVE', () => deafTo('atrl')],
  ['PICS_RESULT_CONTENT', () => deafTo('rcn')],
  ['PICS_CONDITIONAL_RETRIEVE', () => deafTo('crb')],
  ['PICS_CONTENT_QUERY', () => deafTo('cfq')],
];

for (const [id, service] of absent) {
  test(`${id} is claimed, and is not there`, async () => {
    const result = await judged(service(), {});
    assert.deepEqual(contradictions(result), [[id, 'yes', 'not implemented']]);
  });
}

const there: readonly FeatureId[] = [
  ...(['PICS_GRP', 'PICS_ACP_SUPPORT', 'PICS_PCH', 'PICS_FCNT', 'PICS_TS', 'PICS_SUB'] as const),
  ...(['PICS_PARTIAL_RETRIEVE', 'PICS_RESULT_CONTENT', 'PICS_CONDITIONAL_RETRIEVE', 'PICS_CBOR'] as const),
  'PICS_SP_RELATIVE_RESOURCE_ID_FORMAT',
];

for (const id of there) {
  test(`${id} is denied, and is there`, async () => {
    const result = await judged(without(), { claims: { [id]: 'no' } });
    assert.deepEqual(contradictions(result), [[id, 'no', 'implemented']]);
  });
}

for (const dialect of ['documented', 'onem2m'] as const) {
  test(`a true statement is not contradicted: ${dialect}`, async () => {
    const result = await judged(createCse({ dialect }).http, { dialect });
    assert.deepEqual([contradictions(result), result.exit.code], [[], 0]);
    const shown = result.ics?.filter(({ behaves }) => behaves === 'implemented').map(({ id }) => id);
    assert.ok(shown?.includes('PICS_DISCOVERY') && shown.length > (dialect === 'onem2m' ? 20 : 8), shown?.join());
  });
}

test('a lie is red where that is asked for, and turns no verdict', async () => {
  const denied = { claims: { PICS_GRP: 'no' } } as const;
  const green = await judged(without(), denied);
  assert.equal(green.exit.code, 0, green.exit.reason);
  const red = await judged(without(), { ...denied, failOn: ['violations', 'claims'] });
  assert.match(red.exit.reason, /^its conformance statement is contradicted: PICS_GRP/);
  assert.deepEqual([red.exit.code, red.summary.verdicts], [1, green.summary.verdicts]);
});
