import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileOf, planOf } from '../test-cse.ts';
import { isOnTheWire } from './scenario/scenario-runner.ts';

test('a scenario is on the wire that writes bytes, insists on a connection or looks at what HTTP adds', (t) => {
  const check = (expectation: string) =>
    `- retrieve: /\${base}\n  check: { doc.one: { one of: [{ ${expectation}, variant: a, source: b }, { status: 200, variant: c, source: d }] } }`;
  const { scenarios } = planOf(
    t,
    fileOf({
      raw: '- raw: { method: GET, path: /x }\n  check: { doc.one: { status: 200 } }',
      over: '- retrieve: /x\n  over: TLS 1.2\n  check: { doc.one: { status: 200 } }',
      length: check('header: { Content-Length: "2" }'),
      code: check('header: { X-M2M-RSC: "2000" }'),
      plain: '- retrieve: /x\n  check: { doc.one: { status: 200 } }',
    }),
  );
  assert.deepEqual(
    scenarios.filter(isOnTheWire).map(({ id }) => id.slice(id.lastIndexOf('/') + 1)),
    ['raw', 'over', 'length'],
  );
});
