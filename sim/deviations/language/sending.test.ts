import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCse } from '../../cse/create-cse.ts';
import { type OutgoingAnswer, type OutgoingRequest, UnreachableError } from '../../dialects/outgoing-message.ts';
import { bytesOf } from '../vocabulary/messages.ts';
import { deviationOf } from './row.ts';
import type { DeviationRow } from './schema.ts';

const { core, http } = createCse({ requireAuth: false });

/** Requests that a CSE with a row sends, and the replies that it receives, with these codes; 0: unreachable. */
function sending(outgoing: DeviationRow['outgoing'], ...codes: readonly number[]) {
  const sent: OutgoingRequest[] = [];
  const deviation = deviationOf({ id: 'a.b', says: 'It does.', outgoing });
  const answer = async (_url: string, request: OutgoingRequest): Promise<OutgoingAnswer> => {
    const code = codes[sent.length] ?? 2000;
    sent.push(request);
    if (code === 0) throw new UnreachableError('nobody');
    const status = code < 3000 ? 200 : 400;
    return { status, headers: { 'x-m2m-rsc': String(code) }, body: '{"m2m:aeA":{"ri":"S1"}}' };
  };
  const sender = deviation.wrapSender?.({ send: answer }, core);
  const send = async (content: object, target = '/one', method = 'POST') =>
    sender?.send('http://other', { method, target, headers: {}, body: JSON.stringify(content) });
  return { sent, send, wrap: deviation.wrap };
}

const question = { 'm2m:sgn': { vrq: true, sur: 'onem2m/app/sub' } };
const codeIn = (answer: OutgoingAnswer | undefined) => answer?.headers['x-m2m-rsc'];

describe('a row about sent requests', () => {
  it('replaces a matching reply', async () => {
    const { send } = sending(
      { when: { 'notification.vrq': true, rsc: 4101 }, does: { reply: { rsc: 2000 } } },
      4101,
      5205,
    );
    assert.deepEqual([codeIn(await send(question)), codeIn(await send(question))], ['2000', '5205']);
  });

  it('changes the attributes of a reply', async () => {
    const { send } = sending({ does: { reply: { return: { ri: '${returned.ri}x' } } } });
    assert.equal((await send(question))?.body, '{"m2m:aeA":{"ri":"S1x"}}');
  });

  it('replaces an unreachable target only if it selects that', async () => {
    const does = { reply: { rsc: 2000 } };
    assert.equal(codeIn(await sending({ when: { status: 'absent' }, does }, 0).send(question)), '2000');
    await assert.rejects(async () => sending({ does }, 0).send(question), UnreachableError);
  });

  it('sends the original if that is refused', async () => {
    const { sent, send } = sending({ does: { request: { lbl: ['a'] }, 'fall-back': true } }, 4000, 2001);
    assert.equal(codeIn(await send({ 'm2m:csr': { rr: true } })), '2001');
    assert.deepEqual(
      sent.map(({ body }) => JSON.parse(String(body))),
      [{ 'm2m:csr': { rr: true, lbl: ['a'] } }, { 'm2m:csr': { rr: true } }],
    );
  });

  it('counts requests up to a number in them', async () => {
    const nth = { from: { pipe: ['$requested.most', { plus: 1 }] }, per: '$path' };
    const { sent, send } = sending({ nth, does: { withhold: true } });
    for (const target of ['/one', '/one', '/two', '/one']) await send({ 'm2m:any': { most: 2 } }, target);
    assert.deepEqual(
      sent.map(({ target }) => target),
      ['/one', '/one', '/two'],
    );
  });

  it('names the first match', async () => {
    const { sent, send } = sending({ when: { root: 'm2m:cntA' }, does: { to: '$first.path' } });
    for (const [root, target] of [
      ['m2m:aeA', '/one'],
      ['m2m:cntA', '/two'],
      ['m2m:cntA', '/three'],
    ] as const)
      await send({ [root]: {} }, target);
    assert.deepEqual(
      sent.map(({ target }) => target),
      ['/one', '/two', '/two'],
    );
  });

  it('names the request that caused it', async () => {
    const when = { 'notification.vrq': true, 'cause.requested.nu': { count: { above: 1 } } };
    const { sent, send, wrap } = sending({ when, does: { withhold: true } });
    const service = wrap?.(http, core);
    const subscribing = (nu: readonly string[]) => bytesOf(JSON.stringify({ 'm2m:sub': { nu } }));
    for (const nu of [['http://other/one', 'http://other/two'], ['http://other/three']])
      await service?.handle({ method: 'POST', target: '/nowhere', headers: {}, body: subscribing(nu) });
    for (const target of ['/one', '/two', '/three']) await send(question, target);
    assert.deepEqual(
      sent.map(({ target }) => target),
      ['/three'],
    );
  });
});
