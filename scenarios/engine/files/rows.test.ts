import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withRows } from './rows.ts';
import { parseSource } from './source-file.ts';

const text = `
feature: Rows
rows:
  one: { kind: container, first: { rn: a, lbl: [x] }, before: [{ retrieve: /b }, { retrieve: /c }] }
  two: { kind: group, first: { rn: b }, before: [] }
scenarios:
  made:
    title: A \${row.kind} is made
    steps:
      - "\${row.before}"
      - { create: "\${row.kind}", in: /a, attributes: "\${row.first}" }
  alone:
    title: By itself
    steps:
      - { retrieve: /a }
`;

function read(written = text) {
  const { source } = parseSource('rows.yaml', '/rows.yaml', written);
  assert.ok(source !== undefined);
  return withRows(source);
}

function scenarios(written = text) {
  const { value } = read(written);
  return (value as { scenarios: Record<string, { title: string; steps: unknown[] }> }).scenarios;
}

test('a scenario that speaks of rows is there once for each, with the values of the row', () => {
  const found = scenarios();
  assert.deepEqual(Object.keys(found), ['made-one', 'made-two', 'alone']);
  assert.equal(found['made-two']?.title, 'A group is made');
  assert.deepEqual(found['made-one']?.steps, [
    { retrieve: '/b' },
    { retrieve: '/c' },
    { create: 'container', in: '/a', attributes: { rn: 'a', lbl: ['x'] } },
  ]);
  assert.deepEqual(found['made-two']?.steps, [{ create: 'group', in: '/a', attributes: { rn: 'b' } }]);
});

test('each stands where it was written', () => {
  const source = read();
  assert.equal(source.place(['scenarios', 'made-two']).line, 7);
  assert.equal(source.place(['scenarios', 'made-one', 'steps', 1]).line, 10);
  assert.equal(source.place(['scenarios', 'made-one', 'steps', 2, 'create']).line, 11);
  assert.equal(source.place(['scenarios', 'alone']).line, 12);
});

const byForm = `
feature: Rows
usual: { first: { rn: one } }
rows:
  one: { of: { apn?: text, "cb!": [a, b], rr: boolean, poa?: [[x], null, [y]] } }
scenarios:
  made:
    title: \${row.key}
    steps:
      - { create: ae, in: /a, attributes: "\${row.first}" }
      - { create: ae, in: /a, attributes: "\${row.other}" }
      - { update: /a, kind: ae, attributes: "\${row.change}" }
      - { update: /a, kind: ae, attributes: "\${row.long}" }
      - { update: /a, kind: ae, attributes: "\${row.none}" }
`;

test('a row gives its attributes values by their forms, beside what it gives itself', () => {
  const steps = scenarios(byForm)['made-one']?.steps as { attributes: Record<string, unknown> }[];
  const [first, other, change, long, none] = steps.map(({ attributes }) => attributes);
  assert.deepEqual(first, { apn: '007 Ärger im KELLER ${name} apn ', cb: 'a', rr: true, poa: ['x'], rn: 'one' });
  assert.deepEqual(
    [other?.cb, other?.rr, String(other?.apn).length > 4096, other && 'poa' in other],
    ['b', false, true, false],
  );
  assert.deepEqual(change, { apn: '00 Über apn ${name} ', rr: false, poa: ['y'] });
  assert.deepEqual(long, { apn: other?.apn, rr: true });
  assert.deepEqual(none, { apn: null, poa: null });
});

test('a form that does not exist is told as a name that is not known', () => {
  const [first] = scenarios(byForm.replace('text', 'txt'))['made-one']?.steps ?? [];
  assert.equal((first as { attributes: { apn: unknown } }).attributes.apn, '${form.txt}');
});

test('what a row does not have is told as a name that is not known', () => {
  const { source } = parseSource('rows.yaml', '/rows.yaml', text.replace('kind: group, ', ''));
  assert.ok(source !== undefined);
  const { value } = withRows(source);
  assert.ok(JSON.stringify(value).includes('"create":"${row.kind}"'));
});

test('a scenario may have rows of its own, and what its rows do not say is as usual', () => {
  const own = `
feature: Rows
rows: { far: {} }
scenarios:
  kept:
    title: "\${row.name} is kept: \${row.key}"
    usual: { given: 1 }
    rows: { name: { name: rn }, label: { name: lbl, given: [x] }, other: { like: label, name: or } }
    steps: [{ create: container, in: /a, attributes: { "\${row.name}": "\${row.given}" } }]
`;
  const found = scenarios(own);
  assert.deepEqual(Object.keys(found), ['kept-label', 'kept-name', 'kept-other']);
  assert.deepEqual(found['kept-name'], {
    title: 'rn is kept: name',
    steps: [{ create: 'container', in: '/a', attributes: { rn: 1 } }],
  });
  assert.deepEqual(found['kept-label']?.steps, [{ create: 'container', in: '/a', attributes: { lbl: ['x'] } }]);
  assert.deepEqual(found['kept-other']?.steps, [{ create: 'container', in: '/a', attributes: { or: ['x'] } }]);
});

test('what rows give is put together, the last that says something', () => {
  const found = scenarios(`
feature: Rows
rows: { one: { some: { rn: a, lbl: [x] }, more: { lbl: [y] } } }
scenarios:
  kept:
    title: "\${row.key}"
    steps: [{ create: container, in: /a, attributes: { or: z, "...": ["\${row.some}", "\${row.more}"] } }]
`);
  const steps = [{ create: 'container', in: '/a', attributes: { or: 'z', rn: 'a', lbl: ['y'] } }];
  assert.deepEqual(found['kept-one'], { title: 'one', steps });
});
