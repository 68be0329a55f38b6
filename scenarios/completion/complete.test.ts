import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completionsAt } from './complete.ts';

/** `|` is where somebody writes. */
function offered(text: string): string[] {
  const at = text.indexOf('|');
  return completionsAt(text.replace('|', ''), at).options.map((one) => one.text);
}
const step = (text: string) => `feature: own\nscenarios:\n  base:\n    title: one\n    steps:\n${text}`;

test('keys are offered that the grammar allows and that are not there yet', () => {
  assert.ok(offered('|').includes('scenarios: '));
  assert.deepEqual(offered('feature: x\n|\nscenarios:\n').includes('scenarios: '), false);
  assert.ok(offered(step('    |')).includes('needs: '));
  assert.equal(offered(step('    |')).includes('title: '), false);
  assert.deepEqual(offered(step('      - create: container\n        att|')), ['attributes: ']);
});

test('a step is of the kind that its keys say', () => {
  assert.ok(offered(step('      - |')).includes('retrieve: '));
  const further = offered(step('      - retrieve: /x\n        |'));
  assert.ok(further.includes('check: ') && !further.includes('attributes: ') && !further.includes('create: '));
});

test('values are offered, in lists and braces, too', () => {
  assert.ok(offered(step('      - create: cont|')).includes('content instance'));
  assert.deepEqual(offered(step('      - create: ae\n        on: |')), ['gateway', 'backend']);
  assert.deepEqual(offered('dialects: [documented, |'), ['documented', 'onem2m']);
  assert.ok(offered('needs:\n- |').includes('backend'));
  assert.deepEqual(offered(step('      - { create: ae, on: b|')), ['backend']);
});

test('requirements are offered below check, in both ways to write it', () => {
  for (const written of ['check: { container.cni.cou|', 'check:\n          container.cni.cou|'])
    assert.deepEqual(offered(step(`      - retrieve: /x\n        ${written}`)), ['container.cni.counts: ']);
  const inner = offered(step('      - retrieve: /${base}\n        check: { container.cni.counts: { sta|'));
  assert.deepEqual(inner, ['status: ']);
});

test('attributes are those of the type that is created', () => {
  const text = step('      - create: content instance\n        in: /x\n        attributes: { con: "a, { b", |');
  assert.ok(offered(text).includes('cnf: ') && !offered(text).includes('con: ') && !offered(text).includes('mnm: '));
});

test('what stands there is replaced from where the word begins', () => {
  assert.equal(completionsAt('dialects: [ one', 15).from, 12);
});
