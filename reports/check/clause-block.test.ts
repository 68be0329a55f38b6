import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from '../document/model.ts';
import { clauseBlock } from './evidence-blocks.ts';

const linksOf = (source: string): string[] => {
  const told = clauseBlock('Creating', source);
  if (told.kind !== 'prose' || typeof told.words === 'string' || 'text' in told.words) throw new TypeError('not words');
  assert.equal(textOf(told.words), `Creating, ${source}`);
  return told.words.flatMap((one) => (typeof one === 'object' && one.url ? `${one.text} ${one.url.slice(33)}` : []));
};

test('clauses lead to the page of their chapter in the document that is named before them', () => {
  assert.deepEqual(linksOf('TS-0004 6.6.3.6; 7.2; TS-0001 R2-R4, 10.1.3'), [
    ...['6.6.3.6 /ts/ts-0004/latest/6.6', '7.2 /ts/ts-0004/latest/7.2', '10.1.3 /ts/ts-0001/latest/10.1'],
  ]);
});

test('tables, steps, multiplicities and clauses of other documents lead nowhere', () => {
  assert.deepEqual(linksOf('TS-0004 Table 7.4.5.1-3, step Recv-6.5, multiplicity 0..1'), []);
  assert.deepEqual(linksOf('RFC 9112 6.2, 6.3'), []);
  assert.deepEqual(linksOf('Core behaviour 1.2'), []);
});
