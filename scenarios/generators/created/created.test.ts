import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CreatedResources } from './created.ts';
import type { GeneratedResource, GeneratedType } from './resource.ts';

const names = { base: 'onem2m', cseId: 'mn-cse-1', spId: 'openmtc.org', label: 'cl-x-1' };

function house() {
  const created = new CreatedResources(names);
  const add = (kind: GeneratedType, name: string, parent?: GeneratedResource) =>
    created.add({ type: kind, name, parent, owner: 'nobody', attributes: {} });
  const ae = add('ae', 'cl-x-1-a');
  const container = add('container', 'a', ae);
  const instances = ['i0', 'i1'].map((name) => add('content instance', name, container));
  return { created, add, ae, container, instances };
}

test('what is removed takes its subtree with it, and nothing else', () => {
  const { created, add, ae, container, instances } = house();
  const other = add('container', 'b', ae);
  created.remove(container);
  assert.deepEqual(created.all(), [ae, other]);
  assert.deepEqual(ae.children, [other]);
  assert.equal(created.at(container, instances[0]?.name ?? ''), undefined);
});

test('names at the CSE base belong to the sequence, and a taken one is followed by the next', () => {
  const { created, ae } = house();
  assert.equal(created.freeName(undefined, 0), 'cl-x-1-b');
  assert.equal(created.freeName(ae, 0), 'aa');
  assert.equal(created.freeName(ae, 2), 'b');
});

test('what stood below something that was removed is known when that place is taken again', () => {
  const { created, add, ae, container, instances } = house();
  created.remove(container);
  assert.deepEqual(
    created.leftBelow(add('container', 'a', ae)),
    instances.map(({ name }) => name),
  );
});

test('holders are the youngest first, and containers after application entities', () => {
  const { created, add, ae, container } = house();
  const other = add('ae', 'cl-x-1-b');
  assert.deepEqual(created.parentsFor('container'), [other, ae, container]);
  assert.deepEqual(created.parentsFor('content instance'), [container]);
});
