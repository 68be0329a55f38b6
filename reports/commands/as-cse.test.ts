import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../testing/in-process.ts';

/** An application in one line, which registers by this App-ID. */
const application = (api: string): string => `
  const headers = { 'X-M2M-Origin': 'Capp', 'X-M2M-RI': '1', 'X-M2M-RVI': '3', 'Content-Type': 'application/json;ty=2' };
  const body = JSON.stringify({ 'm2m:ae': { api: '${api}', rr: false, srv: ['3'] } });
  fetch(process.env.CSELAB_URL + '/cse-in', { method: 'POST', headers, body }).then((answer) => answer.text());`;
const asCse = (...rest: readonly string[]) => run(['check', '--as-cse', '0', '--dialect', 'onem2m', ...rest]);

test('an application that the command names is served, and checked when it has ended', async () => {
  const sound = await asCse('--', process.execPath, '-e', application('Napp'));
  assert.equal(sound.code, 0, sound.stdout + sound.stderr);
  assert.match(sound.stdout, /No deviation in the \d+ of \d+ requirements/);
  const broken = await asCse('--report', 'junit=-', '--', process.execPath, '-e', application('app'));
  assert.equal(broken.code, 1, broken.stdout + broken.stderr);
  assert.match(broken.stdout, /<failure/);
});

test('a number of requests ends it, and nobody who comes is inconclusive', async () => {
  const counted = await asCse(
    '--requests',
    '1',
    '--',
    process.execPath,
    '-e',
    `${application('Napp')}setInterval(() => {}, 1e6)`,
  );
  assert.equal(counted.code, 0, counted.stdout + counted.stderr);
  const nobody = await asCse('--', process.execPath, '-e', '');
  assert.equal(nobody.code, 4, nobody.stdout + nobody.stderr);
});

test('a command that cannot be run, and flags that do not go together, are reported', async () => {
  const absent = await asCse('--', '/nowhere/to/be/found');
  assert.match(absent.stderr, /cannot be run/);
  const both = await asCse('--url', 'http://127.0.0.1:1');
  assert.equal(both.code, 2);
  assert.match(both.stderr, /--as-cse and --url exclude each other/);
  const without = await run(['check', '--requests', '3']);
  assert.match(without.stderr, /--requests goes with --as-cse/);
});

test('a duty of applications is explained as a requirement is', async () => {
  const { code, stdout } = await run(['explain', 'std.application.register.app-id']);
  assert.equal(code, 0, stdout);
  assert.match(stdout, /App-ID/);
  assert.match(stdout, /check --as-cse/);
});
