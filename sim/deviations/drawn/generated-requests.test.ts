import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { DialectName } from '../../core/resource-type.ts';
import { statuses } from '../../core/status.ts';
import { createCse } from '../../cse/create-cse.ts';
import { httpMessenger } from '../../dialects/messenger.ts';
import { deliver } from '../../topology/joined-pair.ts';
import { RequestScript } from '../../witness/witness.ts';
import { drawableTypes } from './drawable.ts';
import { sequencesOf } from './generated-requests.ts';

for (const dialect of ['documented', 'onem2m'] as const)
  test(`sequences about any kind of the ${dialect} dialect create one`, async () => {
    const drawable = drawableTypes(dialect).map(({ root }) => root);
    const never: string[] = [];
    for (const type of drawable.filter((root) => root !== 'm2m:cb'))
      if (!(await isCreated(type, dialect))) never.push(type);
    assert.deepEqual(never, []);
  });

async function isCreated(type: string, dialect: DialectName): Promise<boolean> {
  for (const steps of fc.sample(sequencesOf({ type }, dialect), { seed: 1, numRuns: 20 })) {
    const cse = createCse({ dialect, journal: 0, messenger: { send: async () => ({ status: statuses.OK }) } });
    const client = httpMessenger({ send: (url, sent) => deliver(cse.http, url, sent) }, { dialect, now: Date.now });
    const script = new RequestScript(cse.core.configuration);
    for (const step of steps) {
      const request = script.requestOf(step);
      const answer = await client.send('http://cse.in-process', request);
      if (step.operation === 'create' && step.type === type && answer.status === statuses.CREATED) return true;
      script.record(request, answer);
    }
  }
  return false;
}
