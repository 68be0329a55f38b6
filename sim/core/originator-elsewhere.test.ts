import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documented } from '../dialects/documented.ts';
import { onem2m } from '../dialects/onem2m.ts';
import { originatorElsewhere } from './originator-elsewhere.ts';

const names = { spId: 'sp.example', cseId: 'mn' };

test('inside one service provider the standard writes an originator SP-relatively', () => {
  const told = (from: string, to?: string) => originatorElsewhere(from, { ...names, dialect: onem2m }, to);
  assert.equal(told('CAE'), '/mn/CAE');
  assert.equal(told('/mn/CAE', '/in/base'), '/mn/CAE');
  assert.equal(told('CAE', '//sp.example/in/base'), '/mn/CAE');
  assert.equal(told('//sp.example/mn/CAE'), '//sp.example/mn/CAE');
  assert.equal(told(''), '');
});

test('for another service provider it is absolute', () => {
  const told = (from: string) => originatorElsewhere(from, { ...names, dialect: onem2m }, '//else/in/base');
  assert.deepEqual(['CAE', '/mn/CAE'].map(told), ['//sp.example/mn/CAE', '//sp.example/mn/CAE']);
});

test('in the documented dialect it is always absolute', () => {
  const told = (from: string) => originatorElsewhere(from, { ...names, dialect: documented });
  assert.deepEqual(['CAE', '/mn/CAE', ''].map(told), ['//sp.example/mn/CAE', '//sp.example/mn/CAE', '']);
});
