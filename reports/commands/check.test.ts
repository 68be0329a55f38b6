import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Command, CommanderError } from 'commander';
import { run } from '../testing/in-process.ts';
import { define } from './check.ts';

function parsed(...args: string[]): Promise<unknown> {
  const program = new Command('cselab').exitOverride().configureOutput({ writeErr: () => {} });
  define(program.command('check'));
  for (const command of program.commands) command.exitOverride().configureOutput({ writeErr: () => {} });
  return program.parseAsync(['check', ...args], { from: 'user' });
}

test('numbers and times that cannot be meant are refused before anything is sent', async () => {
  for (const args of [
    ['--max-fail', '0'],
    ['--jobs', '0'],
    ['--jobs', 'many'],
    ['--wait-budget', '0'],
    ['--timeout', '5 parsecs'],
  ]) {
    await assert.rejects(parsed(...args), CommanderError, args.join(' '));
  }
});

const oneIn = (...more: readonly string[]) => ['check', '--in-process', 'ae.aei', ...more];

test('scenarios that are not there are a mistake in the command line', async () => {
  const { code, stderr } = await run(oneIn('--scenarios', 'nowhere.yaml'));
  assert.deepEqual([code, stderr], [2, 'cselab: there is no file or directory "nowhere.yaml"\n']);
});

test('in a pipe there is no colour and no progress; FORCE_COLOR brings colour, NO_COLOR takes it away', async () => {
  const sign = String.fromCharCode(27);
  const plain = await run(oneIn());
  assert.deepEqual([plain.code, plain.stderr, plain.stdout.includes(sign)], [0, '', false]);
  const forced = await run(oneIn(), { env: { FORCE_COLOR: '1' } });
  assert.ok(forced.stdout.includes(sign));
  const both = await run(oneIn(), { env: { FORCE_COLOR: '1', NO_COLOR: '1' } });
  assert.ok(!both.stdout.includes(sign));
});

test('a run ends by saying where its files are, and how it came out where no other reporter does', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'cselab-files-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = (name: string) => join(folder, name);
  const alone = await run(oneIn('--report', `html=${file('a.html')}`));
  assert.deepEqual([alone.code, alone.stdout], [0, '']);
  assert.match(
    alone.stderr,
    /^cselab: No deviation in the \d+ of \d+ requirements that were checked\ncselab: written: \S+a\.html\n$/,
  );
  const reports = ['--report', 'terminal', '--report', `json=${file('a.json')}`, '--report', `junit=${file('a.xml')}`];
  const both = await run(oneIn(...reports));
  assert.equal(both.stderr, `cselab: written: ${file('a.json')}, ${file('a.xml')}\n`);
});

test('the page goes without other reports, and takes a port', async () => {
  for (const flag of ['--watch', '--dry-run', '--list', '--report=json', '--package=run.cselab']) {
    const { code, stderr } = await run(['check', '--ui', flag]);
    assert.deepEqual([code, /--ui is a page/.test(stderr)], [2, true], flag);
  }
  for (const [port, because] of [
    ['soon', /It is not a whole number/],
    ['65536', /Ports end at 65535/],
  ] as const) {
    const { code, stderr } = await run(['check', `--ui=${port}`]);
    assert.equal(code, 2);
    assert.match(stderr, because);
  }
});

test('what the target file extends brings scenarios and rules, which --no-rules leaves out', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'cselab-brought-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('package.json', '{ "cselab": { "rules": "rules.yaml", "scenarios": "own.yaml" } }');
  write('own.yaml', 'feature: Own\nscenarios: { base: { title: It is there, steps: [{ retrieve: "/${base}" }] } }\n');
  const stated = (id: string) =>
    `specification: House\nlevel: documented\nsections: [{ section: A, requirements: { B: { ${id}: C. } } }]\n`;
  write('rules.yaml', stated('house.one'));
  write('target.yaml', `extends: .\nproduct: Own\nurl: http://127.0.0.1:1\n`);
  const listed = (...more: string[]) => run(['check', '--target', join(folder, 'target.yaml'), '--list=json', ...more]);
  const { code, stdout } = await listed('own', 'house.one');
  assert.equal(code, 0);
  assert.deepEqual(
    JSON.parse(stdout).map(({ id }: { id: string }) => id),
    ['own/base'],
  );
  write('rules.yaml', stated('ae.create.status'));
  const refused = await listed('own');
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /rules\.yaml:3:\d+: the requirement "ae\.create\.status" exists already/);
  assert.equal((await listed('own', '--no-rules')).code, 0);
});

test('a dry run tells what people would be asked, too', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'cselab-asked-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'own.yaml');
  const steps =
    '[{ retrieve: "/${base}" }, { ask: Which light is on?, answer: light }, { retrieve: "/${base}/${light}" }]';
  writeFileSync(file, `feature: Own\nscenarios: { light: { title: It is lit, steps: ${steps} } }\n`);
  const { code, stdout, stderr } = await run(['check', file, '--url', 'http://127.0.0.1:9', '--dry-run']);
  assert.equal(code, 0);
  assert.match(stdout, /^own\/light\n {2}GET \/onem2m\n {2}GET \/onem2m\/\$\{light\}\n {2}ask: Which light is on\?$/m);
  assert.match(stderr, /^\d requests, 1 question to a person; nothing was sent\n$/);
});
