/** Two tests that meet, each in a worker of its own, by files in the folder CSELAB_MEETING. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../../playwright.ts';

const folder = process.env.CSELAB_MEETING ?? '';

interface WorkerInfo {
  readonly urls: readonly string[];
  readonly worker: number;
}

/** Says something to the other test, and waits for the same of that. */
async function exchange<Word>(step: string, [own, other]: readonly [string, string], word: Word): Promise<Word> {
  const file = (name: string) => join(folder, `${step}-${name}.json`);
  writeFileSync(`${file(own)}.new`, JSON.stringify(word));
  renameSync(`${file(own)}.new`, file(own));
  await expect.poll(() => existsSync(file(other)), { timeout: 25_000 }).toBe(true);
  return JSON.parse(readFileSync(file(other), 'utf8')) as Word;
}

for (const names of [['one', 'two'] as const, ['two', 'one'] as const]) {
  test(`worker ${names[0]}`, async ({ gateway, backend }, { workerIndex: worker }) => {
    const own: WorkerInfo = { urls: [gateway.url, backend.url], worker };
    const other = await exchange<WorkerInfo>('place', names, own);
    expect(other.worker).not.toBe(worker);
    expect(other.urls.filter((url) => own.urls.includes(url))).toEqual([]);
    await gateway.seed({ resources: [{ container: { rn: names[0] } }] });
    await exchange('seeded', names, '');
    expect(gateway.tree.has(names[0])).toBe(true);
    expect(gateway.tree.has(names[1])).toBe(false);
    expect(backend.tree.ofType('remoteCSE')).toHaveLength(1);
  });
}
