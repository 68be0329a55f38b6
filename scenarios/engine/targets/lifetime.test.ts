import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockAhead, expirationIn } from '../judging/timestamp.ts';
import type { Exchange } from '../results/exchange.ts';
import { fileOf, planOf, runPlan, testCse } from '../test-cse.ts';

const now = Date.UTC(2026, 0, 2, 3, 4, 5);

function answered(headers: ReadonlyArray<readonly [string, string]>): Exchange {
  const answer = { status: 200, headers, body: '' };
  return { request: { method: 'GET', path: '/', headers: [] }, answer, at: 0, took: 0, curl: '' };
}

test('an expiration time is written as the dialect has it', () => {
  assert.equal(expirationIn(3_600_000, 'documented', now), '2026-01-02T04:04:05.000000+00:00');
  assert.equal(expirationIn(3_600_000, 'onem2m', now), '20260102T040405');
});

test('the clock of the target counts where it differs', () => {
  assert.equal(clockAhead(answered([['date', 'Fri, 02 Jan 2026 03:14:05 GMT']]), now), 600_000);
  assert.equal(
    clockAhead(
      answered([
        ['x-m2m-ot', '20260102T020405'],
        ['date', 'Fri, 02 Jan 2026 03:14:05 GMT'],
      ]),
      now,
    ),
    -3_600_000,
  );
  assert.equal(clockAhead(answered([['date', 'Fri, 02 Jan 2026 03:04:06 GMT']]), now), 0);
  assert.equal(clockAhead(answered([]), now), 0);
});

test('what is created directly below the CSE base expires, unless the scenario is about that', async (t) => {
  const bodies: string[] = [];
  const cse = await testCse(t, ({ method, body }) => {
    if (method === 'POST') bodies.push(body);
    return undefined;
  });
  const text = fileOf({
    one: '- create: container\n  in: /${base}\n  attributes: { rn: "${name}" }\n- create: container\n  in: /${base}/${name}\n  attributes: { rn: inner }\n  check: { doc.one: { status: 201 } }',
    two: '- create: container\n  in: /${base}\n  attributes: { rn: "${name}" }\n  check: { doc.two: { attributes: { et: { is: present } } } }',
  });
  await runPlan(planOf(t, text), cse.url, { choice: { lifetime: 60_000 }, jobs: 1, again: false });
  const [first = '', inner = '', other = ''] = bodies;
  assert.match(first, /"et":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00"/);
  assert.doesNotMatch(inner, /"et"/);
  assert.doesNotMatch(other, /"et"/);
});

for (const status of [400, 404, 422])
  test(`a target that refuses expiration times by ${status} is told none from then on, and the run says so`, async (t) => {
    const bodies: string[] = [];
    const cse = await testCse(t, ({ method, body }) => {
      if (method !== 'POST') return undefined;
      bodies.push(body);
      return /"et"/.test(body) ? { status } : undefined;
    });
    const create =
      '- create: container\n  in: /${base}\n  attributes: { rn: "${name}" }\n  check: { doc.one: { status: 201 } }';
    const text = fileOf({ one: create, two: create });
    const { result } = await runPlan(planOf(t, text), cse.url, { choice: { lifetime: 60_000 }, jobs: 1 });
    assert.deepEqual(
      bodies.map((body) => /"et"/.test(body)),
      [true, false, false],
    );
    assert.equal(result.requirements.find(({ id }) => id === 'doc.one')?.verdict, 'satisfied');
    assert.match(result.notes?.join() ?? '', /the target refuses an expiration time \(et\).* --lifetime none/);
  });

test('who refuses everything by one status is asked once whether the expiration time is why', async (t) => {
  let posts = 0;
  const cse = await testCse(t, ({ method }) => {
    if (method !== 'POST') return undefined;
    posts += 1;
    return { status: 403 };
  });
  const create = '- create: container\n  in: /${base}\n  check: { doc.one: { status: 201 } }';
  const plan = planOf(t, fileOf({ one: create, two: create, three: create }));
  await runPlan(plan, cse.url, { choice: { lifetime: 60_000 }, jobs: 1, again: false });
  assert.equal(posts, 4);
});

test('a target that refuses a creation either way is told expiration times as before', async (t) => {
  const cse = await testCse(t, ({ method }) => (method === 'POST' ? { status: 400 } : undefined));
  const create = '- create: container\n  in: /${base}\n  check: { doc.one: { status: 201 } }';
  const { result } = await runPlan(planOf(t, fileOf({ create })), cse.url, {
    choice: { lifetime: 60_000 },
    again: false,
  });
  assert.match(JSON.stringify(result.scenarios[0]?.steps[0]?.exchange?.request.body), /et/);
  assert.doesNotMatch(result.notes?.join() ?? '', /expiration time/);
});
