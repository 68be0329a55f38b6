/** Of how many requirements `cselab explain` has an example of right and one of wrong. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { loadRequirements, type Requirement } from '../engine/files/catalogue.ts';
import { type BreakingDeviation, demonstrate, deviationsBreaking } from './explanation.ts';

/** What somebody can fail by. */
const violable = [...loadRequirements().requirements.values()].filter(
  ({ level, untestable }) => level !== 'gap' && untestable === undefined,
);
const known: { readonly requirement: Requirement; readonly wrong: BreakingDeviation }[] = [];
for (const requirement of violable) {
  const [wrong] = await deviationsBreaking(requirement.id);
  if (wrong !== undefined) known.push({ requirement, wrong });
}

const least = 0.95;

test('of 95 % of what can be violated a deviation is known', (t) => {
  t.diagnostic(`${known.length} of ${violable.length}`);
  assert.ok(known.length >= violable.length * least);
});

/** So many of these, by a hash of their ids: any others would do. */
const sample = 30;
const rank = ({ requirement: { id } }: (typeof known)[number]) => createHash('sha256').update(id).digest('hex');

test('in a sample of these what is right and what is wrong is seen', async (t) => {
  const chosen = known.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1)).slice(0, sample);
  const without: string[] = [];
  for (const { requirement, wrong } of chosen) {
    const seen = async (state: string, by?: BreakingDeviation) => {
      const { scenarios } = await demonstrate(requirement, by);
      const checks = scenarios.flatMap(({ steps }) => steps.flatMap((step) => step.checks));
      return checks.some((check) => check.requirement === requirement.id && check.state === state);
    };
    if (!(await seen('passed')) || !(await seen('failed', wrong))) without.push(requirement.id);
  }
  t.diagnostic(`${sample - without.length} of ${sample}; without: ${without.join(', ') || 'none'}`);
  assert.ok(without.length <= sample * (1 - least), without.join(', '));
});
