import assert from 'node:assert/strict';
import { test } from 'node:test';
import { match } from '../../engine/judging/matchers.ts';
import { Events } from '../model/events.ts';
import { Model } from '../model/model.ts';
import type { ModelResource } from '../model/resource.ts';
import type { Ground } from '../moves/wording.ts';
import { retrieve } from './retrieve.ts';
import { words } from './words.ts';

function ground(): Ground {
  const model = new Model({ base: 'cse-in', cseId: 'id-in', spId: 'sp', label: 'run-1' });
  const about = { anyOriginator: true, plain: true, standing: true, guards: true, release: '3', atBase: () => ({}) };
  return { model, events: new Events(model), words, ...about };
}

/** Whether an answer with these instances is what the model expects where the kind is asked for. */
function isExpected(fill: (add: Add) => void, instances: readonly string[]): boolean {
  const stood = ground();
  fill((kind, name, parent) => stood.model.add({ kind, name, parent, owner: 'first', held: {}, shown: {} }));
  // The newest has number 0.
  const what = stood.model.all().length - 1;
  const operation = { does: 'retrieve', what, form: 'structured', content: 'one kind' } as const;
  const { value } = retrieve(operation, stood).next();
  assert.ok(value !== undefined && 'expectations' in value);
  const matchers = value.expectations.flatMap(({ check }) => check.attributes?.['m2m:cin'] ?? []);
  assert.equal(matchers.length, 1);
  const came = instances.map((rn) => ({ rn }));
  return matchers.every((matcher) => match(matcher, came) === 'passed');
}

type Add = (kind: ModelResource['kind'], name: string, parent?: ModelResource) => ModelResource;

test('a filter on a kind picks each child of the kind, and no more than there are', () => {
  const fill = (add: Add) => {
    const container = add('container', 'a');
    add('content instance', 'b', container);
  };
  assert.equal(isExpected(fill, ['b']), true);
  assert.equal(isExpected(fill, ['b', 'c']), false);
});

test('instances that stand further down may be among them, since it is not said how far a filter reaches', () => {
  const fill = (add: Add) => {
    const container = add('container', 'a');
    add('content instance', 'b', container);
    add('content instance', 'c', add('container', 'd', container));
  };
  assert.equal(isExpected(fill, ['b']), true);
  assert.equal(isExpected(fill, ['c', 'b']), true);
  assert.equal(isExpected(fill, ['c']), false);
});
