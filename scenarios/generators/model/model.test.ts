import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asHeld } from '../documented/read.ts';
import { Model } from './model.ts';
import type { DocumentedKind, ModelResource } from './resource.ts';

const names = { base: 'onem2m', cseId: 'mn-cse-1', spId: 'openmtc.org', label: 'cl-x-1' };

function added(
  model: Model,
  kind: DocumentedKind,
  name: string,
  parent?: ModelResource,
  held: Record<string, unknown> = {},
) {
  return model.add({
    kind,
    name,
    parent,
    held,
    owner: 'nobody',
    shown: {},
  });
}

function house() {
  const model = new Model(names);
  const ae = added(model, 'ae', 'cl-x-1-a', undefined, { rn: 'cl-x-1-a', api: 'org.example.a' });
  const container = added(model, 'container', 'a', ae, { rn: 'a' });
  const plain = { cnf: 'text/plain:0' };
  const instances = ['one', 'three'].map((con, at) =>
    added(model, 'content instance', `i${at}`, container, { con, ...plain }),
  );
  return { model, ae, container, instances };
}

function counted(container: ModelResource, requirement: string): unknown {
  return asHeld(container).find((one) => one.requirement === requirement)?.check.attributes;
}

test('a container counts the content instances that it holds, and the bytes of their content', () => {
  const { container } = house();
  const matcher = (number: number) => ({ 'when present': { 'one of': [number, String(number)] } });
  assert.deepEqual(counted(container, 'container.cni.counts'), { cni: matcher(2) });
  assert.deepEqual(counted(container, 'container.cbs.counts'), { cbs: matcher(8) });
});

test('what is removed takes its subtree with it, and nothing else', () => {
  const { model, ae, container, instances } = house();
  const other = added(model, 'container', 'b', ae);
  model.remove(container);
  assert.deepEqual(model.all(), [ae, other]);
  assert.deepEqual(ae.children, [other]);
  assert.equal(model.at(container, instances[0]?.name ?? ''), undefined);
  assert.ok(model.wasUsed(ae, 'a'));
});

test('counters are not judged where nobody can tell what the container holds', () => {
  const { container } = house();
  container.known = false;
  assert.equal(counted(container, 'container.cni.counts'), undefined);
});

test('content beyond ASCII leaves open how its bytes are counted', () => {
  const { model, container } = house();
  added(model, 'content instance', 'i3', container, { con: 'é', cnf: 'text/plain:0' });
  assert.ok(counted(container, 'container.cni.counts'));
  assert.equal(counted(container, 'container.cbs.counts'), undefined);
});

test('what may have expired is found once its time has come', () => {
  const { model, container } = house();
  const brief = { kind: 'content instance', name: 'brief', parent: container, held: {}, shown: {} } as const;
  const expiring = model.add({ ...brief, owner: 'nobody', expires: 1000 });
  model.passed += 999;
  assert.deepEqual(model.mayHaveExpired(), []);
  model.passed += 1;
  assert.deepEqual(model.mayHaveExpired(), [expiring]);
});

test('names at the CSE base belong to the sequence, and a taken one is followed by the next', () => {
  const { model, ae } = house();
  assert.equal(model.freeName(undefined, 0), 'cl-x-1-b');
  assert.equal(model.freeName(ae, 0), 'aa');
  assert.equal(model.freeName(ae, 2), 'b');
});

test('what stood below something that was removed is known when that place is taken again', () => {
  const { model, ae, container, instances } = house();
  model.bury(container);
  const next = added(model, 'container', 'a', ae);
  assert.deepEqual(
    model.leftBelow(next).map(({ name }) => name),
    instances.map(({ name }) => name),
  );
});

test('content instances of which nobody knows the content are counted, but not their bytes', () => {
  const { model, container } = house();
  added(model, 'content instance', 'i4', container);
  assert.ok(counted(container, 'container.cni.counts'));
  assert.equal(counted(container, 'container.cbs.counts'), undefined);
});

test('holders are the youngest first, and containers after application entities', () => {
  const { model, ae, container } = house();
  const other = added(model, 'ae', 'cl-x-1-b');
  assert.deepEqual(model.holdersOf('container'), [other, ae, container]);
  assert.deepEqual(model.holdersOf('content instance'), [container]);
});
