import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documented } from '../dialects/documented.ts';
import { onem2m } from '../dialects/onem2m.ts';
import { canonical, isSameEntity, matchesOriginator, originatorElsewhere, originatorMatcher } from './originator.ts';

const identity = { base: 'b', cseId: 'here', spId: 'sp.org' };
const names = { spId: 'sp.example', cseId: 'mn' };

test('every form of an originator of this CSE is the same one, and others stay distinct', () => {
  for (const [given, form] of [
    ['CAE', 'CAE'],
    ['/here/CAE', 'CAE'],
    ['//sp.org/here/CAE', 'CAE'],
    ['/here', '/here'],
    ['//sp.org/here', '/here'],
    ['/there/CAE', '/there/CAE'],
    ['//sp.org/there/CAE', '/there/CAE'],
    ['//else.org/here/CAE', '//else.org/here/CAE'],
    ['/hereafter/CAE', '/hereafter/CAE'],
    ['', ''],
  ] as const) {
    assert.equal(canonical(given, identity), form, given);
  }
});

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

for (const [acor, meant, notMeant] of [
  ['all', ['CAE', '', '//else.org/x/y'], []],
  ['CAE', ['CAE', '/here/CAE'], ['CAE2', '/there/CAE', 'cae']],
  ['/there', ['/there', '//sp.org/there'], ['/there/CAE', 'there']],
  ['C*', ['CAE', 'C', '/here/CAE'], ['SAE', '/there/CAE', '']],
  ['*AE', ['CAE', 'SAE'], ['/there/CAE', '//else.org/there/CAE', '']],
  ['*', ['CAE', '/there/CAE', '//else.org/there/CAE'], []],
  ['/there/*', ['/there/CAE'], ['/there', 'CAE']],
  ['/*/C?E', ['/there/CAE', 'CAE'], ['/there/CAAE', '//else.org/there/CAE']],
  ['//*/*/C*', ['//else.org/x/CAE', 'CAE', '/there/CAE'], ['SAE', '//else.org/CAE']],
  ['/*', ['/there', '/here'], ['CAE', '/there/CAE', '//else.org/x']],
  ['//*/*', ['/there', '//else.org/x'], ['CAE', '/there/CAE', '//else.org/x/CAE']],
  ['//else.org', ['//else.org/x/CAE', '//eu.else.org/x'], ['CAE', '//notelse.org/x', '/else.org']],
  ['//else.org/*', ['//else.org/x'], ['//else.org/x/CAE', 'CAE']],
  ['sp.org', ['CAE', '/there/CAE'], ['//else.org/x/CAE']],
] as const) {
  test(`acor ${acor} means who it says`, () => {
    const matcher = originatorMatcher([acor], identity);
    for (const one of meant) assert.equal(matchesOriginator(matcher, canonical(one, identity), identity), true, one);
    for (const one of notMeant)
      assert.equal(matchesOriginator(matcher, canonical(one, identity), identity), false, one);
  });
}

for (const [one, other, same] of [
  ['CAE', '/here/CAE', true],
  ['CAE', '//sp.org/here/CAE', true],
  ['/there/CAE', '//sp.org/there/CAE', true],
  ['/here', '//sp.org/here', true],
  ['CAE', '/there/CAE', false],
  ['CAE', '//else.org/here/CAE', false],
  ['CAE', undefined, false],
  ['SAE', '/there/SAE', true],
  ['/here/SAE', '//sp.org/there/SAE', true],
  ['//else.org/here/SAE', '//else.org/there/SAE', true],
  ['SAE', '//else.org/there/SAE', false],
  ['SAE', 'SBE', false],
  ['https://x/SAE', 'SAE', false],
  ['https://x/SAE', 'https://x/SAE', true],
  ['coap://x/SAE', 'SAE', false],
] as const) {
  test(`${one} and ${other} are ${same ? 'one' : 'two'} (TS-0001, clause 7.2)`, () => {
    assert.equal(isSameEntity(one, other, identity), same);
  });
}
