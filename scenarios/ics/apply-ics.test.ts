import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createCse, serveHttp } from '../../sim/index.ts';
import { check } from '../checking/check.ts';
import { loadScenarios } from '../engine/files/load.ts';
import { type Plan, plan } from '../engine/files/plan.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { fileOf, runPlan, planOf as smallPlanOf, testCse } from '../engine/test-cse.ts';
import { applyIcs } from './apply-ics.ts';
import type { FeatureId } from './features.ts';
import type { Ics } from './ics.ts';

/** The plan of one file in the onem2m dialect, with the requirements of the project. */
function planOf(t: TestContext, scenarios: Readonly<Record<string, string>>, head = ''): Plan {
  const folder = mkdtempSync(join(tmpdir(), 'cselab-statement-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'file.yaml');
  const texts = Object.entries(scenarios).map(
    ([key, steps]) => `  ${key}:\n    title: ${key}\n    steps:\n${steps.trim().replace(/^/gm, '      ')}`,
  );
  writeFileSync(
    path,
    `feature: test\ndialects: [onem2m]\nactors: { app: {} }\n${head}scenarios:\n${texts.join('\n')}\n`,
  );
  return plan(loadScenarios([path]), { dialect: 'onem2m' });
}

/** Of each scenario why it is not applicable, and of each of its checks. */
function reasons(chosen: Plan, claims: Ics['claims']) {
  return applyIcs(chosen, { of: 'ACME', claims }).scenarios.map(({ inapplicable, steps }) => ({
    scenario: inapplicable,
    checks: steps.flatMap(({ checks }) => checks.map((check) => check.inapplicable)),
  }));
}

const group = `
- create: group
  in: /\${base}/\${app}
  as: app
  attributes: { rn: all, mnm: 2, mid: [] }
  check: { std.group.create: { rsc: 2001 }, std.create.name-kept: { attributes: { rn: all } } }`;
const noGroups = 'the ICS of ACME denies groups and their fan-out points (PICS_GRP)';

test('a scenario that has to create a kind which is denied is not applicable as a whole', (t) => {
  const chosen = planOf(t, { group });
  const [one] = reasons(chosen, { PICS_GRP: 'no' });
  assert.equal(one?.scenario, noGroups);
  assert.deepEqual(reasons(chosen, { PICS_GRP: 'yes' }), [{ scenario: undefined, checks: [undefined, undefined] }]);
  assert.deepEqual(reasons(chosen, {}), [{ scenario: undefined, checks: [undefined, undefined] }]);
});

test('what is unknown is judged like what is not listed; only what is denied is taken out, with its reason', (t) => {
  const chosen = planOf(t, { group });
  const { scenarios } = applyIcs(chosen, { of: 'ACME', claims: { PICS_GRP: 'unknown' } });
  assert.deepEqual(scenarios, applyIcs(chosen, { of: 'ACME', claims: {} }).scenarios);
  assert.equal(scenarios[0]?.inapplicable, undefined);
  const denied = {
    of: 'ACME',
    claims: { PICS_GRP: 'no', PICS_AE: 'unknown' },
    reasons: { PICS_GRP: 'not built' },
  } as const;
  assert.equal(
    applyIcs(chosen, denied).scenarios[0]?.inapplicable,
    'the ICS of ACME denies groups and their fan-out points (PICS_GRP: not built)',
  );
});

test('an actor is an application entity, whether or not a step says so', (t) => {
  const chosen = planOf(t, {
    one: '- retrieve: /${base}/${app}\n  check: { std.common.rn: { attributes: { rn: x } } }',
  });
  assert.match(reasons(chosen, { PICS_AE: 'no' })[0]?.scenario ?? '', /PICS_AE/);
});

test('a scenario all of whose checks are about what is denied is not applicable, and others lose those checks', (t) => {
  const fragment = '- retrieve: /${base}/${app}%23rn\n  check: { std.partial.fragment: { rsc: 2000 } }';
  const read = '- retrieve: /${base}/${app}\n  check: { std.common.rn: { rsc: 2000 } }';
  const [all, some] = reasons(planOf(t, { all: fragment, some: `${fragment}\n${read}` }), {
    PICS_PARTIAL_RETRIEVE: 'no',
  });
  const reason = 'the ICS of ACME denies retrieval of single attributes: atrl (PICS_PARTIAL_RETRIEVE)';
  assert.deepEqual(all, { scenario: reason, checks: [reason] });
  assert.deepEqual(some, { scenario: undefined, checks: [reason, undefined] });
});

test('a refusal of what is denied is not judged, and nothing that comes after it depends on it', (t) => {
  const refused = group.replace('check:', 'expect: refusal\n  check:');
  const either = group.replace('check:', 'expect: either\n  check:');
  const read = '- retrieve: /${base}/${app}\n  check: { std.common.rn: { rsc: 2000 } }';
  const [after, behind] = reasons(planOf(t, { after: `${refused}\n${read}`, behind: `${either}\n${read}` }), {
    PICS_GRP: 'no',
  });
  assert.deepEqual(after, { scenario: undefined, checks: [noGroups, noGroups, undefined] });
  assert.deepEqual(behind?.checks, [noGroups, noGroups, `comes after a step for which ${noGroups}`]);
});

test('forms of addresses, queries and announcements of steps that are to succeed are needed too', (t) => {
  const check = 'check: { std.common.rn: { rsc: 2000 } }';
  const steps: Readonly<Record<string, string>> = {
    PICS_SP_RELATIVE_RESOURCE_ID_FORMAT: `- retrieve: /~/\${cse}/\${base}/\${app}\n  ${check}`,
    PICS_ABSOLUTE_RESOURCE_ID_FORMAT: `- retrieve: /_/\${sp}/\${cse}/\${base}/\${app}\n  ${check}`,
    PICS_PARTIAL_RETRIEVE: `- retrieve: /\${base}/\${app}\n  query: { atrl: rn }\n  ${check}`,
    PICS_RESULT_CONTENT: `- retrieve: /\${base}/\${app}\n  query: { rcn: 4 }\n  ${check}`,
    PICS_NON_BLOCKING: `- retrieve: /\${base}/\${app}\n  query: { rt: 1 }\n  ${check}`,
    PICS_DISCOVERY: `- discover: /\${base}/\${app}\n  ${check}`,
    PICS_ANNC: `- create: container\n  in: /\${base}/\${app}\n  attributes: { at: ["/other"] }\n  ${check}`,
  };
  for (const [feature, text] of Object.entries(steps)) {
    const [one] = reasons(planOf(t, { one: text }), { [feature as FeatureId]: 'no' });
    assert.match(one?.scenario ?? '', new RegExp(feature));
  }
  const usual = planOf(t, { one: `- retrieve: /\${base}/\${app}\n  query: { rcn: 1 }\n  ${check}` });
  assert.equal(reasons(usual, { PICS_RESULT_CONTENT: 'no' })[0]?.scenario, undefined);
});

test('who claims a kind outright may not be without it; who does not mention it may', (t) => {
  const chosen = planOf(t, {
    one: `- create: time series
  in: /\${base}/\${app}
  attributes: { rn: readings }
  check:
    std.time-series.create:
      one of:
        - { rsc: 2001, variant: created, source: "TS-0004 7.4.38" }
        - { rsc: 5001, variant: not implemented, source: "TS-0004 6.6.3.6" }
        - { rsc: 4108, variant: not supported, source: "TS-0001 9.6.3" }`,
  });
  const permitted = (claims: Ics['claims']) =>
    applyIcs(chosen, { of: 'ACME', claims }).scenarios[0]?.steps[0]?.checks[0]?.check['one of']?.map(
      ({ variant }) => variant,
    );
  assert.deepEqual(permitted({ PICS_TS: 'yes' }), ['created']);
  assert.deepEqual(permitted({}), ['created', 'not implemented', 'not supported']);
});

test('the plan carries every feature with its claim', (t) => {
  const { claims = [] } = applyIcs(planOf(t, { group }), { of: 'ACME', claims: { PICS_GRP: 'unknown' } });
  assert.deepEqual(
    claims.find(({ id }) => id === 'PICS_GRP'),
    { id: 'PICS_GRP', name: 'groups and their fan-out points', claim: 'unknown' },
  );
  assert.equal(claims.find(({ id }) => id === 'PICS_SUB')?.claim, 'unknown', 'as what is not listed is');
});

test('the end of a run says how many requirements a statement has taken out', async (t) => {
  const cse = await testCse(t);
  const read = '- retrieve: /${base}\n  check: { doc.one: { status: 200 } }';
  const folder = '- create: group\n  in: /${base}\n  check: { doc.two: { status: 201 }, gap.one: { status: 201 } }';
  const end = async (claim: 'no' | 'unknown') => {
    const claims = { PICS_GRP: claim } as const;
    const chosen = applyIcs(smallPlanOf(t, fileOf({ read, folder })), { of: 'ACME', claims });
    const { result } = await runPlan(chosen, cse.url);
    return { says: result.exit.reason, denied: result.requirements.filter(({ denied }) => denied).map(({ id }) => id) };
  };
  const { says, denied } = await end('no');
  assert.match(says, /; 1 documented requirement excluded by its conformance statement$/);
  assert.deepEqual(denied, ['doc.two', 'gap.one']);
  assert.doesNotMatch((await end('unknown')).says, /taken out/);
});

test('rules do not judge the refusal of what is denied either, but go on judging everything else', async (t) => {
  const { http } = createCse({ dialect: 'onem2m', base: 'cse-in', admin: 'CAdmin', withoutTypes: [28] });
  const refused: Awaited<ReturnType<typeof http.handle>> = { status: 400, headers: { 'X-M2M-RSC': '4000' }, body: '' };
  const handle: typeof http.handle = (request) => {
    const isOfFlexContainer = Object.values(request.headers).some((one) => /ty=28/.test(String(one)));
    return request.method === 'PUT' || isOfFlexContainer ? refused : http.handle(request);
  };
  const { url, close } = await serveHttp({ ...http, refuse: (error) => http.refuse(error), handle });
  t.after(close);
  const ics = { of: 'ACME', claims: { PICS_FCNT: 'no' } } as const;
  const target = { kind: 'url', url, base: 'cse-in', admin: 'CAdmin', ics } as const;
  const ids = ['standard/every-kind/whoever-asks-binary-switch', 'std.update.not-found'];
  const { scenarios } = await lastOf(check({ ids, dialect: 'onem2m', target, again: false }));
  const failed = scenarios.filter(({ steps }) =>
    steps.some(({ checks }) =>
      checks.some(({ requirement, state }) => requirement === 'std.update.not-found' && state === 'failed'),
    ),
  );
  assert.ok(failed.length > 0);
  assert.ok(failed.every(({ id }) => id !== ids[0]));
  assert.equal(scenarios.find(({ id }) => id === ids[0])?.state, 'passed');
});

test('what the release of a target takes out is none of its statement', () => {
  const chosen = plan(loadScenarios(), { dialect: 'onem2m', release: '2a' });
  const { scenarios } = applyIcs(chosen, { of: 'ACME', claims: { PICS_CBOR: 'no' } });
  const blocking = scenarios.filter(({ id }) => id.startsWith('standard/blocking-update/'));
  assert.ok(blocking.length > 5);
  assert.deepEqual([...new Set(blocking.map(({ denied }) => denied))], [undefined]);
});
