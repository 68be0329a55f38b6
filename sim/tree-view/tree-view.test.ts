import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCse, manualClock } from '../index.ts';

async function filled() {
  const clock = manualClock(1_488_471_173_000_000);
  const cse = createCse({ clock });
  await cse.seed({
    resources: [
      {
        ae: { rn: 'App', api: 'N.app', rr: false, lbl: ['one'] },
        originator: 'CApp',
        children: [
          { container: { rn: 'temperature', mni: 3, lbl: ['one', 'two'] }, instances: [1, '2', { c: 3 }, '4'] },
        ],
      },
    ],
  });
  return { clock, cse, tree: cse.tree };
}

test('a resource is found by any of its addresses', async () => {
  const { tree } = await filled();
  const { id } = tree.get('App/temperature');
  const addresses = ['/onem2m/App/temperature', 'onem2m/App/temperature', 'App/temperature', '/App/temperature', id];
  const long = [
    '/mn-cse-1/onem2m/App/temperature',
    '/~/mn-cse-1/onem2m/App/temperature',
    `//openmtc.org/mn-cse-1/${id}`,
  ];
  for (const address of [...addresses, ...long, 'CApp/temperature', 'onem2m/App/temperature/']) {
    assert.equal(tree.find(address)?.path, '/onem2m/App/temperature', address);
  }
  assert.equal(tree.get('/onem2m').typeName, 'CSEBase');
  assert.equal(tree.find('App/humidity'), undefined);
  assert.equal(tree.has('App/temperature/latest'), true);
});

test('a missing resource is reported with the nearest existing one', async () => {
  const { tree } = await filled();
  assert.throws(() => tree.get('App/temprature'), {
    name: 'NoSuchResourceError',
    message: 'There is no App/temprature in the tree of mn-cse-1; the nearest is /onem2m/App/temperature.',
  });
});

test('a container shows its instances, decoded', async () => {
  const { tree } = await filled();
  const container = tree.get('App/temperature');
  assert.equal(container.count, 3);
  assert.deepEqual(
    container.instances.map(({ content }) => content),
    ['2', { c: 3 }, '4'],
  );
  assert.deepEqual([container.latest?.content, container.oldest?.content], ['4', '2']);
  assert.equal(tree.get('App/temperature/la').id, container.latest?.id);
  assert.equal(tree.get('App').latest, undefined);
});

test('attributes have their short and their long names', async () => {
  const { tree } = await filled();
  const container = tree.get('App/temperature');
  assert.deepEqual([container.get('mni'), container.get('maxNrOfInstances'), container.get('mbs')], [3, 3, undefined]);
  assert.equal(container.attributes.rn, 'temperature');
  assert.equal(container.longAttributes.resourceName, 'temperature');
  assert.deepEqual([container.ty, container.root, container.typeName], [3, 'm2m:cnt', 'container']);
  assert.deepEqual(Object.keys(container.toJSON()), ['m2m:cnt']);
});

test('resources are listed by path, type and label', async () => {
  const { tree } = await filled();
  assert.equal(tree.size, 6);
  assert.deepEqual(
    [tree.count('container'), tree.count('m2m:cin'), tree.count('ae'), tree.count('group')],
    [1, 3, 1, 0],
  );
  assert.deepEqual(
    tree.withLabel('one').map(({ name }) => name),
    ['App', 'temperature'],
  );
  assert.deepEqual(
    tree.base.children.map(({ name }) => name),
    ['App'],
  );
  assert.equal(tree.get('App/temperature').parent?.name, 'App');
});

test('what has expired is gone', async () => {
  const { tree, clock } = await filled();
  const app = tree.get('App');
  assert.equal(app.expires?.getTime(), app.created.getTime() + 2_000_000);
  await clock.advance('1h');
  assert.equal(tree.has('App'), false);
  assert.equal(app.exists, false);
});
