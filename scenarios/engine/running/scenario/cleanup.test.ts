import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScenarioResult } from '../../results/result.ts';
import { fileOf, planOf, runPlan, testCse } from '../../test-cse.ts';

function titles(scenario: ScenarioResult): string[] {
  return scenario.steps.map((step) => `${step.phase}: ${step.title}`);
}

test('what cannot be removed is named, what is gone already is not', async (t) => {
  const cse = await testCse(t, ({ method, path }) => {
    if (method === 'DELETE' && path.endsWith('-stays')) return { status: 403 };
    if (method === 'DELETE' && path.endsWith('-odd')) cse.tree.delete(path);
    return method === 'DELETE' && path.endsWith('-sly') ? { status: 404 } : undefined;
  });
  const container = (name: string) => `- create: container\n  in: /\${base}\n  attributes: { rn: "\${name}-${name}" }`;
  const text = fileOf({
    one: `${container('sly')}\n${container('stays')}\n${container('odd')}\n${container('goes')}\n- create: container\n  in: /\${base}/\${name}-goes\n  attributes: { rn: below }\n- delete: /~/\${cse}/\${base}/\${name}-goes\n  expect: either\n- delete: /\${base}/\${name}-goes`,
  });
  const { scenario, result } = await runPlan(planOf(t, text), cse.url);
  const one = scenario('one');
  const at = `/onem2m/cl-${result.run}-1`;
  assert.deepEqual(one.leftBehind, [`${at}-sly`, `${at}-stays`]);
  assert.deepEqual(
    titles(one).slice(-3),
    ['odd', 'stays', 'sly'].map((name) => `cleanup: delete ${at}-${name}`),
  );
  assert.equal(one.steps.at(-2)?.problem, 'not removed: 403, RSC 4030');
  assert.equal(one.steps.at(-1)?.problem, `not removed: 404, RSC 4040, and yet GET ${at}-sly answers 200, RSC 2000`);
});

test('a request without an answer may have created something, so it is removed where its name is of the run', async (t) => {
  let created = false;
  const cse = await testCse(t, ({ method, path }) => {
    if (method === 'DELETE') created = created && !path.endsWith('-lost');
    if (method !== 'POST') return undefined;
    created = true;
    return 'hang up';
  });
  const text = fileOf({
    one: '- create: container\n  in: /${base}/\n  attributes: { rn: "${name}-lost" }\n  check: { doc.one: { status: 201 } }',
  });
  const { scenario } = await runPlan(planOf(t, text), cse.url);
  assert.match(titles(scenario('one')).slice(1).join(), /^cleanup: delete \/onem2m\/cl-[^/]+-lost$/);
  assert.equal(created, false);
});

test('what a raw step creates is removed as well, and what is posted to the root lies below the base', async (t) => {
  const cse = await testCse(t, ({ method, path }) =>
    method === 'POST' && path === '/' ? { status: 201, body: { 'm2m:cnt': { ri: 'cnt7' } } } : undefined,
  );
  const text = fileOf({
    one: `- raw: { method: POST, path: "/\${base}", body: '{"m2m:cnt":{"rn":"\${name}-byhand"}}' }
  creates: /\${base}/\${name}-byhand
- create: container
  in: /
  attributes: { rn: "\${name}-rooted" }
- create: container
  in: /`,
  });
  const { scenario, result } = await runPlan(planOf(t, text), cse.url);
  const at = `/onem2m/cl-${result.run}-1`;
  assert.deepEqual(titles(scenario('one')).slice(-3), [
    'cleanup: delete /~/test-cse/cnt7',
    `cleanup: delete ${at}-rooted`,
    `cleanup: delete ${at}-byhand`,
  ]);
  // Nothing that could be read there says that it is of the run.
  assert.match(scenario('one').steps.at(-3)?.problem ?? '', /^not removed: not sent: .* this run has not created$/);
  assert.deepEqual(scenario('one').leftBehind, ['/~/test-cse/cnt7']);
});

test('a target that has become silent is not asked to remove one thing after the other', async (t) => {
  const cse = await testCse(t, ({ method }) => (method === 'DELETE' ? 'say nothing' : undefined));
  const container = (name: string) => `- create: container\n  in: /\${base}\n  attributes: { rn: "\${name}-${name}" }`;
  const text = fileOf({ one: `${container('a')}\n${container('b')}` });
  const { scenario, result } = await runPlan(planOf(t, text), cse.url, { timeout: 1_000, again: false });
  const at = `/onem2m/cl-${result.run}-1`;
  assert.deepEqual(titles(scenario('one')).slice(2), [`cleanup: delete ${at}-b`]);
  assert.deepEqual(scenario('one').leftBehind, [`${at}-a`, `${at}-b`]);
});

test('an answer cannot lead the cleanup out of the parent', async (t) => {
  const names = ['..', '.', '', 'a/../../b', 7];
  const cse = await testCse(t, ({ method, path }) =>
    method === 'POST' && path === '/onem2m' ? { status: 201, body: { 'm2m:cnt': { rn: names.shift() } } } : undefined,
  );
  const steps = names
    .map((_, at) => `- create: container\n  in: /\${base}\n  attributes: { rn: "\${name}-${at}" }`)
    .join('\n');
  const { result } = await runPlan(planOf(t, fileOf({ one: steps })), cse.url);
  assert.deepEqual(
    [...new Set(cse.log.filter((line) => line.startsWith('DELETE')))],
    [4, 3, 2, 1, 0].map((at) => `DELETE /onem2m/cl-${result.run}-1-${at}`),
  );
});

test('what a target names otherwise, though by a name of the run, is removed under that name', async (t) => {
  const cse = await testCse(t, ({ method, body }) => {
    if (method !== 'POST') return undefined;
    const rn = `C${JSON.parse(body)['m2m:cnt'].rn}`;
    const created = { 'm2m:cnt': { rn, ri: rn } };
    cse.tree.set(`/onem2m/${rn}`, created);
    return { status: 201, body: created };
  });
  const text = fileOf({ one: '- create: container\n  in: /${base}\n  attributes: { rn: "${name}-one" }' });
  await runPlan(planOf(t, text), cse.url);
  assert.deepEqual([...cse.tree.keys()], ['/onem2m']);
});

test('what a target has taken twice is removed twice', async (t) => {
  let copies = 0;
  const cse = await testCse(t, ({ method, path, body }) => {
    const { rn = path.split('/').at(-1) } = method === 'POST' ? JSON.parse(body)['m2m:cnt'] : {};
    if (method === 'POST') copies += 1;
    if (method === 'DELETE' && copies === 0) return { status: 404 };
    if (method === 'DELETE') copies -= 1;
    return method === 'GET' ? undefined : { status: method === 'POST' ? 201 : 200, body: { 'm2m:cnt': { rn } } };
  });
  const create = '- create: container\n  in: /${base}\n  attributes: { rn: "${name}-one" }';
  await runPlan(planOf(t, fileOf({ one: `${create}\n${create}` })), cse.url);
  assert.equal(copies, 0);
});
