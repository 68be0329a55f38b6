import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../../scenarios/words.ts';
import { startTarget } from './container-target.ts';

const plan = { image: 'mine', port: 1, env: {}, scheme: 'http', notifiesHost: true } as const;

test('without the package testcontainers --container says how to install it', async () => {
  const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
  await assert.rejects(
    startTarget(plan, () => Promise.reject(missing)),
    new UsageError('--container needs the package testcontainers: npm install --save-dev testcontainers@11'),
  );
});

test('without an engine --container says that none answers', async () => {
  const library = await import('testcontainers');
  const nobody = { ...library, getContainerRuntimeClient: () => Promise.reject(new Error('no strategy works')) };
  await assert.rejects(
    startTarget(plan, () => Promise.resolve(nobody)),
    new UsageError('--container needs a Docker engine, and none answers here (no strategy works)'),
  );
});
