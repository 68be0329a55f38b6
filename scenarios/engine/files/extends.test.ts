/** What target files and rules of a team build on. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { type TestContext, test } from 'node:test';
import { listScenarios } from '../../checking/check.ts';
import { readTargetFile } from '../../target-files/read-target-file.ts';
import { ScenarioFilesError } from '../basics/diagnostics.ts';
import { ownRuleFiles } from './extends.ts';

function folderWith(t: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cselab-extends-')));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const rules = (id: string, above = '') => `${above}specification: House rules
level: documented
sections: [{ section: Naming, requirements: { House: { ${id}: A container is named. } } }]
rules:
  - { rule: ${id}, when: { operation: create, type: container, success: true }, then: { attributes: { rn: { is: text } } } }
`;
const scenario = `feature: Of the profile
actors: { app: {} }
scenarios: { named: { title: A container is created, steps: [{ create: container, in: "/\${base}/\${app}", attributes: { rn: box } }] } }
`;
/** Whoever runs its code fails. */
const profile = {
  'node_modules/@acme/profile/package.json':
    '{ "name": "@acme/profile", "main": "code.js", "exports": "./code.js",\n  "cselab": { "target": "target.yaml", "rules": ["rules.yaml"], "scenarios": "cases" } }',
  'node_modules/@acme/profile/code.js': 'throw new Error("this was run");',
  'node_modules/@acme/profile/rules.yaml': rules('acme.named'),
  'node_modules/@acme/profile/cases/of-acme.yaml': scenario,
  'node_modules/@acme/profile/target.yaml':
    'product: Acme\nbase: acme\nheaders: { A: "1", B: "2" }\nimplements: { PICS_GRP: no, PICS_NOD: no }\ntls: { cacert: chain.pem }\n',
  'node_modules/@acme/profile/chain.pem': '',
};

const messageOf = (action: () => unknown): string => {
  try {
    action();
  } catch (error) {
    assert.ok(error instanceof ScenarioFilesError, String(error));
    return error.problems.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`).join();
  }
  return 'nothing is wrong';
};

test('a target file says what it has otherwise than the package that it extends, which is never run', (t) => {
  const folder = folderWith(t, {
    ...profile,
    'gw/target.yaml':
      'extends: "@acme/profile"\nproduct: Gateway\nheaders: { B: "3" }\nimplements: { PICS_NOD: yes }\nlimits: { jobs: 2 }\n',
  });
  const { choice, jobs, brought } = readTargetFile(join(folder, 'gw/target.yaml'));
  const own = join(folder, 'node_modules/@acme/profile');
  assert.deepEqual([choice.product, choice.base, jobs], ['Gateway', 'acme', 2]);
  assert.deepEqual(choice.headers, [
    ['A', '1'],
    ['B', '3'],
  ]);
  assert.deepEqual(choice.ics?.claims, { PICS_GRP: 'no', PICS_NOD: 'yes' });
  assert.equal(choice.tls?.cacert, join(own, 'chain.pem'));
  assert.deepEqual(brought, { rules: [join(own, 'rules.yaml')], scenarios: [join(own, 'cases')] });
});

test('of several the last one wins, and a file may extend one that extends another', (t) => {
  const folder = folderWith(t, {
    'one.yaml': 'product: One\nbase: one\ncse id: first\n',
    'two.yaml': 'extends: one.yaml\nproduct: Two\nbase: two\n',
    'three.yaml': 'product: Three\nsp id: third\n',
    'target.yaml': 'extends: [./two.yaml, ./three.yaml]\n',
  });
  const { choice, brought } = readTargetFile(join(folder, 'target.yaml'));
  assert.deepEqual([choice.product, choice.base, choice.cseId, choice.spId], ['Three', 'two', 'first', 'third']);
  assert.deepEqual(brought, { rules: [], scenarios: [] });
});

test('scenarios that it brings are run beside those of the project, and can be chosen', (t) => {
  const folder = folderWith(t, profile);
  const moreFiles = [join(folder, 'node_modules/@acme/profile/cases')];
  const all = listScenarios({ moreFiles }).map(({ id }) => id);
  assert.ok(all.includes('of-acme/named') && all.includes('documented/ae/create'));
  assert.deepEqual(
    listScenarios({ moreFiles, ids: ['of-acme'] }).map(({ id }) => id),
    ['of-acme/named'],
  );
});

test('rules are read behind those that they extend, each once', (t) => {
  const folder = folderWith(t, {
    ...profile,
    'base.yaml': rules('base.named', 'extends: "@acme/profile"\n'),
    'house.yaml': rules('house.named', 'extends: [base.yaml, "@acme/profile/rules.yaml"]\n'),
  });
  const files = ownRuleFiles([join(folder, 'house.yaml')]).map((path) => relative(folder, path));
  assert.deepEqual(files, [join('node_modules', '@acme', 'profile', 'rules.yaml'), 'base.yaml', 'house.yaml']);
});

test('what is not there, or leads back, is said with its place', (t) => {
  const folder = folderWith(t, {
    'missing.yaml': 'product: One\nextends:\n  - "@acme/none"\n',
    'one.yaml': 'extends: two.yaml\nproduct: One\n',
    'two.yaml': 'product: Two\nextends: ./one.yaml\n',
    'own.yaml': rules('own.named', 'extends: other.yaml\n'),
    'other.yaml': rules('other.named', 'extends: own.yaml\n'),
    'plain.yaml': 'product: One\nextends: ./plain\n',
    'plain/package.json': '{ "name": "plain" }',
    'wrong.yaml': 'extends: base.yaml\nproduct: One\n',
    'base.yaml': 'product: Base\nbases: 1\n',
  });
  const target = (name: string) => messageOf(() => readTargetFile(join(folder, name)));
  assert.match(target('missing.yaml'), /missing\.yaml:3:5 there is neither a file nor a package "@acme\/none"$/);
  assert.match(target('one.yaml'), /two\.yaml:2:10 "\.\/one\.yaml" leads back to .*one\.yaml$/);
  assert.match(
    messageOf(() => ownRuleFiles([join(folder, 'own.yaml')])),
    /other\.yaml:1:10 "own\.yaml" leads back/,
  );
  assert.match(target('plain.yaml'), /plain\/package\.json:1:\d+ .*cselab/);
  assert.match(target('wrong.yaml'), /base\.yaml:2:1 .*bases/);
});
