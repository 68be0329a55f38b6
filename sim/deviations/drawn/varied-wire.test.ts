import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { startGateway } from '../../topology/pair.ts';
import type { Variation } from './variation.ts';
import { disturbanceRules } from './varied-wire.ts';

interface Spoken extends AsyncDisposable {
  /** All that the gateway sends on one connection until it closes it, or the client does after the last answer. */
  ask(...requests: readonly string[]): Promise<string>;
}

async function spoken(...variations: Variation[]): Promise<Spoken> {
  const gateway = await startGateway({ variations, log: () => {} });
  const port = Number(new URL(gateway.url).port);
  const ask = async (...requests: readonly string[]) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.setEncoding('latin1').write(requests.map((one) => one.replaceAll('\n', '\r\n')).join(''));
    let text = '';
    socket.on('data', (piece: string) => {
      text += piece;
    });
    await once(socket, 'close');
    return text;
  };
  return { ask, [Symbol.asyncDispose]: () => gateway.close() };
}

const get = 'GET /onem2m HTTP/1.1\nHost: 127.0.0.1\n\n';
const last = 'GET /onem2m HTTP/1.1\nHost: 127.0.0.1\nConnection: close\n\n';
const bodyIn = (text: string) => text.slice(text.indexOf('\r\n\r\n') + 4);

test('the same body comes in chunks, with their extensions and trailers', async () => {
  await using usual = await spoken();
  const body = bodyIn(await usual.ask(last));
  const length = (part: string) => part.length.toString(16);
  await using bytewise = await spoken({ framing: 'chunks of one byte' });
  const inBytes = await bytewise.ask(last);
  assert.match(inBytes, /\r\nTransfer-Encoding: chunked\r\n/);
  assert.doesNotMatch(inBytes, /Content-Length/i);
  assert.match(bodyIn(inBytes), /^1\r\n\{\r\n1\r\n"\r\n/);
  await using extended = await spoken({ framing: 'chunks with extensions and trailers' });
  const pieces = bodyIn(await extended.ask(last)).split('\r\n');
  assert.equal(pieces[0], `${length(pieces[1] ?? '').toUpperCase()};part="a;b"`);
  assert.equal(Object.keys(JSON.parse(`${pieces[1]}${pieces[3]}`))[0], Object.keys(JSON.parse(body))[0]);
  assert.deepEqual(pieces.slice(4), ['0;last', 'X-Checked: yes', '', '']);
});

test('no body is framed in chunks for whoever speaks HTTP/1.0, or asks for the head', async () => {
  await using gateway = await spoken({ framing: 'chunks' }, { 'interim response': '103' });
  assert.match(await gateway.ask('GET /onem2m HTTP/1.0\n\n'), /^HTTP\/1.1 200 OK\r\n[\s\S]*Content-Length: \d+/);
  const head = await gateway.ask(last.replace('GET', 'HEAD'));
  assert.match(head, /^HTTP\/1.1 103 Early Hints\r\nLink: <\/hints>[\s\S]*\r\n\r\nHTTP\/1.1 200 OK\r\n/);
  assert.match(head, /Content-Length: \d+/);
  assert.equal(bodyIn(bodyIn(head)), '');
});

test('the gateway closes the connection when it says so, and when nothing comes', async () => {
  await using each = await spoken({ connection: 'closed after each answer' });
  const [first = '', ...more] = (await each.ask(get, get)).split(/(?=HTTP\/1.1 )/);
  assert.match(first, /\r\nConnection: close\r\n/);
  assert.deepEqual(more, []);
  await using third = await spoken({ connection: 'closed after each third' });
  assert.equal((await third.ask(get, get, get)).split('HTTP/1.1 200').length - 1, 3);
  await using idle = await spoken({ idle: 'closed soon' });
  assert.match(await idle.ask(get), /Connection: keep-alive/);
});

test('status lines are those of another version, and of other words', async () => {
  await using old = await spoken({ version: 'HTTP/1.0' }, { reason: 'another' });
  assert.match(await old.ask(get), /^HTTP\/1.0 200 As You Wish\r\n/);
  await using silent = await spoken({ reason: 'none' });
  assert.match(await silent.ask(last), /^HTTP\/1.1 200 \r\n/);
});

test('interim answers come before the answer', async () => {
  await using twice = await spoken({ 'interim response': '103 twice' });
  assert.deepEqual((await twice.ask(last)).match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 103', 'HTTP/1.1 103', 'HTTP/1.1 200']);
  await using processing = await spoken({ 'interim response': '102' });
  assert.match(await processing.ask(last), /^HTTP\/1.1 102 Processing\r\n\r\nHTTP\/1.1 200 OK/);
});

test('one connection is refused, and those before and after it are served', async () => {
  await using gateway = await spoken({ refused: 'one connection' });
  const answers = await gateway.ask(...Array.from({ length: 200 }, () => get), last);
  assert.equal(answers.split('HTTP/1.1 200').length - 1, 201);
  await assert.rejects(gateway.ask(last), { code: 'ECONNRESET' });
  assert.match(await gateway.ask(last), /^HTTP\/1.1 200/);
});

test('another pace is a disturbance rule', () => {
  assert.deepEqual(disturbanceRules([{ pace: 'jitter' }]), ['latency from=0ms to=30ms']);
  assert.deepEqual(disturbanceRules([{ keys: 'sorted' }]), []);
});
