import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCse, type InMemoryCse } from '../index.ts';
import { deviceModels, type FlexAttribute } from './flex-definitions.ts';

const right: Readonly<Record<FlexAttribute['type'], unknown>> = {
  ...{ text: 'some', number: -2.5, integer: -3, count: 2, boolean: true },
  ...{ timestamp: '20260101T000000', list: [1, 'two'] },
};
const wrong: Readonly<Record<FlexAttribute['type'], unknown>> = {
  ...{ text: 1, number: 'warm', integer: 1.5, count: -1, boolean: 'on' },
  ...{ timestamp: 'yesterday', list: 'one' },
};

async function home(): Promise<InMemoryCse> {
  const cse = createCse({ dialect: 'onem2m' });
  await cse.seed({ resources: [{ ae: { rn: 'home', api: 'N.home', rr: false }, originator: 'Chome' }] });
  return cse;
}

function statusOf(cse: InMemoryCse, operation: 'create' | 'update', to: string, content: object): number {
  return cse.core.perform({ operation, to: `cse-in/home${to}`, content, from: 'CAdmin' }).status.code;
}

test('twenty devices are made with all their modules, and these with all their data points', async () => {
  assert.equal(deviceModels.size, 20);
  for (const [model, { root: own, cnd: definition, modules }] of deviceModels) {
    await using cse = await home();
    assert.equal(statusOf(cse, 'create', '', { [own]: { rn: 'one', cnd: definition } }), 2001, model);
    for (const [name, { root, cnd, attributes }] of modules) {
      const alternatives = new Set(Object.values(attributes).map(({ or }) => or));
      const points = Object.entries(attributes).filter(([short]) => !alternatives.has(short));
      const values = Object.fromEntries(points.map(([short, { type }]) => [short, right[type]]));
      assert.equal(statusOf(cse, 'create', '/one', { [root]: { rn: name, cnd, ...values } }), 2001, `${model} ${name}`);
      for (const [short, { type, mandatory }] of points) {
        assert.deepEqual(cse.tree.get(`home/one/${name}`).get(short), right[type], short);
        const mistaken = { [root]: { [short]: wrong[type] } };
        assert.equal(statusOf(cse, 'update', `/one/${name}`, mistaken), 4000, `${name} ${short}`);
        const { [short]: _, ...others } = values;
        const code = statusOf(cse, 'create', '/one', { [root]: { cnd, ...others } });
        assert.equal(code, mandatory ? 4000 : 2001, `${name} without ${short}`);
      }
    }
  }
});

test('a switch has the name of its state in earlier releases, or that of release 5, and not both', async () => {
  await using cse = await home();
  const cnd = 'org.onem2m.common.moduleclass.binarySwitch';
  const made = (values: object) => statusOf(cse, 'create', '', { 'cod:binSh': { cnd, ...values } });
  assert.deepEqual([{ powSe: true }, { state: true }].map(made), [2001, 2001]);
  assert.deepEqual([{}, { powSe: true, state: true }].map(made), [4000, 4000]);
  assert.equal(made({ rn: 'one', state: false }), 2001);
  const changed = (values: object) => statusOf(cse, 'update', '/one', { 'cod:binSh': values });
  assert.deepEqual([{ powSe: true }, { state: null }, { state: true }].map(changed), [4000, 4000, 2004]);
  assert.equal(changed({ state: null, powSe: true }), 2004);
});
