/** Whatever a binding does wrong with containers, or with notifications, is seen by its own rules. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { check } from '../../checking/check.ts';
import { lastOf } from '../../engine/running/last-of.ts';
import { startListening } from '../../engine/targets/embedded/pairs.ts';

/** What is drawn, as it is written. */
const drawn = new URL('../../../sim/deviations/drawn/operators.yaml', import.meta.url);
const operators = parse(readFileSync(drawn, 'utf8')) as ReadonlyArray<{
  readonly world?: string;
  readonly about: string;
  readonly operator: string;
  readonly options: readonly string[] | Readonly<Record<string, unknown>>;
}>;

const names = { mqtt: /^std\.mqtt\./, ws: /^std\.ws\./, coap: /^std\.coap\./ } as const;
/** The second makes exchanges that tell what came late. */
const ids = ['standard/bindings', 'standard/delete'];

async function violated(wire: keyof typeof names, deviations: Parameters<typeof startListening>[1]['deviations']) {
  const { target, close } = await startListening('onem2m', { ...(deviations && { deviations }) }, wire);
  try {
    const { requirements } = await lastOf(check({ target, dialect: 'onem2m', ids, timeout: 5_000, rules: true }));
    return requirements.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id);
  } finally {
    await close();
  }
}

// Most of what they do is to wait for notifications that do not come.
describe('whatever a binding does wrong', { concurrency: 8 }, () => {
  for (const { world, about, operator, options } of operators) {
    if (world !== 'mqtt' && world !== 'ws' && world !== 'coap') continue;
    const type = about === 'any exchange' ? 'm2m:cnt' : about;
    // The scenario is notified of once.
    for (const option of Array.isArray(options) ? options.map(String) : Object.keys(options))
      if (!option.startsWith('one in'))
        test(`${operator} ${option} is seen over ${world}`, async () => {
          const found = await violated(world, [{ when: { type }, does: { [operator]: option } }]);
          assert.ok(
            found.some((id) => names[world].test(id)),
            found.join(),
          );
        });
  }
});

for (const [wire, does] of [
  ['mqtt', { 'answer over MQTT': 'cut short' }],
  ['ws', { 'answer over WebSocket': 'cut short' }],
  ['coap', { 'answer over CoAP': 'of another version' }],
] as const)
  test(`a CSE base that is answered wrongly over ${wire} keeps nobody from judging the rest`, async () => {
    const found = await violated(wire, [{ when: { operation: 'retrieve' }, does }]);
    assert.ok(
      found.some((id) => names[wire].test(id)),
      found.join(),
    );
  });

for (const wire of ['mqtt', 'ws', 'coap'] as const)
  test(`nothing of the binding is violated by a CSE without deviations over ${wire}`, async () => {
    assert.deepEqual(await violated(wire, undefined), []);
  });
