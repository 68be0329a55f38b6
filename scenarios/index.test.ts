import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { closedPort } from './engine/targets/test-servers.ts';
import {
  type CheckOptions,
  check,
  lastOf,
  listScenarios,
  loadRequirements,
  ScenarioFilesError,
  UsageError,
} from './index.ts';

const room = mkdtempSync(join(tmpdir(), 'cselab-door-'));
after(() => rmSync(room, { recursive: true }));

function file(name: string, text: string): string {
  writeFileSync(join(room, name), text);
  return join(room, name);
}

const result = (options: CheckOptions) => lastOf(check(options));

const documented = [...loadRequirements().requirements.values()].find(({ level }) => level === 'documented')?.id;
const base = `feature: f\nscenarios:\n  base:\n    title: t\n    steps:\n      - retrieve: /\${base}\n        check: { ${documented}: { status: 200 } }\n`;

test('files of one’s own are run instead of the project’s', async () => {
  const { scenarios, requirements } = await result({ files: [file('mine.yaml', base)], target: { kind: 'embedded' } });
  assert.deepEqual(
    scenarios.map(({ id, state }) => [id, state]),
    [['mine/base', 'passed']],
  );
  assert.deepEqual(
    requirements.filter(({ verdict }) => verdict !== 'excluded').map(({ id }) => id),
    [documented, 'common.lt.not-before-ct'],
  );
});

test('what rules find in chosen scenarios counts, and of chosen requirements only those', async () => {
  const read = '      - retrieve: /${base}/${app}\n        expect: either\n';
  const own = file('with-app.yaml', base.replace('scenarios:', 'actors: { app: {} }\nscenarios:') + read);
  const target = {
    kind: 'in-process',
    deviations: [{ when: { type: 'm2m:ae', operation: 'retrieve' }, does: { drop: 'ri' } }],
  } as const;
  const violatedOf = async (ids: string[]) => {
    const { requirements } = await result({ target, ids, again: false });
    return requirements.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id);
  };
  assert.deepEqual(await violatedOf([own]), ['ae.ri']);
  assert.deepEqual(await violatedOf([documented ?? '']), []);
});

test('what rules find in a step counts where its control does not hold', async () => {
  const read = '      - retrieve: /${base}/${app}\n        control: { ae.api: { attributes: { api: other } } }\n';
  const own = file('controlled.yaml', base.replace('scenarios:', 'actors: { app: {} }\nscenarios:') + read);
  const deviations = [{ when: { type: 'm2m:ae', operation: 'retrieve' }, does: { drop: 'ri' } }] as const;
  const { requirements } = await result({ target: { kind: 'in-process', deviations }, ids: [own], again: false });
  assert.deepEqual(
    requirements.flatMap(({ id, verdict }) => (verdict === 'violated' ? [id] : [])),
    ['ae.ri'],
  );
});

test('a scenario file can be named like an id, wherever it lies', async () => {
  const { scenarios } = await result({ ids: [file('other.yaml', base)], target: { kind: 'in-process' } });
  assert.deepEqual(
    scenarios.map(({ id }) => id),
    ['other/base'],
  );
});

test('a list shows the steps as they are written and sends nothing', () => {
  const [listed] = listScenarios({ files: [file('listed.yaml', base)] });
  assert.deepEqual(listed?.steps, [{ phase: 'step', title: 'retrieve /${base}', requirements: [documented] }]);
  assert(listScenarios().length > 1);
});

test('what cannot be asked for is refused before anything is sent', async () => {
  const target = { kind: 'embedded' } as const;
  await assert.rejects(result({ target, ids: ['no-such-id'] }), UsageError);
  await assert.rejects(result({ target, files: [join(room, 'none.yaml')] }), UsageError);
  await assert.rejects(result({ target, files: [file('bad.yaml', 'feature: 1\n')] }), ScenarioFilesError);
  await assert.rejects(result({ target: { kind: 'url', url: 'nowhere' } }), UsageError);
});

test('a target that is not there gives a result, not an exception', async (t) => {
  const { exit, scenarios } = await result({ target: { kind: 'url', url: await closedPort(t), waitForTarget: 0 } });
  assert.deepEqual([exit.code, scenarios], [3, []]);
});
