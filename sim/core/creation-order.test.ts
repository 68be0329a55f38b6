import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { container } from '../resources/container.ts';
import { CreationOrder } from './creation-order.ts';
import { Resource } from './resource.ts';
import { typeIn } from './resource-type.ts';

const type = typeIn('documented', container);
const resourceAt = (created: number) =>
  new Resource({ type, id: `cnt${created}`, name: 'x', parent: undefined, created, expires: 0, values: {} });

test('creation order holds what a sorted list would hold, whatever is added and removed', () => {
  const all = Array.from({ length: 200 }, (_, place) => resourceAt(place));
  const step = fc.record({ at: fc.nat(199), add: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), fc.nat(210), fc.nat(210), (steps, after, before) => {
      const order = new CreationOrder();
      const model = new Set<Resource>();
      for (const { at, add } of steps) {
        const resource = all[at] as Resource;
        if (add && !model.has(resource)) order.add(resource);
        else if (!add) order.remove(resource);
        if (add) model.add(resource);
        else model.delete(resource);
      }
      const sorted = [...model].sort((a, b) => a.created - b.created);
      const inside = sorted.filter((resource) => resource.created > after && resource.created < before);
      assert.deepEqual([...order], sorted);
      assert.equal(order.size, sorted.length);
      assert.equal(order.first, sorted[0]);
      assert.equal(order.last, sorted.at(-1));
      assert.deepEqual([...order.between(after, before)], inside);
      assert.deepEqual(order.latest(after), after === 0 ? [] : sorted.slice(-after));
      assert.deepEqual(order.latest(2), sorted.slice(-2));
      assert.ok(order.countBetween(after, before) >= inside.length);
    }),
  );
});

test('a long queue in which the oldest always goes stays in proportion to what it holds', () => {
  const order = new CreationOrder();
  const held: Resource[] = [];
  for (let created = 0; created < 10_000; created++) {
    const resource = resourceAt(created);
    order.add(resource);
    held.push(resource);
    if (held.length > 10) order.remove(held.shift() as Resource);
    assert.equal(order.first, held[0]);
  }
  assert.ok(order.countBetween(-1, 10_000) < 200, 'removed places were dropped');
});

test('the newest, removed and added again, can be removed again', () => {
  const order = new CreationOrder();
  const [first, last] = [resourceAt(1), resourceAt(2)];
  for (const one of [first, last]) order.add(one);
  order.remove(last);
  order.add(last);
  assert.deepEqual([...order], [first, last]);
  order.remove(last);
  assert.deepEqual([[...order], order.size], [[first], 1]);
});
