/** The reference CSE is wrong in none of the robustness cases. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startPair } from '../../sim/index.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { casesOf } from '../generators/wire/listed/robustness-cases.ts';
import { type RobustnessOptions, type RobustnessResult, robustness } from './robustness.ts';

const run = (options: RobustnessOptions): Promise<RobustnessResult> => lastOf(robustness(options));
const bad = ({ cases }: RobustnessResult) =>
  cases
    .filter(({ verdict }) => verdict === 'wrong' || verdict === 'lost')
    .map(({ number, says }) => `${number} ${says}`);

for (const dialect of ['documented', 'onem2m'] as const) {
  test(`over plain HTTP, ${dialect}`, async () => {
    const result = await run({ target: { kind: 'embedded' }, dialect });
    assert.deepEqual(bad(result), []);
    assert.equal(result.cases.length, casesOf().length);
    assert.ok(result.totals['left out'] < 15, JSON.stringify(result.totals));
    assert.equal(result.exit.code, 0, result.exit.reason);
  });

  test(`over TLS, ${dialect}`, async () => {
    await using pair = await startPair({ dialect, tls: 'server' });
    const { url, base } = pair.backend;
    const before = pair.backend.cse.core.tree.size;
    const tls = { cacert: pair.certs?.chain ?? '' };
    const target = {
      kind: 'url',
      url,
      base,
      tls,
      risky: 'all',
      ...(dialect === 'onem2m' && { admin: 'CAdmin' }),
    } as const;
    const result = await run({ target, dialect });
    assert.deepEqual(bad(result), []);
    assert.ok(result.totals['left out'] < 20, JSON.stringify(result.totals));
    assert.equal(pair.backend.cse.core.tree.size, before);
  });
}
