/** What a run exports is found again, over each wire, however its packets come; and no capture is a trap. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { check } from '../checking/check.ts';
import { UsageError } from '../engine/basics/diagnostics.ts';
import { serialize } from '../engine/messages/serialization.ts';
import type { Exchange } from '../engine/results/exchange.ts';
import type { RunResult } from '../engine/results/result.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { renderHar } from './har.ts';
import { HttpRequestReader } from './http-stream.ts';
import { type Packet, packetsIn } from './packets.ts';
import { renderPcapng } from './pcapng.ts';
import { readCapture } from './read-capture.ts';

const ids = ['standard/discovery-basics', 'standard/blocking-update'];
const ran = lastOf(check({ target: { kind: 'in-process' }, dialect: 'onem2m', ids }));

/** The same run as if its CSE were reached by another wire. */
async function runAt(url: string): Promise<RunResult> {
  const { installations, ...others } = await ran;
  return { ...others, installations: installations.map((one) => ({ ...one, gateway: { ...one.gateway, url } })) };
}

/** A run of one scenario that had these exchanges. */
async function runOf(...exchanges: ReadonlyArray<Partial<Exchange>>): Promise<RunResult> {
  const run = await runAt('http://cse.example:8000');
  const [scenario] = run.scenarios;
  assert.ok(scenario);
  const usual = { request: { method: 'GET', path: '/cse-in', headers: [] }, at: 0, took: 1.5, curl: '' };
  const steps = exchanges.map((exchange, number) => {
    const whole = { ...usual, at: number * 10, ...exchange };
    return { phase: 'step', title: `step ${number}`, exchange: whole, checks: [] } as const;
  });
  return { ...run, scenarios: [{ ...scenario, steps }] };
}

const captureOf = async (run: RunResult): Promise<Buffer> => Buffer.from(await renderPcapng(run));
const foundIn = async (run: RunResult) => readCapture(await captureOf(run), 'capture');

function exchangesOf(run: RunResult): Exchange[] {
  const all = run.scenarios.flatMap(({ steps }) => steps.flatMap(({ exchange }) => exchange ?? []));
  return all.sort((a, b) => a.at - b.at);
}

/** What all wires carry of an exchange. */
function essence({ request, answer }: Exchange) {
  const parsed = (text = '') => (text === '' ? undefined : (JSON.parse(text) as unknown));
  const headerIn = (wanted: string) => request.headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
  const { pathname, searchParams } = new URL(request.path, 'http://cse');
  return {
    ...{ method: request.method, path: decodeURIComponent(pathname), sent: parsed(request.body) },
    query: [...searchParams].flatMap(([name, value]) => value.split(/[ +]/).map((one) => `${name}=${one}`)).sort(),
    ...{ origin: headerIn('x-m2m-origin'), identifier: headerIn('x-m2m-ri'), told: parsed(answer?.body) },
    rsc: answer?.headers.find(([name]) => name.toLowerCase() === 'x-m2m-rsc')?.[1],
  };
}

for (const [url, origin] of [
  ['http://cse.example:8000', 'http://cse.example:8000'],
  ['https://cse.example', 'https://cse.example'],
  ['mqtt://server.example', 'mqtt://server.example/mn-cse-1'],
  ['ws://cse.example:9000/at', 'ws://cse.example:9000'],
  ['coap://cse.example', 'coap://cse.example'],
] as const)
  test(`the exchanges of a run at ${url} are found in its capture, with their times`, async () => {
    const run = await runAt(url);
    const [sent, found] = [exchangesOf(run), await foundIn(run)];
    assert.ok(sent.length > 60, String(sent.length));
    const began = Date.parse(run.startedAt);
    const byTime = (all: readonly Exchange[]) => all.map((one) => JSON.stringify(essence(one))).sort();
    assert.deepEqual(byTime(found.map(({ exchange }) => exchange)), byTime(sent));
    for (const [at, { from, to, isWhole, ...one }] of found.entries()) {
      assert.deepEqual([one.origin, isWhole], [origin, true]);
      const { at: start, took } = sent[at] as Exchange;
      assert.ok(Math.abs(from - began - start) < 0.002 && Math.abs(to - from - took) < 0.002, `${from} ${to}`);
    }
  });

const body = JSON.stringify({ 'm2m:cnt': { lbl: ['x'.repeat(5000)] } });
const cut = `${body.slice(0, 50)}… (70000 characters)`;

test('a body in chunks is read as one with its length is', async () => {
  const chunked = { status: 200, headers: [['Transfer-Encoding', 'chunked'] as const], body };
  const [one, two] = await foundIn(await runOf({ answer: chunked }, { answer: { ...chunked, headers: [] } }));
  assert.deepEqual([one?.exchange.answer?.body, two?.exchange.answer?.body], [body, body]);
});

test('a body in CBOR is read as the JSON that says the same', () => {
  const [bytes, ty] = [serialize({ 'm2m:cnt': {} }, 'cbor'), 3];
  const head = `POST /b HTTP/1.1\r\nContent-Type: application/cbor;ty=${ty}\r\nContent-Length: ${bytes.length}\r\n\r\n`;
  const [request] = new HttpRequestReader().push(Buffer.concat([Buffer.from(head), bytes]));
  assert.equal(request?.body, '{"m2m:cnt":{}}');
});

test('what was cut is not whole, and what was not answered has no answer', async () => {
  const created = { method: 'POST', path: '/cse-in', headers: [['X-M2M-RI', 'r'] as const], body };
  const found = await foundIn(
    await runOf(
      { request: created, answer: { status: 201, headers: [], body: cut } },
      { request: created, failure: { kind: 'reset', message: 'gone' } },
      { answer: { status: 200, headers: [], body: '' } },
    ),
  );
  assert.deepEqual(
    found.map(({ isWhole, exchange }) => [isWhole, exchange.answer?.status, exchange.request.body?.length]),
    [
      [false, undefined, body.length],
      [false, undefined, body.length],
      [true, 200, undefined],
    ],
  );
});

test('an archive has a page for each scenario, names what it leaves out, and tells what failed', async () => {
  const run = await runOf(
    { answer: { status: 200, headers: [['Content-Type', 'application/json']], body: '{}' } },
    { failure: { kind: 'refused', message: 'nobody listens' } },
    { request: { method: '', path: '', headers: [], body: 'junk', exactBytes: true } },
  );
  const { log } = JSON.parse(renderHar(run)) as {
    log: Record<string, unknown> & { entries: unknown[]; pages: unknown[] };
  };
  assert.deepEqual([log.version, log.pages.length, log.entries.length], ['1.2', 1, 2]);
  assert.match(String(log.comment), /: 1$/);
  assert.match(JSON.stringify(log.entries[1]), /"status":0,.*"_error":"nobody listens"/);
});

test('archives say what was sent by the letter, and not by a client', async () => {
  const run = await lastOf(check({ target: { kind: 'embedded' }, dialect: 'onem2m', ids: ['standard/headers'] }));
  const { log } = JSON.parse(renderHar(run)) as { log: { entries: Array<{ comment: string }> } };
  const isMarked = ({ comment }: { readonly comment: string }) => comment.endsWith(' (by the letter, no client)');
  const isOfRaw = ({ comment }: { readonly comment: string }) => comment.startsWith('send ');
  const marked = log.entries.filter(isMarked);
  assert.ok(marked.length > 0 && marked.length < log.entries.length, String(marked.length));
  assert.deepEqual(marked, log.entries.filter(isOfRaw));
  const capture = (await captureOf(run)).toString('latin1');
  for (const { comment } of marked) assert.ok(capture.includes(comment), comment);
});

test('an archive holds the messages of a WebSocket as Chromium does, and nothing of MQTT', async () => {
  const entries = async (url: string) =>
    (JSON.parse(renderHar(await runAt(url))) as { log: { entries: unknown[] } }).log.entries;
  const sockets = (await entries('ws://cse.example')) as Array<{ _webSocketMessages: Array<{ type: string }> }>;
  const messages = sockets.flatMap(({ _webSocketMessages }) => _webSocketMessages);
  assert.equal(messages.filter(({ type }) => type === 'send').length, exchangesOf(await ran).length);
  assert.deepEqual(await entries('mqtt://server.example'), []);
});

/** A run that heard a notification twice in one inbox: it waited for one, and looked again. */
async function runNotifiedAt(inbox: string): Promise<RunResult> {
  const run = await runOf({ answer: { status: 200, headers: [], body: '{}' } });
  const shown = [
    { method: 'POST', path: '/in/box', headers: [['X-M2M-RI', 'n'] as const], body: '{"m2m:sgn":{}}', at: 3 },
  ];
  const notifications = { inbox: 'box', url: `${inbox}/in/box`, waited: 1, count: 1, shown };
  const step = { phase: 'step', title: 'look', notifications, checks: [] } as const;
  const scenarios = run.scenarios.map((one) => ({ ...one, steps: [...one.steps, step, step] }));
  return { ...run, scenarios };
}

test('what came to an inbox over HTTP is in the capture, and in the archive, once', async () => {
  const run = await runNotifiedAt('http://inbox.example:9000');
  const found = (await foundIn(run)).filter(({ origin }) => origin === 'http://inbox.example:9000');
  assert.deepEqual(
    found.map(({ exchange: { request, answer } }) => [request.method, request.path, request.body, answer]),
    [['POST', '/in/box', '{"m2m:sgn":{}}', undefined]],
  );
  assert.equal(renderHar(run).split('"url": "http://inbox.example:9000/in/box"').length, 2);
});

test('what came to an inbox over WebSocket or MQTT is in the capture, and is no request to a CSE', async () => {
  for (const inbox of ['ws://inbox.example', 'mqtt://server.example']) {
    const found = await foundIn(await runNotifiedAt(inbox));
    assert.deepEqual(
      found.flatMap(({ origin, notified }) => (notified === undefined ? [origin] : [])),
      ['http://in-process'],
    );
  }
  assert.match(String(await captureOf(await runNotifiedAt('mqtt://server.example'))), /in\/box.*"op":5.*m2m:sgn/s);
  assert.match(renderHar(await runNotifiedAt('ws://inbox.example')), /"type": "send",[^}]*\\"op\\":5/);
});

test('what a binding showed of a notification is in the capture', async () => {
  const told = async (inbox: string) =>
    (await foundIn(await runNotifiedAt(inbox))).flatMap(({ notified }) => (notified ? [notified.wire] : []));
  const primitive = { payload: 'JSON', op: 5, to: 'in/box', rqi: 'n' };
  assert.deepEqual(await told('ws://inbox.example'), [
    { binding: 'WebSocket', asked: {}, requests: [{ frame: 'text', ...primitive }] },
  ]);
  assert.deepEqual(await told('mqtt://server.example'), [
    { binding: 'MQTT', asked: {}, requests: [{ topic: 'in/box', ...primitive }] },
  ]);
  const [overCoap] = await told('coap://inbox.example');
  const [facts] = (overCoap?.requests ?? []) as ReadonlyArray<Readonly<Record<string, unknown>>>;
  assert.deepEqual([facts?.code, facts?.type, facts?.rqi, facts?.root], ['0.02', 'CON', 'n', 'm2m:sgn']);
});

/** As libpcap writes them: in the order of octets of a large machine, in nanoseconds. */
function pcapOf(packets: readonly Packet[]): Buffer {
  const head = Buffer.alloc(24);
  head.writeUInt32BE(0xa1b23c4d);
  head.writeUInt32BE(1, 20);
  const records = packets.flatMap(({ at, bytes }) => {
    const record = Buffer.alloc(16);
    record.writeUInt32BE(Math.floor(at / 1000), 0);
    record.writeUInt32BE(Math.round((at % 1000) * 1_000_000), 4);
    record.writeUInt32BE(bytes.length, 8);
    record.writeUInt32BE(bytes.length, 12);
    return [record, bytes];
  });
  return Buffer.concat([head, ...records]);
}

test('segments that come late, twice or not at all do not mix up a connection', async () => {
  const run = await runOf(
    { request: { method: 'POST', path: '/cse-in', headers: [], body }, answer: { status: 201, headers: [], body } },
    { answer: { status: 200, headers: [], body: '{"a":1}' } },
  );
  const packets = [...packetsIn(await captureOf(run), 'capture')];
  const whole = (await foundIn(run)).map(({ exchange }) => essence(exchange));
  const read = async (some: readonly Packet[]) =>
    (await readCapture(pcapOf(some), 'capture')).map(({ exchange }) => exchange);
  assert.deepEqual((await read(packets)).map(essence), whole);
  const [late, twice] = [
    packets.with(4, packets[5] as Packet).with(5, packets[4] as Packet),
    packets.flatMap((one) => [one, one]),
  ];
  assert.deepEqual((await read(late)).map(essence), whole);
  assert.deepEqual((await read(twice)).map(essence), whole);
  const [first, ...others] = await read(packets.toSpliced(5, 1));
  assert.deepEqual([first?.request.method, first?.request.exactBytes], ['(missing)', true]);
  assert.deepEqual(others.map(essence), whole.slice(1));
});

test('TLS in a capture is told, and not taken for nothing', async () => {
  const [packet] = [...packetsIn(await captureOf(await runOf({})), 'capture')].filter(({ bytes }) =>
    bytes.includes('GET /'),
  );
  assert.ok(packet);
  const bytes = Buffer.from(packet.bytes);
  bytes.set([22, 3, 1], bytes.indexOf('GET /'));
  await assert.rejects(readCapture(pcapOf([{ ...packet, bytes }]), 'secret.pcap'), {
    name: 'UsageError',
    message: 'secret.pcap holds nothing that can be read: 1 of its connections are TLS',
  });
});

test('a capture that ends in the middle is refused with the packet', async () => {
  const capture = await captureOf(await runOf({}));
  await assert.rejects(
    readCapture(capture.subarray(0, -10), 'cut.pcapng'),
    /^UsageError: cut\.pcapng: packet 7: the file ends in the middle of it$/,
  );
  await assert.rejects(
    readCapture(pcapOf([...packetsIn(capture, 'a')]).subarray(0, -1), 'cut.pcap'),
    /packet 7: the file ends/,
  );
  const lying = Buffer.from(capture);
  lying.writeUInt32LE(13, 4);
  await assert.rejects(readCapture(lying, 'lying.pcapng'), /lying\.pcapng: packet 1: a block has the length 13/);
});

test('no capture does anything but be read or be refused', async () => {
  const captures = await Promise.all(
    ['http://a', 'mqtt://a', 'ws://a', 'coap://a'].map(async (url) => {
      const run = await runAt(url);
      return captureOf({ ...run, scenarios: run.scenarios.slice(0, 1) });
    }),
  );
  const change = fc.record({ at: fc.nat(), octet: fc.nat(255) });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...captures),
      fc.array(change, { maxLength: 20 }),
      fc.nat(),
      async (capture, changes, end) => {
        const bytes = Buffer.from(end % 4 === 0 ? capture.subarray(0, end % capture.length) : capture);
        for (const { at, octet } of changes) if (bytes.length > 0) bytes[at % bytes.length] = octet;
        try {
          assert.ok(Array.isArray(await readCapture(bytes, 'capture')));
        } catch (error) {
          assert.ok(error instanceof UsageError, String(error));
          assert.match(error.message, /^capture(: packet \d+: | holds nothing)/);
        }
      },
    ),
    { numRuns: 300 },
  );
});
