import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { McpClient } from '../testing/mcp-client.ts';
import { withIo } from '../writing/io.ts';
import { main } from './main.ts';

/** A server in this process, until its input ends. */
function served(...args: readonly string[]) {
  const stdin = new PassThrough();
  const client = new McpClient((line) => void stdin.write(line));
  const said = { stderr: '' };
  const signals = new EventEmitter();
  const own = {
    ...{ stdin, env: {}, exit() {} },
    stdout: { write: (text: string) => client.receive(text) },
    stderr: { write: (text: string) => Object.assign(said, { stderr: said.stderr + text }) },
    on: (signal: string, listener: () => void) => signals.on(signal, listener),
    off: (signal: string, listener: () => void) => signals.off(signal, listener),
  };
  const commands = { 'In tests:': { mcp: ['mcp', () => import('./mcp.ts')] as const } };
  const ended = withIo(own, () => main(['mcp', ...args], commands, '0.0.0'));
  const close = async () => {
    stdin.end();
    await ended;
  };
  return { client, stdin, said, ended, [Symbol.asyncDispose]: close };
}

test('a client is greeted in its revision of the protocol, or the latest, and gets the tools', async () => {
  await using server = served();
  const { client } = server;
  const clientInfo = { name: 'test', version: '1' };
  for (const [asked, answered] of [
    ['2025-06-18', '2025-06-18'],
    ['1999-01-01', '2025-11-25'],
  ]) {
    const { result } = await client.ask('initialize', { protocolVersion: asked, capabilities: {}, clientInfo });
    assert.equal(result.protocolVersion, answered);
    assert.deepEqual([result.serverInfo.name, result.capabilities], ['cselab', { tools: {} }]);
  }
  client.send({ method: 'notifications/initialized' });
  assert.deepEqual((await client.ask('ping')).result, {});
  const { result } = await client.ask('tools/list');
  const tools = result.tools as {
    name: string;
    description: string;
    inputSchema: { type: string; required?: string[] };
  }[];
  assert.deepEqual(
    tools.map(({ name, inputSchema }) => [name, inputSchema.type, inputSchema.required]),
    [
      ['probe', 'object', ['url']],
      ['check', 'object', undefined],
      ['explain', 'object', ['id']],
      ['show', 'object', ['report']],
      ['simulate', 'object', undefined],
    ],
  );
  assert.deepEqual(client.others, [], 'a notification was answered');
});

test('what is no request is answered by an error of JSON-RPC, and the next one is served', async () => {
  await using server = served();
  const { client, stdin } = server;
  stdin.write('{"jsonrpc": "2.0", "id": 1, \n\n[]\n"text"\n{"jsonrpc":"1.0","id":1,"method":"ping"}\n');
  stdin.write('{"jsonrpc":"2.0","id":null,"method":"ping"}\n{"jsonrpc":"2.0","id":7,"method":"ping","params":[]}\n');
  for (let written = 0; written < 2 ** 21; written += 2 ** 16) stdin.write('x'.repeat(2 ** 16));
  stdin.write('\n');
  const { error } = await client.ask('tools/guess', {}, 'ü');
  assert.equal(error?.code, -32601);
  const unknown = await client.ask('tools/call', { name: '__proto__' });
  assert.equal(unknown.error?.code, -32602);
  assert.deepEqual(
    client.others.map((said) => [said.id, said.error?.code]),
    [-32700, -32600, -32600, -32600, -32600, -32600, -32600].map((code) => [null, code]),
  );
  assert.match(client.others.at(-1)?.error?.message ?? '', /more than 1048576 characters/);
});

test('a message may come in pieces, also within a letter', async () => {
  await using server = served();
  const bytes = Buffer.from('{"jsonrpc":"2.0","id":"ü","method":"ping"}\n');
  for (const byte of bytes) server.stdin.write(Uint8Array.of(byte));
  await server.client.ask('ping');
  assert.deepEqual(
    server.client.others.map(({ id }) => id),
    ['ü'],
  );
});

test('only hosts that are permitted are asked, and no argument is taken for a flag', async () => {
  await using server = served('--allow', 'Lab.invalid');
  const { client } = server;
  for (const host of [
    'gateway.example',
    '0.0.0.0',
    '127.0.0.1.example',
    'localhost.example',
    'lab.invalid.example',
    '[::2]',
  ])
    for (const tool of ['probe', 'check']) {
      const { text, isError } = await client.call(tool, { url: `http://${host}:1` });
      assert.deepEqual([text.includes('is not asked'), isError], [true, true], host);
    }
  const allowed = await client.call('probe', { url: 'http://lab.invalid:1' });
  assert.deepEqual([allowed.text.includes('is not asked'), allowed.isError], [false, true]);
  for (const [tool, given] of [
    ['check', { ids: ['--risky'] }],
    ['check', { ids: ['ae'], risky: true }],
    ['check', { seconds: 601 }],
    ['check', { url: 'nowhere' }],
    ['show', { report: '--help' }],
    ['explain', {}],
    ['simulate', { dialect: 'latin' }],
    ['simulate', { deviations: ['no.such.deviation'] }],
    ['explain', { id: 'no.such.requirement' }],
    ['show', { report: '/no/such/report.json' }],
  ] as const)
    assert.equal((await client.call(tool, given)).isError, true, `${tool} ${JSON.stringify(given)}`);
});

test('the end of the input ends runs, simulations and files', async () => {
  const own = () => readdirSync(tmpdir()).filter((name) => name.startsWith('cselab-mcp-'));
  const before = own();
  const server = served();
  const { client } = server;
  const { gateway } = JSON.parse((await client.call('simulate')).text);
  client.send({ id: 'run', method: 'tools/call', params: { name: 'check', arguments: { url: gateway.url } } });
  await client.ask('ping');
  assert.equal(own().length, before.length + 1);
  server.stdin.end();
  assert.equal(await server.ended, 0);
  assert.deepEqual([client.others, server.said.stderr], [[], '']);
  await assert.rejects(fetch(gateway.url));
  assert.deepEqual(own(), before);
});
