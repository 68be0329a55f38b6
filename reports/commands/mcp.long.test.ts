/** `cselab mcp` as an agent has it: a child process, whose stdout is the protocol and nothing else. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { McpClient } from '../testing/mcp-client.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));

function served() {
  const child = spawn(process.execPath, ['--import', 'tsx', 'cli.ts', 'mcp'], { cwd: project });
  const client = new McpClient((line) => void child.stdin.write(line));
  child.stdout.setEncoding('utf8').on('data', (text: string) => client.receive(text));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const closed = once(child, 'close');
  const close = async () => {
    child.stdin.end();
    assert.deepEqual([...(await closed), stderr, client.others], [0, null, '', []]);
  };
  return { client, [Symbol.asyncDispose]: close };
}

test('a simulated gateway is probed, checked, and what it does wrong is shown and explained', async () => {
  await using server = served();
  const { client } = server;
  const id = 'container.cni';
  const started = await client.call('simulate', { deviations: ['container.cni.one-behind'] });
  const { simulation, gateway, backend } = JSON.parse(started.text);
  assert.notEqual(gateway.url, backend.url);
  const probed = await client.call('probe', { url: gateway.url });
  assert.equal(probed.isError, false);
  assert.match(probed.text, /documented[\s\S]*requests in .*nothing was written to it/);
  const checked = await client.call('check', { url: gateway.url, ids: ['documented/container'] });
  const [, code, report] = /exit code (\d), report (\S+)$/.exec(checked.text) ?? [];
  assert.deepEqual([checked.isError, code], [false, '1'], checked.text);
  const shown = await client.call('show', { report });
  assert.match(shown.text, new RegExp(id.replaceAll('.', '\\.')));
  const [, requirement = ''] = /✗ (container\.cni\S*)/.exec(shown.text) ?? [];
  assert.match((await client.call('show', { report, id: requirement })).text, /Transcript[\s\S]*curl/);
  assert.match((await client.call('explain', { id: requirement, report })).text, /Valid[\s\S]*violated/);
  assert.deepEqual(await client.call('simulate', { stop: simulation }), {
    text: `${simulation} has ended.`,
    isError: false,
  });
  assert.equal((await client.call('simulate', { stop: simulation })).isError, true);
  assert.equal((await client.call('probe', { url: gateway.url })).isError, true);
});

test('names of a target go with it, and that there is no verdict is an error', async () => {
  await using server = served();
  const { client } = server;
  const { gateway } = JSON.parse((await client.call('simulate', { dialect: 'onem2m' })).text);
  const given = { url: gateway.url, dialect: 'onem2m', ids: ['std.container'] };
  const without = await client.call('check', given);
  assert.match(without.text, /give --base[\s\S]*exit code 3/);
  assert.equal(without.isError, true);
  const { text } = await client.call('check', { ...given, base: gateway.base, cseId: gateway.cseId });
  assert.match(text, /\d+ satisfied[\s\S]*exit code 0, report/);
});

test('a run is cut short when its time is up, and has a report', async () => {
  await using server = served();
  const { text, isError } = await server.client.call('check', { seconds: 1 });
  assert.match(text, /exit code 130, cut short after 1 s, report \S+\.json$/);
  assert.equal(isError, false);
});
