import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { RunResult } from '../results/result.ts';
import { fileOf, planOf, runPlan, type TestAnswer, type TestRequest, testCse } from '../test-cse.ts';

const originator = '//sp/cse/CMine';
const ae = (name: string, check = 'doc.one: { status: 201 }') =>
  `- create: ae\n  in: /\${base}\n  attributes: { rn: "\${name}-${name}" }\n  check: { ${check} }`;

interface Circumstances {
  readonly head?: string;
  /** Whether somebody is registered already. */
  readonly taken?: boolean | 'once';
  readonly answer?: TestAnswer;
  /** The name of that application entity, where it is shown. */
  readonly holder?: string;
}

/** A CSE at which an originator can register once. */
async function judge(
  t: TestContext,
  scenarios: Readonly<Record<string, string>>,
  { head = '', taken = false, answer = { status: 409 }, holder }: Circumstances = {},
): Promise<{ result: RunResult; requests: readonly TestRequest[]; most: number }> {
  const requests: TestRequest[] = [];
  const registered = new Set<string>();
  let most = 0;
  const cse = await testCse(t, (request) => {
    requests.push(request);
    const { method, path, body } = request;
    if (method === 'DELETE') registered.delete(path);
    if (holder !== undefined && path.startsWith('/onem2m?fu=1')) return list(`onem2m/${holder}`);
    if (method !== 'POST' || !body.includes('m2m:ae')) return undefined;
    const refused = taken === 'once' ? requests.filter((one) => one.method === 'POST').length === 1 : taken;
    if (refused || registered.size > 0) return answer;
    const { rn } = (JSON.parse(body) as { 'm2m:ae': { rn: string } })['m2m:ae'];
    registered.add(`${path}/${rn}`);
    most = Math.max(most, registered.size);
    return undefined;
  });
  const ct = '2017-03-02T16:12:53.350093+00:00';
  if (holder !== undefined) cse.tree.set(`/onem2m/${holder}`, { 'm2m:ae': { rn: holder, aei: 'CMine', ct } });
  const { result } = await runPlan(planOf(t, fileOf(scenarios, head)), cse.url, { choice: { originator }, jobs: 8 });
  return { result, requests: requests.slice(1), most };
}

const list = (...paths: readonly string[]): TestAnswer => ({ status: 200, body: { 'm2m:uril': paths } });

const statesOf = ({ scenarios }: RunResult) => scenarios.map(({ state }) => state);

test('one originator stands for all, save where a step writes the header itself', async (t) => {
  const head = 'actors:\n  app: { originator: Capp }\n  quiet: { registered: false }\n';
  const steps = `- retrieve: /\${base}/\${app}
  as: app
  check: { doc.one: { status: 200 } }
- retrieve: /\${base}
  as: quiet
- raw: { method: GET, path: "/\${base}" }
- retrieve: /\${base}
  headers: { X-M2M-Origin: "\${app.originator}-x" }
- retrieve: /\${base}
  headers: { X-M2M-Origin: null }`;
  const { result, requests } = await judge(t, { one: steps }, { head });
  assert.deepEqual(statesOf(result), ['passed']);
  assert.deepEqual(
    requests.map(({ headers }) => headers['x-m2m-origin']),
    [originator, originator, originator, originator, `${originator}-x`, undefined, originator],
  );
  assert.equal(result.installations[0]?.originator, originator);
});

test('scenarios that register take turns; the others do not wait', async (t) => {
  const scenarios = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`s${index}`, ae('x')]));
  const { result, most } = await judge(t, scenarios);
  assert.deepEqual([result.summary.scenarios.passed, most, result.exit.code], [12, 1, 0]);
});

test('a scenario that needs two application entities at the same time is not applicable', async (t) => {
  const { result, requests } = await judge(t, {
    two: `${ae('x')}\n${ae('y', 'doc.two: { status: 201 }')}`,
    one: ae('z'),
  });
  assert.deepEqual(statesOf(result), ['not applicable', 'passed']);
  assert.match(result.scenarios[0]?.reason ?? '', /^needs several application entities .*\/\/sp\/cse\/CMine/);
  assert.equal(requests.filter(({ method }) => method === 'POST').length, 1);
  const verdicts = result.requirements.map(({ id, verdict }) => [id, verdict]);
  assert.deepEqual(verdicts.slice(0, 2), [
    ['doc.one', 'satisfied'],
    ['doc.two', 'not applicable'],
  ]);
  assert.deepEqual([result.summary.verdicts['not applicable'], result.exit.code], [1, 0]);
});

test('a scenario that needs any originator is not applicable', async (t) => {
  const { result } = await judge(t, { one: ae('x') }, { head: 'needs: [any originator]\n' });
  assert.deepEqual([statesOf(result), result.exit.code], [['not applicable'], 4]);
  assert.match(result.scenarios[0]?.reason ?? '', /--originator says which one/);
});

const retrieving = '- retrieve: /${base}\n  check: { doc.two: { status: 200 } }';

test('an originator that is registered already is no deviation of the target', async (t) => {
  const { result, requests } = await judge(t, { one: `${ae('x')}\n${retrieving}`, two: ae('x') }, { taken: true });
  assert.deepEqual([statesOf(result), result.exit.code], [['blocked', 'blocked'], 4]);
  const says = '//sp/cse/CMine is registered already, by an application entity that the target does not show';
  assert.deepEqual(
    result.scenarios.map(({ reason }) => reason),
    [says, says],
  );
  assert.equal(result.notes?.filter((note) => note.startsWith(says)).length, 1);
  assert.match(result.exit.reason, /; \/\/sp\/cse\/CMine is registered already/);
  assert.equal(requests.filter(({ method }) => method === 'POST').length, 2, 'tried once more, and not again');
});

const refusals: Readonly<Record<string, TestAnswer>> = {
  'by a conflict': { status: 409 },
  'as the standard has it': { status: 403, headers: { 'x-m2m-rsc': '4117' } },
  'without saying why': { status: 500 },
};
for (const [how, answer] of Object.entries(refusals)) {
  test(`what stands at the target is the reason, where it refuses ${how}`, async (t) => {
    const { result } = await judge(t, { one: `${ae('x')}\n${retrieving}` }, { taken: true, answer, holder: 'thermo' });
    assert.deepEqual([statesOf(result), result.exit.code], [['blocked'], 4]);
    assert.equal(
      result.scenarios[0]?.reason,
      '//sp/cse/CMine is registered already: /onem2m/thermo, since 2017-03-02T16:12:53.350093+00:00, which no run of cselab has created',
    );
  });
}

test('a refusal for another reason is checked', async (t) => {
  const { result } = await judge(t, { one: ae('x') }, { taken: true, answer: { status: 500 } });
  assert.deepEqual([statesOf(result), result.exit.code], [['failed'], 1]);
});

test('with an originator in use, registrations show nothing either', async (t) => {
  const either = `${ae('x', 'gap.one: { status: 400 }')}\n  expect: either`;
  const free = await judge(t, { one: either });
  assert.equal(free.result.summary.verdicts['implementation-defined'], 1);
  const { result } = await judge(t, { one: either }, { taken: true, holder: 'thermo' });
  assert.deepEqual([result.summary.verdicts['implementation-defined'], statesOf(result)], [0, ['blocked']]);
});

test('an AE that disappears blocks nobody', async (t) => {
  const { result, requests } = await judge(t, { one: ae('x') }, { taken: 'once' });
  assert.deepEqual([statesOf(result), result.exit.code], [['passed'], 0]);
  assert.equal(requests.filter(({ method }) => method === 'POST').length, 2);
});

test('an actor of whom nothing speaks is not registered', async (t) => {
  const head = 'actors:\n  app: {}\n  other: {}\n  third: { registered: false }\n';
  const { requests } = await judge(
    t,
    { one: '- retrieve: /${base}/${app}\n  check: { doc.one: { status: 200 } }' },
    { head },
  );
  assert.deepEqual(
    requests.map(({ method }) => method),
    ['POST', 'GET', 'DELETE'],
  );
});
