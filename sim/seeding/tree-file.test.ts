import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createCse } from '../index.ts';

const folder = mkdtempSync(join(tmpdir(), 'cselab-tree-file-test-'));
after(() => rmSync(folder, { recursive: true }));

function fileOf(text: string): string {
  const file = join(folder, 'tree.yaml');
  writeFileSync(file, text);
  return file;
}

for (const dialect of ['documented', 'onem2m'] as const) {
  test(`the trees of the package fill a CSE of the ${dialect} dialect in one call`, async () => {
    const expected = { building: [10, 1], fleet: [519, 25], meters: [519, 63] } as const;
    for (const [name, [resources, applications]] of Object.entries(expected)) {
      await using cse = createCse({ dialect });
      assert.equal(await cse.seed(name), resources, name);
      assert.deepEqual([cse.tree.size, cse.tree.count('AE')], [resources + 1, applications], name);
    }
  });
}

test('a tree can be an object, with numbers, originators and a lifetime', async () => {
  await using cse = createCse({ dialect: 'onem2m' });
  const planted = await cse.seed({
    lifetime: '1d',
    resources: [
      {
        ae: { rn: 'meter-{nn}', api: 'N.meter', rr: false },
        originator: 'Cmeter-{n}',
        times: 12,
        children: [
          { container: { rn: 'c{n}' }, instances: [{ of: 'meter {nnn}' }] },
          { group: { rn: 'both', mt: 0, mnm: 5, mid: [] } },
        ],
      },
    ],
  });
  assert.equal(planted, 48);
  assert.equal(cse.tree.get('meter-07').get('AE-ID'), 'Cmeter-7');
  assert.deepEqual(cse.tree.get('meter-12/c12').latest?.content, { of: 'meter 012' });
  const { expires, created } = cse.tree.get('meter-01');
  assert.ok(Math.abs((expires?.getTime() ?? 0) - created.getTime() - 86_400_000) < 60_000);
});

test('each error is reported with its location', async () => {
  await using cse = createCse();
  const file = fileOf(
    'resources:\n  - ae: { rn: A, api: N.a, rr: true }\n    times: none\n  - container: {}\n    ae: {}\n',
  );
  await assert.rejects(cse.seed(file), (error: Error) => {
    assert.equal(error.name, 'TreeFileError');
    assert.match(error.message, /tree\.yaml:3:12: .*\n.*tree\.yaml:4:5: needs exactly one of ae, container/);
    return true;
  });
  await assert.rejects(cse.seed(fileOf('resources: [')), /tree\.yaml:1:\d+: /);
  await assert.rejects(cse.seed(join(folder, 'absent.yaml')), { name: 'TreeFileError' });
  await assert.rejects(cse.seed({ resources: [{ container: { rn: 'a' } }, { container: { rn: 'a' } }] }), {
    name: 'TreeFileError',
    message: /^resources\[1\]\.container: /,
  });
  await assert.rejects(
    cse.seed({ resources: [{ ae: { rn: 'b' }, instances: [1] }] }),
    /only a container has instances/,
  );
  const wrong = fileOf(
    'resources:\n  - device:\n      model: deviceLight\n      modules: { lock: {} }\n  - flexContainer: { rn: a }\n',
  );
  await assert.rejects(cse.seed(wrong), /tree\.yaml:5:\d+: root is missing/);
  const lamp = { model: 'deviceLight', modules: { lock: {} } };
  await assert.rejects(cse.seed({ resources: [{ device: lamp }] }), {
    message: /^resources\[0\]\.device: deviceLight has no "lock"; it has binarySwitch/,
  });
  const dim = { model: 'deviceLight', modules: { brightness: { brightness: 'dim' } } };
  await assert.rejects(cse.seed({ resources: [{ device: dim }] }), {
    message: /^resources\[0\].*brigs must be an integer/,
  });
});

test('a device in a file is expanded after its own children, as often as requested', async () => {
  await using cse = createCse();
  const file = fileOf(
    'resources:\n  - ae: { rn: A, api: N.a, rr: false }\n    children:\n      - device: { model: deviceFan, rn: "fan-{n}", lbl: ["{nn}"] }\n        times: 2\n        children:\n          - container: { rn: log }\n',
  );
  assert.equal(await cse.seed(file), 7);
  assert.deepEqual(cse.tree.get('A/fan-2').get('lbl'), ['02']);
  assert.equal(cse.tree.get('A/fan-2/binarySwitch').get('powerState'), false);
  assert.equal(cse.tree.get('A/fan-1/log').count, 0);
});
