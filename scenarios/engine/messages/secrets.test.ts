import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskedHeaders, maskedPath } from './display.ts';

test('values that only the target is to know are not shown', () => {
  for (const name of ['Authorization', 'X-Auth', 'X-Auth-User', 'X-API-Key', 'Ocp-Subscription-Key', 'Set-Cookie']) {
    assert.deepEqual(maskedHeaders([[name, 'hidden']]), [[name, '***']]);
  }
});

test('the headers of oneM2M are shown', () => {
  for (const name of ['X-M2M-Origin', 'X-M2M-RI', 'X-M2M-RVI', 'Content-Type', 'Keep-Alive']) {
    assert.deepEqual(maskedHeaders([[name, 'shown']]), [[name, 'shown']]);
  }
});

test('what parameters of a query hold is hidden where only the target is to know it', () => {
  assert.equal(maskedPath('/onem2m?fu=1&token=abc&lbl=key'), '/onem2m?fu=1&token=***&lbl=key');
  assert.equal(maskedPath('/onem2m?api_key=a%20b'), '/onem2m?api_key=***');
  assert.equal(maskedPath('/onem2m/token=1'), '/onem2m/token=1');
});
