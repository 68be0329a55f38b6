import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from '../../scenarios/words.ts';
import { answerText, requestText } from './message-text.ts';

const exchange: Exchange = {
  request: {
    method: 'POST',
    path: '/onem2m',
    headers: [
      ['Host', 'gateway.example'],
      ['X-M2M-Origin', '//example.org/mn-cse-1/C1'],
    ],
    body: '{"m2m:ae":{"rn":"a"}}',
  },
  at: 0,
  took: 1,
  curl: 'curl …',
};
const options = { bodyLimit: 1000 };

test('a request is its line, its headers and its body', () => {
  assert.equal(
    requestText(exchange, options),
    'POST /onem2m\nHost: gateway.example\nX-M2M-Origin: //example.org/mn-cse-1/C1\n\n' +
      '{\n  "m2m:ae": {\n    "rn": "a"\n  }\n}',
  );
});

test('what went in CBOR says so, and what is no CBOR as well', () => {
  const of = (body: string) =>
    answerText(
      { ...exchange, answer: { status: 200, headers: [['content-type', 'application/cbor']], body } },
      options,
    );
  assert.equal(of('{"a":1}'), '200\ncontent-type: application/cbor\n(CBOR, shown as JSON)\n{\n  "a": 1\n}');
  assert.match(of("h'7b7d'"), /\n\(no CBOR: its octets\)\nh'7b7d'$/);
  assert.match(of(''), /cbor$/);
});

test('briefly, headers that every message has are left out', () => {
  assert.doesNotMatch(requestText(exchange, { ...options, briefly: true }), /Host/);
  assert.match(requestText(exchange, { ...options, briefly: true }), /X-M2M-Origin/);
});

test('a request of exact bytes is shown as it was sent', () => {
  const bytes = 'GET / HTTP/1.1\r\n\r\n';
  const raw = { ...exchange, request: { ...exchange.request, body: bytes, exactBytes: true } };
  assert.equal(requestText(raw, options), bytes);
});

test('where no answer came, the reason stands in its place', () => {
  const failed = { ...exchange, failure: { kind: 'timeout', message: 'after 10 s' }, connection: 'closed' } as const;
  assert.equal(answerText(failed, options), 'no answer in time: after 10 s\n(connection closed afterwards)');
});

test('what TLS showed stands behind the answer', () => {
  const failure = { kind: 'tls', message: 'TLS: the target sent the alert "unknown ca"' } as const;
  const server = { verification: 'verified', uris: ['//sp/cse'] };
  const tls = { handshake: 'dropped', version: 'TLS 1.3', alert: 'unknown ca', server } as const;
  assert.equal(
    answerText({ ...exchange, failure, tls }, options),
    'no answer: TLS: the target sent the alert "unknown ca"\n' +
      '(TLS 1.3: handshake dropped; the target sent the alert "unknown ca"; certificate of the target: verified; for //sp/cse)',
  );
  const silent = { ...exchange, failure: { kind: 'timeout', message: 'after 10 s' }, tls: {} } as const;
  assert.equal(answerText(silent, options), 'no answer in time: after 10 s\n(TLS: handshake without an end)');
});

test('a long body is cut between characters, and its length is reported', () => {
  const answered = { ...exchange, answer: { status: 200, headers: [], body: '🚪'.repeat(1000) } };
  const text = answerText(answered, { bodyLimit: 21 });
  assert.equal(text, `200\n\n${'🚪'.repeat(10)}\n… (2,000 characters in all)`);
});
