import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { endedAfter, estimate, follow, LineProgress, runProgress } from './progress.ts';

function stream(isTTY: boolean, columns = 20) {
  return {
    isTTY,
    columns,
    written: '',
    write(text: string) {
      this.written += text;
    },
  };
}

function told(to: ReturnType<typeof stream>, env: { CI?: string } = {}): string {
  const lines = new LineProgress(to, env);
  lines.line('begun');
  lines.transient('far more than fits into twenty columns');
  lines.end();
  return to.written;
}

const erased = '\r\u001b[2K';

test('a terminal shows one line that changes, no longer than it is wide, and nothing of it at the end', () => {
  const written = told(stream(true));
  assert.ok(written.startsWith(`${erased}cselab: begun\n${erased}far more`), JSON.stringify(written));
  assert.ok(written.endsWith(erased));
  assert.ok(!written.includes('twenty'));
  // A terminal whose size nobody has told, as in containers, has a width of 0.
  assert.ok(told(stream(true, 0)).includes('far more than fits into twenty columns'));
});

test('in a pipe, and at a build server, only the lines that matter are written', () => {
  assert.equal(told(stream(false)), 'cselab: begun\n');
  assert.equal(told(stream(true), { CI: 'true' }), 'cselab: begun\n');
});

test('events are reported as they come, and what the last one carries comes back', async () => {
  const events = async function* () {
    yield 1;
    yield 2;
    return 'three';
  };
  const seen: number[] = [];
  assert.equal(await follow(events(), () => (event) => seen.push(event)), 'three');
  assert.deepEqual(seen, [1, 2]);
  assert.equal(await follow(events(), () => () => assert.fail('told'), true), 'three');
});

test('without a changing line progress is shown after ten seconds, and then every thirty', () => {
  const to = stream(false);
  let now = 0;
  const lines = new LineProgress(to, {}, () => now);
  for (let done = 1; done <= 100; done += 1) {
    lines.count(done, 400, 'deviations', { now: ': the last', about: 'here: ' });
    now += 500;
  }
  assert.equal(
    to.written,
    'cselab: here: 21 of 400 deviations, about 3 min left\ncselab: here: 81 of 400 deviations, about 3 min left\n',
  );
});

test('scenarios that run once more at the end are half done before', () => {
  const to = stream(false);
  let now = 0;
  const progress = runProgress(new LineProgress(to, {}, () => now));
  const target = { kind: 'url', url: 'here', base: 'b', cseId: 'c', spId: 's' } as const;
  progress({ type: 'run started', run: 'r', target, planned: 400 });
  for (let begun = 1; begun <= 21; begun += 1) {
    progress({ type: 'scenario started', id: `a/b/${begun}`, title: 'One' });
    now += 500;
  }
  assert.equal(to.written, 'cselab: here: 0 of 400 scenarios, about 6 min left\n');
});

test('the time left is shown once it can be estimated', () => {
  let now = 500;
  const left = estimate(() => now);
  assert.equal(left(1, 400), '');
  now += 6000;
  assert.equal(left(0, 400), '');
  assert.equal(left(100, 400), ', about 18 s left');
  assert.equal(left(400, 400), '');
});

test('how long it goes on does not count what is there from before, or what came before it', () => {
  let now = 0;
  const left = estimate(() => now, 300);
  now += 10_000;
  assert.equal(left(310, 400), ', about 90 s left');
  now += 10_000;
  assert.equal(left(10, 400), ', about 7 min left');
});

test('a duration ends, whatever memory is cleared meanwhile', async () => {
  setFlagsFromString('--expose-gc');
  const clear = runInNewContext('gc') as () => void;
  const ended = once(endedAfter(200, new AbortController().signal), 'abort');
  for (let times = 0; times < 5; times += 1) {
    await setImmediate();
    clear();
  }
  const holding = setInterval(() => {}, 1_000);
  await ended;
  clearInterval(holding);
});
