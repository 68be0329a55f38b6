/** Spans of OpenTelemetry: one for each request that comes or is sent, below the one that caused it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as openTelemetry from '@opentelemetry/api';
import { type CseOptions, createCse, type InMemoryCse } from '../cse/create-cse.ts';
import { startPair } from '../topology/pair.ts';
import { ContextByTask, SpanRecorder } from './testing/recorded-spans.ts';

const { trace, context, SpanKind } = openTelemetry;
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = '00f067aa0ba902b7';
const remote = { traceparent: `00-${traceId}-${parent}-01`, tracestate: 'vendor=a1' };

const instance = { 'm2m:cin': { con: 'on' } };

function headersOf(content?: object, ty?: number) {
  const type = content && { 'content-type': `application/json${ty ? `;ty=${ty}` : ''}` };
  return { 'x-m2m-origin': 'CAdmin', 'x-m2m-ri': 'r1', 'x-m2m-rvi': '4', ...type };
}

/** One request to a CSE in this process. */
function ask({ http }: InMemoryCse, method: string, target: string, content?: object, ty?: number, more = {}) {
  const body = Buffer.from(content ? JSON.stringify(content) : '');
  return http.handle({ method, target, headers: { ...headersOf(content, ty), ...more }, body });
}

async function watchedCse(options: CseOptions) {
  const cse = createCse({ dialect: 'onem2m', ...options });
  const inbox = cse.openInbox();
  await ask(cse, 'POST', '/cse-in', { 'm2m:cnt': { rn: 'data' } }, 3);
  await ask(cse, 'POST', '/cse-in/data', { 'm2m:sub': { rn: 'sub', nu: [inbox.url], enc: { net: [3] } } }, 23);
  return { cse, inbox };
}

test('without a tracer provider a trace goes on as without the option, and none is made up', async () => {
  const { cse, inbox } = await watchedCse({ openTelemetry });
  await ask(cse, 'POST', '/cse-in/data', instance, 4, remote);
  await inbox.next();
  const { traceparent = '', tracestate } = cse.sent.last?.headers ?? {};
  assert.match(traceparent, new RegExp(`^00-${traceId}-(?!${parent})[\\da-f]{16}-01$`));
  assert.equal(tracestate, remote.tracestate);
  await ask(cse, 'POST', '/cse-in/data', instance, 4);
  await inbox.next();
  assert.equal(cse.sent.last?.headers.traceparent, undefined);
});

describe('with a tracer provider', () => {
  const recorder = new SpanRecorder();
  before(() => {
    trace.setGlobalTracerProvider(recorder);
    context.setGlobalContextManager(new ContextByTask());
  });
  after(() => {
    trace.disable();
    context.disable();
  });

  /** From the first span to that which follows from it last, each with what it is below. */
  const chain = (of = recorder.ended) => {
    const byParent = new Map(of.map((span) => [span.parent?.spanId, span]));
    const told = [];
    const first = of.find((span) => !of.some((other) => other.context.spanId === span.parent?.spanId));
    for (let span = first; span; span = byParent.get(span.context.spanId))
      told.push(`${SpanKind[span.kind]} ${span.name}`);
    return told;
  };

  test('a request through both CSEs of a pair and the notification of it are one chain', async () => {
    await using pair = await startPair({ dialect: 'onem2m', backend: { requireAuth: false }, openTelemetry });
    await using inbox = pair.backend.openInbox();
    const post = async (path: string, content: object, ty: number, more = {}) => {
      const headers = { ...headersOf(content, ty), ...more };
      const answer = await fetch(pair.gateway.url + path, { method: 'POST', headers, body: JSON.stringify(content) });
      assert.equal(answer.status, 201, await answer.text());
    };
    const there = '/~/id-in/cse-in';
    await post(there, { 'm2m:cnt': { rn: 'data' } }, 3);
    await post(`${there}/data`, { 'm2m:sub': { rn: 'sub', nu: [inbox.url], enc: { net: [3] } } }, 23);
    recorder.ended.length = 0;
    await post(`${there}/data`, instance, 4, remote);
    await inbox.next();
    const spans = recorder.ended.filter((span) => span.context.traceId === traceId);
    assert.deepEqual(chain(spans), [
      ...['SERVER create m2m:cin', 'CLIENT create m2m:cin', 'SERVER create m2m:cin', 'CLIENT notify m2m:sgn'],
    ]);
    const [came] = spans.filter(({ parent: above }) => above?.spanId === parent);
    assert.equal(came?.parent?.isRemote, true);
    assert.deepEqual(came?.attributes, {
      ...{ 'onem2m.operation': 'create', 'onem2m.originator': 'CAdmin', 'onem2m.request_id': 'r1' },
      ...{ 'onem2m.resource_type': 'm2m:cin', 'onem2m.response_status_code': 2001 },
      ...{
        'http.request.method': 'POST',
        'http.response.status_code': 201,
        'url.path': `${there}/data`,
        'url.scheme': 'http',
      },
    });
    const [told] = spans.filter(({ name }) => name === 'notify m2m:sgn');
    assert.equal(told?.attributes['url.full'], `${inbox.url}/`);
    const { traceparent, tracestate } = pair.backend.sent.last?.headers ?? {};
    assert.deepEqual([traceparent, tracestate], [`00-${traceId}-${told?.context.spanId}-01`, remote.tracestate]);
    const [arrived] = pair.gateway.requests.matching({ traceId });
    assert.equal(arrived?.headers.traceparent, remote.traceparent, 'the journal shows what came');
  });

  test('over MQTT messages are processed and sent, and no trace goes from one CSE to the other', async () => {
    await using pair = await startPair({
      dialect: 'onem2m',
      backend: { requireAuth: false },
      mqtt: true,
      openTelemetry,
    });
    recorder.ended.length = 0;
    await fetch(`${pair.gateway.url}/~/id-in/cse-in`, { headers: { ...headersOf(), ...remote } });
    const [sent, processed] = ['PRODUCER', 'CONSUMER'].map((kind) =>
      recorder.ended.find((span) => SpanKind[span.kind] === kind && span.attributes['onem2m.request_id'] === 'r1'),
    );
    assert.deepEqual([sent?.name, processed?.name], ['retrieve m2m:cb', 'retrieve m2m:cb']);
    assert.deepEqual([sent?.context.traceId, processed?.parent], [traceId, undefined]);
    const { 'messaging.system': system, 'messaging.operation.name': operation } = processed?.attributes ?? {};
    assert.deepEqual([system, operation], ['mqtt', 'process']);
  });

  test('a request without a trace is below the span that is active while it has not ended', async () => {
    const { cse } = await watchedCse({ openTelemetry });
    recorder.ended.length = 0;
    const own = recorder.getTracer().startSpan('mine');
    const within = trace.setSpan(context.active(), own);
    await context.with(within, () => ask(cse, 'GET', '/cse-in/data'));
    own.end();
    await context.with(within, () => ask(cse, 'GET', '/cse-in/data'));
    const [first, , second] = recorder.ended;
    assert.deepEqual([first?.parent?.spanId, second?.parent], [own.spanContext().spanId, undefined]);
  });

  test('what sends for the CSE makes no spans of its own, and adds no trace', async () => {
    const key = openTelemetry.createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');
    const suppressed: unknown[] = [];
    const send = async () => {
      suppressed.push(context.active().getValue(key));
      return { status: 200, headers: { 'x-m2m-rsc': '2000' }, body: '' };
    };
    const cse = createCse({ dialect: 'onem2m', openTelemetry });
    cse.wires.add('http', { send });
    const nu = ['http://receiver.example'];
    await ask(cse, 'POST', '/cse-in', { 'm2m:sub': { rn: 'sub', nu, enc: { net: [3] } } }, 23, remote);
    assert.deepEqual(suppressed, [true]);
  });

  test('what is refused is no error of the CSE, and names no resource type; what is not reached is one', async () => {
    const { cse, inbox } = await watchedCse({ openTelemetry });
    recorder.ended.length = 0;
    await ask(cse, 'POST', '/cse-in/absent', { 'made:up': {} }, 4);
    const [refused] = recorder.ended;
    assert.deepEqual([refused?.name, refused?.status.code], ['create', 0]);
    assert.equal(refused?.attributes['onem2m.response_status_code'], 4004);
    await inbox.close();
    await ask(cse, 'POST', '/cse-in/data', instance, 4);
    await cse.sent.nextRequest({ operation: 'notify' }).catch(() => undefined);
    const [unreached] = recorder.ended.filter(({ name }) => name === 'notify');
    assert.deepEqual([unreached?.status.code, unreached?.attributes['error.type']], [2, 'UnreachableError']);
  });
});
