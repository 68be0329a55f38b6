/** What a CSE does wrong with CoAP alone is seen on the exchange, or on the one that ends after it. */
import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { generate, type Option, type Packet, type ParsedPacket, parse } from 'coap-packet';
import type { RequestMessage } from '../engine/messages/target.ts';
import { CoapRoute } from '../engine/targets/wires/coap-route.ts';
import { routedTarget } from '../engine/targets/wires/routed-target.ts';
import { Judge } from './judge.ts';
import { ofCoap } from './judgements/coap.ts';
import { rulesOf } from './rules.ts';

const names = { base: 'cse-in', cseId: 'id-in', spId: 'sp' };
type Send = (message: Packet | Buffer) => void;
type Cse = (asked: ParsedPacket, send: Send) => void;

async function opened(t: TestContext): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => socket.close());
  return socket;
}

async function judged(t: TestContext, cse: Cse) {
  const socket = await opened(t);
  socket.on('message', (datagram, { port }) =>
    cse(parse(datagram), (message) =>
      socket.send(message instanceof Uint8Array ? message : generate(message, 65_536), port, '127.0.0.1'),
    ),
  );
  const route = new CoapRoute({ url: `coap://127.0.0.1:${socket.address().port}`, trust: {} });
  t.after(() => route.close());
  const description = { kind: 'url', url: 'coap://127.0.0.1', ...names } as const;
  const target = routedTarget({ description, route, timeout: 10_000, startedAt: 0 });
  const rules = rulesOf('onem2m').filter(({ requirement }) => requirement.startsWith('std.coap.'));
  const judge = new Judge({ rules, dialect: 'onem2m', names, levelOf: () => 'standard' });
  const send = async (request: RequestMessage) =>
    judge.judge(await target.send(request)).map(({ requirement }) => requirement.replace('std.coap.', ''));
  return { route, send };
}

const request = (more: Partial<RequestMessage> = {}, type?: string): RequestMessage => ({
  ...{ method: 'GET', path: '/cse-in' },
  headers: [
    ['X-M2M-Origin', 'CA'],
    ['X-M2M-RI', 'r1'],
    ['Accept', 'application/json'],
    ...(type === undefined ? [] : [['Content-Type', type] as const]),
  ],
  ...more,
});
const posted = (body: object, type = 'application/json;ty=3', path = '/cse-in'): RequestMessage =>
  request({ method: 'POST', path, body: Buffer.from(JSON.stringify(body)) }, type);

const text = (name: string, value: string): Option => ({ name: name as Option['name'], value: Buffer.from(value) });
const number = (name: string, ...octets: number[]): Option => ({
  name: name as Option['name'],
  value: Buffer.from(octets),
});
const status = (code: number): Option => number('307', code >> 8, code & 255);
const usual = [text('259', '20300101T000000'), text('271', '3'), text('283', 'r1')];
const shown = (
  more: Partial<Packet> = {},
  options: readonly Option[] = [...usual, status(2000), number('Content-Format', 50)],
) => ({
  ...{ code: '2.05', ack: true, payload: Buffer.from('{"m2m:cb":{}}'), options: [...options] },
  ...more,
});
const without = (name: string) => shown().options.filter((one) => one.name !== name);
const instead = (...given: readonly Option[]) => [
  ...shown().options.filter(({ name }) => !given.some((one) => one.name === name)),
  ...given,
];

const answers: ReadonlyArray<
  readonly [what: string, violates: readonly string[], answer: Packet, asked?: RequestMessage]
> = [
  ['nothing wrong', [], shown()],
  ['an answer of its own that is not confirmable', [], shown({ ack: false, messageId: 9 })],
  ['another code', ['response.code'], shown({ code: '2.04' })],
  ['no status code', ['response.rsc'], shown({}, without('307'))],
  ['a status code that is a text', ['response.number'], shown({}, instead(text('307', '2000')))],
  ['no identifier', ['response.rqi'], shown({}, without('283'))],
  ['another identifier', ['response.rqi'], shown({}, instead(text('283', 'r2')))],
  ['a refusal of the wire itself', [], { code: '4.02', ack: true }],
  [
    'a refusal with another identifier',
    ['response.rqi.refusal'],
    { code: '4.04', ack: true, options: [status(4004), text('283', 'r2')] },
  ],
  ['a refusal with another code', ['response.code'], { code: '4.00', ack: true, options: [status(4004)] }],
  ['a refusal with a code that nobody knows', [], { code: '4.00', ack: true, options: [status(4999)] }],
  ['an option twice', ['response.single'], shown({}, [...shown().options, text('271', '3')])],
  ['a long release', ['response.rvi'], shown({}, instead(text('271', '3.0')))],
  ['a time with fractions', ['response.ot'], shown({}, instead(text('259', '20300101T000000,123456')))],
  ['content without a type', ['response.media'], shown({}, without('Content-Format'))],
  ['JSON as CBOR', ['response.media'], shown({}, instead(number('Content-Format', 60)))],
  [
    'CBOR that is cut',
    ['response.media'],
    { ...shown({}, instead(number('Content-Format', 60))), payload: Buffer.from('a16161', 'hex') },
  ],
  ['another type than is asked for', ['response.accept'], shown({}, instead(number('Content-Format', 39, 17)))],
  [
    'a type that nobody has asked for',
    [],
    shown({}, instead(number('Content-Format', 39, 17))),
    request({ headers: [['X-M2M-RI', 'r1']] }),
  ],
  ['another token', ['response.token'], shown({ token: Buffer.from('other') })],
  ['another message identifier', ['response.id'], shown({ messageId: 9 })],
  [
    'no Location-Path for the address in its content',
    ['response.location'],
    shown({ code: '2.01', payload: Buffer.from('{"m2m:rce":{"uri":"cse-in/a"}}') }, instead(status(2001))),
    posted({ 'm2m:cnt': {} }, undefined, '/cse-in?rcn=3'),
  ],
  [
    'the address in its content',
    [],
    shown({ code: '2.01', payload: Buffer.from('{"m2m:rce":{"uri":"/id-in/cse-in/a"}}') }, [
      ...instead(status(2001)),
      text('Location-Path', 'cse-in'),
      text('Location-Path', 'a'),
    ]),
    posted({ 'm2m:cnt': {} }, undefined, '/cse-in?rcn=3'),
  ],
  [
    'a request that is accepted without its address',
    ['accepted.location'],
    shown({ code: '2.01', payload: Buffer.from('{"m2m:uri":"req1"}') }, instead(status(1001))),
    request({ path: '/cse-in?rt=1' }),
  ],
  [
    'a request that is accepted by a message that may be lost',
    ['accepted.confirmable'],
    shown({ code: '2.01', ack: false, messageId: 9, payload: Buffer.from('{"m2m:uri":"req1"}') }, [
      ...instead(status(1001)),
      text('Location-Path', 'req1'),
    ]),
    request({ path: '/cse-in?rt=1' }),
  ],
  [
    'a request that is accepted and has no resource',
    [],
    shown({ code: '2.04', payload: Buffer.alloc(0) }, instead(status(1002))),
    request({ path: '/cse-in?rt=2' }),
  ],
  [
    'content in the answer to a notification',
    ['notify.empty'],
    shown({ code: '2.04' }),
    posted({ 'm2m:sgn': {} }, 'application/json'),
  ],
];

for (const [what, violates, answer, asked = request()] of answers)
  test(`over CoAP: ${what}`, async (t) => {
    const { send } = await judged(t, ({ messageId, token, code }, reply) => {
      if (code !== '0.00') reply({ messageId, token, ...answer });
    });
    assert.deepEqual(await send(asked), violates);
  });

/** Table 6.2.4-1, and what follows from clause 6.3.2. */
const codes: ReadonlyArray<readonly [statuses: string, ...codes: string[]]> = [
  ['1001 2001', '2.01'],
  ['1002', '2.01', '2.04'],
  ['2000', '2.05'],
  ['2002', '2.02'],
  ['2004', '2.04'],
  ['4000 4102 4104 4110 4123-4124 4143 5106 5219-5220 6010 6022-6024 6028-6029', '4.00'],
  ['4120 4122', '4.02'],
  ['4101 4103 4105-4109 4111-4117 4126-4127 5105 5203 5205 5208 5214-5215 5218 5222', '4.03'],
  ['4004 4118-4119 4121 5103 5107 6003 6005', '4.04'],
  ['4005', '4.05'],
  ['5207', '4.06'],
  ['4015', '4.15'],
  ['5000 5204 5209-5212 5216-5217 5221 6020-6021 6025-6026', '5.00'],
  ['4001 4125 5001 5206', '5.01'],
  ['4008 6030-6031', '5.04'],
];

test('response status codes have the CoAP codes of the table, and unlisted ones any', () => {
  const ofTable = ofCoap['the CoAP code fits the response status code'] as (seen: object) => unknown;
  const isIn = (rsc: number) => (range: string) => {
    const [first, last = first] = range.split('-').map(Number);
    return rsc >= Number(first) && rsc <= Number(last);
  };
  for (let rsc = 999; rsc < 7000; rsc++) {
    const [, ...fitting] = codes.find(([statuses]) => statuses.split(' ').some(isIn(rsc))) ?? [''];
    const wanted = fitting.length > 0 ? { wire: { code: { 'one of': fitting } } } : undefined;
    assert.deepEqual(ofTable({ exchange: { request: request(), wire: { rsc } } }), wanted, String(rsc));
  }
});

test('over CoAP, OK has the code of the operation, and no other', () => {
  const ofTable = ofCoap['the CoAP code fits the response status code'] as (seen: object) => unknown;
  const code = (method: string, type?: string) =>
    ofTable({
      exchange: { request: { ...request(), method }, wire: { rsc: 2000 } },
      request: { headers: new Map(type === undefined ? [] : [['content-type', type]]) },
    });
  const only = (one: string) => ({ wire: { code: { 'one of': [one] } } });
  assert.deepEqual(code('GET'), only('2.05'));
  assert.deepEqual(code('POST', 'application/json'), only('2.04'));
  assert.deepEqual(code('POST'), only('2.04'));
  for (const [method, type] of [
    ['POST', 'application/json;ty=3'],
    ['POST', 'application/json; ty=3'],
    ['PUT', 'application/json'],
    ['DELETE', undefined],
  ] as const)
    assert.equal(code(method, type), undefined, `${method} ${type}`);
});

for (const [what, violates, reply] of [
  ['what is no message', 'response.message', () => Buffer.from('HTTP/1.1 200 OK')],
  [
    'a block that is not the first',
    'response.blocks',
    ({ messageId, token }) =>
      generate({ ...shown(), messageId, token, options: [...shown().options, number('Block2', 0x10)] }),
  ],
] as const satisfies ReadonlyArray<readonly [string, string, (asked: ParsedPacket) => Buffer]>)
  test(`over CoAP: ${what}`, async (t) => {
    const { send } = await judged(t, (asked, answer) => answer(reply(asked)));
    assert.deepEqual(await send(request()), [violates]);
  });

test('over CoAP: a repeated creation is refused because it was executed', async (t) => {
  const created = new Set<string>();
  const { send } = await judged(t, ({ messageId, token, code, payload }, reply) => {
    const isNew = code === '0.02' && !created.has(String(payload));
    created.add(String(payload));
    if (code === '0.01') reply({ ...shown(), messageId, token });
    else if (isNew) reply({ ...shown({ code: '2.01' }, instead(status(2001))), messageId, token });
    else reply({ code: '4.03', ack: true, messageId, token, options: [status(4105)] });
  });
  assert.deepEqual(await send(posted({ 'm2m:cnt': { rn: 'one' } })), []);
  const found: string[] = [];
  while (found.length === 0) found.push(...(await send(request())));
  assert.deepEqual(found, ['request.twice']);
});

const notification = (more: Partial<Packet> = {}, options: readonly Option[] = [], path = ['one']): Packet => ({
  ...{ code: '0.02', confirmable: true, messageId: 1, token: Buffer.from('n'), payload: Buffer.from('{"m2m:sgn":{}}') },
  options: [
    ...path.map((part) => text('Uri-Path', part)),
    text('279', '/id-in'),
    text('283', 'n1'),
    text('271', '3'),
    number('Content-Format', 50),
    ...options,
  ],
  ...more,
});
const lacking = (name: string): Packet => {
  const { options = [], ...rest } = notification();
  return { ...rest, options: options.filter((one) => one.name !== name) };
};

for (const [what, violates, sent] of [
  ['nothing wrong', [], notification()],
  ['a whole URL for a path', ['notification.path'], notification({}, [], ['coap:', '', '127.0.0.1:5683', 'one'])],
  ['a type', ['notification.type'], notification({}, [number('267', 4)])],
  ['another method', ['notification.method'], notification({ code: '0.03' })],
  ['no originator', ['notification.fr'], lacking('279')],
  ['no identifier', ['notification.rqi'], lacking('283')],
  ['content without a type', ['notification.media'], lacking('Content-Format')],
  ['an option twice', ['notification.single'], notification({}, [text('283', 'n1')])],
  [
    'a result that may be lost',
    ['notification.confirmable'],
    notification({ confirmable: false, payload: Buffer.from('{"m2m:rsp":{}}') }),
  ],
  ['a notification that may be lost', [], notification({ confirmable: false })],
] as const satisfies ReadonlyArray<readonly [string, readonly string[], Packet]>)
  test(`over CoAP, a notification with ${what}`, async (t) => {
    const { route, send } = await judged(t, ({ messageId, token }, reply) =>
      reply({ ...shown({}, instead(text('283', 'one-r1'))), messageId, token }),
    );
    route.onNotification = () => ({ headers: { 'X-M2M-RSC': '2000' } });
    const origin = (await route.origin('127.0.0.1')) ?? '';
    await route.listen('one');
    const socket = await opened(t);
    socket.send(generate(sent), Number(new URL(origin).port), '127.0.0.1');
    await once(socket, 'message');
    assert.deepEqual(await send(request({ headers: [['X-M2M-RI', 'one-r1']] })), [...violates]);
  });
