import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { scenariosFolder } from '../engine/files/folders.ts';
import { detect } from './scoring/detect.ts';

/** Deviations of deployed CSEs that much else rests on, and the scenarios that would blame something else for them. */
const deviations: Readonly<Record<string, { violates: string; files: readonly string[] }>> = {
  'std.discovery.all.nothing-of-one-s-own': {
    violates: 'std.discovery.all',
    files: [
      'discovery-basics',
      'discovery',
      'discovery-filters',
      'content-query',
      'flex-container',
      'latest-and-oldest',
      'polling-channel',
      'access-control',
    ],
  },
  'std.subscription.create.identifier-unverified': {
    violates: 'std.subscription.create',
    files: ['attributes', 'blocking-update', 'create', 'subscription', 'notification-content', 'notification-batch'],
  },
};

for (const [id, { violates, files }] of Object.entries(deviations)) {
  for (const rules of [false, true]) {
    test(`${id} has one name${rules ? ' by rules, too' : ''}`, async () => {
      const paths = files.map((file) => join(scenariosFolder, 'standard', `${file}.yaml`));
      const deviation = { id, violates, says: '' };
      const mutant = { deviation, level: 'standard', dialect: 'onem2m', files: paths } as const;
      const { causes, scenarios, troubles } = await detect(mutant, { rules });
      assert.deepEqual(causes, [violates]);
      assert.deepEqual(troubles, []);
      assert.ok(scenarios > 50, `${scenarios} scenarios were run`);
    });
  }
}
