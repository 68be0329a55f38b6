import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadScenarios } from '../files/load.ts';
import { plan } from '../files/plan.ts';

const loaded = loadScenarios();
const planOf = (release?: string) => plan(loaded, { dialect: 'onem2m', release });
const tooNew = 'the standard states it since release 3, and the target is of release 2a';

function stateOf(requirement: string, release: string | undefined): ReadonlyArray<string | undefined> {
  const checks = planOf(release).scenarios.flatMap(({ steps }) => steps.flatMap((step) => step.checks));
  return [...new Set(checks.filter((check) => check.requirement === requirement).map((one) => one.inapplicable))];
}

test('requirements of a release do not apply to earlier ones', () => {
  assert.deepEqual(stateOf('std.blocking-update.asked', '2a'), [tooNew]);
  assert.deepEqual(stateOf('std.headers.rvi.unknown', '2a'), [tooNew]);
  assert.deepEqual(stateOf('std.headers.ri.missing', '2a'), [undefined]);
});

test('they apply to that release, to later ones, and by default', () => {
  for (const release of ['3', '4', '5', undefined])
    assert.deepEqual(stateOf('std.blocking-update.asked', release), [undefined]);
});

test('a scenario of which nothing is left sends nothing', () => {
  const { scenarios } = planOf('2a');
  const blocking = scenarios.filter(({ id }) => id.startsWith('standard/blocking-update/'));
  assert.ok(blocking.length > 5);
  assert.deepEqual([...new Set(blocking.map(({ inapplicable }) => inapplicable))], [tooNew]);
});

test('each requirement that only the texts of later releases are cited for says since when', () => {
  const parts = (source: string) => source.split('; ').filter((part) => part.startsWith('TS-'));
  const cited = [...loaded.catalogue.requirements.values()].filter(
    ({ id, source }) => id.startsWith('std.') && parts(source).every((part) => part.includes('R3-R4')),
  );
  assert.ok(cited.length > 25);
  assert.deepEqual(
    cited.filter(({ since }) => since === undefined).map(({ id }) => id),
    [],
  );
});

test('what a release permitted before is not permitted to targets of it', () => {
  const codesOf = (release: string) =>
    planOf(release).scenarios.flatMap(({ steps }) =>
      steps.flatMap(({ checks }) =>
        checks.flatMap(({ requirement, check }) =>
          requirement === 'std.management.battery' ? (check['one of'] ?? []).map(({ rsc }) => rsc) : [],
        ),
      ),
    );
  assert.equal(codesOf('2a').includes(4000), true);
  assert.equal(codesOf('3').includes(4000), false);
});
