import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { UsageError } from '../../scenarios/words.ts';
import { containerPlan, flagsAt } from './container-plan.ts';

const folder = mkdtempSync(join(tmpdir(), 'cselab-container-plan-'));
after(() => rmSync(folder, { recursive: true }));

function target(text: string): string {
  const path = join(folder, 'target.yaml');
  writeFileSync(path, `product: Mine\n${text}`);
  return path;
}

test('without --container nothing is started', () => {
  assert.equal(containerPlan({}), undefined);
});

test('the image, its port and its variables stand in flags', () => {
  const flags = { container: 'mine:1', port: 8080, env: ['A=1=2', 'HERE'] };
  assert.deepEqual(containerPlan(flags, { HERE: 'x' }), {
    image: 'mine:1',
    port: 8080,
    env: { A: '1=2', HERE: 'x' },
    scheme: 'http',
    notifiesHost: true,
  });
});

test('they stand in the target file, and flags win', () => {
  const file = target('container: { image: "mine:2", port: 9000, env: { A: one, B: two } }\nurl: https://somewhere\n');
  assert.deepEqual(containerPlan({ container: true, target: file, env: ['B=2'] }), {
    image: 'mine:2',
    port: 9000,
    env: { A: 'one', B: '2' },
    scheme: 'https',
    notifiesHost: true,
  });
  const { image, port } = containerPlan({ container: 'mine:3', port: 1, target: file }) ?? {};
  assert.deepEqual([image, port], ['mine:3', 1]);
});

test('the image of ACME is known', () => {
  const { image, port } = containerPlan({ container: true, target: 'acme' }) ?? {};
  assert.deepEqual([image, port], ['ankraft/acme-onem2m-cse', 8080]);
});

test('who says how notifications come is left alone', () => {
  const given = { container: 'mine', port: 1, target: target('notifications: none\n') };
  assert.equal(containerPlan(given)?.notifiesHost, false);
  assert.equal(containerPlan({ container: 'mine', port: 1, inboxHost: 'me' })?.notifiesHost, false);
});

test('what is said of TLS makes it https', () => {
  const scheme = (flags: object) => containerPlan({ container: 'mine', port: 1, ...flags })?.scheme;
  assert.deepEqual([scheme({}), scheme({ insecure: true }), scheme({ cacert: 'x' })], ['http', 'https', 'https']);
});

test('the flags of the run are those of a target with a URL', () => {
  const plan = containerPlan({ container: 'mine', port: 1 });
  assert.ok(plan !== undefined);
  const others = { again: true, rules: true, out: 'o', color: false, level: 'documented' as const, failOn: [] };
  const flags = { container: 'mine', port: 1, env: [], ...others };
  assert.deepEqual(flagsAt(flags, 'http://h:2', plan), {
    ...others,
    ...{ url: 'http://h:2', inboxHost: 'host.docker.internal' },
  });
});

test('flags that do not go together, and what nobody names, are refused', () => {
  for (const [flags, message] of [
    [{ port: 1 }, '--port goes with --container'],
    [{ port: 1, env: ['A=1'] }, '--port, --env go with --container'],
    [{ container: 'mine', url: 'http://x', port: 1 }, '--container and --url exclude each other'],
    [{ container: 'mine', inProcess: true, port: 1 }, '--container and --in-process exclude each other'],
    [{ container: true }, '--container needs an image: there is no --target'],
    [{ container: true, target: 'mobius' }, '--container needs an image: the target file of Mobius names none'],
    [{ container: 'mine' }, '--container needs --port: where the CSE listens in it'],
    [{ container: 'mine', port: 1, env: ['NOWHERE'] }, '--env NOWHERE: the environment has no variable NOWHERE'],
  ] as const) {
    assert.throws(() => containerPlan(flags as object, {}), new UsageError(message));
  }
});
