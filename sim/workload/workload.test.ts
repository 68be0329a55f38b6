import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { seededNumbers } from '../disturbance/seeded.ts';
import { createCse, manualClock, type ValueGenerator, type WorkloadDevice, type WorkloadPlan } from '../index.ts';
import { generatorOf } from './device.ts';

const folder = mkdtempSync(join(tmpdir(), 'cselab-workload-test-'));
after(() => rmSync(folder, { recursive: true }));

const start = 1_488_470_400_000_000;
const hour = 3_600_000;
const sensor = 'org.onem2m.common.device.deviceGenericSensor';

const values = (given: ValueGenerator, times: readonly number[]) => {
  const next = generatorOf(given, seededNumbers(1));
  return times.map((time) => next(time));
};

describe('a generator', () => {
  test('gives the same, what is in a list in turn, or a wave', () => {
    assert.deepEqual(values({ constant: 'on' }, [0, 1]), ['on', 'on']);
    assert.deepEqual(values({ list: [1, 'b'] }, [0, 1, 2]), [1, 'b', 1]);
    const wave = { sine: { mean: 20, amplitude: 5, period: '24h' } };
    assert.deepEqual(values(wave, [0, 6 * hour, 12 * hour, 18 * hour]), [20, 25, 20, 15]);
    assert.deepEqual(values({ sine: { ...wave.sine, phase: '6h' } }, [12 * hour]), [25]);
  });

  test('stays within what chance is left', () => {
    const times = Array.from({ length: 200 }, (_, at) => at);
    const walk = values({ walk: { start: 5, step: 3, min: 0, max: 10 }, decimals: 3 }, times).map(Number);
    assert.equal(walk[0], 5);
    assert.ok(
      walk.every((value, at) => value >= 0 && value <= 10 && Math.abs(value - (walk[at - 1] ?? value)) <= 3.001),
    );
    assert.ok(new Set(walk).size > 50);
    const counter = values({ counter: { start: 10, from: 0.5, to: 2 } }, times).map(Number);
    assert.ok(counter.every((value, at) => at === 0 || value > (counter[at - 1] ?? 0)));
    assert.deepEqual([...new Set(values({ choice: ['a', 'b'] }, times))].sort(), ['a', 'b']);
    const uniform = values({ uniform: { from: 1, to: 2 }, decimals: 0 }, times);
    assert.deepEqual([...new Set(uniform)].sort(), [1, 2]);
  });
});

const plan: WorkloadPlan = {
  devices: [
    { into: 'meter-{nn}/power', times: 3, every: '15m', jitter: '1m', value: { walk: { start: 400, step: 50 } } },
    { into: '/onem2m/weather/roof/readings', every: '1h', after: '30m', values: { celsius: { constant: 12 } } },
  ],
};

async function played(seed?: number) {
  const clock = manualClock(start);
  const cse = createCse({ clock, limits: { lifetime: 1_000_000 } });
  const workload = await cse.startWorkload(plan, seed === undefined ? {} : { seed });
  await clock.advance('6h');
  return { clock, cse, workload };
}

describe('workload', () => {
  test('comes in the time of the clock, into containers that are made for it', async () => {
    const { cse, workload, clock } = await played();
    assert.deepEqual([workload.devices, workload.pushed, workload.refused], [4, 3 * 24 + 6, 0]);
    assert.equal(cse.tree.get('meter-02/power').count, 24);
    assert.equal(cse.tree.get('meter-02').get('aei'), 'Cmeter-02');
    const { created, content } = cse.tree.get('weather/roof/readings').latest ?? {};
    assert.deepEqual([created?.toISOString(), content], ['2017-03-02T21:30:00.000Z', { celsius: 12 }]);
    const pushes = cse.requests.matching({ method: 'POST', path: '/onem2m/meter-01/power', originator: 'Cmeter-01' });
    assert.equal(pushes.length, 24);
    workload.stop();
    await clock.advance('6h');
    assert.equal(workload.pushed, 78);
  });

  test('is the same for the same seed only', async () => {
    const contents = async (seed?: number) => {
      const { cse } = await played(seed);
      return cse.tree.ofType('contentInstance').map(({ content, created }) => [content, created.getTime()]);
    };
    const first = await contents();
    assert.deepEqual(await contents(1), first);
    assert.notDeepEqual(await contents(2), first);
  });

  for (const dialect of ['documented', 'onem2m'] as const) {
    test(`makes again what has gone, as an application would, in the ${dialect} dialect`, async () => {
      const clock = manualClock(start);
      await using cse = createCse({ clock, dialect, limits: { lifetime: 1_000_000 } });
      const workload = await cse.startWorkload(plan);
      const { base } = cse.core.configuration;
      for (const path of ['meter-01', 'meter-02/power']) {
        cse.core.perform({ operation: 'delete', to: `${base}/${path}`, from: 'CAdmin' });
        assert.equal(cse.tree.find(path), undefined);
      }
      await clock.advance('1h');
      assert.equal(workload.refused, 0);
      assert.deepEqual([cse.tree.get('meter-01/power').count, cse.tree.get('meter-02/power').count], [4, 4]);
    });
  }

  test('ends with the CSE', async () => {
    const { cse, workload, clock } = await played();
    await cse.close();
    await clock.advance('1h');
    assert.deepEqual([workload.pushed, cse.tree.size], [78, 1]);
  });

  for (const dialect of ['documented', 'onem2m'] as const) {
    test(`of the files in fixtures/workloads fits their trees in the ${dialect} dialect`, async () => {
      for (const name of ['building', 'fleet', 'meters']) {
        const clock = manualClock();
        await using cse = createCse({ clock, dialect, limits: { lifetime: 1_000_000 } });
        await cse.seed(name);
        const problems: string[] = [];
        const file = fileURLToPath(new URL(`../../fixtures/workloads/${name}.yaml`, import.meta.url));
        const workload = await cse.startWorkload(file, { onProblem: (problem) => problems.push(problem) });
        const applications = cse.tree.count('AE');
        await clock.advance('10m');
        assert.deepEqual([problems, cse.tree.count('AE')], [[], applications], name);
        assert.ok(workload.pushed > 20, name);
      }
    });
  }

  for (const dialect of ['documented', 'onem2m'] as const) {
    test(`of devices of TS-0023 changes data points of their modules in the ${dialect} dialect`, async () => {
      const clock = manualClock(start);
      await using cse = createCse({ clock, dialect, limits: { lifetime: 1_000_000 } });
      const problems: string[] = [];
      const workload = await cse.startWorkload('home', { onProblem: (problem) => problems.push(problem) });
      const at = (path: string, name: string) => cse.tree.get(`home/${path}`).get(name);
      const before = at('meter/energyConsumption', 'absoluteEnergyConsumption');
      assert.deepEqual([workload.devices, before, at('smoke-2', 'cnd')], [8, 1000, sensor]);
      await clock.advance('6h');
      assert.deepEqual([problems, workload.refused], [[], 0]);
      assert.equal(Number(at('thermostat/temperature', 'st')), 360);
      assert.ok(Number(at('meter/energyConsumption', 'abECn')) > 1000 + 360 * 0.2);
      assert.equal(at('thermostat/temperature', 'targetTemperature'), 21);
      const { created, modified } = cse.tree.get('home/weather/barometer');
      assert.ok(modified.getTime() - created.getTime() > 5.5 * hour);
      cse.core.perform({ operation: 'delete', to: `${cse.core.configuration.base}/home/fridge`, from: 'CAdmin' });
      await clock.advance('10m');
      assert.equal(typeof at('fridge/refrigeration', 'defrost'), 'boolean');
    });
  }

  test('of a device needs names of its model', async () => {
    await using cse = createCse();
    const begin = (more: Partial<WorkloadDevice>) =>
      cse.startWorkload({ devices: [{ into: 'A/d', every: '1m', ...more }] });
    const one = { constant: 1 };
    await assert.rejects(
      begin({ model: 'lamp' }),
      /^WorkloadFileError: devices\[0\].model: "lamp" is none of deviceLi/,
    );
    await assert.rejects(
      begin({ model: 'deviceLight', modules: { lock: {} } }),
      /deviceLight has no "lock"; it has bin/,
    );
    await assert.rejects(begin({ model: 'deviceFan', value: one }), /needs exactly one of value, values, model/);
    await assert.rejects(begin({ value: one, modules: {} }), /modules are of a model/);
    await begin({ value: one });
    await assert.rejects(begin({ model: 'deviceFan' }), /devices\[0\].into: A\/d exists already, as container/);
  });

  test('that cannot be used is reported with each position', async () => {
    await using cse = createCse();
    const file = join(folder, 'workload.yaml');
    const begin = (text: string) => {
      writeFileSync(file, text);
      return cse.startWorkload(file);
    };
    const device = (rest: string) => `devices:\n  - into: App/c\n    ${rest}\n`;
    await assert.rejects(begin(device('every: 5x\n    value: { sine: { mean: 1 } }')), (error: Error) => {
      assert.equal(error.name, 'WorkloadFileError');
      assert.match(error.message, /workload\.yaml:3:12: is no duration.*\n.*workload\.yaml:4:20: amplitude is missing/);
      return true;
    });
    await assert.rejects(begin(device('every: 1s')), /:2:5: needs exactly one of value, values/);
    const value = 'value: { list: [1] }';
    await assert.rejects(begin(device(`every: 1s\n    jitter: 2s\n    ${value}`)), /:4:13: must be less than half/);
    await assert.rejects(begin(device(`every: 0\n    ${value}`)), /:3:12: must be more than 0/);
    await assert.rejects(cse.startWorkload({ devices: [{ into: 'c', every: 1, value: { constant: 1 } }] }), {
      message: 'devices[0].into: c is no container in an AE; write AE/container',
    });
  });
});
