import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, test } from 'node:test';
import { UsageError } from '../engine/basics/diagnostics.ts';
import { serialize } from '../engine/messages/serialization.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { judgeTraffic } from './judge-traffic.ts';
import { readTraffic } from './read-traffic.ts';
import type { RecordedExchange } from './recorded.ts';

const folder = mkdtempSync(join(tmpdir(), 'cselab-traffic-'));
after(() => rmSync(folder, { recursive: true }));

async function read(name: string, text: string): Promise<RecordedExchange[]> {
  const path = join(folder, name);
  writeFileSync(path, text);
  const all: RecordedExchange[] = [];
  for await (const one of readTraffic(path)) all.push(one);
  return all;
}

const line = {
  ...{ number: 1, until: 1, at: 1_000_000, method: 'GET', target: '/onem2m', headers: { host: 'h' }, body: '' },
  ...{ answer: { status: 200, headers: { 'x-m2m-rsc': '2000' }, body: '{}' }, milliseconds: 2 },
};
const harEntry = {
  startedDateTime: '2026-11-22T10:00:00.000Z',
  time: 5,
  request: { method: 'GET', url: 'http://h:1/onem2m?fu=1', headers: [{ name: 'X-M2M-RI', value: 'r' }] },
  response: { status: 200, headers: [], content: { size: 2, text: '{}' } },
};
const har = (...entries: readonly unknown[]) => JSON.stringify({ log: { version: '1.2', entries } }, undefined, 2);

test('lines, a list of them and an archive give the same exchanges, with their places', async () => {
  const text = JSON.stringify(line);
  const [one, two] = await read('a.ndjson', `${text}\n\n${text}\n`);
  assert.deepEqual([one?.place.line, two?.place.line], [1, 3]);
  assert.deepEqual(one?.exchange.request, { method: 'GET', path: '/onem2m', headers: [['host', 'h']] });
  const [listed] = await read('a.json', JSON.stringify([line], undefined, 1));
  assert.deepEqual({ ...listed, place: one?.place }, one);
  assert.deepEqual(listed?.place, { file: relative('', join(folder, 'a.json')), line: 2, column: 2 });
  const [archived] = await read('a.har', `\ufeff${har(harEntry)}`);
  assert.equal(archived?.exchange.request.path, '/onem2m?fu=1');
  assert.deepEqual([archived?.place.line, archived?.place.column, archived?.origin], [5, 7, 'http://h:1']);
});

/** A connection to `ws://h:1`, with messages at so many seconds. */
const socket = (...messages: ReadonlyArray<readonly [type: string, time: number, data: unknown, opcode?: number]>) => ({
  ...harEntry,
  request: { method: 'GET', url: 'ws://h:1/', headers: [] },
  response: { status: 101, headers: [], content: {} },
  _webSocketMessages: messages.map(([type, time, data, opcode = 1]) => ({
    type,
    time,
    opcode,
    data: JSON.stringify(data),
  })),
});
const asked = (rqi: string) => ({ op: 2, to: `cse-in/${rqi}`, fr: 'CA', rqi, rvi: '3' });

test('what was asked over the WebSocket of an archive is told in the order in which it was asked', async () => {
  const first = socket(
    ...([
      ['send', 1, asked('a')],
      ['send', 2, asked('b')],
      ['receive', 3, { rsc: 2000, rqi: 'b', pc: {} }],
    ] as const),
    ...([
      ['receive', 4, { op: 5, to: 'CA', rqi: 'n', pc: {} }],
      ['receive', 6, { rsc: 4004, rqi: 'a' }],
    ] as const),
  );
  const all = await read('ws.har', har(first, socket(['send', 1.5, asked('c')])));
  const found = all.filter(({ notified }) => notified === undefined);
  assert.deepEqual(
    found.map(({ exchange: { request, answer }, from, to, origin }) => [
      request.path,
      answer?.status,
      from,
      to,
      origin,
    ]),
    [
      ['/cse-in/a', 404, 1000, 6000, 'ws://h:1'],
      ['/cse-in/c', undefined, 1500, Number.POSITIVE_INFINITY, 'ws://h:1'],
      ['/cse-in/b', 200, 2000, 3000, 'ws://h:1'],
    ],
  );
  assert.deepEqual([found[0]?.place.line, found[0]?.isWhole, found[1]?.isWhole], [5, true, false]);
  const [told] = all.flatMap(({ notified }) => notified ?? []);
  const facts = { frame: 'text', payload: 'JSON', op: 5, to: 'CA', rqi: 'n' };
  assert.deepEqual(told, { wire: { binding: 'WebSocket', asked: {}, requests: [facts] }, sender: 'ws://h:1' });
});

test('an octet message of a WebSocket in an archive may have been anything', async () => {
  const [unknown] = await read('octets.har', har(socket(['send', 1, '/////w==', 2])));
  assert.equal(unknown?.exchange.request.method, '(missing)');
});

test('what went in CBOR is read as the JSON that says the same, and what is none is shown by its octets', async () => {
  const [asking, answering] = [{ 'm2m:cnt': { rn: 'box' } }, { 'm2m:cnt': { rn: 'box', ri: 'cnt1' } }];
  const base64 = (value: unknown) => serialize(value, 'cbor').toString('base64');
  const headers = { 'content-type': 'application/vnd.onem2m-res+cbor;ty=3' };
  const bodiesOf = ([one]: readonly RecordedExchange[]) => {
    const { request, answer } = one?.exchange ?? {};
    return [one?.isWhole, request?.body, answer?.body];
  };
  const both = [true, JSON.stringify(asking), JSON.stringify(answering)];
  const kept = { ...line, method: 'POST', headers, body: base64(asking) };
  const answer = { status: 201, headers, body: base64(answering) };
  assert.deepEqual(bodiesOf(await read('c.ndjson', JSON.stringify({ ...kept, answer }))), both);
  const broken = { ...kept, body: 'oWE=', answer };
  assert.deepEqual(bodiesOf(await read('d.ndjson', JSON.stringify(broken))), [true, "h'a161'", both[2]]);
  const list = [{ name: 'Content-Type', value: headers['content-type'] }];
  const text = (value: unknown) => ({ text: base64(value), encoding: 'base64' });
  const entry = {
    ...harEntry,
    request: { ...harEntry.request, method: 'POST', headers: list, postData: text(asking) },
    response: {
      status: 201,
      headers: list,
      content: { size: serialize(answering, 'cbor').length, ...text(answering) },
    },
  };
  assert.deepEqual(bodiesOf(await read('c.har', har(entry))), both);
  const { _webSocketMessages: messages, ...opened } = socket(
    ['send', 1, { ...asked('box'), op: 1, pc: asking }, 2],
    ['receive', 2, { rsc: 2001, rqi: 'box', pc: answering }, 2],
  );
  const inOctets = messages.map(({ data, ...one }) => ({ ...one, data: base64(JSON.parse(data)) }));
  assert.deepEqual(bodiesOf(await read('w.har', har({ ...opened, _webSocketMessages: inOctets }))), both);
});

test('an inbox that is notified in an archive is no second CSE', async () => {
  const notified = (text: string) => ({
    ...harEntry,
    request: { ...harEntry.request, method: 'POST', url: 'http://inbox:2/n', postData: { text } },
    response: { status: 0, headers: [], content: {} },
  });
  const judged = async (name: string, text: string) => {
    writeFileSync(join(folder, name), har(harEntry, notified(text)));
    return (await lastOf(judgeTraffic({ files: [join(folder, name)] }))).target.url;
  };
  assert.equal(await judged('notified.har', '{"m2m:sgn":{"vrq":true}}'), 'http://h:1');
  await assert.rejects(
    judged('two.har', '{"m2m:cnt":{}}'),
    /exchanges with http:\/\/h:1, http:\/\/inbox:2; --url selects/,
  );
});

test('what the CSE itself sent, and what came from a cache, is no answer of the CSE', async () => {
  assert.deepEqual(await read('sent.ndjson', JSON.stringify({ ...line, to: 'http://other' })), []);
  assert.deepEqual(await read('cache.har', har({ ...harEntry, _fromCache: 'memory' })), []);
});

test('a body that is missing, cut, or in another serialisation is not whole', async () => {
  const content = (given: object) => ({ ...harEntry, response: { ...harEntry.response, content: given } });
  const entries = [
    ...[content({ size: 2 }), content({ size: 9, text: '{}' })],
    ...[content({ size: 2, text: 'e30=', encoding: 'base64' }), harEntry],
  ];
  const whole = await read('b.har', har(...entries));
  assert.deepEqual(
    whole.map(({ isWhole, exchange }) => [isWhole, exchange.answer?.body]),
    [
      [false, ''],
      [false, '{}'],
      [true, '{}'],
      [true, '{}'],
    ],
  );
  const xml = { ...line, headers: { accept: 'application/xml' } };
  assert.deepEqual(
    (await read('x.ndjson', JSON.stringify(xml))).map(({ isWhole }) => isWhole),
    [false],
  );
});

const bad: ReadonlyArray<readonly [name: string, text: string, says: RegExp]> = [
  [
    'broken.ndjson',
    `${JSON.stringify(line)}\n{"number":2,"at":}\n`,
    /broken\.ndjson:2:18: this is no JSON: value expected/,
  ],
  [
    'cut.ndjson',
    `${JSON.stringify(line)}\n{"number":2,"at":1`,
    /cut\.ndjson:2:19: this is no JSON: it ends in the middle/,
  ],
  [
    'other.ndjson',
    '{"number":1,"at":"x","method":"GET","target":"/","headers":{}}',
    /other\.ndjson:1:1: .*: at: .*number/,
  ],
  [
    'run.ndjson',
    '{"type":"run started","run":"1"}\n',
    /run\.ndjson:1:1: these are events of a run; give its report instead, as JSON, HAR or pcapng/,
  ],
  ['cut.har', har(harEntry).slice(0, -30), /cut\.har:\d\d:\d+: this is no JSON: it ends in the middle/],
  ['entry.har', har(harEntry, { ...harEntry, request: { method: 'GET' } }), /entry\.har:2\d:7: .*: request\.url: /],
  ['nothing.har', '{\n}', /nothing\.har:1:1: this is neither an HTTP Archive, nor a packet capture, nor a journal/],
  ['text.txt', 'hello', /text\.txt:1:1: this is no JSON: invalid symbol/],
  ['deep.json', '['.repeat(100_000), /deep\.json:1:\d+: this is no JSON: more than 1000 levels/],
];
for (const [name, text, says] of bad) {
  test(`${name} is refused with the place of what is wrong`, async () => {
    await assert.rejects(read(name, text), (error) => error instanceof UsageError && says.test(error.message));
  });
}

test('a file that is not there, and a directory, are told as such', async () => {
  const reading = async (path: string) => await readTraffic(path).next();
  await assert.rejects(reading(join(folder, 'none.har')), /there is no file ".*none\.har"/);
  await assert.rejects(reading(folder), /is a directory, and no file/);
});
