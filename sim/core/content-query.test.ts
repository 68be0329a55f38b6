import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContentQueryError, readContentQuery } from './content-query.ts';

const document = {
  ...{ unit: 'C', value: 21.5, open: true, note: 'AND', digits: '7', text: 'say "hi" twice' },
  tags: ['outdoor', 'balcony'],
  readings: [{ v: 21 }, { v: 21.5 }],
  meta: { 'device.id': 'esp32', 'a b': { x: 1 } },
};

const fitting = [
  ...['$.unit EQ "C"', '$.unit NE "F"', '$.value EQ 21.5', '$.value GT 21', '$.value LT 22', '$.value GE 21.5'],
  ...['$.value LE 21.5', '$.tags[1] MATCH "balc"', '$.readings[1].v EQ 21.5', '$.meta.\'device.id\' EQ "esp32"'],
  ...['$.meta."a b".x EQ 1', '$.note EQ "AND"', '$.text MATCH "\\"hi\\" twice"', '$.open EQ true'],
  ...['$.unit EQ "F" OR $.value GT 20', '$.unit EQ "C" AND $.value GT 20'],
  '$.unit EQ "C" OR $.unit EQ "F" AND $.value GT 100',
];

const others = [
  ...['$.unit EQ "c"', '$.value EQ "21.5"', '$.value GT 21.5', '$.unit GT 5', '$.tags[9] EQ "x"', '$.tags.length GT 0'],
  ...['$.value[0] EQ 2', '$.none EQ 1', '$.none NE 1', '$.unit MATCH "CC"', '$ EQ 1', '$.constructor NE 1'],
  ...['$.value LT 21.5', '$.value LE 21', '$.value GE 22', '$.value GT "5"', '$.digits GT 5', '$.digits MATCH 7'],
  ...[
    '$.tags MATCH "outdoor"',
    '$.unit EQ "C" AND $.value GT 100',
    '$.unit EQ "F" OR $.value GT 20 AND $.unit MATCH "F"',
  ],
];

const unreadable = [
  ...['', 'wrong query', '$.value', '$.value EQ', '$.value EQ 1 AND', '$.value FOO 1', 'value EQ 1', '$.x EQ "open'],
  ...[
    '$.x EQ "bad\\escape"',
    '$.x EQ plain',
    '$.x EQ [1]',
    '$.[0] EQ 1',
    '$..x EQ 1',
    '$.x[-1] EQ 1',
    '$.x EQ 1 $.y EQ 1',
  ],
  ...["$.'x EQ 1", '$.x EQ 1 NOT $.y EQ 1', '$.x EQ 1 OR'],
];

for (const query of fitting) {
  test(`holds: ${query}`, () => assert.equal(readContentQuery(query)(document), true));
}

for (const query of others) {
  test(`does not hold: ${query}`, () => assert.equal(readContentQuery(query)(document), false));
}

for (const query of unreadable) {
  test(`cannot be read: ${JSON.stringify(query)}`, () =>
    assert.throws(() => readContentQuery(query), ContentQueryError));
}

test('a path is looked for in whatever the content is', () => {
  for (const content of [undefined, null, 3, 'text', []]) assert.equal(readContentQuery('$.a EQ 1')(content), false);
  assert.equal(readContentQuery('$ GT 2')(3), true);
});

test('a malformed query is explained', () => {
  for (const [query, message] of [
    ['', 'the query is empty'],
    ['$.x EQ "open', 'a quotation mark is not closed: "open'],
    ['$.x EQ 1 NOT $.y EQ 1', 'AND or OR is expected, not NOT'],
    ['$.x EQ 1 OR', 'nothing follows OR'],
    ['$.x FOO 1', 'one of EQ, NE, GT, LT, GE, LE, MATCH must follow $.x'],
    ['x EQ 1', 'a path such as $.name[0] is expected, not x'],
    ['$.x EQ plain', 'a number or a text in quotation marks is expected, not plain'],
    ['$.x EQ', 'a number or a text in quotation marks is expected, not the end'],
  ] as const) {
    assert.throws(() => readContentQuery(query), { name: 'ContentQueryError', message }, query);
  }
});
