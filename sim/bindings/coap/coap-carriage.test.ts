import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Packet, ParsedPacket } from 'coap-packet';
import { admin, container, node, register, standard } from './testing/coap-node.ts';
import { json, numberIn, optionIn, rawCoap, request } from './testing/raw-coap.ts';

/** A CSE that carries so whatever is not about an application entity. */
async function carrying(t: TestContext, word: string) {
  const row = { id: 'carried', says: word, when: { root: { not: 'm2m:ae' } }, does: { 'on-wire': word } };
  const { coapUrl } = await node(t, { cse: { ...standard, deviations: [row] } });
  return rawCoap(t, coapUrl);
}

const isWithout = (option: string) => (answer: ParsedPacket) => optionIn(answer, option) === undefined;
const times = ({ options }: ParsedPacket, wanted: string): number =>
  options.filter(({ name }) => String(name) === wanted).length;
const pathOf = ({ options }: ParsedPacket): string =>
  options.flatMap(({ name, value }) => (name === 'Uri-Path' ? [String(value)] : [])).join('/');

for (const [word, isWrong] of [
  ['with another code', ({ code }) => code === '2.04'],
  ['with a code of another class', ({ code }) => code === '4.00'],
  ['without a status code', isWithout('307')],
  ['with a status code that is a text', (answer) => optionIn(answer, '307') === '2000'],
  ['without an identifier', isWithout('283')],
  ['with another identifier', (answer, { messageId }) => optionIn(answer, '283') === `r${messageId}-2`],
  ['with an identifier in capitals', (answer, { messageId }) => optionIn(answer, '283') === `R${messageId}`],
  ['with an option twice', (answer) => times(answer, '283') === 2],
  ['with a long release', (answer) => optionIn(answer, '271') === '3.0.0'],
  ['with a time to the microsecond', (answer) => /^\d{8}T\d{6},\d{6}$/.test(optionIn(answer, '259') ?? '')],
  ['to be kept for an hour', (answer) => numberIn(answer, 'Max-Age') === 3600],
  ['without a content format', isWithout('Content-Format')],
  ['with the content format of CBOR', (answer) => numberIn(answer, 'Content-Format') === 60],
  ['with the content format of a resource', (answer) => numberIn(answer, 'Content-Format') === 10_001],
  ['with another token', ({ token }, asked) => token.length === asked.token?.length && !token.equals(asked.token)],
  ['without a token', ({ token }) => token.length === 0],
  ['with another message identifier', ({ messageId }, asked) => messageId === (asked.messageId ?? 0) + 1],
] as const satisfies ReadonlyArray<readonly [string, (answer: ParsedPacket, asked: Packet) => boolean]>)
  test(`an answer is carried ${word}`, async (t) => {
    const asked = admin('0.01', 'cse-in');
    const answer = await (await carrying(t, word)).ask(asked);
    assert.ok(isWrong(answer, asked), JSON.stringify(answer));
    assert.ok(Object.hasOwn(JSON.parse(String(answer.payload)), 'm2m:cb'));
  });

test('what is created is carried without a location', async (t) => {
  const { ask } = await carrying(t, 'without a location');
  await ask(register());
  const created = await ask(container({}));
  assert.deepEqual([created.code, times(created, 'Location-Path')], ['2.01', 0]);
});

test('an answer is carried after the acknowledgement', async (t) => {
  const { send, next } = await carrying(t, 'after the acknowledgement');
  const asked = admin('0.01', 'cse-in');
  send(asked);
  const acknowledged = (await next()).packet;
  assert.deepEqual([acknowledged.code, acknowledged.ack, acknowledged.messageId], ['0.00', true, asked.messageId]);
  const answer = (await next()).packet;
  assert.deepEqual([answer.code, answer.confirmable, answer.token], ['2.05', true, asked.token]);
  send({ code: '0.00', ack: true, messageId: answer.messageId });
});

test('a request that was answered and is forgotten is carried out again', async (t) => {
  const { ask } = await carrying(t, 'and forgotten');
  await ask(register());
  const create = container({ rn: 'one' });
  assert.deepEqual([(await ask(create)).code, (await ask(create)).code], ['2.01', '4.03']);
});

for (const [word, isWrong] of [
  ['by another method', ({ code }) => code === '0.03'],
  ['with a resource type', (packet) => numberIn(packet, '267') === 4],
  ['without an originator', isWithout('279')],
  ['to a whole URL', (packet) => pathOf(packet) === 'coap://inbox/inbox'],
] as const satisfies ReadonlyArray<readonly [string, (notification: ParsedPacket) => boolean]>)
  test(`a notification is carried ${word}`, async (t) => {
    const row = {
      id: 'carried',
      says: word,
      outgoing: { when: { notification: 'present' }, does: { 'on-wire': word } },
    };
    const { coapUrl } = await node(t, { cse: { ...standard, deviations: [row] } });
    const [client, inbox] = [await rawCoap(t, coapUrl), await rawCoap(t)];
    await client.ask(register());
    const watch = { nu: [`${inbox.url}/inbox`], enc: { net: [3] } };
    client.send(request('0.02', 'cse-in/a', { payload: json({ 'm2m:sub': watch }), options: { 267: 23 } }));
    assert.ok(isWrong((await inbox.next()).packet));
  });
