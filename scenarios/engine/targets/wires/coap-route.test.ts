import assert from 'node:assert/strict';
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { generate, type Packet, type ParsedPacket, parse } from 'coap-packet';
import { prepareUrl } from '../url-choice.ts';
import { CoapRoute } from './coap-route.ts';
import { routedTarget } from './routed-target.ts';

type Send = (message: Packet | Buffer, from?: Socket) => void;
type Behaviour = (asked: ParsedPacket, send: Send) => void;

async function opened(t: TestContext): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => socket.close());
  return socket;
}

/** A server that does what a test says, and a target that is this. */
async function targetOf(t: TestContext, behaviour: Behaviour, timeout = 300) {
  const socket = await opened(t);
  const asked: ParsedPacket[] = [];
  socket.on('message', (datagram: Buffer, { port }: RemoteInfo) => {
    const packet = parse(datagram);
    asked.push(packet);
    behaviour(packet, (message, from = socket) =>
      from.send(message instanceof Uint8Array ? message : generate(message, 65_536), port, '127.0.0.1'),
    );
  });
  return { ...targetAt(t, socket.address().port, timeout), asked };
}

function targetAt(t: TestContext, port: number, timeout = 300) {
  const url = `coap://127.0.0.1:${port}`;
  const route = new CoapRoute({ url, trust: {} });
  t.after(() => route.close());
  const description = { kind: 'url', url, ...{ base: 'cse-in', cseId: 'id-in', spId: 'sp' } } as const;
  return { target: routedTarget({ description, route, timeout, startedAt: 0 }), route };
}

const request = (more: object = {}) => ({
  ...{ method: 'GET', path: '/~/id-in/cse-in?rcn=4&lbl=a%20b' },
  headers: [
    ['X-M2M-Origin', 'CA'],
    ['X-M2M-RI', 'r1'],
    ['X-M2M-RVI', '3'],
    ['Accept', 'application/json'],
  ] as const,
  ...more,
});
const post = (body: string, type = 'application/json;ty=3') =>
  request({
    method: 'POST',
    path: '/cse-in',
    body: Buffer.from(body),
    headers: [
      ['X-M2M-RI', 'r1'],
      ['Content-Type', type],
    ],
  });
const content = ({ messageId, token }: ParsedPacket): Packet => ({
  ...{ code: '2.05', messageId, token, payload: Buffer.from('{"m2m:cb":{}}') },
  options: [
    { name: '307', value: Buffer.from([7, 208]) },
    { name: 'Content-Format', value: Buffer.from([50]) },
  ],
});
const values = ({ options }: ParsedPacket, wanted: string) =>
  options.filter(({ name }) => String(name) === wanted).map(({ value }) => value.toString('utf8'));

test('a request is said in options, and its answer read as HTTP has it, with the code beside it', async (t) => {
  const { target, asked } = await targetOf(t, (packet, send) => send({ ...content(packet), ack: true }));
  const { answer, curl } = await target.send(request());
  const [packet] = asked as [ParsedPacket];
  assert.deepEqual([packet.code, packet.confirmable], ['0.01', true]);
  assert.deepEqual(
    [values(packet, 'Uri-Path'), values(packet, 'Uri-Query')],
    [
      ['~', 'id-in', 'cse-in'],
      ['rcn=4', 'lbl=a b'],
    ],
  );
  assert.deepEqual(
    [values(packet, '279'), values(packet, '283'), values(packet, '271'), values(packet, 'Accept')],
    [['CA'], ['r1'], ['3'], ['2']],
  );
  assert.deepEqual(answer, {
    ...{ status: 200, body: '{"m2m:cb":{}}' },
    headers: [
      ['x-m2m-rsc', '2000'],
      ['content-type', 'application/json'],
      ['coap-code', '2.05'],
    ],
  });
  assert.match(
    curl,
    /^coap-client -v 8 -m get -O 279,0x4341 -O 283,0x7231 -O 271,0x33 -A 50 'coap:\/\/127\.0\.0\.1:\d+\/~\/id-in\/cse-in\?rcn=4&lbl=a%20b'$/,
  );
});

test('a percent sign that begins no escape in a query stays', async (t) => {
  const { target, asked } = await targetOf(t, (packet, send) => send({ ...content(packet), ack: true }));
  const odd = request({ path: '/cse-in?lbl=%zz%41' });
  assert.equal(await target.objection(odd), undefined);
  await target.send(odd);
  assert.deepEqual(values(asked[0] as ParsedPacket, 'Uri-Query'), ['lbl=%zzA']);
});

test('a creation has its type in an option, and what is not waited for is posted with its operation', async (t) => {
  const { target, asked } = await targetOf(t, (packet, send) => send({ ...content(packet), code: '2.01', ack: true }));
  await target.send(post('{"m2m:cnt":{}}'));
  await target.send(request({ path: '/cse-in?rt=2' }));
  await target.send(post('{"m2m:sgn":{}}', 'application/json'));
  const [created, posted, told] = asked as [ParsedPacket, ParsedPacket, ParsedPacket];
  assert.deepEqual(
    [created.code, values(created, '267'), values(created, 'Content-Format')],
    ['0.02', ['\x03'], ['2']],
  );
  assert.deepEqual([posted.code, values(posted, 'Uri-Query')], ['0.02', ['rt=2', 'op=2']]);
  assert.deepEqual([told.code, values(told, '267')], ['0.02', []]);
});

test('what is larger than a message goes and comes in blocks', async (t) => {
  const { target, asked } = await targetOf(t, (packet, send) => {
    const [block] = packet.options.filter(({ name }) => name === 'Block1').map(({ value }) => value);
    const more = ((block?.at(-1) ?? 0) & 8) > 0;
    const at = packet.options.find(({ name }) => name === 'Block2')?.value[0] ?? 0;
    const rest = { name: 'Block2', value: Buffer.from([at >= 16 ? 16 : 8]) };
    const payload = Buffer.from(at >= 16 ? ':{}}' : '{"m2m:container"');
    if (more)
      send({
        ...content(packet),
        code: '2.31',
        ack: true,
        payload: Buffer.alloc(0),
        options: [{ name: 'Block1', value: block as Buffer }],
      });
    else send({ ...content(packet), ack: true, options: [...(content(packet).options ?? []), rest], payload });
  });
  const body = JSON.stringify({ 'm2m:cnt': { lbl: ['x'.repeat(3000)] } });
  const { answer } = await target.send(post(body));
  assert.equal(answer?.body, '{"m2m:container":{}}');
  assert.equal(Buffer.concat(asked.map(({ payload }) => payload)).toString('utf8'), body);
  assert.equal(asked.length, 4);
  assert.equal(
    new Set(asked.map(({ token }) => String(token))).size,
    1,
    'deployed servers want one token for all blocks',
  );
});

test('a separate answer is acknowledged, and one that comes twice is one', async (t) => {
  const { target, asked } = await targetOf(t, (packet, send) => {
    if (packet.code === '0.00') return;
    send({ code: '0.00', ack: true, messageId: packet.messageId });
    const answer = { ...content(packet), confirmable: true, messageId: 9 };
    send(answer);
    send(answer);
  });
  assert.equal((await target.send(request())).answer?.status, 200);
  assert.equal((await target.send(request())).answer?.status, 200);
  assert.ok(asked.some(({ code, ack, messageId }) => code === '0.00' && ack && messageId === 9));
});

test('what is not acknowledged is sent again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let times = 0;
  const { target, asked } = await targetOf(
    t,
    (packet, send) => {
      times += 1;
      if (times > 1) send({ ...content(packet), ack: true });
    },
    60_000,
  );
  const sent = target.send(request());
  while (times === 0) await new Promise(setImmediate);
  t.mock.timers.tick(3_000);
  assert.equal((await sent).answer?.status, 200);
  const [first, second] = asked as [ParsedPacket, ParsedPacket];
  assert.deepEqual(second, first);
});

test('an answer that nobody waits for any more is not that to the next request', async (t) => {
  const { target, asked } = await targetOf(t, (packet, send) => {
    const [first = packet] = asked;
    if (packet === first || packet.code === '0.00') return;
    send({ ...content(first), confirmable: true, messageId: 9, payload: Buffer.from('{"late":1}') });
    send({ ...content(packet), ack: true });
  });
  assert.equal((await target.send(request())).failure?.kind, 'timeout');
  assert.equal((await target.send(request())).answer?.body, '{"m2m:cb":{}}');
});

for (const [what, behaviour, kind] of [
  ['says nothing', () => {}, 'timeout'],
  ['has it and says nothing more', ({ messageId }, send) => send({ code: '0.00', ack: true, messageId }), 'timeout'],
  ['rejects it', ({ messageId }, send) => send({ code: '0.00', reset: true, messageId }), 'reset'],
  ['sends garbage', (_, send) => send(Buffer.from([0xff, 0xff, 0xff])), 'malformed'],
  [
    'sends a message cut short',
    (packet, send) => send(generate({ ...content(packet), ack: true, payload: Buffer.alloc(0) }).subarray(0, -1)),
    'malformed',
  ],
  [
    'answers what nobody asked',
    (packet, send) => send({ ...content(packet), confirmable: true, token: Buffer.from('other') }),
    'timeout',
  ],
  [
    'sends the same block for ever',
    (packet, send) =>
      send({
        ...content(packet),
        ack: true,
        payload: Buffer.alloc(16, 120),
        options: [{ name: 'Block2', value: Buffer.from([8]) }],
      }),
    'malformed',
  ],
  [
    'sends blocks without end',
    (packet, send) => {
      const at =
        (packet.options.find(({ name }) => name === 'Block2')?.value ?? Buffer.alloc(0)).reduce(
          (sum, one) => sum * 256 + one,
          0,
        ) >> 4;
      const value = Buffer.from([at >> 12, (at >> 4) & 255, ((at & 15) << 4) | 8]);
      send({ ...content(packet), ack: true, payload: Buffer.alloc(16, 120), options: [{ name: 'Block2', value }] });
    },
    'timeout',
  ],
] as const satisfies ReadonlyArray<readonly [string, Behaviour, string]>)
  test(`a target that ${what} ends no run in a hang`, async (t) => {
    const { target } = await targetOf(t, behaviour);
    const { answer, failure } = await target.send(request());
    assert.deepEqual([answer, failure?.kind], [undefined, kind], failure?.message);
  });

test('what comes from another port is no answer', async (t) => {
  const other = await opened(t);
  const { target } = await targetOf(t, (packet, send) => send({ ...content(packet), ack: true }, other));
  assert.equal((await target.send(request())).failure?.kind, 'timeout');
});

test('nobody at the port is a connection refused', async (t) => {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  assert.equal((await targetAt(t, port).target.send(request())).failure?.kind, 'refused');
});

test('a small target has four requests at most that it has not acknowledged', async (t) => {
  const held: Array<() => void> = [];
  const { target, asked } = await targetOf(
    t,
    (packet, send) => void held.push(() => send({ ...content(packet), ack: true })),
    5_000,
  );
  const all = Promise.all(Array.from({ length: 9 }, () => target.send(request())));
  let answered = 0;
  while (answered < 9) {
    await new Promise(setImmediate);
    assert.ok(asked.length - answered <= 4, `${asked.length} sent and ${answered} answered`);
    const next = held.shift();
    next?.();
    answered += next === undefined ? 0 : 1;
  }
  assert.ok((await all).every(({ answer }) => answer?.status === 200));
});

test('a notification is heard once, however often and in however many messages it comes', async (t) => {
  const { route } = targetAt(t, 9);
  const heard: unknown[] = [];
  route.onNotification = ({ method, target, body, headers }) => {
    heard.push([method, target, body, headers['x-m2m-ri']]);
    return { headers: { 'X-M2M-RSC': '2000', 'X-M2M-RI': 'n1' } };
  };
  const origin = (await route.origin('127.0.0.1')) ?? '';
  await route.listen('one/inbox');
  const sender = await opened(t);
  const port = Number(new URL(origin).port);
  const ask = async (packet: Packet): Promise<ParsedPacket> => {
    sender.send(generate(packet, 65_536), port, '127.0.0.1');
    const [datagram] = (await once(sender, 'message')) as [Buffer];
    return parse(datagram);
  };
  const notification = (path: readonly string[], more: Packet = {}): Packet => ({
    ...{ code: '0.02', confirmable: true, messageId: 1, token: Buffer.from('t'), payload: Buffer.from('{}') },
    ...more,
    options: [
      ...path.map((part) => ({ name: 'Uri-Path' as const, value: Buffer.from(part) })),
      { name: '283', value: Buffer.from('n1') },
      ...(more.options ?? []),
    ],
  });
  sender.send(Buffer.from([0xff]), port, '127.0.0.1');
  const first = await ask(notification(['one', 'inbox']));
  const second = await ask(notification(['one', 'inbox']));
  assert.deepEqual([first.code, first.ack, first.messageId, String(first.token)], ['2.04', true, 1, 't']);
  assert.equal(first.payload.length, 0);
  assert.deepEqual([values(first, '283'), values(first, '307')], [['n1'], [Buffer.from([7, 208]).toString('utf8')]]);
  assert.deepEqual(second, first);
  const wholeUrl = ['coap:', '', new URL(origin).host, 'one'];
  const query = { name: 'Uri-Query' as const, value: Buffer.from('ct=json') };
  assert.equal((await ask(notification([...wholeUrl, 'inbox'], { messageId: 6, options: [query] }))).code, '2.04');
  assert.equal((await ask(notification([...wholeUrl, 'closed'], { messageId: 7 }))).reset, true);
  const nobody = await ask(notification(['one', 'closed'], { messageId: 2 }));
  assert.deepEqual([nobody.reset, nobody.messageId], [true, 2]);
  const block = (value: number, text: string, messageId: number) =>
    ask(
      notification(['one', 'inbox'], {
        messageId,
        payload: Buffer.from(text),
        options: [{ name: 'Block1', value: Buffer.from([value]) }],
      }),
    );
  assert.equal((await block(8, '{"m2m:sgn":{    ', 3)).code, '2.31');
  assert.equal((await block(0x10, '}}', 4)).code, '2.04');
  assert.equal((await block(0x20, '}}', 5)).code, '4.08');
  assert.deepEqual(heard, [
    ['POST', '/one/inbox', '{}', 'n1'],
    ['POST', '/one/inbox?ct=json', '{}', 'n1'],
    ['POST', '/one/inbox', '{"m2m:sgn":{    }}', 'n1'],
  ]);
});

test('a notification to an application entity is heard at the point of access that it has registered', async (t) => {
  const { route } = await targetOf(t, (packet, send) => send({ ...content(packet), ack: true }));
  const heard: unknown[] = [];
  route.onNotification = ({ target, body }) => {
    heard.push([target, body]);
    return { headers: { 'X-M2M-RSC': '2000' } };
  };
  const origin = (await route.origin('127.0.0.1')) ?? '';
  await route.listen('one/inbox');
  for (const [originator, path] of [
    ['Cnear', 'one/inbox'],
    ['Caway', 'one/closed'],
  ]) {
    const body = Buffer.from(JSON.stringify({ 'm2m:ae': { rn: `${originator}-name`, poa: [`${origin}/${path}`] } }));
    const headers = [['X-M2M-Origin', `${originator}`]] as const;
    await route.ask('id-in', { method: 'POST', path: '/cse-in', headers, body }, AbortSignal.timeout(5_000));
  }
  const sender = await opened(t);
  let messageId = 0;
  const codeOf = async (...path: readonly string[]): Promise<string> => {
    const options = path.map((part) => ({ name: 'Uri-Path' as const, value: Buffer.from(part) }));
    const packet = { code: '0.02', confirmable: true, messageId: ++messageId, payload: Buffer.from('{}'), options };
    sender.send(generate(packet, 65_536), Number(new URL(origin).port), '127.0.0.1');
    const [datagram] = (await once(sender, 'message')) as [Buffer];
    return parse(datagram).code;
  };
  const forms = [
    ['Cnear'],
    ['~', 'id-in', 'Cnear'],
    ['_', 'sp', 'id-in', 'Cnear'],
    ['cse-in', 'Cnear-name'],
    ['~', 'id-in', 'cse-in', 'Cnear-name'],
  ];
  for (const form of forms) assert.equal(await codeOf(...form), '2.04');
  for (const form of [['Caway'], ['Cother'], ['~', 'Cnear'], ['other', 'Cnear'], ['cse-in']])
    assert.equal(await codeOf(...form), '0.00');
  assert.deepEqual(
    heard,
    forms.map(() => ['/one/inbox', '{}']),
  );
});

for (const [what, asked, reason] of [
  ['exact bytes', { bytes: new Uint8Array(1) }, /connections of HTTP/],
  ['a method of HTTP', request({ method: 'PATCH' }), /only HTTP/],
  ['a header without an option', request({ headers: [['X-M2M-Unknown', '1']] }), /no option for this header/],
  ['a media type without a number', post('x', 'text/html'), /no number for this media type/],
  ['a name that is too long', request({ path: `/cse-in/${'x'.repeat(256)}` }), /at most 255 octets/],
] as const)
  test(`${what} cannot be said over CoAP`, async (t) => {
    assert.match((await targetAt(t, 9).target.objection(asked)) ?? '', reason);
  });

test('in CBOR the line for libcoap has the octets from a pipe', (t) => {
  const headers = [['Content-Type', 'application/cbor;ty=3']] as const;
  const created = { method: 'POST', path: '/cse-in', headers, body: Buffer.from('a0', 'hex') };
  const { target, route } = targetAt(t, 9);
  assert.equal(
    route.line(target.description, created),
    String.raw`printf '\240' | coap-client -v 8 -m post -O 267,0x03 -t 60 -f - coap://127.0.0.1:9/cse-in`,
  );
});

test('what needs no identifier, and CBOR, can be said', async (t) => {
  const { target } = targetAt(t, 9);
  assert.equal(await target.objection(request({ headers: [['Accept', 'application/cbor']] })), undefined);
  assert.equal(await target.objection(post('[1]')), undefined);
});

test('DTLS is left out, and said to be', async () => {
  await assert.rejects(prepareUrl({ url: 'coaps://127.0.0.1:9', dialect: 'onem2m' }), {
    name: 'UsageError',
    message: /without DTLS: coap:\/\//,
  });
});
