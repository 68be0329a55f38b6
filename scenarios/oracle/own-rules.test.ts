/** Rules of a team beside those of the project. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { check } from '../checking/check.ts';
import { ScenarioFilesError } from '../engine/basics/diagnostics.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { lint } from '../lint.ts';
import { examplesOf } from './example-judge.ts';
import { OwnRuleFile } from './rule.ts';
import { readStatedRules } from './rule-files.ts';

const head = `specification: House rules
level: documented
sections:
  - section: Naming
    requirements:
      House 1:
        house.container.named: A container is shown with its name.
        house.ae.labelled: An application entity has a label.
rules:
`;
const sound = `  - rule: house.container.named
    when: { operation: create, type: container, success: true }
    then: { attributes: { rn: { is: present } } }
`;
const broken = `  - rule: house.ae.labelled
    when: { operation: create, type: ae, success: true }
    then: { attributes: { lbl: { is: present } } }
`;

function fileOf(t: TestContext, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'cselab-own-rules-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'house.yaml'), text);
  return join(folder, 'house.yaml');
}

const judged = (file: string) =>
  lastOf(check({ target: { kind: 'in-process' }, ids: ['documented/ae', 'documented/container'], ownRules: [file] }));

test('a rule of a team is checked on every exchange, with the level of its requirement', async (t) => {
  const { requirements, exit } = await judged(fileOf(t, head + sound + broken));
  const verdicts = new Map(requirements.map(({ id, verdict }) => [id, verdict]));
  assert.equal(verdicts.get('house.container.named'), 'satisfied');
  assert.equal(verdicts.get('house.ae.labelled'), 'violated');
  assert.equal(exit.code, 1);
  assert.match(exit.reason, /1 documented requirement violated: house\.ae\.labelled/);
});

test('if all of them pass nothing else changes', async (t) => {
  const { requirements, exit } = await judged(fileOf(t, head + sound));
  assert.equal(exit.code, 0, exit.reason);
  assert.equal(requirements.find(({ id }) => id === 'house.container.named')?.section, 'Naming');
});

for (const [what, text, message] of [
  [
    'a rule for a requirement that nobody states',
    head + sound.replace('named', 'name'),
    /no requirement "house\.container\.name"; did you mean "house\.container\.named"\?/,
  ],
  [
    'a requirement that is stated already',
    head.replace('house.container.named', 'ae.create.status') + broken,
    /"ae\.create\.status" exists already/,
  ],
  ['a word that no rule knows', head + sound.replace('operation', 'operaton'), /operaton/],
] as const)
  test(`${what} is refused with its position before anything is sent, and by lint`, async (t) => {
    const file = fileOf(t, text);
    await assert.rejects(judged(file), (error) => {
      assert.ok(error instanceof ScenarioFilesError);
      const [problem] = error.problems;
      assert.match(problem?.message ?? '', message);
      assert.ok((problem?.line ?? 0) > 6);
      return true;
    });
    const { files, problems } = lint([file]);
    assert.equal(files[0]?.kind, 'rules');
    assert.match(problems[0]?.message ?? '', message);
  });

test('lint accepts a valid file, and those of the project', (t) => {
  assert.deepEqual(lint([fileOf(t, head + sound), join(import.meta.dirname, '../rules')]).problems, []);
});

test('lint knows the requirements of a rule file in the scenarios and baselines beside it', (t) => {
  const rules = fileOf(t, head + sound);
  const id = /house[\w.-]+/.exec(head)?.[0] ?? '';
  const steps = `[{ retrieve: "/\${base}", check: { ${id}: { status: 200 } } }]`;
  const scenario = fileOf(t, `feature: f\nscenarios: { one: { title: t, steps: ${steps} } }\n`);
  const entry = `{ scenario: "*", requirement: ${id}, signature: 0123456789 absent }`;
  const baseline = fileOf(t, `deviations:\n  - ${entry}\n`);
  assert.deepEqual(lint([scenario, rules, baseline]).problems, []);
  assert.deepEqual(
    lint([scenario, baseline]).problems.map(({ message }) => message),
    [`there is no requirement "${id}"`],
  );
  assert.deepEqual(lint([baseline]).problems.length, 1);
});

const post = (rn: string, returned: string) =>
  `{ request: { method: POST, path: /onem2m, body: { "m2m:cnt": { rn: ${rn} } } }, response: { status: 201, body: { "m2m:cnt": { ri: cnt1${returned} } } } }`;
const get = (returned: string) =>
  `{ request: { method: GET, path: /onem2m/box }, response: { status: 200, body: { "m2m:cnt": { ${returned} } } } }`;
const withExamples = (valid: string, invalid: string, rule = sound) =>
  `${head}${rule}    examples:\n      valid:\n        - ${valid}\n      invalid:\n        - ${invalid}\n`;
/** What lint says of it, with the line and column. */
const saidOf = (t: TestContext, text: string) =>
  lint([fileOf(t, text)]).problems.map(({ line, column, message }) => `${line}:${column} ${message}`);

test('lint checks the examples of a rule, and reports which one fails', (t) => {
  const [valid, invalid] = [post('box', ', rn: box'), post('box', '')];
  assert.deepEqual(saidOf(t, withExamples(valid, invalid)), []);
  assert.deepEqual(saidOf(t, withExamples(invalid, valid)), [
    '15:13 the rule fails this valid example: attribute rn is absent, not attribute rn is present',
    '17:13 the rule passes this invalid example: its conditions are met',
  ]);
  assert.deepEqual(saidOf(t, withExamples(get('rn: other'), get('ty: 3'))), [
    '17:13 the rule passes this invalid example: it does not apply, or a value that it needs is unknown',
  ]);
});

test('an example may be a sequence, whose earlier exchanges a rule refers to', (t) => {
  const rule = `  - rule: house.container.named
    when: { operation: retrieve, type: container, success: true }
    then: { attributes: { rn: { same as: "\${requested.rn}" } } }
`;
  const sequence = (returned: string) => `[${post('box', ', rn: box')}, ${get(returned)}]`;
  assert.deepEqual(saidOf(t, withExamples(sequence('rn: box'), sequence('rn: other'), rule)), []);
  const [, alone = ''] = saidOf(t, withExamples(sequence('rn: other'), get('rn: other'), rule));
  assert.match(alone, /^17:13 the rule passes this invalid example/);
});

test('a malformed example is reported with its position', (t) => {
  const [said = ''] = saidOf(t, withExamples(post('box', ''), '{ request: { method: SEND, path: /x } }'));
  assert.match(said, /^17:\d+ .*(?:method|response|POST)/);
});

test('an example of a rule of the standard has an originator', (t) => {
  const rule = `  - rule: house.container.named
    when: { operation: create, type: container, success: true, created by: nobody }
    then: { attributes: { rn: { is: present } } }
`;
  const standard = (text: string) =>
    text.replace('level: documented', 'level: standard').replaceAll('/onem2m', '/cse-in');
  const [valid, invalid] = [post('box', ', rn: box'), post('box', '')];
  assert.deepEqual(saidOf(t, withExamples(valid, invalid, rule)), []);
  const [said = ''] = saidOf(t, standard(withExamples(valid, invalid, rule)));
  assert.match(said, /passes this invalid example: it does not apply/);
  assert.deepEqual(saidOf(t, standard(withExamples(valid, invalid))), []);
});

test('the examples of a requirement are those of its rules', (t) => {
  const file = fileOf(t, withExamples(post('box', ', rn: box'), `[${post('bin', '')}, ${get('ty: 3')}]`));
  const { valid, invalid } = examplesOf(file, 'house.container.named');
  assert.deepEqual(
    [valid, invalid].map((examples) =>
      examples.map((one) => one.map(({ request }) => `${request.method} ${request.path}`)),
    ),
    [[['POST /onem2m']], [['POST /onem2m', 'GET /onem2m/box']]],
  );
  assert.equal(valid[0]?.[0]?.answer?.status, 201);
  assert.deepEqual(examplesOf(file, 'house.ae.labelled'), { valid: [], invalid: [] });
});

test('a rule is repeated for each of its words and types', (t) => {
  const text = `types: [ae, container]
${head}  - rule: house.\${type}.\${each}
    each: [named, labelled]
    when: { operation: create }
    then: { root: "\${type.root}", attributes: { ty: "\${type.number}" } }
    unless: [house.other]
  - rule: house.\${type}.read
    when: { operation: retrieve, type: [ae, group] }
    then: { status: 200 }
  - rule: house.read
    when: { operation: retrieve, type: [ae, group] }
    then: { status: 200 }
`;
  const stated = readStatedRules(fileOf(t, text), OwnRuleFile);
  assert.deepEqual(
    stated.map(({ requirement, when }) => [requirement, when.type]),
    [
      ['house.ae.named', 'ae'],
      ['house.container.named', 'container'],
      ['house.ae.labelled', 'ae'],
      ['house.container.labelled', 'container'],
      ['house.ae.read', 'ae'],
      ['house.group.read', 'group'],
      ['house.read', ['ae', 'group']],
    ],
  );
  assert.deepEqual(
    stated.slice(0, 2).map(({ then, after, unless }) => [then, after, unless]),
    [
      [{ root: 'm2m:ae', attributes: { ty: 2 } }, [], ['house.other']],
      [{ root: 'm2m:cnt', attributes: { ty: 3 } }, [], ['house.other']],
    ],
  );
});
