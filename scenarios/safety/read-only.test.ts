import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileOf, planOf } from '../engine/test-cse.ts';
import { readOnlyPlan } from './risks.ts';

test('what does more than read is not applicable, and says why', (t) => {
  const text = fileOf(
    {
      reads:
        '- retrieve: /${base}\n- discover: /${base}\n- raw: { method: GET, path: /x }\n- raw: { bytes: "GET /x\\r\\n" }',
      creates: '- retrieve: /${base}\n- create: container\n  in: /${base}',
      raw: '- raw: { method: BREW, path: /x }',
      bytes: '- raw: { bytes: "HELLO" }',
      later: '- retrieve: /${base}\n  query: { rt: 2 }',
      registers: '- retrieve: /${base}/${app}',
    },
    'actors: { app: {} }\n',
  );
  const plan = readOnlyPlan(planOf(t, text));
  const reasons = plan.scenarios.map(({ id, inapplicable }) => [
    id.replace('file/', ''),
    inapplicable?.split(': ').at(-1),
  ]);
  assert.deepEqual(reasons, [
    ['reads', undefined],
    ['creates', 'create container in /${base}'],
    ['raw', 'send BREW /x'],
    ['bytes', 'send exact bytes'],
    ['later', 'retrieve /${base}'],
    ['registers', 'create ae in /${base}'],
  ]);
});
