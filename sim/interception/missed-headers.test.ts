import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missedHeaders } from './intercepted-cse.ts';

const whole = { 'X-M2M-Origin': 'CAdmin', 'X-M2M-RI': '1', 'X-M2M-RVI': '4' };

test('a refused request in the onem2m dialect hears which headers it lacks', () => {
  const { 'X-M2M-RI': _identifier, ...rest } = whole;
  const says = (headers: Record<string, string>) => missedHeaders(new Headers(headers), 'onem2m', true)?.says;
  assert.match(says(rest) ?? '', /^It has no X-M2M-RI;/);
  assert.match(says({}) ?? '', /^It has none of X-M2M-Origin, X-M2M-RI, X-M2M-RVI;/);
  assert.equal(says(whole), undefined);
});

test('what was not refused lacks nothing, and the documented dialect needs none of them', () => {
  assert.equal(missedHeaders(new Headers({}), 'onem2m', false), undefined);
  assert.equal(missedHeaders(new Headers({}), 'documented', true), undefined);
});

test('a misspelled header is reported even where the request was served', () => {
  for (const name of ['X-M2M-Orgin', 'XM2M-Origin', 'M2M-Origin']) {
    const found = missedHeaders(new Headers({ [name]: 'CAdmin' }), 'documented', false);
    assert.match(found?.says ?? '', new RegExp(`^${name} .*nearest is x-m2m-origin`, 'i'));
  }
  assert.equal(missedHeaders(new Headers({ ...whole, 'X-M2M-GID': 'g', Origin: 'x' }), 'onem2m', false), undefined);
});
