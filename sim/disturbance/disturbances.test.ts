import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '../environment/clock.ts';
import { startNode } from '../topology/node.ts';
import type { ServerControls } from './contract.ts';
import { WireDisturbances } from './disturbances.ts';

/** A site that counts what is done to it; listening again fails as often as is said. */
function siteWith(failures: number) {
  const done: string[] = [];
  let left = failures;
  const site: ServerControls = {
    wire: 'http',
    suspend: () => void done.push('suspended'),
    async resume() {
      left -= 1;
      if (left >= 0) throw new Error('the address is gone');
      done.push('resumed');
    },
  };
  return { site, done };
}

function disturbancesAt(site: ServerControls) {
  const clock = manualClock();
  const defects: unknown[] = [];
  const disturbances = new WireDisturbances(clock, (error) => defects.push((error as Error).message));
  disturbances.installAt(site);
  return { clock, defects, disturbances };
}

test('a CSE that cannot listen again after its death is reported as an internal error, and nothing rejects', async () => {
  const { site, done } = siteWith(1);
  const { clock, defects, disturbances } = disturbancesAt(site);
  await disturbances.dead({ for: '30s' });
  await clock.advance('30s');
  assert.deepEqual([defects, disturbances.rules], [['the address is gone'], []]);
  await disturbances.clear();
  assert.deepEqual(done, ['suspended', 'resumed']);
});

test('clearing the rules reports that the CSE cannot listen again, and can be retried', async () => {
  const { site, done } = siteWith(1);
  const { defects, disturbances } = disturbancesAt(site);
  await disturbances.dead();
  await assert.rejects(disturbances.clear(), /the address is gone/);
  await disturbances.clear();
  assert.deepEqual([done, defects], [['suspended', 'resumed'], []]);
});

test('a temporary rule has no effect once the CSE is closed', async () => {
  const { site, done } = siteWith(0);
  const { clock, disturbances } = disturbancesAt(site);
  await disturbances.dead({ for: '30s' });
  disturbances.end();
  await clock.advance('30s');
  assert.deepEqual(done, ['suspended']);
});

/** The status, or that none came. */
const ask = (url: string, method = 'GET'): Promise<number | 'no answer'> =>
  fetch(url, { method }).then(
    ({ status }) => status,
    () => 'no answer',
  );

test('a CSE dies with a certain request, and lives again when the time of the rule is over', async () => {
  const clock = manualClock();
  const disturbances = ['dead /onem2m/x after=2 for=30s'];
  await using node = await startNode({ cse: {}, http: {}, disturbances }, { clock });
  await node.startDisturbing();
  const [base, deadly] = [`${node.url}/onem2m`, `${node.url}/onem2m/x`];
  const answers = async (...urls: readonly string[]) => {
    const seen = [];
    for (const url of urls) seen.push(await ask(url));
    return seen;
  };
  assert.deepEqual(await answers(base, deadly, base), [200, 404, 200]);
  assert.deepEqual(await answers(deadly, base), ['no answer', 'no answer']);
  await clock.advance('29s');
  assert.equal(await ask(base), 'no answer');
  await clock.advance('1s');
  assert.deepEqual(await answers(base, deadly, base), [200, 'no answer', 'no answer']);
  await node.disturbances.clear();
  assert.deepEqual(await answers(base, deadly), [200, 404]);
});

test('a CSE falls silent with a certain request, which is not executed', async () => {
  const clock = manualClock();
  await using node = await startNode({ cse: {}, http: {} }, { clock });
  await node.disturbances.set(['dead DELETE how=silent times=1 for=1m']);
  const base = `${node.url}/onem2m`;
  const first = ask(`${base}/x`, 'DELETE');
  while (node.disturbances.rules[0]?.disturbed !== 1) await new Promise((turn) => setImmediate(turn));
  const second = ask(base);
  // The clock stands still: whoever is answered now is answered though the CSE is silent.
  assert.equal(await Promise.race([first, second, new Promise((turn) => setImmediate(turn, 'silent'))]), 'silent');
  await clock.advance('1m');
  assert.deepEqual(await Promise.all([first, ask(`${base}/x`, 'DELETE'), ask(base)]), ['no answer', 404, 200]);
  assert.ok([200, 'no answer'].includes(await second));
});
