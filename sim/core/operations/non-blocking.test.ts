import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CseOptions } from '../../cse/create-cse.ts';
import { manualClock } from '../../environment/clock.ts';
import { exampleMoment, sampleCse } from '../../testing/sample-cse.ts';
import type { RequestPrimitive } from '../primitive.ts';

const second = 1_000_000;

function lab(options: CseOptions = {}) {
  const clock = manualClock(exampleMoment);
  const sent: { url: string; request: RequestPrimitive }[] = [];
  const cse = sampleCse({
    ...{ dialect: 'onem2m', base: 'b', cseId: 'c', requireAuth: false, clock, ...options },
    messenger: {
      async send(url, request) {
        sent.push({ url, request });
        return { status: { code: 2000, http: 200, name: 'OK' } };
      },
    },
  });
  const ask = async (request: Partial<RequestPrimitive>) => {
    const answer = await cse.core.request({
      operation: 'retrieve',
      to: 'b',
      from: 'Cme',
      requestIdentifier: 'r1',
      ...request,
    });
    return {
      code: answer.status.code,
      content: JSON.parse(JSON.stringify(answer.content ?? null)),
      silent: answer.silent,
    };
  };
  const shown = async (id: unknown) => (await ask({ to: String(id) })).content['m2m:req'];
  return { clock, sent, ask, shown, settled: () => cse.core.services.notifier.settled() };
}

const create = { operation: 'create', resourceType: 3, content: { 'm2m:cnt': { rn: 'x' } } } as const;

test('a non-blocking synchronous request is accepted at once, and a request resource has its result', async () => {
  const { ask, shown } = lab();
  const accepted = await ask({ ...create, responseType: 1, vendorInformation: 'v' });
  assert.equal(accepted.code, 1001);
  const request = await shown(accepted.content['m2m:uri']);
  assert.deepEqual([request.op, request.tg, request.org, request.rid, request.rs], [1, 'b', 'Cme', 'r1', 1]);
  assert.deepEqual([request.mi.rt.rtv, request.mi.vsi, request.pc], [1, 'v', create.content]);
  assert.deepEqual([request.ors.rsc, request.ors.rqi, request.ors.pc['m2m:cnt'].rn], [2001, 'r1', 'x']);
});

test('a refusal is a result like any other', async () => {
  const { ask, shown } = lab();
  const accepted = await ask({ to: 'b/nowhere', responseType: 1 });
  const request = await shown(accepted.content['m2m:uri']);
  assert.deepEqual([accepted.code, request.rs, request.ors.rsc], [1001, 2, 4004]);
});

test('an operation with an execution time is executed at that time', async () => {
  const { ask, shown, clock } = lab();
  const accepted = await ask({ ...create, responseType: 1, operationExecutionTime: exampleMoment + 10 * second });
  const before = await shown(accepted.content['m2m:uri']);
  assert.deepEqual([before.rs, before.ors], [3, { rsc: 1000, rqi: 'r1' }]);
  assert.equal((await ask({ to: 'b/x' })).code, 4004);
  await clock.advance('10s');
  assert.equal((await shown(accepted.content['m2m:uri'])).rs, 1);
  assert.equal((await ask({ to: 'b/x' })).code, 2000);
});

test('a blocking request with an execution time is answered then', async () => {
  const { ask, clock } = lab();
  const answer = ask({ operationExecutionTime: exampleMoment + second });
  const early = await Promise.race([answer.then(() => 'answered'), Promise.resolve('waiting')]);
  assert.equal(early, 'waiting');
  await clock.advance('1s');
  assert.equal((await answer).code, 2000);
});

test('the result of a non-blocking asynchronous request is sent to the named targets, or the originator', async () => {
  const { ask, sent } = lab();
  const named = await ask({ responseType: 2, notificationTargets: ['http://a/1', 'http://b/2'] });
  await new Promise(setImmediate);
  assert.equal(named.code, 1002);
  assert.deepEqual(
    sent.map(({ url }) => url),
    ['http://a/1', 'http://b/2'],
  );
  const { content } = sent[0]?.request ?? {};
  const response = (content as { 'm2m:rsp': Record<string, unknown> })['m2m:rsp'];
  assert.deepEqual([response.rsc, response.rqi, response.to, response.fr], [2000, 'r1', 'Cme', '/c']);
  const ae = { 'm2m:ae': { rn: 'me', api: 'N', rr: true, poa: ['http://me'] } };
  await ask({ operation: 'create', resourceType: 2, content: ae });
  await ask({ responseType: 2 });
  await new Promise(setImmediate);
  assert.equal(sent.at(-1)?.url, 'http://me');
});

test('a request that has expired, or would before its execution, is refused', async () => {
  const { ask } = lab();
  assert.equal((await ask({ requestExpiration: exampleMoment })).code, 4008);
  assert.equal((await ask({ requestExpiration: exampleMoment + second })).code, 2000);
  const late = { requestExpiration: exampleMoment + second, operationExecutionTime: exampleMoment + 2 * second };
  assert.equal((await ask(late)).code, 4008);
  const justThen = { ...late, operationExecutionTime: exampleMoment + second };
  assert.equal((await ask(justThen)).code, 4008);
});

test('a request resource lives as long as its result is to be kept', async () => {
  const { ask, clock } = lab();
  const { content } = await ask({ responseType: 1, resultPersistence: 60 * second });
  await clock.advance('59s');
  assert.equal((await ask({ to: content['m2m:uri'] })).code, 2000);
  await clock.advance('2s');
  assert.equal((await ask({ to: content['m2m:uri'] })).code, 4004);
});

test('a request without response is executed silently', async () => {
  const { ask } = lab();
  assert.equal((await ask({ ...create, responseType: 5 })).silent, true);
  assert.equal((await ask({ to: 'b/x' })).code, 2000);
});

test('nobody but the CSE makes a request resource', async () => {
  const { ask } = lab();
  assert.equal((await ask({ operation: 'create', content: { 'm2m:req': {} } })).code, 4005);
});

test('the progress of a request is retrieved in blocking mode only', async () => {
  const { ask } = lab();
  const { content } = await ask({ responseType: 1 });
  const to = String(content['m2m:uri']);
  for (const responseType of [1, 2] as const) assert.equal((await ask({ to, responseType })).code, 4000);
  for (const responseType of [3, 4] as const) assert.equal((await ask({ to, responseType })).code, 2000);
});

test('a result that would come too late is refused (TS-0001, clause 8.1.2)', async () => {
  const { ask } = lab();
  const expiring = (result: number, request?: number) =>
    ask({
      resultExpiration: exampleMoment + result * second,
      ...(request !== undefined && { requestExpiration: exampleMoment + request * second }),
    });
  assert.equal((await expiring(0)).code, 4008);
  assert.equal((await expiring(1)).code, 2000);
  assert.equal((await expiring(2, 3)).code, 4000);
  assert.equal((await expiring(2, 2)).code, 2000);
});

test('a report has the trace and release of the request', async () => {
  const { ask, sent } = lab();
  const trace = { id: 'a'.repeat(32), parent: 'b'.repeat(16), flags: '01' };
  const notificationTargets = ['http://a'];
  await ask({ responseType: 2, notificationTargets, releaseVersionIndicator: '3', trace });
  await ask({ responseType: 2, notificationTargets });
  await new Promise(setImmediate);
  const [traced, plain] = sent.map(({ request: { content, ...others } }) => ({
    ...others,
    response: (content as { 'm2m:rsp': { rvi: string } })['m2m:rsp'],
  }));
  assert.deepEqual([traced?.trace?.id, traced?.operation, traced?.from], [trace.id, 'notify', '/c']);
  assert.equal(plain?.trace, undefined);
  assert.deepEqual([traced?.releaseVersionIndicator, traced?.response.rvi], ['3', '3']);
  assert.deepEqual([plain?.releaseVersionIndicator, plain?.response.rvi], ['5', '5']);
});

test('a CSE without releases uses release 3', async () => {
  const { ask, sent, shown } = lab({ releases: [] });
  const { content } = await ask({ responseType: 2, notificationTargets: ['http://a'] });
  await new Promise(setImmediate);
  const { releaseVersionIndicator, content: report } = sent[0]?.request ?? {};
  assert.equal((await shown(content['m2m:uri'])).mi.rvi, '3');
  assert.match(JSON.stringify([releaseVersionIndicator, report]), /^\["3",.*"rvi":"3"/);
});

test('the request resource has all parameters of the request, and no others (TS-0004, clause 6.5.33)', async () => {
  const { ask, shown } = lab();
  const bare = await ask({ responseType: 1, releaseVersionIndicator: '3' });
  const { mi, pc, lbl, cr } = await shown(bare.content['m2m:uri']);
  assert.deepEqual([mi, pc, lbl, cr], [{ rt: { rtv: 1 }, rvi: '3' }, undefined, ['Cme'], undefined]);
  const said = await ask({
    ...{ ...create, responseType: 2, notificationTargets: ['http://a'], originatingTimestamp: '20170302T161200' },
    ...{ requestExpiration: exampleMoment + 60 * second, resultExpiration: exampleMoment + 90 * second },
    ...{ operationExecutionTime: exampleMoment + second, resultPersistence: 30 * second, resultContent: 0 },
    ...{ eventCategory: 4, vendorInformation: 'v' },
  });
  assert.deepEqual((await shown(said.content['m2m:uri'])).mi, {
    ...{ rt: { rtv: 2, nu: ['http://a'] }, rvi: '5', ot: '20170302T161200' },
    ...{ rqet: '20170302T161353,350093', rset: '20170302T161423,350093', oet: '20170302T161254,350093' },
    ...{ rp: 'PT30S', rcn: 0, ty: 3, ec: 4, vsi: 'v' },
  });
});

test('a request resource goes when its result is to be kept no longer, at the latest when it expires', async () => {
  for (const [kept, seconds] of [
    [{}, 3600],
    [{ resultPersistence: 60 * second }, 60],
    [{ resultExpiration: exampleMoment + 90 * second }, 90],
    [{ requestExpiration: exampleMoment + 30 * second }, 30],
    [{ requestExpiration: exampleMoment + 30 * second, resultExpiration: exampleMoment + 90 * second }, 90],
    [{ resultPersistence: 20 * second, resultExpiration: exampleMoment + 90 * second }, 20],
  ] as const) {
    const { ask, clock } = lab();
    const to = String((await ask({ responseType: 1, ...kept })).content['m2m:uri']);
    await clock.advance(`${seconds - 1}s`);
    assert.equal((await ask({ to })).code, 2000, `${JSON.stringify(kept)} before ${seconds} s`);
    await clock.advance('1001ms');
    assert.equal((await ask({ to })).code, 4004, `${JSON.stringify(kept)} after ${seconds} s`);
  }
});

test('a subscription to a request is notified of its completion, with its trace', async () => {
  const { ask, sent, clock, settled } = lab();
  const trace = { id: 'a'.repeat(32), parent: 'b'.repeat(16), flags: '01' };
  const { content } = await ask({ responseType: 1, operationExecutionTime: exampleMoment + second, trace });
  const to = String(content['m2m:uri']);
  const subscription = { nu: ['http://x'], enc: { net: [1], atr: ['ors'] }, nct: 2 };
  assert.equal((await ask({ operation: 'create', to, content: { 'm2m:sub': subscription } })).code, 2001);
  sent.length = 0;
  await clock.advance('2s');
  await settled();
  const [one] = sent.map(({ request }) => ({ trace: request.trace?.id, text: JSON.stringify(request.content) }));
  assert.equal(one?.trace, trace.id, one?.text);
  assert.match(String(one?.text), /"rs":1,"ors":{"rsc":2000,/);
});

test('in the documented dialect requests have counted identifiers', async () => {
  const { ask, shown } = lab({ dialect: 'documented' });
  const identifiers = [];
  for (const responseType of [1, 2] as const) identifiers.push((await ask({ responseType })).content['m2m:uri']);
  assert.deepEqual(identifiers, ['req0', 'req1']);
  assert.equal((await shown('req1')).tg, 'b');
});

test('a request resource has the requested operation, and is named after its type', async () => {
  const { ask, shown } = lab();
  for (const [number, operation] of ['create', 'retrieve', 'update', 'delete', 'notify'].entries()) {
    const accepted = await ask({ operation: operation as 'create', to: 'b/x', responseType: 1 });
    const { op, ri, rn, pi } = await shown(accepted.content['m2m:uri']);
    assert.deepEqual([op, pi], [number + 1, 'c']);
    assert.match(`${ri} ${rn}`, /^req\w{10} request-\w{16}$/);
  }
});
