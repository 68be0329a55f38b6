/** Plans: made, locked, run and compared. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse, stringify } from 'yaml';
import { check, lastOf } from '../../scenarios/index.ts';
import { publishedSchemas } from '../commands/published-schemas.ts';
import { run } from '../testing/in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'cselab-plan-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);
const write = (name: string, text: string) => writeFileSync(at(name), text);
const read = (name: string) => readFileSync(at(name), 'utf8');

const house = `specification: House rules
level: documented
sections: [{ section: Naming, requirements: { House 1: { house.container.named: A container is shown with its name. } } }]
rules:
  - rule: house.container.named
    when: { operation: create, type: container, success: true }
    then: { attributes: { rn: { is: present } } }
`;
const own = `feature: Our own
actors: { app: {} }
scenarios:
  first:
    title: A container is created
    steps:
      - create: container
        in: /\${base}/\${app}
        check: { container.create.status: { status: 201 } }
`;
const known = `deviations:
  - scenario: documented/counters/number
    requirement: container.cni.counts
    signature: c84884fdb2 one too few
    expires: 2030-01-01
`;
const target = 'product: Lab\nurl: https://127.0.0.1:9\ntls: { insecure: true }\nimplements: { PICS_GRP: yes }\n';
const plan = `target: target.yaml
ids: [container.cni, house, own, transport/certificates/expired]
scenarios: own.yaml
rules: house.yaml
baseline: known.yaml
profile: wanted.yaml
min-evidence: 2
`;
const wanted = 'name: Wanted\nsource: House rules\ndemands: { groups: PICS_GRP }\n';

let lockedPlan: string | undefined;

/** The files as they were when the plan was locked. Nothing listens there: whatever were sent would end the run with 3. */
async function locked(): Promise<void> {
  for (const [name, text] of Object.entries({ target, house, own, known, wanted, plan })) write(`${name}.yaml`, text);
  if (lockedPlan === undefined) {
    const { code, stderr } = await run(['plan', 'lock', at('plan.yaml')]);
    assert.equal(code, 0, stderr);
    lockedPlan = read('plan.yaml');
  }
  write('plan.yaml', lockedPlan);
}

const checked = (...more: string[]) => run(['check', '--plan', at('plan.yaml'), '--wait-for-target', '0', ...more]);

test('a plan that is new says what the flags say, relative to itself, and is locked with every word kept', async () => {
  for (const [name, text] of Object.entries({ 'house.yaml': house, 'known.yaml': known, 'target.yaml': target }))
    write(name, text);
  const flags = [
    '--rules',
    at('house.yaml'),
    '--baseline',
    at('known.yaml'),
    '--level',
    'standard',
    '--tag',
    'a',
    '--tag',
    'b',
  ];
  const more = ['--no-again', '--rate', '50/s', '--no-access-control', '--lifetime', '1h'];
  const made = await run([
    'plan',
    'new',
    at('new.yaml'),
    'container.cni',
    '--target',
    at('target.yaml'),
    ...flags,
    ...more,
  ]);
  assert.equal(made.code, 0, made.stderr);
  const { lock: _, ...said } = parse(read('new.yaml'));
  assert.deepEqual(said, {
    ...{ target: 'target.yaml', ids: ['container.cni'], rules: 'house.yaml', baseline: 'known.yaml' },
    ...{ level: 'standard', tag: ['a', 'b'], again: false, rate: '50/s', 'access-control': false, lifetime: '1h' },
  });
  write('new.yaml', read('new.yaml').replace('level: standard', 'level: standard # as agreed'));
  assert.equal((await run(['plan', 'lock', at('new.yaml')])).code, 0);
  assert.match(
    read('new.yaml'),
    /^# yaml-language-server: \$schema=\S+plan\.schema\.json\n(.*\n)+level: standard # as agreed\n/,
  );
  const once = read('new.yaml');
  assert.match((await run(['plan', 'lock', at('new.yaml')])).stdout, /^0 changes since/m);
  assert.equal(read('new.yaml'), once);
  assert.equal((await run(['plan', 'new', at('new.yaml')])).code, 2);
});

test('no plan holds a certificate, a header, a command or credentials', async () => {
  for (const flag of ['--header', '--cert', '--env', '--restart-command', '--secret'])
    assert.equal((await run(['plan', 'new', at('secret.yaml'), flag, 'x'])).code, 2, flag);
  const { code, stderr } = await run(['plan', 'new', at('secret.yaml'), '--url', 'http://me:word@127.0.0.1:9']);
  assert.deepEqual([code, /secret\.yaml:4:6: credentials do not stand in a plan/.test(stderr)], [2, true]);
  assert.throws(() => read('secret.yaml'), /ENOENT/);
});

/** Text of a file, with something else in it; it has to be there. */
function changed(text: string, from: string, to: string): string {
  assert.ok(text.includes(from), from);
  return text.replace(from, to);
}

const loosenings: ReadonlyArray<
  readonly [what: string, file: string, change: (text: string) => string, cause: RegExp]
> = [
  [
    'a rule that asks for less',
    'house.yaml',
    (text) => changed(text, 'is: present', 'when present: { is: present }'),
    /:\d+:5: changed: requirement house\.container\.named: what it demands, or a rule that checks it\n/,
  ],
  [
    'a check that permits more',
    'own.yaml',
    (text) => changed(text, 'status: 201', 'status: { one of: [200, 201] }'),
    /:\d+:5: changed: scenario own\/first: what it sends, or what is checked of that\n/,
  ],
  [
    'a scenario that is not there any more',
    'own.yaml',
    (text) => changed(text, '  first:', '  another:'),
    /skipped: scenario own\/first is no longer checked\n[\s\S]*added: scenario own\/another\n/,
  ],
  [
    'a scenario that is added',
    'own.yaml',
    (text) => `${text}  second:${text.slice(text.indexOf('first:') + 'first:'.length)}`,
    /:\d+:3: added: scenario own\/second\n/,
  ],
  [
    'a deviation that is excused',
    'known.yaml',
    (text) => `${text}  - { scenario: own/first, requirement: container.create.status, signature: c84884fdb2 }\n`,
    /loosened: the baseline excuses container\.create\.status in own\/first as c84884fdb2\n/,
  ],
  [
    'a deviation that is excused for longer',
    'known.yaml',
    (text) => changed(text, '2030', '2040'),
    /loosened: the baseline excuses otherwise, or until another day, container\.cni\.counts in documented\/counters\/number/,
  ],
  [
    'a feature that the target file denies',
    'target.yaml',
    (text) => changed(text, 'PICS_GRP: yes', 'PICS_GRP: yes, PICS_CNT: no'),
    /changed: the claim to have PICS_CNT was not said, and is no\n/,
  ],
  [
    'a path that is not even read',
    'target.yaml',
    (text) => `${text}hands off: [/onem2m/plant]\n`,
    /changed: hands-off was not said, and is \/onem2m\/plant\n/,
  ],
  [
    'a request that the target file calls a risk',
    'target.yaml',
    (text) => `${text}risks: [{ when: { method: POST }, kills: seen once }]\n`,
    /changed: risks was [0-9a-f]{16}, and is [0-9a-f]{16}\n/,
  ],
  [
    'less evidence',
    'plan.yaml',
    (text) => changed(text, 'min-evidence: 2', 'min-evidence: 1'),
    /changed: min-evidence was 2, and is 1\n/,
  ],
  [
    'failures that no longer fail the run',
    'plan.yaml',
    (text) => `fail-on: none\n${text}`,
    /changed: fail-on was violations, intermittent, and is none\n/,
  ],
  [
    'a lower level',
    'plan.yaml',
    (text) => `level: standard\n${text}`,
    /changed: level was documented, and is standard\n/,
  ],
  [
    'scenarios that are filtered out by a tag',
    'plan.yaml',
    (text) => `exclude-tag: retention\ntag: none\n${text}`,
    /skipped: scenario documented\/counters\/number is no longer checked\n/,
  ],
  [
    'an id that is left out',
    'plan.yaml',
    (text) => changed(text, 'container.cni, ', ''),
    /skipped: requirement container\.cni\.counts is no longer checked\n/,
  ],
  [
    'a run that only reads',
    'plan.yaml',
    (text) => `read-only: true\n${text}`,
    /changed: read-only was not said, and is yes\n[\s\S]*skipped: scenario own\/first is no longer checked \(not applicable: /,
  ],
  [
    'a profile that demands less',
    'wanted.yaml',
    (text) => changed(text, 'groups: PICS_GRP', ''),
    /changed: profile was Wanted: PICS_GRP, and is Wanted: none\n/,
  ],
  [
    'rules that are not looked at',
    'plan.yaml',
    (text) => changed(text, 'rules: house.yaml', 'rules: false').replace('house, ', ''),
    /changed: rules was yes, and is no\n/,
  ],
];

for (const [what, file, change, cause] of loosenings)
  test(`a locked plan is not run with ${what}, and the cause is named`, async () => {
    await locked();
    write(file, change(read(file)));
    const { code, stderr } = await checked();
    assert.equal(code, 2, stderr);
    assert.match(stderr, cause);
  });

test('a scenario that an address cannot have is skipped, and named, before anything is sent', async () => {
  await locked();
  assert.equal((await checked()).code, 3, 'nothing listens at the address of the target file');
  assert.equal((await run(['plan', 'show', at('plan.yaml'), '--url', 'http://127.0.0.1:9'])).code, 1);
  const { code, stderr } = await checked('--url', 'http://127.0.0.1:9');
  assert.equal(code, 2, stderr);
  assert.match(
    stderr,
    /skipped: scenario transport\/certificates\/expired is no longer checked \(not applicable: needs a target over HTTPS/,
  );
});

test('what makes a run stricter, and another version that checks the same, are no mistake', async () => {
  await locked();
  write('known.yaml', 'deviations: []\n');
  write('plan.yaml', changed(read('plan.yaml'), 'cselab: ', 'cselab: 0.0.0-before-'));
  const { code, stderr } = await checked();
  assert.equal(code, 3, stderr);
  assert.match(stderr, /was locked with cselab 0\.0\.0-before-\S+; \S+ checks the same\n/);
});

test('flags that change what is checked are refused beside a plan, and named', async () => {
  await locked();
  for (const flag of [
    '--level=standard',
    '--fail-on=none',
    '--exclude-tag=x',
    '--min-evidence=1',
    '--baseline=other.yaml',
    '--no-rules',
    '--no-again',
    '--read-only',
    '--risky',
    '--in-process',
    '--shard=1/2',
    '--max-fail=1',
    '--watch',
    '--as-cse=0',
    '--target=acme',
  ]) {
    const { code, stderr } = await checked(flag);
    const name = flag.replace('--no-', '--').replace(/=.*/, '');
    assert.deepEqual([code, stderr.includes(`${name} and a plan exclude each other`)], [2, true], `${flag}: ${stderr}`);
  }
  assert.match((await checked('container.cni')).stderr, /ids and --plan exclude each other/);
  assert.equal(
    (await checked('--jobs', '2', '--rate', '9/s', '-k', '-H', 'X-Key: 1', '--report', 'markdown=-')).code,
    3,
  );
});

test('what turns out to be not applicable, or is cut short, is no conformance to a locked plan', async () => {
  const ids = ['documented/ae/create', 'documented/events/notified'];
  const options = { target: { kind: 'in-process' as const }, ids };
  assert.equal((await lastOf(check(options))).exit.code, 0);
  const { exit } = await lastOf(check({ ...options, locked: ids }));
  assert.equal(exit.code, 4);
  assert.match(exit.reason, /^1 scenario of the plan skipped: documented\/events\/notified \(needs "notifications"/);
  const absent = await lastOf(check({ ...options, locked: [...ids, 'documented/ae/retrieve'] }));
  assert.match(absent.exit.reason, /^2 scenarios of .*documented\/ae\/retrieve \(the run ended before\)/);
});

test('a target can stand in the plan, and is run with what it claims', async () => {
  const inline = { target: { product: 'Lab', url: 'http://127.0.0.1:9', implements: { PICS_GRP: 'no' } } };
  write('inline.yaml', stringify({ ...inline, ids: ['documented/ae/create'] }));
  assert.equal((await run(['plan', 'lock', at('inline.yaml')])).code, 0);
  assert.deepEqual(parse(read('inline.yaml')).lock.claims, { PICS_GRP: 'no' });
  const { code, stdout } = await run([
    'check',
    '--plan',
    at('inline.yaml'),
    '--report',
    'json=-',
    '--wait-for-target',
    '0',
  ]);
  assert.deepEqual([code, JSON.parse(stdout).target.product], [3, 'Lab']);
});

test('the difference of two plans is what must be run again', async () => {
  await locked();
  write('old.yaml', read('plan.yaml'));
  const same = await run(['plan', 'delta', at('old.yaml'), at('plan.yaml')]);
  assert.deepEqual([same.code, same.stdout], [0, 'Nothing must be run again.\n']);
  write('own.yaml', changed(own, '  first:', '  other:'));
  write('house.yaml', changed(house, 'with its name', 'with the name that was asked for'));
  write('known.yaml', 'deviations: []\n');
  write('new.yaml', plan);
  const { code, stdout } = await run(['plan', 'delta', at('old.yaml'), at('new.yaml')]);
  assert.equal(code, 1);
  assert.match(
    stdout.replace(/\s+/g, ' '),
    /To be run again: stricter: the baseline .* added: scenario own\/other changed: requirement house\.container\.named: .* Beside that: skipped: scenario own\/first/,
  );
  const { code: without, stderr } = await run(['plan', 'delta', at('new.yaml'), at('old.yaml')]);
  assert.deepEqual([without, /new\.yaml is not locked/.test(stderr)], [2, true]);
});

test('every mistake in a plan has its line and column', async () => {
  write('known.yaml', known);
  const mistakes: ReadonlyArray<readonly [text: string, message: RegExp]> = [
    ['levels: standard\n', /:1:1: unknown key "levels"; did you mean "level"\?/],
    ['level: all\n', /:1:8: "all" is none of "documented", "standard"/],
    ['about: x\njobs: 0\n', /:2:7: It is at least 1\./],
    ['baseline: nowhere.yaml\n', /:1:11: there is no file "nowhere\.yaml" beside this one/],
    ['ids: [ae, none.yaml]\n', /:1:11: there is no file "none\.yaml"/],
    ['target: ./gone.yaml\n', /:1:9: there is no target file "\.\/gone\.yaml"/],
    ['target: acmee\n', /:1:9: of the products .* none is called "acmee"; did you mean "acme"\?/],
    ['target:\n  product: Lab\n  urll: x\n', /:3:3: unknown key "urll"; did you mean "url"\?/],
    ['header: "Authorization: Bearer x"\n', /:1:1: unknown key "header"/],
    ['level: [documented, standard]\n', /:1:1: a list is none of "documented"/],
    ['lock: { cselab: 1, scenarios: {} }\n', /:1:17: expected a text, found the number 1/],
    ['read-only: perhaps\n', /:1:12: expected true or false/],
    ['- level\n', /:1:1: expected a map, found a list/],
  ];
  for (const [text, message] of mistakes) {
    write('bad.yaml', text);
    for (const command of [['check', '--plan'], ['plan', 'show'], ['lint']]) {
      if (command[0] === 'lint') write('bad.yaml', `${text}# plan.schema.json\n`);
      const { code, stderr, stdout } = await run([...command, at('bad.yaml')]);
      assert.equal(code, 2, text);
      assert.match(stderr + stdout, message, command.join(' '));
    }
  }
});

test('editors know the keys of a plan from its schema, which is that of the grammar', () => {
  const { text = '' } = publishedSchemas.find(({ file }) => file === 'plan/plan.schema.json') ?? {};
  assert.deepEqual(JSON.parse(readFileSync(new URL('plan.schema.json', import.meta.url), 'utf8')), JSON.parse(text));
  const { properties } = JSON.parse(text);
  for (const key of ['target', 'ids', 'level', 'min-evidence', 'read-only', 'lock']) assert.ok(properties[key], key);
  assert.ok(Object.values<{ description?: string }>(properties).every(({ description }) => description));
});
