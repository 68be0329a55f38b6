import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileOf, planOf, runPlan, type TestAnswer, testCse } from '../test-cse.ts';

const read = `
- retrieve: /\${base}
  control: { std.one: { attributes: { rn: onem2m } } }
  check: { doc.one: { attributes: { ty: { is: absent } } } }
- retrieve: /\${base}
  expect: either
  check: { doc.two: { attributes: { cni: { is: absent } } } }`;

async function runAgainst(t: Parameters<typeof testCse>[0], steps: string, answer?: TestAnswer, head?: string) {
  const cse = await testCse(t, ({ method }) => (method === 'GET' ? answer : undefined));
  const { scenario } = await runPlan(planOf(t, fileOf({ one: steps }, head)), cse.url);
  const one = scenario('one');
  const checks = one.steps.flatMap((step) => step.checks).map(({ requirement, state }) => `${requirement} ${state}`);
  return { ...one, checks };
}

test('where a control holds, the checks of its step and later ones run', async (t) => {
  const { state, checks } = await runAgainst(t, read);
  assert.deepEqual([state, checks], ['passed', ['doc.one passed', 'doc.two passed']]);
});

test('where a control does not hold, nothing that depends on it is checked', async (t) => {
  const { state, reason, checks } = await runAgainst(t, read, { status: 200, body: { 'm2m:cb': { ty: 5, cni: 1 } } });
  assert.equal(state, 'blocked');
  assert.equal(reason, 'blocked: std.one does not hold: retrieve /onem2m: attribute rn is absent');
  assert.deepEqual(checks, ['doc.one not testable', 'doc.two not testable']);
});

test('what its step checks as well is judged by it, and blocks the rest', async (t) => {
  const same = read.replace('std.one', 'doc.one').replace('ty: { is: absent }', 'rn: onem2m');
  const { state, checks } = await runAgainst(t, same, { status: 200, body: { 'm2m:cb': { ty: 5 } } });
  assert.deepEqual([state, checks], ['failed', ['doc.one failed', 'doc.two not testable']]);
});

test('a control that is refused blocks as well, whatever its step expects', async (t) => {
  const lenient = read.replace('control:', 'expect: either\n  control:');
  const { state, reason } = await runAgainst(t, lenient, { status: 403 });
  assert.equal(state, 'blocked');
  assert.equal(reason, 'blocked: std.one cannot be seen: retrieve /onem2m answered 403, RSC 4030');
});

test('a given step may have a control, which no verdict is made of', async (t) => {
  const given = 'given:\n  - retrieve: /${base}\n    control: { std.one: { attributes: { rn: other } } }\n';
  const steps = '- retrieve: /${base}\n  check: { doc.one: { status: 200 } }';
  const { state, checks } = await runAgainst(t, steps, undefined, given);
  assert.deepEqual([state, checks], ['blocked', ['doc.one not testable']]);
});

test('a control names a requirement that exists', async (t) => {
  const unknown = read.replace('std.one', 'std.unknown');
  await assert.rejects(runAgainst(t, unknown), /there is no requirement "std\.unknown"/);
});
