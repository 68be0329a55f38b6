import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { missedOrigin } from './intercepted-cse.ts';
import { locationOf } from './parsed-url.ts';

const identity = { base: 'onem2m', cseId: 'mn-cse-1', spId: 'openmtc.org' };
const missed = (url: string, baseUrl: string) =>
  missedOrigin(new URL(url), locationOf(baseUrl, identity.base), identity);

describe('a request that goes past the CSE', () => {
  const mistakes: ReadonlyArray<readonly [url: string, baseUrl: string, difference: string, meant: string]> = [
    ['http://gw.test:8081/onem2m/a?fu=1', 'http://gw.test:8080', 'port 8081', 'http://gw.test:8080/onem2m/a?fu=1'],
    ['http://gw.test/onem2m', 'http://gw.test:8080', 'port 80', 'http://gw.test:8080/onem2m'],
    ['https://gw.test:8080/onem2m', 'http://gw.test:8080', 'https://gw.test:8080', 'http://gw.test:8080/onem2m'],
    ['http://127.0.0.1:8080/onem2m', 'http://localhost:8080', 'host 127.0.0.1', 'http://localhost:8080/onem2m'],
    ['http://gatway.test/~/mn-cse-1', 'http://gateway.test', 'host gatway.test', 'http://gateway.test/~/mn-cse-1'],
    ['http://gw.test/onem2m/a', 'http://gw.test/gateway', 'a path outside /gateway', 'http://gw.test/gateway/onem2m/a'],
    ['http://gw.test:81/gateway/onem2m', 'http://gw.test/gateway', 'port 81', 'http://gw.test/gateway/onem2m'],
  ];
  for (const [url, baseUrl, difference, meant] of mistakes) {
    test(`${url}, where the CSE is at ${baseUrl}`, () => {
      const says = `The CSE is at ${baseUrl}, but this goes to ${difference}, past it.`;
      assert.deepEqual(missed(url, baseUrl), { kind: 'origin', says, meant });
    });
  }
});

describe('no mistake is seen in a request', () => {
  const others: Readonly<Record<string, string>> = {
    'to another host with the same names': 'http://cloud.example:8080/onem2m/a',
    'to another port of the host for something else': 'http://gw.test:9000/metrics',
    'to a path that only begins with the letters of the base': 'http://gw.test:9000/onem2mx',
    'to another port of another host': 'http://127.0.0.1:9000/onem2m',
  };
  for (const [name, url] of Object.entries(others)) {
    test(name, () => assert.equal(missed(url, 'http://gw.test:8080'), undefined));
  }
});

describe('where a CSE is', () => {
  test('is a URL, with what a proxy puts before its paths', () => {
    const { href, prefix } = locationOf('https://gw.test:8443/gateway/', 'onem2m');
    assert.deepEqual([href, prefix], ['https://gw.test:8443/gateway', '/gateway']);
  });

  for (const text of ['gw.test', '/gateway', 'mqtt://gw.test', 'gw.test:8080', '']) {
    test(`is not ${JSON.stringify(text)}`, () => {
      assert.throws(() => locationOf(text, 'onem2m'), { name: 'TypeError', message: /is not where a CSE can be/ });
    });
  }

  test('does not end with the name of the CSE base', () => {
    assert.throws(() => locationOf('http://gw.test/onem2m/', 'onem2m'), { message: /write http:\/\/gw\.test\.$/ });
  });
});
