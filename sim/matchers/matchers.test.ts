import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expect as plain } from '@playwright/test';
import { createCse } from '../cse/create-cse.ts';
import { startPair } from '../topology/pair.ts';
import { matchers } from './matchers.ts';

const expect = plain.extend(matchers);

/** The message with which it fails. */
async function failure(judge: () => unknown): Promise<string> {
  try {
    await judge();
  } catch (error) {
    return String((error as Error).message);
  }
  throw new Error('it has not failed');
}

async function furnished() {
  const cse = createCse();
  await cse.http.handle({
    method: 'POST',
    target: '/onem2m',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ 'm2m:ae': { rn: 'App', api: 'Nexample', rr: 'TRUE' } })),
  });
  return cse;
}

test('a request that has come is received, and one that has not fails with the nearest', async () => {
  await using cse = await furnished();
  await expect(cse).toHaveReceived({ method: 'POST', path: '/onem2m', status: 201 });
  await expect(cse).not.toHaveReceived({ method: 'DELETE' });
  const missed = await failure(() =>
    expect(cse).toHaveReceived({ method: 'POST', path: '/onem2m/App' }, { within: 0 }),
  );
  assert.match(missed, /No request matched.*path: expected "\/onem2m\/App", was "\/onem2m"/s);
  assert.match(
    await failure(() => expect(cse).not.toHaveReceived({ method: 'POST' })),
    /An unexpected request came: no\. 1/,
  );
});

test('sent requests are told apart from received ones, notifications included', async () => {
  await using cse = await furnished();
  const inbox = cse.openInbox();
  const post = (target: string, body: object) =>
    cse.http.handle({
      ...{
        method: 'POST',
        target,
        headers: { 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify(body)),
      },
    });
  await post('/onem2m/App', { 'm2m:cnt': { rn: 'data' } });
  await post('/onem2m/App/data', { 'm2m:sub': { nu: [inbox.url], enc: { net: [3] } } });
  await post('/onem2m/App/data', { 'm2m:cin': { con: 'on', cnf: 'text/plain:0' } });
  await expect(cse).toHaveNotified({ content: 'on' });
  await expect(cse).toHaveSent({ operation: 'notify' });
  await expect(cse).not.toHaveNotified({ content: 'off' });
  assert.match(await failure(() => expect(cse).toHaveNotified({ content: 'off' }, { within: 0 })), /expected "off"/);
});

test('a resource is there with what it has, and the nearest is named where it is not', async () => {
  await using cse = await furnished();
  expect(cse).toHaveResource('App', { api: 'Nexample' });
  expect(cse).not.toHaveResource('Other');
  expect(cse).not.toHaveResource('App', { api: 'Nother' });
  assert.match(
    await failure(() => expect(cse).toHaveResource('App', { api: 'Nother' })),
    /api: expected "Nother", was "Nexample"/,
  );
  assert.match(
    await failure(() => expect(cse).toHaveResource('Ap')),
    /There is no Ap .* the nearest is \/?onem2m\/App/,
  );
});

test('a gateway is registered at its backend until that is gone, and then says why it is not', async () => {
  await using pair = await startPair({ clock: 'manual' });
  expect(pair.gateway).toBeRegistered();
  expect(pair.backend).toBeRegistered();
  const other = JSON.parse('{"gateway":{"registered":true}}');
  assert.throws(() => matchers.toBeRegistered(other), /needs a CSE with registered, such as pair\.gateway/);
  pair.disconnect();
  await pair.clock.advance('3h');
  expect(pair.gateway).not.toBeRegistered();
  assert.match(await failure(() => expect(pair.gateway).toBeRegistered()), /mn-cse-1 is not registered: \S+/);
});
