import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { loadRequirements } from '../engine/files/catalogue.ts';
import { resourceTypes } from '../engine/grammar/vocabulary.ts';
import { type FeatureId, featureIds, featureOf, featureOfType, featuresOf, isBelow, isOptional } from './features.ts';

const requirements = [...loadRequirements().requirements.values()];

test('every feature that the code or a table names is in the table of features', () => {
  const room = fileURLToPath(new URL('..', import.meta.url));
  const files = ['generators', 'probe', 'ics'].flatMap((folder) =>
    readdirSync(join(room, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(room, folder, name)),
  );
  // Items of the tables of TS-0017 have names of their own.
  const own = files.filter((name) => /(?<!\.test)\.(ts|yaml)$/.test(name) && !name.endsWith('ics-tables.yaml'));
  const textOf = (name: string) => readFileSync(name, 'utf8').replaceAll(/^ +items: .*$/gm, '');
  const named = own.flatMap((name) => textOf(name).match(/\bPICS_\w+/g) ?? []) as FeatureId[];
  assert(named.length > 70, `${named.length}`);
  assert.deepEqual(
    named.filter((id) => !featureIds.includes(id)),
    [],
  );
});

test('every feature is about requirements that exist', () => {
  const nothing = featureIds.flatMap((feature) => {
    const { about: ids } = featureOf(feature);
    assert(ids.length > 0, feature);
    return ids.filter((id) => !requirements.some((one) => isBelow(one.id, id))).map((id) => `${feature}: ${id}`);
  });
  assert.deepEqual(nothing, []);
});

test('what shows that a feature is there is about that feature', () => {
  const stray = featureIds.flatMap((feature) =>
    (featureOf(feature)['shown by'] ?? []).filter(
      (id) => !featuresOf(id).includes(feature) || !requirements.some((one) => one.id === id),
    ),
  );
  assert.deepEqual(stray, []);
});

test('an id stands for itself and what goes on after a dot', () => {
  assert(isBelow('std.group', 'std.group'));
  assert(isBelow('std.group.create', 'std.group'));
  assert(!isBelow('std.groups', 'std.group'));
  assert.deepEqual(featuresOf('std.retrieve.rcn.12'), ['PICS_RESULT_CONTENT']);
  assert.deepEqual(featuresOf('std.retrieve.rcn.default'), []);
});

test('what the interface specification documents of a feature makes it no option of the documented dialect', () => {
  const stated = requirements.filter(({ level }) => level === 'documented').flatMap(({ id }) => featuresOf(id));
  assert.deepEqual(
    featureIds.filter((id) => !isOptional(id, 'documented')),
    featureIds.filter((id) => stated.includes(id)),
  );
  assert.ok(featureIds.every((id) => isOptional(id, 'onem2m')));
});

test('every kind that a step can create belongs to a feature', () => {
  assert.deepEqual(
    resourceTypes.filter((kind) => featureOfType(kind) === undefined),
    [],
  );
});

/** Sections that speak of what a CSE may do without, and of nothing else. */
const optional = [
  'Resources and their fields: AE (m2m:ae)',
  'Resources and their fields: container (m2m:cnt)',
  'Resources and their fields: content instance (m2m:cin)',
  'Endpoints: discovery',
  'Endpoints: result content',
  'Authentication: registration of a gateway CSE to a backend CSE',
  'Authentication: generic HTTP client use',
  'Events',
  'Registration of application entities',
  'Registration through another CSE',
  'Registration of CSEs',
  'Resource types that applications create',
  'Access rights',
  'Containers and content instances',
  'Retention',
  'Latest and oldest',
  'Discovery',
  'Nodes',
  'Management objects',
  'Flex containers',
  'Time series',
  'Polling channels',
  'Announcement',
  'Results of non-blocking requests',
  'Subscriptions',
  'Notification events',
  'Event notification criteria',
  'Content of notifications',
  'Notification requests',
  'Targets of notifications',
  'Verification of notification targets',
  'Batches and limits',
  'Deletion of subscriptions',
  'Blocking updates',
  'Notifications through a polling channel',
  'Access control policies',
  'Access control rules',
  'Access control policies of resources',
  'Groups',
  'Fan-out',
  'Announced resources',
];

test('every requirement of a section about something optional belongs to a feature', () => {
  for (const section of optional)
    assert(
      requirements.some((one) => one.section === section),
      `no section "${section}"`,
    );
  const stray = requirements.filter((one) => optional.includes(one.section) && featuresOf(one.id).length === 0);
  assert.deepEqual(
    stray.map(({ id, section }) => `${section}: ${id}`),
    [],
  );
});
