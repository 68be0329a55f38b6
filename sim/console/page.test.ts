/** Modules of the page that need no browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResourceItem } from './events.ts';
import { decoded, numberIn } from './page/content.ts';
import { clock, setClock } from './page/time.ts';
import { TreeModel } from './page/tree-model.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

test('content is shown as text, as JSON with indents, or decoded from base64', () => {
  const cases: [unknown, string | undefined, string, string][] = [
    ['21.5 °C', undefined, 'text', '21.5 °C'],
    ['{"a":1}', undefined, 'JSON', '{\n  "a": 1\n}'],
    [{ a: 1 }, undefined, 'JSON', '{\n  "a": 1\n}'],
    [base64('{"a":"ü"}'), 'application/json:1', 'JSON in base64', '{\n  "a": "ü"\n}'],
    [base64('{"a":"ü"}'), undefined, 'JSON in base64', '{\n  "a": "ü"\n}'],
    [base64('hello'), 'text/plain:1', 'text in base64', 'hello'],
    ['measured', undefined, 'text', 'measured'],
    ['12345678', undefined, 'JSON', '12345678'],
    ['/9j+', 'image/jpeg:2', 'base64 of bytes', '/9j+'],
    [base64('{"a":1}'), 'text/plain:0', 'JSON in base64', '{\n  "a": 1\n}'],
    [base64('1234567'), undefined, 'text', base64('1234567')],
    ['', undefined, 'text', ''],
  ];
  for (const [con, cnf, how, text] of cases) {
    const { how: seen, text: shown } = decoded(con, cnf);
    assert.deepEqual([seen, shown], [how, text], JSON.stringify(con));
  }
});

test('a number is found as text, as JSON, and as the first number of an object', () => {
  assert.deepEqual(numberIn('21.5'), { value: 21.5 });
  assert.deepEqual(numberIn(base64('{"unit":"C","celsius":22}'), 'application/json:1'), { name: 'celsius', value: 22 });
  for (const none of ['', ' ', 'warm', '{"a":"b"}', 'null', '[]']) assert.equal(numberIn(none), undefined, none);
});

const leaf = (id: string, children = 0): ResourceItem => ({ id, name: id, type: 'cnt', children });

test('the tree shows what is open, and follows what is added and removed', () => {
  const model = new TreeModel();
  model.setRoots([{ cseId: 'x', root: leaf('cb', 2) }]);
  const root = model.node('x', 'cb');
  const shown = () => model.rows().map(({ id, children }) => `${id} ${children}`);
  assert.deepEqual(shown(), ['cb 2']);
  assert.ok(root);
  model.setChildren(root, 2, [leaf('a', 1), leaf('b')]);
  root.open = true;
  assert.deepEqual(shown(), ['cb 2', 'a 1', 'b 0']);
  model.apply({ cse: 'x', parent: 'cb', children: 3, added: leaf('c') });
  model.apply({ cse: 'x', parent: 'cb', children: 3, added: leaf('c') });
  model.apply({ cse: 'x', parent: 'cb', children: 3, removed: 'read before it was told' });
  model.apply({ cse: 'x', parent: 'a', children: 2, added: leaf('unseen') });
  model.apply({ cse: 'y', parent: 'cb', children: 1, added: leaf('elsewhere') });
  assert.deepEqual(shown(), ['cb 3', 'a 2', 'b 0', 'c 0']);
  model.apply({ cse: 'x', parent: 'cb', children: 2, removed: 'a' });
  assert.deepEqual(shown(), ['cb 2', 'b 0', 'c 0']);
  assert.equal(model.node('x', 'a'), undefined);
  model.setChildren(root, 1, [leaf('c', 4)]);
  assert.deepEqual(shown(), ['cb 1', 'c 4']);
});

test('only the latest report of the time counts, whichever way came first, until another console reports it', () => {
  setClock({ now: 5, running: false, version: 2 });
  setClock({ now: 4, running: true, version: 1 });
  assert.deepEqual([clock.now, clock.running], [5, false]);
  setClock({ now: 6, running: true, version: 3 });
  assert.deepEqual([clock.now, clock.running], [6, true]);
  setClock({ now: 1, running: false, version: 1 }, true);
  assert.deepEqual([clock.now, clock.running], [1, false]);
});
