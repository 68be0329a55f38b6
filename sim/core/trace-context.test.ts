import assert from 'node:assert/strict';
import { test } from 'node:test';
import { childTrace, readTrace, traceHeaders } from './trace-context.ts';

const id = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = '00f067aa0ba902b7';
const sound = `00-${id}-${parent}-01`;

test('what is no traceparent is no trace', () => {
  const malformed = [
    ...['', '00', sound.toUpperCase(), `${sound}-more`, `${sound}, ${sound}`, sound.replace('00-', 'ff-')],
    ...[`00-${'0'.repeat(32)}-${parent}-01`, `00-${id}-${'0'.repeat(16)}-01`, `00-${id}-${parent}-1`],
    ...[`00-${id}-${parent}`, `0-${id}-${parent}-01`, `00-${id}x-${parent}-01`, `01-${id}-${parent}-01.more`],
  ];
  for (const traceparent of malformed)
    assert.equal(readTrace({ traceparent, tracestate: 'a=1' }), undefined, traceparent);
  assert.equal(readTrace({ tracestate: 'a=1' }), undefined);
});

test('a later version is read as this one, and flags that this one does not know are not passed on', () => {
  const read = readTrace({ traceparent: `01-${id}-${parent}-ff-more` });
  assert.deepEqual(read, { id, parent, flags: '03' });
  assert.equal(
    traceHeaders(childTrace(read, (length) => 'Az09'.repeat(9).slice(0, length))).traceparent,
    `00-${id}-417a3039417a3039-03`,
  );
});

test('a malformed tracestate is left out, and the trace stays', () => {
  const stateOf = (tracestate: string) => readTrace({ traceparent: sound, tracestate })?.state;
  for (const state of ['a=1', 'a=1, b@c/d=x y', '0a=1,,b=2', Array(32).fill('a=1').join()])
    assert.equal(stateOf(state), state);
  for (const state of [
    '',
    ' , ',
    'a',
    'A=1',
    'a=1;ü=2',
    'a=b=c',
    'a=',
    Array(33).fill('a=1').join(),
    `a=${'x'.repeat(257)}`,
  ])
    assert.equal(stateOf(state), undefined, state);
});

test('a trace is passed on with its tracestate, if it has one', () => {
  const trace = { id, parent, flags: '01' };
  assert.deepEqual(traceHeaders({ ...trace, state: 'a=1' }), { traceparent: sound, tracestate: 'a=1' });
  assert.deepEqual(traceHeaders(trace), { traceparent: sound });
});
