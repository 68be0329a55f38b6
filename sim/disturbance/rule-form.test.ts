import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DisturbanceRuleError } from './rule.ts';
import { readRule } from './rule-form.ts';

/** What is said of a rule that cannot be used. */
function objection(rule: unknown): string {
  try {
    readRule(rule);
  } catch (error) {
    assert.ok(error instanceof DisturbanceRuleError);
    return error.message;
  }
  assert.fail(`${JSON.stringify(rule)} is taken`);
}

for (const [text, rule] of [
  ['drop', { do: { effect: 'drop' } }],
  [
    'drop POST /onem2m/* share=0.1',
    { match: { method: 'POST', path: '/onem2m/*', share: 0.1 }, do: { effect: 'drop' } },
  ],
  [
    'reset GET share=10% lost=request',
    { match: { method: 'GET', share: 0.1 }, do: { effect: 'reset', lost: 'request' } },
  ],
  ['latency by=200', { do: { effect: 'latency', by: 200 } }],
  ['latency  median=50ms   p99=2s', { do: { effect: 'latency', median: '50ms', p99: '2s' } }],
  ['throttle after=3 times=2 rate=100', { match: { after: 3, times: 2 }, do: { effect: 'throttle', rate: 100 } }],
  ['truncate * bytes=0 of=answer', { match: { path: '*' }, do: { effect: 'truncate', bytes: 0, of: 'answer' } }],
  ['dead how=silent for=30s', { do: { effect: 'dead', how: 'silent' }, for: '30s' }],
  ['dead POST after=9 for=30s', { match: { method: 'POST', after: 9 }, do: { effect: 'dead' }, for: '30s' }],
  [
    'dead POST creates=m2m:cin lacks=con',
    { match: { method: 'POST', creates: 'm2m:cin', lacks: 'con' }, do: { effect: 'dead' } },
  ],
  ['drop query=rcn=7', { match: { query: 'rcn=7' }, do: { effect: 'drop' } }],
  ['clock by=-1h', { do: { effect: 'clock', by: '-1h' } }],
  ['certificate is=self-signed', { do: { effect: 'certificate', is: 'self-signed' } }],
] as const) {
  test(`the text "${text}" is the rule that it is as data`, () => {
    assert.deepEqual(readRule(text), rule);
    assert.equal(readRule(rule), rule);
  });
}

for (const [text, place, message] of [
  ['dorp POST', 'dorp', /^expected latency, throttle, drop, .* or clock$/m],
  ['drop GET share=2', 'share=2', /^expected 0 to 1$/m],
  ['drop GET share=much', 'share=much', /^expected 0 to 1$/m],
  [
    'drop shar=1',
    'shar=1',
    /^there is no shar here; there is lost, query, creates, lacks, share, after, times or for$/m,
  ],
  ['drop get', 'get', /^"get" is neither METHOD nor \/path nor key=value$/m],
  ['drop GET POST', 'POST', /^method is given twice$/m],
  ['drop after=0', 'after=0', /^expected a whole number from 1 on$/m],
  ['drop for=long', 'for=long', /^expected a time such as 200ms, 30s, 5m or 1h$/m],
  ['drop lost=both', 'lost=both', /^expected answer or request$/m],
  ['latency GET', 'latency', /^latency takes by=200ms, or from=100ms to=300ms, or median=50ms p99=2s$/m],
  ['latency by=1s p99=2s', 'latency', /^latency takes by=200ms/m],
  ['latency by=-1s', 'by=-1s', /^expected a time such as/m],
  ['throttle rate=0', 'rate=0', /^expected bytes a second, more than 0$/m],
  ['truncate bytes=5 keep=0.5', 'keep=0.5', /^bytes and keep contradict each other$/m],
  ['clock GET by=1h', 'GET', /^clock affects the whole CSE and takes no method$/m],
  ['certificate is=old', 'is=old', /^expected expired or not-yet-valid or/m],
] as const) {
  test(`of "${text}" the place is shown that is wrong`, () => {
    const lines = objection(text).split('\n');
    assert.match(lines[0] ?? '', message);
    assert.equal(lines[1], `  ${text}`);
    const caret = lines[2] ?? '';
    assert.equal(text.slice(caret.indexOf('^') - 2, caret.length - 2), place);
  });
}

test('an empty text is refused with the list of effects', () => {
  assert.match(objection(' '), /^a rule begins with an effect: latency, throttle, /);
});

test('an error in data names its part', () => {
  for (const [rule, message] of [
    [{ do: { effect: 'drop', lost: 'both' } }, /^do\.lost: expected answer or request, in \{/],
    [{ match: { methd: 'GET' }, do: { effect: 'drop' } }, /^match\.methd: there is no methd here/],
    [{ match: { share: 1 }, do: { effect: 'clock', by: 1 } }, /^match\.share: clock affects the whole CSE/],
    [{ effect: 'drop' }, /^do: /],
    [7, /expected object/],
    [null, /expected object/],
  ] as const) {
    assert.match(objection(rule), message);
  }
});
