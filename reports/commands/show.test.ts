import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RunResult } from '../../scenarios/words.ts';
import { renderJson } from '../formats/json-reporter.ts';
import { run } from '../testing/in-process.ts';
import { sampleCauses } from '../testing/sample-causes.ts';

/** One requirement that is violated at so many places, of which every fourth is in another file. */
function everywhere(count: number): RunResult {
  const { scenarios, requirements, ...rest } = sampleCauses(count);
  const own = requirements.filter(({ id }) => id.endsWith('.first'));
  const [first] = own;
  assert.ok(first);
  const places = scenarios.map((scenario, at) => ({
    ...scenario,
    steps: scenario.steps.map((step) => ({
      ...step,
      checks: step.checks.slice(0, 1).map(({ place, ...check }) => ({
        ...{ ...check, requirement: first.id, place },
        ...(at % 4 === 3 && { place: { ...place, file: `scenarios/documented/other-${at}.yaml` } }),
      })),
    })),
  }));
  return { ...rest, scenarios: places, requirements: [{ ...first, violations: own.flatMap((one) => one.violations) }] };
}

test('of what fails at many places the first are listed, and of the others how many there are in each file', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'cselab-show-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const shown = async (count: number) => {
    const file = join(folder, `${count}.json`);
    writeFileSync(file, renderJson(everywhere(count)));
    const { stdout } = await run(['show', file, 'state-tag-0.first']);
    return stdout
      .slice(stdout.indexOf('Also at'))
      .split('\n')
      .map((line) => line.trim());
  };
  const few = await shown(6);
  assert.deepEqual([few[0], few.length], ['Also at 5 other places:', 7]);
  const many = await shown(41);
  assert.equal(many[0], 'Also at 40 other places:');
  const listed = many.slice(1, 6);
  assert.ok(
    listed.every((line) => /^[\da-f]{7} {2}state-tag-0\.first, s[1-5], step 3$/.test(line)),
    listed.join('\n'),
  );
  assert.match(
    many.slice(6).join(' '),
    /^and 26 in \S+content-instance\.yaml, (1 in \S+other-\d+\.yaml, ){4}5 in 5 other files: cselab show REPORT lists each $/,
  );
});
