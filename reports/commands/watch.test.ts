import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type CheckOptions, check, lastOf, type RunResult, UsageError } from '../../scenarios/index.ts';
import { watch } from './watch.ts';

const folder = mkdtempSync(join(tmpdir(), 'cselab-watch-test-'));
after(() => rmSync(folder, { recursive: true }));

function scenarioFile(name: string): { path: string; expects: (status: string) => void } {
  const path = join(folder, name);
  const text = (status: string) => `feature: writing
scenarios:
  registers:
    title: an AE registers
    steps:
      - create: ae
        in: /\${base}
        attributes: { rn: '\${name}', api: 'N.mine', rr: true }
        check: { ae.create.status: { status: ${status} } }
`;
  const expects = (status: string) => writeFileSync(path, text(status));
  expects('201');
  return { path, expects };
}

async function judge(options: CheckOptions): Promise<RunResult> {
  return lastOf(check(options));
}

/** Watches these files while `changes` changes them; what each run was asked for, and what was said. */
async function watched(
  ids: readonly string[],
  changes: AsyncIterable<readonly string[]>,
  depended: readonly string[] = [],
) {
  const asked: CheckOptions[] = [];
  const said: string[] = [];
  const run = (options: CheckOptions) => {
    asked.push(options);
    return judge(options);
  };
  const options = (): CheckOptions => ({ target: { kind: 'in-process' }, ids, again: false });
  const exit = await watch({
    options,
    first: run,
    again: run,
    changes,
    dependencies: depended,
    say: (line) => said.push(line),
  });
  return { exit, asked, said };
}

test('only the scenarios of the changed file run again, and each difference is a line', async () => {
  const [one, two] = [scenarioFile('one.yaml'), scenarioFile('two.yaml')];
  async function* changes() {
    one.expects('202');
    yield [one.path];
    one.expects('201');
    yield [one.path, join(folder, 'unknown.yaml')];
    yield [one.path];
  }
  const { exit, asked, said } = await watched([one.path, two.path], changes());
  assert.equal(exit.code, 0);
  assert.deepEqual(
    asked.map(({ files }) => files),
    [undefined, [one.path], [one.path], [one.path]],
  );
  assert.deepEqual(
    said.filter((line) => /^(broken|fixed|nothing)/.test(line)),
    [
      'broken      ae.create.status in one/registers: status 201, RSC 2001',
      'fixed       ae.create.status in one/registers',
      'nothing is different',
    ],
  );
});

test('what everything depends on runs everything, what nothing depends on nothing', async () => {
  const [one, baseline] = [scenarioFile('three.yaml'), join(folder, 'known.yaml')];
  async function* changes() {
    yield [join(folder, 'unknown.yaml')];
    yield [baseline];
  }
  const { asked } = await watched([one.path], changes(), [baseline]);
  assert.deepEqual(
    asked.map(({ files }) => files),
    [undefined, undefined],
  );
});

test('a mistake in a file is shown and can be mended, from the first run on', async () => {
  const one = scenarioFile('four.yaml');
  one.expects('{ matchin: x }');
  async function* changes() {
    one.expects('{ matchin: y }');
    yield [one.path];
    one.expects('201');
    yield [one.path];
    one.expects('{ matchin: z }');
    yield [one.path];
  }
  const { exit, said } = await watched([one.path], changes());
  assert.equal(said.filter((line) => /unknown key "matchin"/.test(line)).length, 3);
  assert.equal(exit.code, 2, 'the last run could not begin');
});

test('a mistake of the caller ends it before it begins', async () => {
  async function* changes() {
    yield ['/never.yaml'];
  }
  await assert.rejects(watched(['ae.rj'], changes()), UsageError);
});

test('an interrupted run ends it with the exit code of that', async () => {
  const one = scenarioFile('five.yaml');
  let asked = 0;
  async function* changes() {
    yield [one.path];
    yield [one.path];
  }
  const interrupted = async (options: CheckOptions) => {
    asked += 1;
    return { ...(await judge(options)), exit: { code: 130, reason: 'the run was interrupted' } as const };
  };
  const options = (): CheckOptions => ({ target: { kind: 'in-process' }, ids: [one.path] });
  const exit = await watch({
    options,
    first: judge,
    again: interrupted,
    changes: changes(),
    dependencies: [],
    say: () => {},
  });
  assert.deepEqual([exit.code, asked], [130, 1]);
});
