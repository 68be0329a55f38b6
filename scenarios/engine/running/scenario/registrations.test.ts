import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { fileOf, planOf } from '../../test-cse.ts';
import { byOneOriginator, registrationsOf } from './registrations.ts';

const head =
  'needs: [https, backend]\nactors:\n  app: {}\n  other: {}\n  device: { certificate: own }\n  far: { certificate: other }\n';
const ae = (more = '') => `- create: ae\n  in: /\${base}\n  attributes: { rn: "\${name}" }${more}`;
const remove = '- delete: /${base}/${name}';

function of(t: TestContext, steps: string): readonly [number, boolean] {
  const [scenario] = planOf(
    t,
    fileOf({ one: `${steps}\n- retrieve: /\${base}\n  check: { doc.one: { status: 200 } }` }, head),
  ).scenarios;
  assert(scenario);
  const { atOnce, withCertificate } = registrationsOf(scenario, 'documented');
  return [atOnce, withCertificate];
}

const cases: Readonly<Record<string, readonly [steps: string, atOnce: number, withCertificate: boolean]>> = {
  'no steps that register': ['- retrieve: /${base}', 0, false],
  'an actor that is spoken of': ['- retrieve: /${base}/${app}', 1, false],
  'an actor that acts': ['- retrieve: /${base}\n  as: app', 1, false],
  'two actors': ['- retrieve: /${base}/${app}/${other}', 2, false],
  'an actor and a creation': [`${ae()}\n- retrieve: /\${base}/\${app}`, 2, false],
  'one after the other': [`${ae()}\n${remove}\n${ae()}`, 1, false],
  'a refusal is an attempt': [`${ae('\n  expect: refusal')}\n- retrieve: /\${base}/\${app}`, 2, false],
  'nothing stays after a refusal': [`${ae('\n  expect: refusal')}\n${ae()}`, 1, false],
  'one at each CSE': [`${ae()}\n${ae('\n  on: backend')}`, 1, false],
  'one at each CSE, by another way': [
    `${ae()}\n- create: ae\n  in: /~/\${backend-cse}/\${backend-base}\n  attributes: { rn: x }`,
    1,
    false,
  ],
  'two at one CSE, by different ways': [
    `${ae()}\n- create: ae\n  in: /~/\${cse}/\${base}\n  on: backend\n  attributes: { rn: x }`,
    2,
    false,
  ],
  'the own certificate is the same identity': ['- retrieve: /${base}/${device}/${app}', 2, true],
  'another certificate is another identity': ['- retrieve: /${base}/${far}/${app}', 1, true],
  'a raw creation': [
    '- raw: { method: POST, path: "/${base}", body: \'{"m2m:ae":{}}\' }\n  creates: /${base}/x',
    1,
    false,
  ],
};

for (const [name, [steps, atOnce, withCertificate]] of Object.entries(cases)) {
  test(`registrations are counted: ${name}`, (t) => {
    assert.deepEqual(of(t, steps), [atOnce, withCertificate]);
  });
}

test('where all requests carry one originator, an actor acts in the place of another that says so', (t) => {
  const actors = 'actors:\n  app: {}\n  reader: { or: app }\n  stranger: {}\n';
  const steps = `- retrieve: /\${base}/\${app}
  as: reader
- create: access control policy
  in: /\${base}/\${reader}
  as: stranger
  attributes: { pv: { acr: [{ acor: ["\${reader.originator}", "\${reader}x", readers], acop: 63 }] } }
  check: { std.one: { attributes: { rn: "\${reader}" } } }`;
  const [scenario] = planOf(t, fileOf({ one: steps }, `dialects: [onem2m]\n${actors}`), {
    dialect: 'onem2m',
  }).scenarios;
  assert(scenario);
  const [read, created] = byOneOriginator(scenario, { originator: 'CApp' }).steps.map(({ step, checks }) => ({
    ...step,
    checks,
  }));
  assert.ok(read !== undefined && 'as' in read && read.as === 'app');
  assert.ok(created !== undefined && 'create' in created);
  assert.deepEqual([created.in, created.as], ['/${base}/${app}', 'stranger']);
  assert.match(JSON.stringify(created.attributes), /"\$\{app\.originator\}","\$\{app\}x","readers"/);
  assert.deepEqual(created.checks[0]?.check, { attributes: { rn: '${app}' } });
  assert.equal(registrationsOf(scenario, 'onem2m').atOnce, 3);
  assert.equal(registrationsOf(byOneOriginator(scenario, { originator: 'CApp' }), 'onem2m').atOnce, 2);
});
