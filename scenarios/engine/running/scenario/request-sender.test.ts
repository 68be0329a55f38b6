import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Dialect } from '../../grammar/dialects.ts';
import { type Installation, noCertificates } from '../../targets/installation.ts';
import { originatorNames } from './request-sender.ts';

/** How scenarios name the originator that stands for all at a CSE. */
async function named(originator: string, dialect: Dialect) {
  const gateway = { description: { base: 'b', cseId: 'cse', spId: 'sp' } };
  const installation = { dialect, originator, gateway, certificates: noCertificates } as unknown as Installation;
  const names = await originatorNames({ installation, actors: { app: {} }, names: new Map() });
  return names.get('app.originator');
}

test('by the standard a CSE calls an application entity of its own by what its certificate says after the CSE', async () => {
  assert.deepEqual(await named('//sp/cse/CMine', 'onem2m'), { value: 'CMine' });
  assert.deepEqual(await named('//sp/another/CMine', 'onem2m'), { value: '//sp/another/CMine' });
  assert.deepEqual(await named('CMine', 'onem2m'), { value: 'CMine' });
  assert.deepEqual(await named('//sp/cse/CMine', 'documented'), { value: '//sp/cse/CMine' });
});
