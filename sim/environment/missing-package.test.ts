import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importPackage, requirePackage } from './missing-package.ts';

const name = 'MissingPackageError';
const [absent, other]: readonly string[] = ['absent', 'absent-as-well'];

test('a package that is missing is named, with the command that installs it', async () => {
  const says = 'cselab/x lacks a package: npm install absent';
  await assert.rejects(
    importPackage('cselab/x', 'absent ws', () => import(`${absent}`)),
    { name, message: `${says} ws` },
  );
  assert.throws(() => requirePackage('cselab/x', 'absent'), { name, message: says });
});

test('other errors of loading are left as they are', async () => {
  await assert.rejects(
    importPackage('cselab/x', 'absent', () => import(`${other}`)),
    { code: 'ERR_MODULE_NOT_FOUND' },
  );
  assert.equal(requirePackage('cselab/ws', 'ws'), (await import('ws')).default);
});
