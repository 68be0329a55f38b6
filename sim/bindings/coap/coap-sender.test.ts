import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import coap from 'coap';
import type { Packet, ParsedPacket } from 'coap-packet';
import { TargetRules } from '../target-rules.ts';
import { CoapSender, type CoapSenderOptions } from './coap-sender.ts';
import { json, numberIn, optionIn, rawCoap } from './testing/raw-coap.ts';

function sender(t: TestContext, options: CoapSenderOptions = {}): CoapSender {
  const made = new CoapSender(options);
  t.after(() => made.close());
  return made;
}

const notify = (body: unknown = { 'm2m:sgn': {} }) => ({
  ...{ method: 'POST', target: '/inbox', body: JSON.stringify(body) },
  headers: {
    'X-M2M-Origin': '/id-in',
    'X-M2M-RI': 'r1',
    'Content-Type': 'application/json',
    Accept: 'application/json',
  },
});
const retrieve = { method: 'GET', target: '/~/id-mn/cse-mn?rt=1&lbl=a%20b', headers: { 'X-M2M-RI': 'r1' } };

type Answers = (asked: ParsedPacket) => Packet;
const accepted: Answers = ({ messageId, token }) => ({
  ...{ code: '2.04', ack: true, messageId, token },
  options: [{ name: '307', value: Buffer.from([7, 208]) }],
});

/** Answers so much, each in its way, and tells what was asked. */
async function server(t: TestContext, ...answers: readonly Answers[]) {
  const { url, next, send } = await rawCoap(t);
  const asked: ParsedPacket[] = [];
  const served = (async () => {
    for (const answer of answers) {
      const { packet, port } = await next();
      asked.push(packet);
      send(answer(packet), port);
    }
  })();
  return { url, asked, served };
}

test('a request has its parameters in options and its content in the payload', async (t) => {
  const { url, asked } = await server(t, accepted, accepted);
  const { status, headers } = await sender(t).send(url, notify());
  assert.deepEqual([status, headers['x-m2m-rsc']], [200, '2000']);
  const [packet] = asked as [ParsedPacket];
  assert.deepEqual([packet.code, packet.confirmable, packet.token.length], ['0.02', true, 8]);
  assert.deepEqual(
    [optionIn(packet, '279'), optionIn(packet, '283'), optionIn(packet, 'Uri-Host')],
    ['/id-in', 'r1', undefined],
  );
  assert.deepEqual([numberIn(packet, 'Content-Format'), numberIn(packet, 'Accept')], [50, 50]);
  assert.deepEqual(packet.payload, json({ 'm2m:sgn': {} }));
  await sender(t).send(url, retrieve);
  const [, posted] = asked as [ParsedPacket, ParsedPacket];
  assert.equal(posted.code, '0.02', 'it is not waited for');
  const values = (wanted: string) =>
    posted.options.filter(({ name }) => name === wanted).map(({ value }) => String(value));
  assert.deepEqual(
    [values('Uri-Path'), values('Uri-Query')],
    [
      ['~', 'id-mn', 'cse-mn'],
      ['rt=1', 'lbl=a b', 'op=2'],
    ],
  );
});

test('the server of another library is notified, however large the notification, in the blocks it wants', async (t) => {
  const heard: coap.IncomingMessage[] = [];
  const inbox = coap.createServer((request, response) => {
    heard.push(request);
    response.code = '2.04';
    response.end();
  });
  t.after(() => inbox.close());
  const port = await new Promise<number>((resolve) =>
    inbox.listen(0, '127.0.0.1', () =>
      resolve((inbox as unknown as { _sock: { address(): { port: number } } })._sock.address().port),
    ),
  );
  await sender(t).send(`coap://127.0.0.1:${port}`, notify());
  assert.equal(heard[0]?.url, '/inbox');
  assert.equal(String(heard[0]?.payload), '{"m2m:sgn":{}}');
  const { url, asked } = await server(
    t,
    ({ messageId, token }) => ({
      code: '2.31',
      ack: true,
      messageId,
      token,
      options: [{ name: 'Block1', value: Buffer.from([8 | 5]) }],
    }),
    ...Array.from(
      { length: 2 },
      (): Answers =>
        ({ messageId, token, options }) => ({
          ...{ code: '2.31', ack: true, messageId, token },
          options: options.filter(({ name }) => name === 'Block1') as [],
        }),
    ),
    accepted,
  );
  const body = { 'm2m:sgn': { sur: 'x'.repeat(2400) } };
  await sender(t).send(url, notify(body));
  assert.deepEqual(
    asked.map((one) => numberIn(one, 'Block1')),
    [8 | 6, (2 << 4) | 8 | 5, (3 << 4) | 8 | 5, (4 << 4) | 5],
  );
  assert.deepEqual(Buffer.concat(asked.map(({ payload }) => payload)), json(body));
  assert.equal(
    new Set(asked.map(({ token }) => token.toString('hex'))).size,
    1,
    'deployed servers want one token for all blocks',
  );
});

test('an answer in blocks is put together, and one of which a block is missing is none', async (t) => {
  const block =
    (value: number, text: string): Answers =>
    ({ messageId, token }) => ({
      ...{ code: '2.05', ack: true, messageId, token, payload: Buffer.from(text) },
      options: [{ name: 'Block2', value: Buffer.from([value]) }],
    });
  const whole = await server(t, block(8, '0123456789abcdef'), block(0x10, 'gh'));
  assert.equal((await sender(t).send(whole.url, retrieve)).body, '0123456789abcdefgh');
  const torn = await server(t, block(8, '0123456789abcdef'), block(0x28, '0123456789abcdef'));
  await assert.rejects(sender(t).send(torn.url, retrieve), {
    name: 'UnreachableError',
    message: /a block of the answer is missing/,
  });
});

test('a separate answer is acknowledged, and taken by its token alone', async (t) => {
  const { url, next, send } = await rawCoap(t);
  const answered = sender(t).send(url, notify());
  const { packet, port } = await next();
  const { messageId, token } = packet;
  send({ code: '0.00', ack: true, messageId }, port);
  send({ code: '2.04', confirmable: true, messageId: 7, token: Buffer.from('another') }, port);
  const rejected = (await next()).packet;
  assert.deepEqual([rejected.reset, rejected.messageId], [true, 7]);
  send({ code: '2.04', confirmable: true, messageId: 8, token }, port);
  assert.equal((await answered).status, 200);
  const acknowledged = (await next()).packet;
  assert.deepEqual([acknowledged.ack, acknowledged.messageId], [true, 8]);
});

test('a peer that does not listen, rejects, is silent, or speaks DTLS is unreachable', async (t) => {
  const silent = await rawCoap(t);
  const rejecting = await server(t, ({ messageId }) => ({ code: '0.00', reset: true, messageId }));
  for (const [url, message] of [
    ['coap://127.0.0.1:9', /ECONNREFUSED/],
    [rejecting.url, /rejects/],
    [silent.url, /no complete answer within 0\.2 s/],
    ['coaps://127.0.0.1:9', /DTLS is not spoken/],
  ] as const)
    await assert.rejects(sender(t, { timeout: 200 }).send(url, notify()), { name: 'UnreachableError', message }, url);
});

test('blocks without end end with the time', async (t) => {
  const { url, next, send } = await rawCoap(t);
  const endless = (async () => {
    for (;;) {
      const { packet, port } = await next();
      const at = (numberIn(packet, 'Block2') ?? 0) >> 4;
      const value = Buffer.from([at >> 12, (at >> 4) & 255, ((at & 15) << 4) | 8]);
      send(
        {
          code: '2.05',
          ack: true,
          messageId: packet.messageId,
          token: packet.token,
          payload: Buffer.alloc(16, 120),
          options: [{ name: 'Block2', value }],
        },
        port,
      );
    }
  })();
  endless.catch(() => {});
  await assert.rejects(sender(t, { timeout: 300 }).send(url, retrieve), {
    name: 'UnreachableError',
    message: /no complete answer/,
  });
});

test('nothing is sent where nothing is to be sent, but to those whom the installation names', async (t) => {
  const { url } = await server(t, accepted);
  const deny = ['private'];
  await assert.rejects(
    sender(t, { targets: new TargetRules({ deny, trusted: ['coap://127.0.0.1:1'] }) }).send(url, notify()),
    {
      name: 'UnreachableError',
      message: /nothing is sent to 127\.0\.0\.1/,
    },
  );
  await sender(t, { targets: new TargetRules({ deny, trusted: [url] }) }).send(url, notify());
});

test('what is under way ends when it is closed', async (t) => {
  const { url, next } = await rawCoap(t);
  const made = sender(t);
  const asked = made.send(url, notify());
  await next();
  made.close();
  await assert.rejects(asked, { name: 'UnreachableError', message: /closed/ });
});
