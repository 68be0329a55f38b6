import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCse, serveHttp } from '../../sim/index.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { type CheckOptions, check, type RunResult } from '../index.ts';

async function resultOf(options: CheckOptions): Promise<RunResult> {
  return lastOf(check(options));
}

const ids = ['ae.create.status'];

test('a check of a URL that no file describes finds the base, and says what it assumed', async () => {
  await using server = await serveHttp(createCse({ base: 'in-cse' }).http);
  const result = await resultOf({ target: { kind: 'url', url: server.url }, ids });
  assert.equal(result.exit.code, 0, result.exit.reason);
  assert.equal(result.target.base, 'in-cse');
  assert.ok(result.assumed?.includes('its CSE base is /in-cse, which answers, while /onem2m does not'));
  assert.deepEqual([result.ics, result.notes], [undefined, undefined]);
});

const ics = { of: 'it', claims: { PICS_GRP: 'no' } } as const;

test('a kind that is missing from srt is not judged, and not asked for either: the target said so itself', async () => {
  const cse = createCse({ dialect: 'onem2m' });
  const handle: typeof cse.http.handle = async (request) => {
    const answer = await cse.http.handle(request);
    return {
      ...answer,
      body: String(answer.body).replace(/"srt":\[[^\]]*\]/, '"srt":[1,2,3,4,5,13,14,15,16,23,28,29]'),
    };
  };
  await using server = await serveHttp({ ...cse.http, handle });
  const target = { kind: 'url', url: server.url, admin: 'CAdmin' } as const;
  const result = await resultOf({ target, dialect: 'onem2m', ids: ['std.group.counted'] });
  assert.equal(result.ics?.find(({ id }) => id === 'PICS_GRP')?.claim, 'no');
  assert.equal(result.requirements.find(({ id }) => id === 'std.group.counted')?.verdict, 'not applicable');
  assert.equal(result.notes, undefined);
});

test('a kind that its statement denies is told to work where it does', async () => {
  await using server = await serveHttp(createCse().http);
  const target = { kind: 'url', url: server.url, ics } as const;
  const result = await resultOf({ target, ids });
  const { behaves, shown = '' } = result.ics?.find(({ id }) => id === 'PICS_GRP') ?? {};
  assert.equal(behaves, 'implemented');
  assert.match(shown, /^group, POST .*201/);
});

test('that is not tried by a run that only reads, that was told not to, or is another shard than the first', async () => {
  await using server = await serveHttp(createCse().http);
  const target = { kind: 'url', url: server.url, ics } as const;
  const some = { target, ids: ['documented/ae/create', 'documented/container/create'] };
  const choices: readonly Partial<CheckOptions>[] = [
    { safety: { readOnly: true } },
    { undeclared: false },
    { shard: { index: 2, count: 2 } },
  ];
  const shown = async (choice: Partial<CheckOptions>) =>
    (await resultOf({ ...some, ...choice })).ics?.find(({ id }) => id === 'PICS_GRP')?.behaves;
  for (const choice of choices) assert.equal(await shown(choice), undefined);
  assert.equal(await shown({ shard: { index: 1, count: 2 } }), 'implemented');
});

test('the embedded CSE is not probed', async () => {
  const result = await resultOf({ target: { kind: 'in-process' }, ids });
  assert.equal(result.assumed, undefined);
});
