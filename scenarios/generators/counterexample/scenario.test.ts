import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from '../../engine/results/exchange.ts';
import { toScenario } from './scenario.ts';

const description = { kind: 'in-process', url: 'http://t', base: 'container', cseId: 'id', spId: 'sp' } as const;

test('a CSE base may have the name of a resource type', () => {
  const step = { create: 'container', in: '/container/x-a', attributes: { rn: 'a' } } as const;
  const request = { method: 'POST', path: step.in, headers: [], body: '' };
  const exchange: Exchange = { request, answer: { status: 404, headers: [], body: '' }, at: 0, took: 1, curl: '' };
  const attempt = { step, by: 'nobody', about: { operation: 'create' } } as const;
  const performed = [{ attempt, exchange, outcome: 'refused' }] as const;
  const expected = { requirement: 'container.create.status', check: { status: 201 } };
  const { steps } = toScenario(performed, expected, { dialect: 'documented', description, label: 'x' });
  const [{ create, in: place } = {} as never] = steps as unknown as [Record<string, unknown>];
  assert.deepEqual([create, place], ['container', '/${base}/${name}-a']);
});
