import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskedRun } from './masked.ts';

const secret = 'hunter2-hunter2';
const target = { kind: 'url', url: 'http://127.0.0.1:1', headers: [['Authorization', `Bearer ${secret}`]] } as const;

/** What a run tells, and what it comes to or fails with, as readers get it. */
async function read(run: () => AsyncGenerator<{ type: string; text: string }, string>): Promise<unknown[]> {
  const events = maskedRun(run, { target, secrets: ['another-secret'] });
  const seen: unknown[] = [];
  try {
    let step = await events.next();
    for (; !step.done; step = await events.next()) seen.push(step.value.text);
    seen.push(step.value);
  } catch (error) {
    seen.push((error as Error).message, ((error as Error).cause as Error).message);
  }
  return seen;
}

const clean = (seen: readonly unknown[]) => !/hunter2|another-secret/.test(JSON.stringify(seen));

test('events and result of a run hold no secret, of the target or given', async () => {
  const seen = await read(async function* () {
    yield { type: 'note', text: `sent ${secret}` };
    return 'got another-secret';
  });
  assert.equal(seen.length, 2);
  assert.ok(clean(seen), JSON.stringify(seen));
});

test('nor does what it throws, with its cause', async () => {
  // biome-ignore lint/correctness/useYield: it fails before it tells anything.
  const seen = await read(async function* () {
    throw new Error(`no way with ${secret}`, { cause: new Error('another-secret') });
  });
  assert.equal(seen.length, 2);
  assert.ok(clean(seen), JSON.stringify(seen));
});

test('the run that writes to disk gets all the secrets', async () => {
  let given: unknown;
  const events = maskedRun(
    async function* ({ safety }) {
      given = safety;
      yield { type: 'end' };
    },
    { target, secrets: ['another-secret'], safety: {} as { secrets?: readonly string[] } },
  );
  for await (const _ of events);
  assert.match(JSON.stringify(given), /another-secret/);
  assert.match(JSON.stringify(given), /hunter2/);
});
