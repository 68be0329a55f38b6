import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileOf, planOf, runPlan, testCse } from '../engine/test-cse.ts';
import { objectionToLength } from './guard.ts';

const limit = 200;
const create = (value: string) => `- create: container
  in: /\${base}
  attributes: { rn: "\${name}", lbl: ["${value}"] }
  check: { doc.one: { status: 201 } }`;

test('a request with a longer body than the target takes is not sent, is not testable and excused', async (t) => {
  const cse = await testCse(t);
  const plan = planOf(t, fileOf({ long: create('x'.repeat(limit)), short: create('x') }));
  const { result, scenario } = await runPlan(plan, cse.url, { choice: { bodyLimit: limit } });
  const [check] = scenario('long').steps.flatMap(({ checks }) => checks);
  assert.deepEqual([check?.state, check?.excused], ['not testable', true]);
  assert.match(
    check?.reason ?? '',
    /^not sent: its body has 2\d\d bytes, and the longest body that the target takes has 200 \(limits\.body of its target file\)$/,
  );
  assert.equal(scenario('short').steps[0]?.checks[0]?.state, 'passed');
  assert.equal(cse.log.filter((line) => line.startsWith('POST')).length, 1);
  assert.equal(result.exit.code, 0, result.exit.reason);
});

test('a body is as long as what stands in it, in exact bytes what stands behind the first empty line', () => {
  const message = (length: number) => ({ method: 'POST', path: '/', headers: [], body: Buffer.alloc(length) });
  const bytes = (text: string) => ({ bytes: Buffer.from(text) });
  assert.equal(objectionToLength(message(5), 5), undefined);
  assert.match(objectionToLength(message(6), 5) ?? '', /its body has 6 bytes/);
  assert.equal(objectionToLength(message(6), undefined), undefined);
  assert.equal(objectionToLength({ method: 'GET', path: '/', headers: [] }, 5), undefined);
  assert.equal(objectionToLength(bytes('POST / HTTP/1.1\r\nHost: a\r\n\r\n12345'), 5), undefined);
  assert.match(objectionToLength(bytes('POST / HTTP/1.1\r\nHost: a\r\n\r\n123456'), 5) ?? '', /has 6 bytes/);
  assert.match(objectionToLength(bytes('POST / HTTP/1.1\nHost: a\n\n1234\r\n\r\n'), 5) ?? '', /has 8 bytes/);
  assert.match(objectionToLength(bytes('no empty line'), 5) ?? '', /has 13 bytes/);
});
