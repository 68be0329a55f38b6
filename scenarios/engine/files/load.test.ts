import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { renderProblem, ScenarioFilesError, UsageError } from '../basics/diagnostics.ts';
import { loadRequirements } from './catalogue.ts';
import { scenariosFolder } from './folders.ts';
import { loadScenarios, stemOf } from './load.ts';

const room = mkdtempSync(join(tmpdir(), 'cselab-load-'));
after(() => rmSync(room, { recursive: true }));

const requirements = join(room, 'requirements');
mkdirSync(requirements);
writeFileSync(
  join(requirements, 'interface.yaml'),
  `specification: Interface
level: documented
sections:
  - section: Endpoints
    requirements:
      row 1: { ae.create.status: created with 201 }
    gaps:
      AE: { ae.create.nl: nl is left open }
`,
);

let count = 0;
function file(text: string): string {
  count += 1;
  const path = join(room, `f${count}.yaml`);
  writeFileSync(path, text);
  return path;
}

function problemsOf(text: string): ReadonlyArray<{ line: number; column: number; length: number; message: string }> {
  try {
    loadScenarios([file(text)], { requirements });
  } catch (error) {
    assert(error instanceof ScenarioFilesError);
    return error.problems;
  }
  return [];
}

function scenario(steps: string, head = ''): string {
  return `feature: f\n${head}scenarios:\n  one:\n    title: t\n    steps:\n${steps}`;
}

/** One step, with its only problem and the text under the caret. */
function onlyProblem(text: string): [message: string, underlined: string] {
  const problems = problemsOf(text);
  assert.equal(problems.length, 1, JSON.stringify(problems));
  const { line, column, length, message } = problems[0] ?? { line: 0, column: 0, length: 0, message: '' };
  return [message, (text.split('\n')[line - 1] ?? '').slice(column - 1, column - 1 + length)];
}

test('a correct file gives scenarios with ids, places, tags and checks', () => {
  const path = file(
    scenario(
      `      - create: ae
        in: /\${base}
        check:
          ae.create.status: [{ status: 201 }, { root: 'm2m:ae' }]
`,
      'tags: [a]\nactors: { app: {} }\n',
    ),
  );
  const { scenarios, catalogue } = loadScenarios([path], { requirements });
  assert.deepEqual([...catalogue.requirements.keys()], ['ae.create.status', 'ae.create.nl']);
  const [one] = scenarios;
  assert.equal(one?.id, `${stemOf(path)}/one`);
  assert.deepEqual(one?.tags, ['a']);
  assert.equal(one?.place.line, 5);
  assert.deepEqual(
    one?.steps[0]?.checks.map(({ requirement, place }) => [requirement, place.line, place.column]),
    [
      ['ae.create.status', 11, 32],
      ['ae.create.status', 11, 49],
    ],
  );
});

test('ids of files in the scenarios room are their paths, of others their names', () => {
  assert.equal(stemOf(join(scenariosFolder, 'documented', 'ae.yaml')), 'documented/ae');
  assert.equal(stemOf('/elsewhere/mine.yml'), 'mine');
});

test('the project’s own files are without problems', () => {
  assert(loadScenarios().scenarios.length > 0);
  assert(loadRequirements().requirements.size > 0);
});

type Mistake = readonly [name: string, text: string, message: RegExp, underlined: string];
const mistakes: readonly Mistake[] = [
  ['a YAML syntax error', 'feature: [a\nscenarios: {}\n', /./, ''],
  ['a key that stands twice', 'feature: a\nfeature: b\nscenarios: {}\n', /twice in the same map/, 'feature'],
  [
    'an unknown key',
    scenario('      - create: ae\n        in: /x\n        atributes: {}\n'),
    /unknown key "atributes"; did you mean "attributes"\?/,
    'atributes',
  ],
  ['a missing key', scenario('      - create: ae\n'), /"in" is missing/, 'create'],
  ['a wrong type', scenario('      - retrieve: 5\n'), /expected a text, found the number 5/, '5'],
  [
    'an unknown kind',
    scenario('      - create: contaner\n        in: /x\n'),
    /"contaner" is none of .*did you mean "container"/,
    'contaner',
  ],
  [
    'a step without a verb',
    scenario('      - retreive: /x\n'),
    /a step needs one of .*did you mean .*"retrieve"/,
    'retreive',
  ],
  [
    'a step with two verbs',
    scenario('      - retrieve: /x\n        delete: /x\n'),
    /this one has "retrieve" and "delete"/,
    'retrieve',
  ],
  [
    'an unknown actor',
    scenario('      - retrieve: /x\n        as: ap\n', 'actors: { app: {} }\n'),
    /no actor "ap"; did you mean "app"/,
    'ap',
  ],
  [
    'an unknown name',
    scenario('      - retrieve: /x/${bse}\n'),
    /nothing before this step has the name "bse"; did you mean "base"/,
    '${bse}',
  ],
  [
    'a name captured too late',
    scenario('      - retrieve: /x/${ri}\n      - retrieve: /x\n        capture: { ri: ri }\n'),
    /has the name "ri"/,
    '${ri}',
  ],
  [
    'a capture with a built-in name',
    scenario('      - retrieve: /x\n        capture: { base: rn }\n'),
    /"base" is a built-in name/,
    'base',
  ],
  [
    'an unknown requirement',
    scenario('      - retrieve: /x\n        check: { ae.create.statuss: { status: 200 } }\n'),
    /no requirement "ae.create.statuss"; did you mean "ae.create.status"/,
    'ae.create.statuss',
  ],
  [
    'an unknown matcher',
    scenario('      - retrieve: /x\n        check: { ae.create.status: { status: { oneof: [200] } } }\n'),
    /unknown key "oneof"; did you mean "one of"/,
    'oneof',
  ],
  [
    'a matcher with two keys',
    scenario('      - retrieve: /x\n        check: { ae.create.status: { body: { is: text, length: 2 } } }\n'),
    /a matcher has exactly one key/,
    'body',
  ],
  [
    'an unknown shape',
    scenario('      - retrieve: /x\n        check: { ae.create.status: { body: { is: txt } } }\n'),
    /"txt" is none of .*did you mean "text"/,
    'txt',
  ],
  [
    'a list as a matcher',
    scenario('      - retrieve: /x\n        check: { ae.create.status: { status: [200] } }\n'),
    /expected a text, a number, true or false, nothing, a map; found a list/,
    'status',
  ],
  ...(
    [
      ['{ status: "200" }', /a number, which is written without quotes/, '"200"'],
      ['{ one of: [{ rsc: { one of: ["2001"] }, source: a }] }', /a number, which is written without quotes/, 'rsc'],
      ['{ header: { x-m2m-rsc: 2000 } }', /a text, which is written in quotes/, '2000'],
      ['{ status: { between: [500, 400] } }', /the first number is greater than the second/, 'between'],
      ['', /expected a map, a list; found nothing/, ''],
    ] as const
  ).map(([check, message, underlined]): Mistake => {
    const name = `the check ${check}`;
    return [
      name,
      scenario(`      - retrieve: /x\n        check: { ae.create.status: ${check} }\n`),
      message,
      underlined,
    ];
  }),
  ...(
    [
      ['retrieve: "${base}"', /a path begins with a slash/, '"${base}"'],
      ['create: ae\n        in: base', /a path begins with a slash/, 'base'],
      ['delete: /x\n        attributes: {}', /unknown key "attributes"; known keys: delete, query/, 'attributes'],
      ['retrieve: /x\n        headers: { X Y: a }', /a header name has letters, digits and hyphens/, 'headers'],
      ['raw: GET', /expected a map; found "GET"/, 'GET'],
      ['each: { n: { from: 2, to: 1 } }\n        steps: [{ retrieve: /x }]', /`to` is `from` or more/, 'n'],
      ['each: { n: { from: 1, to: 1e9 } }\n        steps: [{ retrieve: /x }]', /10000 at most/, 'n'],
      ['each: { n: [1] }\n        steps: [{ each: { m: [1] }, steps: [] }]', /nor within another "each"/, 'each'],
    ] as const
  ).map(([step, message, underlined]): Mistake => [step, scenario(`      - ${step}\n`), message, underlined]),
  [
    'repeated steps in given',
    scenario('      - retrieve: /x\n', 'given:\n  - each: { n: [1] }\n    steps: [{ retrieve: /x }]\n'),
    /repeated neither under "given" nor/,
    'each',
  ],
  ['an alias without its anchor', scenario('      - *step\n'), /Unresolved alias/, '*step'],
  ['a second document', `${scenario('      - retrieve: /x\n')}---\na: 1\n`, /a file is one document/, '---'],
  [
    'a bad regular expression',
    scenario("      - retrieve: /x\n        check: { ae.create.status: { body: { matching: '(' } } }\n"),
    /not a regular expression/,
    "'('",
  ],
  [
    'an outcome without a source',
    scenario('      - retrieve: /x\n        check: { ae.create.status: { one of: [{ status: 200 }] } }\n'),
    /"source" is missing/,
    'status',
  ],
  [
    'a check in given',
    scenario('      - retrieve: /x\n', 'given:\n  - retrieve: /x\n    check: { ae.create.status: { status: 200 } }\n'),
    /carries no checks/,
    'check',
  ],
  [
    'an actor with a built-in name',
    scenario('      - retrieve: /x\n', 'actors: { name: {} }\n'),
    /"name" is a built-in name/,
    'name',
  ],
  [
    'a body that fills the memory',
    scenario('      - raw: { method: POST, path: /, body: { repeat: aaaaaaaaaaaaaaaa, times: 20000000 } }\n'),
    /longer than 67108864 bytes/,
    '20000000',
  ],
  [
    'an unknown need',
    scenario('      - retrieve: /x\n', 'needs: [htps]\n'),
    /"htps" is none of .*did you mean "https"/,
    'htps',
  ],
  [
    'a name within repeated steps that nobody knows',
    scenario('      - each: { text: contents }\n        steps:\n          - retrieve: "/${txt}"\n'),
    /nothing before this step has the name "txt"; did you mean "text"/,
    '${txt}',
  ],
  [
    'an unknown table',
    scenario('      - each: { text: content }\n        steps:\n          - retrieve: /x\n'),
    /"content" is none of .*did you mean "contents"/,
    'content',
  ],
  [
    'repeated steps for two names',
    scenario('      - each: { a: [1], b: [2] }\n        steps:\n          - retrieve: /x\n'),
    /repeated for the values of one name/,
    'each',
  ],
  [
    'needs that contradict each other',
    scenario('      - retrieve: /x\n', 'needs: [plain HTTP, certificate optional]\n'),
    /no target has both "plain HTTP" and "https"/,
    'needs',
  ],
  [
    'a scenario whose needs contradict what its file needs',
    scenario('      - retrieve: /x\n        on: backend\n        certificate: own\n', 'needs: [plain HTTP]\n'),
    /no target has both "plain HTTP" and "https"/,
    'one',
  ],
  [
    'an unknown certificate',
    scenario('      - retrieve: /x\n        certificate: expird\n', 'needs: [https]\n'),
    /"expird" is none of .*did you mean "expired"/,
    'expird',
  ],
  [
    'an unknown CSE',
    scenario('      - retrieve: /x\n        on: bakend\n', 'needs: [backend]\n'),
    /"bakend" is none of "gateway", "backend"; did you mean "backend"/,
    'bakend',
  ],
  [
    'a wait that is no time',
    scenario('      - receive: { method: POST }\n        within: soon\n', 'needs: [simulated backend]\n'),
    /write a time as 30s, 500ms or 1m/,
    'soon',
  ],
  [
    'an originator of an actor that comes later',
    scenario('      - retrieve: /x\n', 'actors: { a: { originator: "${b.originator}" }, b: {} }\n'),
    /nothing before this step has the name "b.originator"/,
    '${b.originator}',
  ],
  [
    'a scenario key with capitals',
    'feature: f\nscenarios:\n  One:\n    title: t\n    steps: [{ retrieve: /x }]\n',
    /small letters/,
    'One',
  ],
];

for (const [name, text, message, underlined] of mistakes) {
  test(`the problem points at ${name}`, () => {
    const [found, caret] = onlyProblem(text);
    assert.match(found, message);
    if (underlined !== '') assert.equal(caret, underlined);
  });
}

test('every problem of every file is reported at once', () => {
  const first = file(scenario('      - retrive: /x\n      - retrieve: /${nope}\n'));
  const second = file('feature: 1\n');
  assert.throws(
    () => loadScenarios([first, second], { requirements }),
    (error) => error instanceof ScenarioFilesError && error.problems.length === 4,
  );
});

test('what is wrong in a scenario of several rows is told once', () => {
  const rows = 'rows: { one: { where: /a }, two: { where: /b } }\n';
  const [message] = onlyProblem(scenario('      - { retrieve: "${row.where}", chek: {} }\n', rows));
  assert.equal(message, 'unknown key "chek"; did you mean "check"?');
});

test('a problem is shown with its line and a caret', () => {
  const problem = { file: 'a.yaml', line: 12, column: 3, length: 4, message: 'wrong', sourceLine: '\ta: text' };
  assert.equal(renderProblem(problem), 'a.yaml:12:3: wrong\n 12 | \ta: text\n    | \t ^^^^');
});

test('a path that does not exist is a usage error', () => {
  assert.throws(() => loadScenarios([join(room, 'none.yaml')]), UsageError);
});

test('aliases cannot be used to fill the memory', () => {
  const bomb = Array.from({ length: 12 }, (_, n) => `  - &a${n + 1} [${Array(9).fill(`*a${n}`).join(', ')}]`);
  const problems = problemsOf(`feature: f\nlist:\n  - &a0 [1, 2]\n${bomb.join('\n')}\n`);
  assert.match(problems[0]?.message ?? '', /alias/i);
});

test('a directory is read in the same order everywhere', () => {
  const directory = join(room, 'many');
  mkdirSync(join(directory, 'b'), { recursive: true });
  for (const name of ['c.yaml', 'a.yml', 'B.yaml', 'b/x.yaml', 'ignored.txt']) {
    writeFileSync(join(directory, name), scenario('      - retrieve: /x\n'));
  }
  const { scenarios } = loadScenarios([directory], { requirements });
  assert.deepEqual(
    scenarios.map(({ id }) => id),
    ['B/one', 'a/one', 'x/one', 'c/one'],
  );
});

test('two files that give the same scenario id clash', () => {
  mkdirSync(join(room, 'twin'));
  const first = file(scenario('      - retrieve: /x\n'));
  const second = join(room, 'twin', first.split('/').at(-1) ?? '');
  writeFileSync(second, scenario('      - retrieve: /x\n'));
  assert.throws(() => loadScenarios([first, second], { requirements }), /exists already/);
});

test('a requirement that stands twice is a problem', () => {
  const directory = join(room, 'twice');
  mkdirSync(directory);
  const text = 'specification: s\nlevel: standard\nsections: [{ section: a, gaps: { y: { a.b: x } } }]\n';
  for (const name of ['1.yaml', '2.yaml']) writeFileSync(join(directory, name), text);
  assert.throws(() => loadRequirements(directory), /"a.b" exists already/);
});

const uses: ReadonlyArray<readonly [what: string, steps: string, head: string, needs: readonly string[]]> = [
  ['a certificate', '      - retrieve: /x\n        certificate: own\n', '', ['https']],
  ['no certificate', '      - retrieve: /x\n        certificate: none\n', '', []],
  ['an actor with one', '      - retrieve: /x\n', 'actors: { app: { certificate: own } }\n', ['https']],
  ['a prepared certificate', '      - retrieve: /x\n', 'given: [{ retrieve: /y, certificate: own }]\n', ['https']],
  ['a step on the backend', '      - retrieve: /x\n        on: backend\n', '', ['backend']],
  ['a name of the backend', '      - retrieve: /~/${backend-cse}/x\n', '', ['backend']],
  [
    'a look at the handshake',
    '      - retrieve: /x\n        check: { ae.create.status: { one of: [{ handshake: refused, source: a }] } }\n',
    '',
    ['https'],
  ],
  [
    'a handshake that is insisted on',
    '      - retrieve: /x\n        over: TLS 1.2\n        check: { ae.create.status: { handshake: refused } }\n',
    '',
    [],
  ],
  ['a request of the target', '      - receive: { path: "/~/${backend-cse}" }\n', '', ['simulated backend']],
];

for (const [what, steps, head, needs] of uses) {
  test(`a scenario with ${what} needs ${needs.join() || 'nothing'} without saying so`, () => {
    const [only] = loadScenarios([file(scenario(steps, head))], { requirements }).scenarios;
    assert.deepEqual([...(only?.needs ?? [])], needs);
  });
}

test('what one scenario needs the others of its file do not', () => {
  const text = `feature: f
scenarios:
  one: { title: t, needs: [certificate optional], steps: [{ retrieve: "/\${backend-base}", on: backend }] }
  two: { title: t, needs: [certificate required], steps: [{ retrieve: /x, over: TLS 1.2 }] }
`;
  const [one, two] = loadScenarios([file(text)], { requirements }).scenarios;
  assert.deepEqual([...(one?.needs ?? [])], ['certificate optional', 'https', 'backend']);
  assert.deepEqual([...(two?.needs ?? [])], ['certificate required', 'https']);
});

test('with the harness as backend the names of a backend need nothing else', () => {
  const text = scenario('      - receive: { path: "/~/${backend-cse}" }\n', 'needs: [simulated backend]\n');
  assert.deepEqual(problemsOf(text), []);
});

test('what a team states beside has none of the project’s own files read anew', () => {
  const own = file(
    'specification: House\nlevel: documented\nsections: [{ section: Names, requirements: { H 1: { house.named: named } } }]\nrules: []\n',
  );
  const paths = [join(scenariosFolder, 'documented', 'ae.yaml')];
  const [before, beside] = [loadScenarios(paths), loadScenarios(paths, { ownRules: [own] })];
  assert.ok(beside.catalogue.requirements.has('house.named'));
  assert.ok(before.scenarios.length > 0);
  // Each is the object that was read before.
  for (const [at, one] of beside.scenarios.entries()) assert.equal(one, before.scenarios[at]);
});

test('a question that nobody could answer by its name is told with its place', () => {
  const asked = (more: string) => scenario(`      - { ask: Which?, answer: led${more} }\n`);
  assert.deepEqual(problemsOf(asked(', choice: [red], check: { ae.create.status: { answer: red } }')), []);
  assert.deepEqual(onlyProblem(asked(', choice: [red, red]')), [
    'each can be chosen once, and "cannot tell" is there anyway',
    'choice',
  ]);
  assert.equal(onlyProblem(asked(', choice: [cannot tell]'))[1], 'choice');
  assert.deepEqual(onlyProblem(asked(', choice: [red], upload: file')), [
    'a question has either `choice` or `upload`',
    'ask',
  ]);
  assert.deepEqual(onlyProblem(asked(', choise: [red]')), ['unknown key "choise"; did you mean "choice"?', 'choise']);
  assert.deepEqual(onlyProblem(scenario('      - { ask: Which? }\n')), ['"answer" is missing', 'ask']);
  assert.deepEqual(onlyProblem(scenario('      - { ask: Which?, answer: Its LED }\n')), [
    'the name of an answer has small letters and digits',
    'Its LED',
  ]);
  assert.deepEqual(onlyProblem(`${asked('')}      - { ask: Again?, answer: led }\n`), [
    '"led" is in use already',
    'led',
  ]);
  assert.deepEqual(onlyProblem(scenario('      - { ask: "Is ${that} it?", answer: led }\n')), [
    'nothing before this step has the name "that"',
    '${that}',
  ]);
  const each = '      - each: { n: [1, 2] }\n        steps:\n          - { ask: "Is it ${n}?", answer: led }\n';
  assert.deepEqual(problemsOf(scenario(each)), []);
  assert.deepEqual(onlyProblem(scenario(each + each)), ['"led" is in use already', 'led']);
});
