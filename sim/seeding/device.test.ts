import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCse, type DeviceModules, type DeviceName, device } from '../index.ts';
import { deviceModels } from '../resources/flex-definitions.ts';

test('each device is expanded with its default modules, and mandatory data points', async () => {
  await using cse = createCse({ dialect: 'onem2m' });
  const children = [...deviceModels.keys()].map((model) => device(model as DeviceName, { rn: model }));
  const { length } = children.flatMap((one) => [one, ...(one.children ?? [])]);
  assert.equal(await cse.seed({ resources: [{ ae: { rn: 'all', api: 'N.all', rr: false }, children }] }), 1 + length);
  assert.equal(cse.tree.get('all/deviceRefrigerator/refrigeration').get('deodorize'), false);
});

test('values are of the types of their data points, in modules of their device', () => {
  const light = device('deviceLight', { rn: 'lamp', modules: { binarySwitch: { state: true }, colour: { red: 9 } } });
  assert.deepEqual(light, {
    flexContainer: { root: 'cod:devLt', cnd: 'org.onem2m.common.device.deviceLight', rn: 'lamp' },
    children: [
      {
        flexContainer: {
          ...{ root: 'cod:binSh', rn: 'binarySwitch', cnd: 'org.onem2m.common.moduleclass.binarySwitch', state: true },
        },
      },
      {
        flexContainer: {
          ...{ root: 'cod:color', rn: 'colour', cnd: 'org.onem2m.common.moduleclass.colour' },
          ...{ red: 9, green: 0, blue: 0 },
        },
      },
    ],
  });
  // @ts-expect-error: a boolean
  const text: DeviceModules<'deviceLight'> = { binarySwitch: { powerState: 'on' } };
  // @ts-expect-error: of a door lock
  const lock: DeviceModules<'deviceLight'> = { lock: { lock: true } };
  // @ts-expect-error: no data point
  const power: DeviceModules<'deviceLight'> = { binarySwitch: { power: true } };
  const sensor: DeviceModules<'deviceWeatherStation'> = { airQualitySensor: { windSpeed: 1.5, pm25: 4 } };
  assert.ok(text && sensor);
  // @ts-expect-error: no model
  assert.throws(() => device('deviceLamp'), { name: 'RangeError', message: /^"deviceLamp" is none of deviceLight, / });
  assert.throws(() => device('deviceLight', { modules: lock }), /^RangeError: deviceLight has no "lock"; it has b/);
  assert.throws(() => device('deviceLight', { modules: power }), /^RangeError: binarySwitch has no "power"; it has d/);
});
