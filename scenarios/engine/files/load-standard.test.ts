import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ScenarioFilesError } from '../basics/diagnostics.ts';
import { loadRequirements } from './catalogue.ts';
import { mayRunIn, ownScenarioFiles, scenariosFolder, usualDialect } from './folders.ts';
import { type LoadedScenario, loadScenarios } from './load.ts';

const room = mkdtempSync(join(tmpdir(), 'cselab-standard-'));
after(() => rmSync(room, { recursive: true }));
const requirements = join(room, 'requirements');
mkdirSync(requirements);

function catalogueOf(answers: string): string {
  return `specification: s\nlevel: standard\nsections: [{ section: a, requirements: { y: { std.a: { says: x, answers: [${answers}] } } } }]\n`;
}
writeFileSync(join(requirements, 'onem2m.yaml'), catalogueOf('SUB/CRE/005, GMG/001'));

let count = 0;
function load(steps: string, head = ''): LoadedScenario {
  count += 1;
  const path = join(room, `f${count}.yaml`);
  const indented = steps.trim().replace(/^/gm, '      ');
  writeFileSync(path, `feature: f\n${head}scenarios:\n  one:\n    title: t\n    steps:\n${indented}\n`);
  const [scenario] = loadScenarios([path], { requirements }).scenarios;
  assert(scenario);
  return scenario;
}

function messagesOf(act: () => unknown): string[] {
  try {
    act();
  } catch (error) {
    assert(error instanceof ScenarioFilesError);
    return error.problems.map(({ message }) => message);
  }
  return [];
}

const problems = (steps: string, head = '') => messagesOf(() => load(steps, head));
const watcher = 'inboxes: { watcher: {} }\n';

test('a file runs in the dialects that it names, else in that of its room', () => {
  assert.deepEqual([...load('- retrieve: /x').dialects], ['documented']);
  assert.deepEqual([...load('- retrieve: /x', 'dialects: [onem2m, documented]\n').dialects], ['onem2m', 'documented']);
  const one = 'scenarios:\n  other:\n    title: t\n    dialects: [onem2m]\n    steps: [{ retrieve: /x }]\n';
  const path = join(room, 'one.yaml');
  writeFileSync(path, `feature: f\ndialects: [documented, onem2m]\n${one}`);
  assert.deepEqual([...(loadScenarios([path], { requirements }).scenarios[0]?.dialects ?? [])], ['onem2m']);
  assert.deepEqual(problems('- retrieve: /x', 'dialects: [mca]\n').length, 1);
  assert.equal(usualDialect('standard/group.yaml'), 'onem2m');
  assert.equal(usualDialect('documented/standard.yaml'), 'documented');
});

test('no file that runs in a dialect is passed over when that is asked for', () => {
  const { scenarios } = loadScenarios();
  for (const dialect of ['documented', 'onem2m'] as const) {
    const read = new Set(ownScenarioFiles().filter((path) => mayRunIn(path, dialect)));
    const lost = scenarios.filter(({ dialects, file }) => dialects.has(dialect) && !read.has(file));
    assert.deepEqual(
      lost.map(({ id }) => id),
      [],
    );
  }
  assert(ownScenarioFiles().some((path) => path.startsWith(scenariosFolder) && !mayRunIn(path, 'documented')));
});

test('what steps take for granted counts among the needs', () => {
  const needsOf = (steps: string, head = '') => [...load(steps, head).needs];
  assert.deepEqual(needsOf('- advance: 1h'), ['clock']);
  assert.deepEqual(needsOf('- notified: watcher', watcher), ['notifications']);
  assert.deepEqual(needsOf('- retrieve: "/${watcher.url}"', watcher), ['notifications']);
  assert.deepEqual(needsOf('- retrieve: /x\n  as: admin'), ['admin']);
  assert.deepEqual(needsOf('- retrieve: /x', watcher), []);
  const actors = 'actors: { app: { attributes: { poa: ["${watcher.url}"] } }, other: {} }\n';
  assert.deepEqual(needsOf('- retrieve: "/${app}"', watcher + actors), ['notifications']);
  assert.deepEqual(needsOf('- retrieve: "/${other}"', watcher + actors), []);
});

test('what a file refers to must be there', () => {
  assert.deepEqual(problems('- notified: watchr', watcher), ['there is no inbox "watchr"; did you mean "watcher"?']);
  assert.match(problems('- retrieve: /x\n  as: admn').join(), /there is no actor "admn"; did you mean "admin"\?/);
  assert.match(
    problems('- retrieve: /x', 'actors: { app: {}, other: { or: ap } }\n').join(),
    /there is no other actor "ap"; did you mean "app"\?/,
  );
  assert.match(problems('- retrieve: "/${other.url}"', watcher).join(), /has the name "other\.url"/);
  assert.match(
    problems('- retrieve: /x', `${watcher}actors: { watcher: {} }\n`).join(),
    /the name of an actor as well/,
  );
});

test('a kind without a root of its own says one, and a kind that does not exist is named', () => {
  const create = (rest: string) => problems(`- create: ${rest}\n  in: /x`);
  assert.deepEqual(create('flex container'), ['"root" is missing']);
  assert.deepEqual(create('flex container\n  root: "cod:color"'), []);
  assert.deepEqual(create('container\n  root: "m2m:cb"\n  ty: 5'), []);
  assert.match(create('subscripton').join(), /did you mean "subscription"/);
});

test('times and positions of notifications are written as the grammar has it', () => {
  assert.deepEqual(problems('- advance: one hour'), ['write a time as 90s, 5m, 1h or 2d']);
  assert.deepEqual(problems('- notified: watcher\n  within: 1h', watcher), ['write a time as 30s, 500ms or 1m']);
  const check = (expectation: string) => problems(`- notified: watcher\n  check: { std.a: ${expectation} }`, watcher);
  assert.deepEqual(check('{ which: 2, notification: { event: 3 } }'), []);
  assert.deepEqual(check('{ which: 2, notifications: 2 }').length, 1);
  assert.deepEqual(check('{ notification: { evnt: 3 } }'), ['unknown key "evnt"; did you mean "event"?']);
});

test('a requirement answers test purposes that exist', () => {
  assert.deepEqual(loadRequirements(requirements).requirements.get('std.a')?.answers, ['SUB/CRE/005', 'GMG/001']);
  const other = join(room, 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'a.yaml'), catalogueOf('SUB/CRE/099'));
  assert.match(messagesOf(() => loadRequirements(other)).join(), /there is no test purpose "SUB\/CRE\/099"/);
});
