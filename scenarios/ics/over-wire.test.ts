import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadScenarios } from '../engine/files/load.ts';
import { plan } from '../engine/files/plan.ts';
import { overWire } from './over-wire.ts';

test('all that is of another binding has one reason for each of them, scenarios too', () => {
  const { scenarios, others } = overWire(plan(loadScenarios(), { ids: [], dialect: 'onem2m' }), 'HTTP');
  const all = [...scenarios, ...others];
  const checks = all.flatMap(({ steps }) => steps.flatMap((step) => step.checks));
  const reasons = [...all, ...checks].flatMap(({ inapplicable }) => inapplicable ?? []);
  const ofBindings = reasons.filter((reason) => reason.includes('reached over HTTP'));
  const expected = ['CoAP', 'MQTT', 'WebSocket'].map(
    (own) => `it belongs to the ${own} binding, and the target is reached over HTTP`,
  );
  assert.deepEqual([...new Set(ofBindings)].sort(), expected);
});
