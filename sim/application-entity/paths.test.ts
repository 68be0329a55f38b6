import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listedPath, newLocationOf, requestPath } from './requests.ts';

const written: [string, string][] = [
  ['c', '/onem2m/App/c'],
  ['devices/Temp 1', '/onem2m/App/devices/Temp%201'],
  ['/onem2m/Other/c', '/onem2m/Other/c'],
  ['/~/mn-cse-1/onem2m', '/~/mn-cse-1/onem2m'],
  ['/_/openmtc.org/mn-cse-1/onem2m', '/_/openmtc.org/mn-cse-1/onem2m'],
  ['//openmtc.org/mn-cse-1/onem2m', '/_/openmtc.org/mn-cse-1/onem2m'],
];
for (const [path, target] of written) {
  test(`${path} is asked for as ${target}`, () => {
    assert.equal(requestPath(path, '/onem2m/App'), target);
  });
}

const listed: [string, string][] = [
  ['onem2m/App/c', '/onem2m/App/c'],
  ['cnt0', '/cnt0'],
  ['/onem2m/App/c', '/onem2m/App/c'],
  ['/onem2m', '/onem2m'],
  ['/onem2m-2/onem2m/App', '/~/onem2m-2/onem2m/App'],
  ['/mn-cse-1/onem2m/App', '/~/mn-cse-1/onem2m/App'],
  ['/~/mn-cse-1/onem2m/App', '/~/mn-cse-1/onem2m/App'],
  ['/_/openmtc.org/mn-cse-1/onem2m', '/_/openmtc.org/mn-cse-1/onem2m'],
  ['//openmtc.org/mn-cse-1/cnt0', '/_/openmtc.org/mn-cse-1/cnt0'],
];
for (const [address, target] of listed) {
  test(`the address ${address} in a list becomes ${target}`, () => {
    assert.equal(listedPath(address, '/onem2m'), target);
  });
}

test('a new resource comes below the parent, or where its own path says', () => {
  assert.deepEqual(newLocationOf('a/b', '/onem2m/App'), { parent: '/onem2m/App', names: ['a', 'b'] });
  assert.deepEqual(newLocationOf('/onem2m/X/a%20b', '/onem2m/App'), { parent: '/onem2m/X', names: ['a b'] });
});
