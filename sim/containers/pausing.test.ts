import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeze } from './started-cse-container.ts';

const busy =
  '(HTTP code 500) server error - Cannot pause container 2f59: OCI runtime pause failed: unable to freeze: unknown';

/** How often it was asked, and whether that was in vain. */
async function asked(failures: number, message: string): Promise<[count: number, error: string | undefined]> {
  let count = 0;
  const pause = async () => {
    count += 1;
    if (count <= failures) throw new Error(message);
  };
  const error = await freeze(pause).then(
    () => undefined,
    ({ message }: Error) => message,
  );
  return [count, error];
}

test('freezing a container is retried, and not for ever', async () => {
  assert.deepEqual(await asked(0, busy), [1, undefined]);
  assert.deepEqual(await asked(2, busy), [3, undefined]);
  assert.deepEqual(await asked(100, busy), [6, busy]);
});

test('other failures of freezing are thrown', async () => {
  assert.deepEqual(await asked(1, 'no such container'), [1, 'no such container']);
});
